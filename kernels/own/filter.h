#pragma once

// Plain C++: callers need neither nvcc nor a CUDA header.
#include "kernels/params.h"
#include "kernels/unavailable.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace warplens {

/// Draws the image of `texture-filter` by the texture units of a GPU. Textures that were made once are kept.
/// Pixels are RGBA, one byte each, rows from the top, TextureFilter::kImage a side.
/// Use one object from one thread, on one device, with one stream. CUDA's error state is left clean.
class ImageFilter {
public:
    ImageFilter();
    ~ImageFilter();
    ImageFilter(const ImageFilter&) = delete;
    ImageFilter& operator=(const ImageFilter&) = delete;

    /// Asynchronous, on `stream` (a cudaStream_t).
    /// @param surface  a cudaSurfaceObject_t over an array of such pixels, for example a mapped GL texture.
    /// @return  empty: launched; else why not.
    std::optional<Unavailable> draw(const Params& params, std::uint64_t surface, void* stream);

    /// Into host memory, on a stream of its own with the highest priority. Blocks until the image is there
    /// (not for what else the GPU does).
    /// @param rgba  4 * kImage * kImage bytes.
    std::optional<Unavailable> draw_to_host(const Params& params, std::span<std::uint8_t> rgba);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace warplens
