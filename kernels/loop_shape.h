#pragma once

namespace warplens {

// The timed loop of shared_time.cuh.
inline constexpr int kLoopWarps = 8;    ///< warps of a block: enough to keep the banks busy
inline constexpr int kLoopUnroll = 16;  ///< accesses between two loop branches
inline constexpr int kLoopTurns = 512;  ///< turns of the loop

// The chain of chain.cuh.
inline constexpr int kChainUnroll = 8;  ///< links between two loop branches
inline constexpr int kChainTurns = 64;  ///< turns of the loop

// The intervals of timing.cuh.
inline constexpr double kShortLaunchUs = 20;  ///< shorter launches are timed several at a time [us]

}  // namespace warplens
