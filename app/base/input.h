#pragma once

#include <cstdint>
#include <fstream>
#include <stop_token>
#include <string>

namespace warplens {

/// Files from anywhere have at most so many bytes of JSON.
inline constexpr std::uintmax_t kMostJsonBytes = std::uintmax_t{16} << 20;

/// The bytes of a regular file that may come from anywhere. Its size is looked at before it is read; pipes
/// and devices are never waited for.
/// @param most  larger files are refused [bytes]
/// @param stop  gives up reading
/// Errors: UsageError with the reason only, such as "there is no such file": the caller knows what it was
/// for.
std::string read_input(const std::string& path, std::uintmax_t most, const std::stop_token& stop = {});

/// The same of a file of any size: its first bytes, at most so many.
std::string read_input_start(const std::string& path, std::uintmax_t most, const std::stop_token& stop = {});

/// Open a file of any length for reading, a pipe included.
/// Errors: UsageError with path and reason, because the path is the person's input; a folder is none.
std::ifstream open_input(const std::string& path);

}  // namespace warplens
