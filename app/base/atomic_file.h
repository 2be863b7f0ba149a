#pragma once

#include <string>
#include <string_view>

namespace warplens {

/// Write a whole file or nothing: into a new file beside it, which is then renamed. What was there stays
/// until then, and nothing is left behind on failure. A symbolic link is followed; a device or pipe is
/// written to directly. Errors: std::runtime_error with one sentence that names the path and the reason.
void write_file(const std::string& path, std::string_view bytes);

/// Whether write_file could write there now, found out before long work. Leaves nothing behind.
/// Errors: as write_file.
void check_writable(const std::string& path);

}  // namespace warplens
