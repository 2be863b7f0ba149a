#pragma once

#include "kernels/scenario.h"

#include <cuda_runtime.h>

#include <cstdint>

namespace warplens {

/// Host memory of one of the kinds that a GPU gets at. Its words look random.
class HostBuffer {
public:
    HostBuffer() = default;
    ~HostBuffer() { release(); }
    HostBuffer(const HostBuffer&) = delete;
    HostBuffer& operator=(const HostBuffer&) = delete;

    HostKind kind() const { return kind_; }
    unsigned char* data() const { return data_; }

    /// Free all, unless it is what is wanted now.
    void release_unless(HostKind kind, std::int64_t bytes, std::int64_t left_free) noexcept;
    /// @param left_free  So much of the GPU's memory is left free, the rest is taken; 0 to take none.
    /// Errors: CudaError; there is no memory then.
    void reserve(HostKind kind, std::int64_t bytes, std::int64_t left_free);
    void release() noexcept;
    /// Drop the pointers without freeing the memory, because the driver does not answer any more.
    void abandon() noexcept { data_ = nullptr, taken_ = nullptr, kind_ = HostKind::none; }

private:
    void allocate();

    HostKind kind_ = HostKind::none;
    unsigned char* data_ = nullptr;
    void* taken_ = nullptr;  ///< of the GPU's memory
    std::int64_t bytes_ = 0, left_free_ = 0;
};

/// Queue the move of managed memory to the current GPU, or home to the host.
void prefetch(void* managed, std::int64_t bytes, bool to_gpu, cudaStream_t stream);

}  // namespace warplens
