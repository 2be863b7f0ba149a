#pragma once

#include "kernels/scenario.h"
#include "kernels/texture_layout.h"

#include <cuda_runtime.h>

#include <cstdint>

namespace warplens {

/// CUDA's name for an address mode.
cudaTextureAddressMode address_mode(Border border);

/// How the number of a texel becomes a coordinate: its centre, divided by the size if the address mode
/// requires normalized coordinates.
struct TexelScale {
    float x = 1, y = 1;

    __device__ float u(int texel) const { return (float(texel) + 0.5f) * x; }
    __device__ float v(int texel) const { return (float(texel) + 0.5f) * y; }
};

/// CUDA supports `wrap` and `mirror` only for coordinates from 0 to 1.
constexpr bool has_normalized_coordinates(Border border) {
    return border == Border::wrap || border == Border::mirror;
}
inline TexelScale texel_scale(const LaunchShape& shape) {
    if (!has_normalized_coordinates(static_cast<Border>(shape.border)) || shape.texture.x == 0) return {};
    return {1.0f / float(shape.texture.x), 1.0f / float(shape.texture.y)};
}

/// A CUDA array of 4-byte unsigned texels, kept until another size is requested, and a texture object that
/// reads the nearest texel. Texel (x, y) holds scramble(y * width + x) of kernels/scramble.h.
class DeviceTexture {
public:
    DeviceTexture() = default;
    ~DeviceTexture() { release(); }
    DeviceTexture(const DeviceTexture&) = delete;
    DeviceTexture& operator=(const DeviceTexture&) = delete;

    cudaTextureObject_t object() const { return object_; }  ///< 0 if there is no texture
    std::int64_t bytes() const { return bytes_of(size_); }
    static constexpr std::int64_t bytes_of(Extent size) {
        return std::int64_t{size.x} * size.y * kTexelBytes;
    }

    /// Allocate a texture of this size. Old contents are lost when the size changes. Size {0, 0} keeps what
    /// is there. For a moment it needs the same amount of memory again.
    /// Errors: CudaError; there is no texture then.
    void reserve(Extent size, Border border, cudaStream_t stream);
    void release() noexcept;
    /// Drop the handles without freeing the memory, because the driver does not answer any more.
    void abandon() noexcept { array_ = nullptr, object_ = 0, size_ = {0, 0}; }

private:
    void allocate(Extent size, cudaStream_t stream);
    void drop_object() noexcept;

    cudaArray_t array_ = nullptr;
    cudaTextureObject_t object_ = 0;
    Extent size_{0, 0};
    Border border_ = Border::clamp;
};

}  // namespace warplens
