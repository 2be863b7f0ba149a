#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warplens {

/// Numbers as people read them: 2 097 152 with thin gaps, 2.15 GB.
std::string format_count(std::int64_t value);
std::string format_bytes(double bytes);
/// "12.5 %"; always say next to it of what. An empty whole gives "0 %".
std::string format_percent(double part, double whole);

/// "1 sector", "1 024 sectors".
std::string counted(std::int64_t count, std::string_view singular);

}  // namespace warplens
