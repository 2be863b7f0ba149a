#pragma once

#include "kernels/cuda/check.h"

#include <cuda_runtime.h>

#include <cstdint>

namespace warplens {

/// Device memory that can grow and is freed with its owner. It is filled with random data whenever it is
/// allocated: zeros can be faster than real data, and no kernel may read uninitialised memory.
class DeviceBuffer {
public:
    DeviceBuffer() = default;
    ~DeviceBuffer() { release(); }
    DeviceBuffer(const DeviceBuffer&) = delete;
    DeviceBuffer& operator=(const DeviceBuffer&) = delete;

    /// Begin the random data at another index of kernels/scramble.h, so that buffers differ. Call it before
    /// `reserve`.
    void start_at(std::uint64_t index) { first_ = index; }

    unsigned char* data() const { return data_; }
    std::int64_t bytes() const { return bytes_; }

    /// Make room for at least `bytes`. Old contents are lost when the buffer grows. The fill is queued on
    /// `stream`.
    /// Errors: CudaError; the buffer is empty then.
    void reserve(std::int64_t bytes, cudaStream_t stream);
    /// Fill the buffer with random data again, after a kernel has changed it. The fill is queued on `stream`.
    void refill(cudaStream_t stream);
    void release() noexcept;
    /// Drop the pointer without freeing the memory, because the driver does not answer any more.
    void abandon() noexcept { data_ = nullptr, bytes_ = 0; }

    /// How much memory `reserve(bytes)` really allocates [bytes].
    static std::int64_t rounded(std::int64_t bytes);

private:
    unsigned char* data_ = nullptr;
    std::int64_t bytes_ = 0;
    std::uint64_t first_ = 0;
};

}  // namespace warplens
