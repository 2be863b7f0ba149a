#pragma once

#include <fstream>
#include <string>

namespace warplens {

/// Open a file for reading.
/// Errors: UsageError with the reason, because the path is the person's input; a folder is none.
std::ifstream open_input(const std::string& path);

}  // namespace warplens
