// Random data for the buffers that timed kernels read and write.
//
// Launch shape: enough blocks of 256 threads to fill the GPU, whatever the size of the buffer. Each thread
// steps through the buffer by the size of the grid and stores 16 random bytes per step. It loads nothing.
#include "kernels/cuda/device_buffer.cuh"

#include "kernels/scramble.h"

#include <algorithm>

namespace warplens {
namespace {

__global__ void fill_random(uint4* data, std::int64_t count, std::uint64_t first) {
    const std::int64_t threads = std::int64_t{gridDim.x} * blockDim.x;
    for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += threads) {
        const std::uint64_t seed = first + static_cast<std::uint64_t>(i) * 4;
        data[i] = make_uint4(scramble(seed), scramble(seed + 1), scramble(seed + 2), scramble(seed + 3));
    }
}

}  // namespace

std::int64_t DeviceBuffer::rounded(std::int64_t bytes) {
    constexpr std::int64_t kSlack = 512, kUnit = std::int64_t{1} << 16;
    return (bytes + kSlack + kUnit - 1) / kUnit * kUnit;
}

void DeviceBuffer::reserve(std::int64_t bytes, cudaStream_t stream) {
    if (bytes <= bytes_ && data_ != nullptr) return;
    release();
    const std::int64_t size = rounded(bytes);
    void* fresh = nullptr;
    CUDA_CHECK(cudaMalloc(&fresh, static_cast<std::size_t>(size)));
    data_ = static_cast<unsigned char*>(fresh);
    bytes_ = size;
    refill(stream);
}

void DeviceBuffer::refill(cudaStream_t stream) {
    if (data_ == nullptr) return;
    constexpr int kThreads = 256, kMostBlocks = 4096;
    const std::int64_t count = bytes_ / static_cast<std::int64_t>(sizeof(uint4));
    const auto blocks =
        static_cast<unsigned>(std::min<std::int64_t>((count + kThreads - 1) / kThreads, kMostBlocks));
    fill_random<<<blocks, kThreads, 0, stream>>>(reinterpret_cast<uint4*>(data_), count, first_);
    CUDA_CHECK_LAUNCH();
}

void DeviceBuffer::release() noexcept {
    if (data_ != nullptr) CUDA_FORGET(cudaFree(data_));
    abandon();
}

}  // namespace warplens
