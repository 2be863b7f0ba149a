#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warplens {

/// Numbers as people read them: "2 097 152" with thin gaps.
std::string format_count(std::int64_t value);
// Sizes have the units of IEC 80000-13 everywhere: 1 KiB = 1024 B, 1 MiB = 1024 KiB. Rates have the usual
// decimal ones: 1 GB/s = 10^9 B/s.
/// The binary unit in which format_bytes writes a number: 0 for bytes, 1 for KiB, and so on.
int unit_of_bytes(double bytes);
/// How much is moved or accessed: exact below 10 000 bytes ("4 096 B"), else with three digits ("1.13 GiB").
std::string format_bytes(double bytes);
/// How large a memory or an array is: "4 KiB", "62.5 MiB".
std::string format_size(double bytes);
/// "12.5 %", "6.25 %": two decimals below ten, else one, none if they are zeros. Always say next to it of
/// what. An empty whole gives "0 %".
std::string format_percent(double part, double whole);
/// Three digits: "568 GB/s", "4.80 TB/s", "33.5 TB/s".
std::string format_bandwidth(double gb_per_s);
/// "1.24 ms", "850 µs".
std::string format_duration(double us);

/// "1 sector", "1 024 sectors".
std::string counted(std::int64_t count, std::string_view singular);

}  // namespace warplens
