#pragma once

#include "app/model/report.h"

#include <string_view>

namespace warplens {

/// A predicted speed. Kind: approximate, always.
struct Bandwidth {
    double useful_gb_per_s = 0;  ///< bytes that the lanes asked for, per second [10^9 bytes/s]
    double dram_bytes = 0;       ///< predicted DRAM traffic of the whole grid; 0 for shared memory [bytes]
    /// Bytes asked for by all active lanes of the grid; in shared memory a word that several lanes of a
    /// request want counts once, because it leaves its bank once [bytes].
    double useful_bytes = 0;
    double peak_gb_per_s = 0;    ///< the line in the plot: DRAM datasheet or shared memory peak
    double footprint_bytes = 0;  ///< distinct DRAM bytes touched [bytes]
    bool shared_memory = false;  ///< the scenario touches no global memory: the peak is shared memory's
    bool fits_l2 = false;        ///< the touched bytes fit the L2: a repeated run measures the cache
    std::string_view limiter =
        "";  ///< what sets the speed, for people: "DRAM", "bytes in flight", "L2 sectors", "the banks"
};

/// Useful bandwidth of a scenario on a device.
///
/// Global memory: useful = share of peak * peak * useful bytes / moved bytes, with reads rounded up to the
/// fetch granularity and a fill read for each partly written sector. Shared memory: SMs * clock * bytes per
/// wavefront. Source: the constants in bandwidth.cpp; tests/data/h200_stride_times.csv says how
/// far off it is. Errors:
/// none; a device without a known peak gives 0.
Bandwidth predict_bandwidth(const Scenario& scenario, const Params& params, const DeviceFacts& device);

}  // namespace warplens
