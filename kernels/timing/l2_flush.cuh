#pragma once

#include "kernels/cuda/device_buffer.cuh"

#include <cuda_runtime.h>

#include <cstdint>

namespace warplens {

/// Empties the L2 of what earlier launches left there, so that the next one finds a cold cache.
class L2Flush {
public:
    /// Queue it: twice the L2 is read, which also pushes out lines that were written but not yet stored.
    /// @param sink  never written; see pretend_to_need. Errors: CudaError.
    void queue(std::int64_t l2_bytes, std::uint32_t* sink, cudaStream_t stream);
    /// Forget the memory without freeing it: the driver no longer answers.
    void abandon() noexcept { buffer_.abandon(); }

private:
    DeviceBuffer buffer_;
};

}  // namespace warplens
