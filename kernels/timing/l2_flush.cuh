#pragma once

#include "kernels/cuda/device_buffer.cuh"

#include <cuda_runtime.h>

#include <cstdint>

namespace warplens {

/// Evicts what earlier launches left in the L2, so that the next one starts with a cold cache.
class L2Flush {
public:
    /// Queue the flush: it reads twice the size of the L2, which also evicts lines that were written but not
    /// yet stored.
    /// @param sink  never written; see pretend_to_need.
    /// Errors: CudaError.
    void queue(std::int64_t l2_bytes, std::uint32_t* sink, cudaStream_t stream);
    /// Drop the pointer without freeing the memory, because the driver does not answer any more.
    void abandon() noexcept { buffer_.abandon(); }

private:
    DeviceBuffer buffer_;
};

}  // namespace warplens
