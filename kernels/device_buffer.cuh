#pragma once

#include "kernels/check.h"

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace warplens {

/// Device memory that grows and is freed with its owner. Filled with random data whenever it is allocated:
/// zeros measure something else, and nothing that a kernel reads is ever uninitialised.
class DeviceBuffer {
public:
    DeviceBuffer() = default;
    ~DeviceBuffer() { release(); }
    DeviceBuffer(const DeviceBuffer&) = delete;
    DeviceBuffer& operator=(const DeviceBuffer&) = delete;

    unsigned char* data() const { return data_; }
    std::int64_t bytes() const { return bytes_; }

    /// Room for at least `bytes`; old contents are lost when it grows. The fill is queued on `stream`.
    /// Errors: CudaError; the buffer is empty then.
    void reserve(std::int64_t bytes, cudaStream_t stream);
    /// Random data again, after a kernel has put something else there. Queued on `stream`.
    void refill(cudaStream_t stream);
    void release() noexcept;
    /// Forget the memory without freeing it: the driver no longer answers.
    void abandon() noexcept { data_ = nullptr, bytes_ = 0; }

    /// What `reserve(bytes)` really takes [bytes].
    static std::int64_t rounded(std::int64_t bytes);

private:
    unsigned char* data_ = nullptr;
    std::int64_t bytes_ = 0;
};

/// A number that looks random, the same for the same index.
__host__ __device__ inline std::uint32_t scramble(std::uint64_t index) {
    index = (index + 1) * 0x9e3779b97f4a7c15u;
    index = (index ^ index >> 30) * 0xbf58476d1ce4e5b9u;
    index = (index ^ index >> 27) * 0x94d049bb133111ebu;
    return static_cast<std::uint32_t>(index >> 32);
}

}  // namespace warplens
