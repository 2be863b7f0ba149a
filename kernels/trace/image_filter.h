#pragma once

// Plain C++: callers need neither nvcc nor a CUDA header.
#include "kernels/params.h"
#include "kernels/unavailable.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace warplens {

/// Draws the image of `texture-filter` with the texture units of a GPU. Textures are made once and kept.
/// Pixels are RGBA, one byte each, in rows from the top, TextureFilter::kImage a side.
/// Use one object from one thread, on one device, with one stream. CUDA's error state is clean afterwards.
class ImageFilter {
public:
    ImageFilter();
    ~ImageFilter();
    ImageFilter(const ImageFilter&) = delete;
    ImageFilter& operator=(const ImageFilter&) = delete;

    /// Draw asynchronously on `stream` (a cudaStream_t).
    /// @param surface  a cudaSurfaceObject_t over an array of such pixels, for example a mapped GL texture.
    /// @return  why it was not launched, or empty.
    std::optional<Unavailable> draw(const Params& params, std::uint64_t surface, void* stream);

    /// Draw into host memory, on a stream of its own with the highest priority. Blocks until the image is
    /// there, but does not wait for other work of the GPU.
    /// @param rgba  4 * kImage * kImage bytes.
    std::optional<Unavailable> draw_to_host(const Params& params, std::span<std::uint8_t> rgba);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace warplens
