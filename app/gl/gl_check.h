#pragma once

#include "app/gl/context.h"
#include "kernels/unavailable.h"

#include <optional>
#include <string>

namespace warplens {

/// What the current GL context says about itself.
/// @param how  see GlInfo::how
GlInfo read_gl_info(std::string how);

/// In builds with assertions, where the driver has KHR_debug: GL's error messages go to stderr as they
/// happen.
void report_gl_errors();

/// The errors that GL has recorded since the last call, in words, and clear them; empty: none. For tests.
std::string take_gl_errors();

/// ImGui's OpenGL backend opens libGL itself, also where EGL would do, and its failure cannot be handled
/// afterwards.
/// @return  one sentence when it will not find it.
std::optional<Unavailable> missing_lib_gl();

}  // namespace warplens
