#pragma once

#include "kernels/params.h"
#include "kernels/replay.cuh"
#include "kernels/unavailable.h"

#include <cuda_runtime.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace warplens {

inline constexpr int kLoopWarps = 8;    ///< warps of a block of the timed loop: enough to keep the banks busy
inline constexpr int kLoopUnroll = 16;  ///< accesses between two loop branches
inline constexpr int kLoopTurns = 512;  ///< turns of the loop

/// Launch the timed loop of a scenario whose instructions all go to shared memory: one block per SM.
/// @param clocks  device memory, kLoopWarps for each block
/// @param sink    device memory, one word; never written
/// @return  empty: launched; else which kernel is missing. Throws CudaError.
std::optional<Unavailable> launch_shared_loop(std::string_view scenario, const Params& params, int blocks,
                                              ClockPair* clocks, std::uint32_t* sink, cudaStream_t stream);

}  // namespace warplens
