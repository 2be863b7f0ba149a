#pragma once

#include "app/model/time/prediction.h"

namespace warplens {

/// The peak of single precision arithmetic of all SMs together: SMs * lanes * 2 * clock, because a
/// multiply-add counts as two operations [10^9/s]. 0 if not known.
double peak_gflop_per_s(const DeviceFacts& device);

/// The transfers of a scenario that computes beyond its SMs, over the whole grid [bytes].
struct ProductTraffic {
    double asked_loads = 0;  ///< requested from global memory, by all lanes
    double asked_stores = 0;
    /// A block fetches each sector once. If no L1 caches its loads, it fetches a sector as often as it
    /// requests it.
    double l2_read = 0;
    double l2_written = 0;  ///< request by request
    /// data that do not fit the L2 are fetched by every wave of blocks that needs them
    double dram_read = 0;
    double dram_written = 0;
    double footprint = 0;  ///< distinct bytes of all buffers
};
/// @param cold  whether the L2 is empty at first; otherwise it holds what it could keep of a launch like this
/// one.
ProductTraffic count_product_traffic(const Scenario& scenario, const Params& params,
                                     const DeviceFacts& device, bool cold);

/// Floating-point speed of a scenario that computes (SpeedUnit::gflop_per_s): what takes longest of DRAM, L2,
/// the pipe of L1 and shared memory, issued instructions, the multiply-adds themselves and starting blocks,
/// and what a measured launch has on top. The peak is the device's.
///
/// A block fetches each sector once from the L2, no matter how often it requests it: its L1 or its registers
/// keep what is used again soon. What does not fit the L2 is fetched again by every wave of blocks that needs
/// it. Latency is not modelled: small grids are slower than predicted.
/// @param cold  as in predict_bandwidth.
/// Source: the constants in arithmetic.cpp and limits.h.
/// Errors: none; 0 if too little is known about the device.
Prediction predict_flop(const Scenario& scenario, const Params& params, const DeviceFacts& device,
                        bool cold = false);

}  // namespace warplens
