#pragma once

#include "kernels/cuda/check.h"
#include "kernels/scenario.h"

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace warplens {

/// The clock of the SM when one warp began and ended its loop [cycles].
struct ClockPair {
    long long begin;
    long long end;
};

/// The memory that a replayed scenario reads and writes.
struct ReplayMemory {
    unsigned char* buffer[kMaxBuffers] = {};  ///< as large as LaunchShape::buffer_bytes, random contents
    std::uint32_t* sink = nullptr;            ///< never written; see pretend_to_need
    ClockPair* clocks = nullptr;              ///< with room for at least one per SM
    /// A texture of LaunchShape::texture texels with random contents, or 0 if the scenario has none.
    cudaTextureObject_t texture = 0;
};

/// An extent as CUDA takes it for a grid or a block.
inline dim3 dim3_of(const Extent& extent) {
    return {static_cast<unsigned>(extent.x), static_cast<unsigned>(extent.y)};
}

/// A kernel must ask for more than 48 KB of shared memory. Errors: CudaError.
template <class Kernel>
void allow_shared(Kernel kernel, std::size_t bytes) {
    constexpr std::size_t kWithoutAsking = 48 * 1024;
    if (bytes <= kWithoutAsking) return;
    CUDA_CHECK(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
}

}  // namespace warplens
