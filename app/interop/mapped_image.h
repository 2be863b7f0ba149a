#pragma once

#include "kernels/params.h"
#include "kernels/unavailable.h"

#include <memory>
#include <optional>
#include <variant>

namespace warplens {

/// A GL texture that CUDA may draw into. It is registered once, mapped only while the kernel runs, and
/// unregistered in the destructor.
class MappedImage {
public:
    /// @param gl_texture  GL_TEXTURE_2D, RGBA8, TextureFilter::kImage a side; it must outlive the result, and
    /// its GL context must be current.
    /// @return  why CUDA cannot draw into it, if it cannot; CUDA's error state is clean afterwards.
    static std::variant<std::unique_ptr<MappedImage>, Unavailable> create(unsigned gl_texture);

    virtual ~MappedImage() = default;

    /// Map, launch, unmap. The CPU does not wait for the kernel; GL's next read does.
    /// @return  why it failed, or empty; `lost()` says whether it makes sense to try again.
    virtual std::optional<Unavailable> draw(const Params& params) = 0;

    /// Mapping or unmapping has failed once: from now on the texture is used by GL only.
    virtual bool lost() const = 0;
};

}  // namespace warplens
