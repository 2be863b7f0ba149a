#pragma once

#include "kernels/params.h"
#include "kernels/unavailable.h"

#include <memory>
#include <optional>
#include <variant>

namespace warplens {

/// A GL texture that CUDA may draw into: registered once, mapped only while the kernel runs, unregistered
/// before it dies.
class MappedImage {
public:
    /// @param gl_texture  GL_TEXTURE_2D, RGBA8, TextureFilter::kImage a side, alive longer than the result;
    /// its GL context is current.
    /// @return  or why CUDA cannot draw into it; CUDA's error state is left clean.
    static std::variant<std::unique_ptr<MappedImage>, Unavailable> create(unsigned gl_texture);

    virtual ~MappedImage() = default;

    /// Map, launch, unmap; the CPU does not wait for the kernel, GL's next read does.
    /// @return  empty: done; else why not, and `lost()` says whether trying again makes sense.
    virtual std::optional<Unavailable> draw(const Params& params) = 0;

    /// Mapping or unmapping failed once: the texture belongs to GL alone from now on.
    virtual bool lost() const = 0;
};

}  // namespace warplens
