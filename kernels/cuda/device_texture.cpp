// Textures for the kernels that fetch from one.
#include "kernels/cuda/device_texture.cuh"

#include "kernels/cuda/check.h"
#include "kernels/cuda/device_buffer.cuh"

namespace warplens {

cudaTextureAddressMode address_mode(Border border) {
    switch (border) {
        case Border::clamp:
            return cudaAddressModeClamp;
        case Border::border:
            return cudaAddressModeBorder;
        case Border::wrap:
            return cudaAddressModeWrap;
        case Border::mirror:
            return cudaAddressModeMirror;
    }
    return cudaAddressModeClamp;
}

void DeviceTexture::reserve(Extent size, Border border, cudaStream_t stream) {
    if (size.x == 0 || size.y == 0) return;
    const bool same_size = array_ != nullptr && size.x == size_.x && size.y == size_.y;
    if (same_size && object_ != 0 && border == border_) return;
    if (same_size)
        drop_object();
    else
        allocate(size, stream);
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array_;
    cudaTextureDesc texture{};
    texture.addressMode[0] = texture.addressMode[1] = address_mode(border);
    texture.filterMode = cudaFilterModePoint;
    texture.readMode = cudaReadModeElementType;
    texture.normalizedCoords = has_normalized_coordinates(border) ? 1 : 0;
    CUDA_CHECK(cudaCreateTextureObject(&object_, &resource, &texture, nullptr));
    border_ = border;
}

void DeviceTexture::allocate(Extent size, cudaStream_t stream) {
    release();
    const auto width = static_cast<std::size_t>(size.x), height = static_cast<std::size_t>(size.y);
    const cudaChannelFormatDesc texel = cudaCreateChannelDesc<unsigned>();
    CUDA_CHECK(cudaMallocArray(&array_, &texel, width, height));
    size_ = size;
    try {
        DeviceBuffer contents;  // freed at the end of the scope, after the copy has ended
        contents.reserve(bytes_of(size), stream);
        const std::size_t row = width * kTexelBytes;
        CUDA_CHECK(cudaMemcpy2DToArrayAsync(array_, 0, 0, contents.data(), row, row, height,
                                            cudaMemcpyDeviceToDevice, stream));
        CUDA_CHECK(cudaStreamSynchronize(stream));
    } catch (...) {
        release();
        throw;
    }
}

void DeviceTexture::drop_object() noexcept {
    if (object_ != 0) CUDA_FORGET(cudaDestroyTextureObject(object_));
    object_ = 0;
}

void DeviceTexture::release() noexcept {
    drop_object();
    if (array_ != nullptr) CUDA_FORGET(cudaFreeArray(array_));
    abandon();
}

}  // namespace warplens
