#pragma once

#include <string>
#include <string_view>

namespace warplens {

/// Write a file whole or not at all.
/// Errors: UsageError, because the path is the person's input.
void write_output(const std::string& path, std::string_view bytes);

/// Find out before long work whether write_output will be able to. Errors: as there.
void check_output(const std::string& path);

}  // namespace warplens
