#pragma once

namespace warplens {

// The timed loop of kernels/timing/bank_loop.cu.
inline constexpr int kLoopWarps = 16;   ///< warps of a block: enough to keep the banks busy
inline constexpr int kLoopUnroll = 16;  ///< accesses between two loop branches
inline constexpr int kLoopTurns = 512;  ///< iterations of the loop

// The chain of kernels/timing/chain.cu.
inline constexpr int kChainUnroll = 8;  ///< accesses between two loop branches
inline constexpr int kChainTurns = 64;  ///< iterations of the loop

// The intervals of kernels/timing/timing.cuh.
/// Launches shorter than this are timed several at a time [us].
inline constexpr double kShortLaunchUs = 500;

}  // namespace warplens
