#pragma once

#include "kernels/unavailable.h"

#include <memory>
#include <string>
#include <variant>

namespace warplens {

/// What OpenGL reports about itself.
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

}  // namespace warplens
