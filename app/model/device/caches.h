#pragma once

#include "app/model/catalogue.h"
#include "app/model/device/device.h"

#include <string_view>
#include <vector>

namespace warplens {

/// A memory on the way of a global load, nearest first.
struct CacheLevel {
    std::string_view name;     ///< of its size: "L1", "half of the L2", "L2", "DRAM"
    std::string_view latency;  ///< of its latency: "L1 latency"
    double bytes = 0;          ///< up to so many it answers; infinite for DRAM
    double cycles = 0;         ///< of a load that it answers; 0: not known
};

/// The levels that a device is known to have, and DRAM. A level of unknown size is left out.
std::vector<CacheLevel> cache_levels(const DeviceFacts& device);

/// Share of the loads that a cache answers when `footprint` bytes are read over and over, 0 to 1.
///
/// The last line is fetched just when the first one is wanted again, so a footprint a little larger than the
/// cache throws out everything before it is used, and only hashing and an imperfect choice of victims smooth
/// the edge: here over 5 % to either side. Measured on an H200: 30 MB of near L2 at 32 MB, 60 MB of L2 at
/// 64 MB leave no hit. Provenance: approximate.
double share_that_hits(double footprint, double cache_bytes);

/// Shares of what is asked for that a cache cannot answer, 0 to 1.
struct Missed {
    double l1 = 1;
    double l2 = 1;  ///< of what the L1 could not answer
};

/// Of a scenario that reads the same bytes over and over (Kernel::chase).
Missed missed_by_walk(const LaunchShape& shape, const DeviceFacts& device);

/// Of loads of private arrays and spills that all resident threads use over and over. Stores pass through the
/// L1 to the L2 in any case (counted on an H200: as many sectors as the stores have).
/// @param bytes  of all SMs together
Missed missed_by_private(double bytes, const DeviceFacts& device);

/// A size on an axis of bytes, for a line in the plot.
struct CacheEdge {
    double bytes = 0;
    std::string_view name;  ///< "L1"
};

/// The caches that a scenario's loads pass and whose size matters when `knob` is turned: for scenarios whose
/// knob says how many bytes they walk over. Empty for all others.
std::vector<CacheEdge> cache_edges(const Scenario& scenario, const Params& params, const Knob& knob,
                                   const DeviceFacts& device);

}  // namespace warplens
