#pragma once

#include <string>
#include <string_view>

namespace warplens {

/// Write a whole file or nothing.
/// Errors: UsageError, because the path comes from the person.
void write_output(const std::string& path, std::string_view bytes);

/// Check before long work whether write_output will succeed. Errors: as write_output.
void check_output(const std::string& path);

}  // namespace warplens
