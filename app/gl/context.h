#pragma once

#include "kernels/unavailable.h"

#include <memory>
#include <optional>
#include <string>
#include <variant>

namespace warplens {

/// The first line of a shader, and the lines that begin ours: they use what GLSL 3.30 and GLSL ES 3.00 have
/// in common.
extern const char* const kGlslVersion;
extern const char* const kGlslHead;

/// OpenGL's report about itself.
struct GlInfo {
    std::string vendor, renderer, version;
    std::string how;  ///< how the context was created, for `doctor`
};

/// An OpenGL 3.3 core context without a window, through EGL. It tries the GPU of the CUDA device, any other
/// GPU, and Mesa in software. The context is current on the calling thread as long as the object exists.
class HeadlessContext {
public:
    /// @param cuda_device  prefer the EGL device that belongs to this CUDA device; -1 for any.
    /// @return  the context, or why there is none, with one line for each way that was tried.
    static std::variant<std::unique_ptr<HeadlessContext>, Unavailable> create(int cuda_device = -1);
    virtual ~HeadlessContext() = default;
    virtual const GlInfo& info() const = 0;
};

/// Reads what the current GL context reports about itself.
/// @param how  see GlInfo::how
GlInfo read_gl_info(std::string how);

/// Whether another process draws, for a page: then each question to GL waits until it has drawn all that it
/// was asked for, and there is one context for ever.
extern const bool kDrawnElsewhere;

/// Whether the driver had the memory for the framebuffer that is bound, and can draw into it.
bool framebuffer_is_complete();

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
