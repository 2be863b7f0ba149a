#include "app/model/device/caches.h"

#include "app/model/access/constant.h"

#include <algorithm>
#include <limits>

namespace warplens {

std::vector<CacheLevel> cache_levels(const DeviceFacts& device) {
    const Latencies& latencies = device.latencies;
    const auto l1 = static_cast<double>(device.l1_bytes), l2 = static_cast<double>(device.l2_bytes);
    std::vector<CacheLevel> levels;
    if (l1 > 0) levels.push_back({"L1", "L1 latency", l1, latencies.l1});
    // The near half also keeps lines of the far half, so half of the L2's size is what it delivers at its
    // best latency.
    const bool halves = l2 > 0 && latencies.l2_far > 0;
    if (halves) levels.push_back({"half of the L2", "L2 latency", l2 / 2, latencies.l2});
    if (l2 > 0)
        levels.push_back({"L2", halves ? "the far half of the L2" : "L2 latency", l2,
                          halves ? latencies.l2_far : latencies.l2});
    levels.push_back({"DRAM", "DRAM latency", std::numeric_limits<double>::infinity(), latencies.dram});
    return levels;
}

double share_that_hits(double footprint, double cache_bytes) {
    constexpr double kEdge = 0.1;
    return std::clamp(0.5 + (1 - footprint / cache_bytes) / (2 * kEdge), 0.0, 1.0);
}

namespace {

/// The share of the loads that miss a cache while many warps, each at another place of the footprint, read
/// all of it repeatedly. What a cache holds then is as good as random: reading 1 MB, which is four times the
/// L1, an H200 and an H100 still hit a quarter.
double missed_in_no_order(double footprint, double cache_bytes) {
    return footprint > cache_bytes ? 1 - cache_bytes / footprint : 0;
}

}  // namespace

Missed missed_by_walk(const LaunchShape& shape, const DeviceFacts& device) {
    const auto footprint = static_cast<double>(shape.buffer_bytes[0]);
    const auto l1 = static_cast<double>(device.l1_bytes), l2 = static_cast<double>(device.l2_bytes);
    return {.l1 = l1 > 0 ? missed_in_no_order(footprint, l1) : 1,
            .l2 = l2 > 0 ? missed_in_no_order(footprint, l2) : 1};
}

Missed missed_by_private(double bytes, const DeviceFacts& device) {
    // Lines that are written back on their way out take room from the others: an H200 misses half of the
    // lines at 1.07 times its L2, an H100 0.85 at 1.28 times.
    constexpr double kFirstMiss = 0.76, kAllMiss = 1.37;
    const double l1 = device.memory.l1_keeps_local ? double(device.l1_bytes) : 0;
    const double of_l2 = device.l2_bytes > 0 ? bytes / double(device.l2_bytes) : kAllMiss;
    return {.l1 = l1 > 0 ? missed_in_no_order(bytes / std::max(1, device.sm_count), l1) : 1,
            .l2 = std::clamp((of_l2 - kFirstMiss) / (kAllMiss - kFirstMiss), 0.0, 1.0)};
}

std::vector<CacheEdge> cache_edges(const Scenario& scenario, const Params& params, const Knob& knob,
                                   const DeviceFacts& device) {
    std::vector<CacheEdge> edges;
    if (knob.unit != "bytes") return edges;
    const Space space = scenario.instruction(params, 0).space;
    if (space == Space::constant) return {{double{kConstantL1Bytes}, "constant L1"}};
    if (space != Space::global) return edges;
    for (const CacheLevel& level : cache_levels(device)) {
        if (level.name != "DRAM") edges.push_back({level.bytes, level.name});
    }
    return edges;
}

}  // namespace warplens
