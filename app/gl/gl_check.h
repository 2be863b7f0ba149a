#pragma once

#include "app/gl/context.h"

#include <optional>
#include <string>

namespace warplens {

/// Reads what the current GL context reports about itself.
/// @param how  see GlInfo::how
GlInfo read_gl_info(std::string how);

/// Prints GL's error messages to stderr as they occur, in builds with assertions, if the driver supports
/// KHR_debug.
void report_gl_errors();

/// Returns and clears the errors that GL has recorded since the last call, in words. Empty if there are none.
/// For tests.
std::string take_gl_errors();

/// ImGui's OpenGL backend opens libGL itself, even if EGL would be enough, and its failure cannot be handled
/// afterwards.
/// @return  one sentence if it will not find libGL.
std::optional<Unavailable> missing_lib_gl();

}  // namespace warplens
