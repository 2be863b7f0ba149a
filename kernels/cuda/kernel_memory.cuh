#pragma once

#include "kernels/scenario.h"

#include <cuda_runtime.h>

#include <cstdint>

namespace warplens {

/// The clock of the SM when one warp began and ended its loop [cycles].
struct ClockPair {
    long long begin;
    long long end;
};

/// The memory that a kernel reads and writes.
struct KernelMemory {
    /// As large as LaunchShape::buffer_bytes, with random contents (kernels/scramble.h) before `prepare`.
    unsigned char* buffer[kMaxBuffers] = {};
    std::uint32_t* sink = nullptr;  ///< never written; see kernels/cuda/element.cuh
    ClockPair* clocks = nullptr;    ///< with room for kLoopWarps for each SM
    /// A texture of LaunchShape::texture texels with random contents, or 0 if the scenario has none.
    cudaTextureObject_t texture = 0;
    unsigned char* host = nullptr;  ///< LaunchShape::host, as large as buffer 0
};

/// A global buffer as an array.
template <class T>
T* array_of(const KernelMemory& memory, int buffer) {
    return reinterpret_cast<T*>(memory.buffer[buffer]);
}

/// The first of a buffer's random contents (DeviceBuffer::start_at): those of all buffers differ.
constexpr std::uint64_t first_word_of(int buffer) { return static_cast<std::uint64_t>(buffer) << 40; }

/// An extent as CUDA takes it for a grid or a block.
inline dim3 dim3_of(const Extent& extent) {
    return {static_cast<unsigned>(extent.x), static_cast<unsigned>(extent.y)};
}

}  // namespace warplens
