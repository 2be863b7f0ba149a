#pragma once

#include "app/model/prediction.h"

namespace warplens {

/// Floating-point speed of a scenario that computes (Quantity::gflop_per_s): what takes longest of DRAM, L2,
/// the pipe of L1 and shared memory, issued instructions, the multiply-adds themselves and starting blocks,
/// and what a measured launch has on top. The peak is the device's.
///
/// A block fetches each sector once from the L2, however often it asks: its L1 or its registers keep what is
/// used again soon. What does not fit the L2 is fetched again by every wave of blocks that wants it. Latency
/// is not in it: small grids are slower than predicted.
/// @param cold  as in predict_bandwidth: how the launch is timed; its traffic is taken to be the same.
/// Source: the constants in arithmetic.cpp and limits.h.
/// Errors: none; a device of which too little is known gives 0.
Prediction predict_flop(const Scenario& scenario, const Params& params, const DeviceFacts& device,
                        bool cold = false);

}  // namespace warplens
