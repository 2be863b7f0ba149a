#pragma once

#include "kernels/unavailable.h"

#include <memory>
#include <string>
#include <variant>

namespace warplens {

/// What OpenGL says about itself.
struct GlInfo {
    std::string vendor, renderer, version;
    std::string how;  ///< which way led to the context, for `doctor`
};

/// An OpenGL 3.3 core context without a window, through EGL: the GPU of the CUDA device if there is one, any
/// other GPU, Mesa in software. Current on the calling thread while it lives.
class HeadlessContext {
public:
    /// @param cuda_device  prefer the EGL device that belongs to this CUDA device; -1: any.
    /// @return  the context, or why there is none (every way that was tried, one a line).
    static std::variant<std::unique_ptr<HeadlessContext>, Unavailable> create(int cuda_device = -1);
    virtual ~HeadlessContext() = default;
    virtual const GlInfo& info() const = 0;
};

}  // namespace warplens
