#pragma once

#include "kernels/cuda/check.h"

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

}  // namespace warplens
