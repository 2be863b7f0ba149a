#pragma once

#include "app/model/time/prediction.h"

namespace warplens {

/// What an SM's lanes can compute in single precision, all SMs together: SMs * lanes * 2 * clock, because a
/// multiply-add counts as two operations [10^9/s]. 0: not known.
double peak_gflop_per_s(const DeviceFacts& device);

/// What a scenario that computes moves beyond its SMs, over the whole grid [bytes].
struct ProductTraffic {
    double asked_loads = 0;  ///< of global memory, by all lanes
    double asked_stores = 0;
    /// A block fetches each sector once; where no L1 keeps what it loads, as often as it asks.
    double l2_read = 0;
    double l2_written = 0;  ///< request by request
    double dram_read = 0;   ///< what does not fit the L2 is fetched by every wave of blocks that wants it
    double dram_written = 0;
    double footprint = 0;  ///< distinct bytes of all buffers
};
/// @param cold  the L2 begins empty; else it holds what it could keep of a launch like this one.
ProductTraffic count_product_traffic(const Scenario& scenario, const Params& params,
                                     const DeviceFacts& device, bool cold);

/// Floating-point speed of a scenario that computes (SpeedUnit::gflop_per_s): what takes longest of DRAM, L2,
/// the pipe of L1 and shared memory, issued instructions, the multiply-adds themselves and starting blocks,
/// and what a measured launch has on top. The peak is the device's.
///
/// A block fetches each sector once from the L2, however often it asks: its L1 or its registers keep what is
/// used again soon. What does not fit the L2 is fetched again by every wave of blocks that wants it. Latency
/// is not in it: small grids are slower than predicted.
/// @param cold  as in predict_bandwidth.
/// Source: the constants in arithmetic.cpp and limits.h.
/// Errors: none; a device of which too little is known gives 0.
Prediction predict_flop(const Scenario& scenario, const Params& params, const DeviceFacts& device,
                        bool cold = false);

}  // namespace warplens
