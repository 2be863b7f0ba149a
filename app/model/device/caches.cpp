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
    constexpr double kEdge = 0.05;
    return std::clamp(0.5 + (1 - footprint / cache_bytes) / (2 * kEdge), 0.0, 1.0);
}

Missed missed_by_walk(const LaunchShape& shape, const DeviceFacts& device) {
    const auto footprint = static_cast<double>(shape.buffer_bytes[0]);
    const auto l1 = static_cast<double>(device.l1_bytes), l2 = static_cast<double>(device.l2_bytes);
    // With one column of blocks each of them reads everything; with several no block reads a byte twice.
    const bool keeps = l1 > 0 && shape.grid.x == 1;
    return {.l1 = keeps ? 1 - share_that_hits(footprint, l1) : 1,
            .l2 = l2 > 0 ? 1 - share_that_hits(footprint, l2) : 1};
}

Missed missed_by_private(double bytes, const DeviceFacts& device) {
    const auto missed = [](double of, std::int64_t cache) {
        return cache > 0 ? 1 - share_that_hits(of, static_cast<double>(cache)) : 1;
    };
    const std::int64_t l1 = device.memory.l1_keeps_local ? device.l1_bytes : 0;
    return {.l1 = missed(bytes / std::max(1, device.sm_count), l1), .l2 = missed(bytes, device.l2_bytes)};
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
