#pragma once

#include <string>
#include <string_view>

namespace warplens {

/// Write a whole file or nothing: the bytes go to a new file beside it, which is then renamed. The old file
/// stays until then, and nothing is left behind on failure. A symbolic link is followed; a device or pipe is
/// written to directly.
/// Errors: std::runtime_error with one sentence that names the path and the reason.
void write_file(const std::string& path, std::string_view bytes);

/// Check whether write_file could write there now, before long work is done. Leaves nothing behind.
/// Errors: as write_file.
void check_writable(const std::string& path);

}  // namespace warplens
