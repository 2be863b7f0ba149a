#include "app/model/device/caches.h"

#include "app/model/access/constant.h"
#include "app/model/time/limits.h"

#include <algorithm>
#include <limits>

namespace warplens {
namespace {

/// The share of the loads that miss a cache while many warps, each at another place of the footprint, read
/// all of it repeatedly. What a cache holds then is as good as random: reading 1 MiB, which is four times the
/// L1, an H200 and an H100 still hit a quarter.
double missed_in_no_order(double footprint, double cache_bytes) {
    return footprint > cache_bytes ? 1 - cache_bytes / footprint : 0;
}

double sm_hz(const DeviceFacts& device) { return device.sm_count * device.clock_mhz * 1e6; }

MemoryInfo l1_info(const DeviceFacts& device) {
    const bool shares = device.memory.unified_bytes > 0;
    return {.there = device.l1_bytes > 0 || shares || device.cc.major >= 5,
            .bytes = device.l1_bytes,
            .at_most = shares,
            .cycles = device.latencies.l1,
            .gb_per_s = device.memory.l1_bytes_per_clock * sm_hz(device) * 1e-9,
            .speed = SpeedSource::l1};
}

MemoryInfo info_of(Memory memory, const DeviceFacts& device) {
    constexpr int kOperandBytes = 4, kTexelBytes = 4, kTexelsOfRequest = 4;
    const double hz = sm_hz(device);
    switch (memory) {
        case Memory::registers:
            return {.bytes = device.memory.registers_bytes,
                    .gb_per_s = double(kOperandBytes) * device.fp32_lanes_per_sm * hz * 1e-9,
                    .speed = SpeedSource::operands};
        case Memory::shared:
            return {.bytes = device.memory.shared_bytes,
                    .at_most = device.memory.unified_bytes > 0,
                    .cycles = device.latencies.shared,
                    .gb_per_s = device.memory.shared_bytes_per_clock * hz * 1e-9,
                    .speed = SpeedSource::banks};
        case Memory::l1:
            return l1_info(device);
        case Memory::texture:
            return {.there = device.memory.texture_bytes > 0,
                    .bytes = device.memory.texture_bytes,
                    .cycles = device.latencies.texture,
                    // Measured and documented from Maxwell on, where the L1 is also the texture cache.
                    .gb_per_s = device.cc.major < 5 ? 0
                                                    : limits::kTextureRequestsPerClock * kTexelsOfRequest *
                                                          kTexelBytes * hz * 1e-9,
                    .speed = SpeedSource::texture};
        case Memory::constant:
            return {.bytes = device.memory.constant_bytes, .cycles = device.latencies.constant_l1};
        case Memory::other_shared:
            return {.there = device.cc.major >= 9 && device.cc.major < 12,
                    .bytes = device.memory.shared_bytes,
                    .at_most = true,
                    .cycles = device.latencies.dsmem};
        case Memory::l2:
            return {.there = has_l2(device),
                    .per_sm = false,
                    .bytes = device.l2_bytes,
                    .cycles = device.latencies.l2,
                    .gb_per_s = has_l2(device) ? l2_bytes_per_clock(device) * hz * 1e-9 : 0,
                    .speed = SpeedSource::l2};
        case Memory::host:
            return {.per_sm = false, .gb_per_s = device.link_gb_per_s, .speed = SpeedSource::datasheet};
        case Memory::dram:
            break;
    }
    return {.per_sm = false,
            .bytes = device.memory_bytes,
            .cycles = device.latencies.dram,
            .gb_per_s = device.peak_gb_per_s,
            .speed = SpeedSource::datasheet};
}

}  // namespace

std::vector<CacheLevel> cache_levels(const DeviceFacts& device) {
    const Latencies& latencies = device.latencies;
    const auto l1 = double(device.l1_bytes), l2 = double(device.l2_bytes);
    std::vector<CacheLevel> levels;
    if (l1 > 0) levels.push_back({Memory::l1, l1, latencies.l1});
    // The near half also keeps lines of the far half, so half of the L2's size is what it delivers at its
    // best latency.
    const bool halves = l2 > 0 && latencies.l2_far > 0;
    using Part = CacheLevel::Part;
    if (halves) levels.push_back({Memory::l2, l2 / 2, latencies.l2, Part::near_half});
    if (l2 > 0)
        levels.push_back({Memory::l2, l2, halves ? latencies.l2_far : latencies.l2,
                          halves ? Part::far_half : Part::whole});
    levels.push_back({Memory::dram, std::numeric_limits<double>::infinity(), latencies.dram});
    return levels;
}

std::string_view CacheLevel::name() const {
    if (part == Part::near_half) return "half of the L2";
    return memory == Memory::l1 ? "L1" : memory == Memory::l2 ? "L2" : "DRAM";
}

double share_that_hits(double footprint, double cache_bytes) {
    constexpr double kEdge = 0.05;
    return std::clamp(0.5 + (1 - footprint / cache_bytes) / (2 * kEdge), 0.0, 1.0);
}

double share_in_l2(double footprint, const DeviceFacts& device) {
    return device.l2_bytes > 0 ? share_that_hits(footprint, double(device.l2_bytes)) : 0;
}

bool fits_in_l2(double footprint, const DeviceFacts& device) {
    return footprint > 0 && share_in_l2(footprint, device) >= 1;
}

std::vector<double> served_shares(double footprint, const std::vector<CacheLevel>& levels) {
    std::vector<double> shares;
    double rest = 1;
    for (const CacheLevel& level : levels)
        rest -= shares.emplace_back(rest * share_that_hits(footprint, level.bytes));
    return shares;
}

Missed missed_by_walk(const LaunchShape& shape, const DeviceFacts& device) {
    const auto footprint = double(shape.buffer_bytes[0]);
    const auto l1 = double(device.l1_bytes), l2 = double(device.l2_bytes);
    // The L2 holds older lines than an L1 does: an H200 misses 0.75 of the lines at 2.13 times its
    // L2, an H100 0.4 at 1.28 times.
    const double held = l2 > 0 ? std::min(1.0, l2 / footprint) : 0;
    const bool kept = l1_keeps_global(device) || has_read_only_cache(device);
    if (shape.grid.x * shape.grid.y == 1)  // the one warp takes line after line, as served_shares has it
        return {.l1 = l1 > 0 ? 1 - share_that_hits(footprint, l1) : 1,
                .l2 = 1 - share_in_l2(footprint, device)};
    return {.l1 = l1 > 0 && kept ? missed_in_no_order(footprint, l1) : 1, .l2 = 1 - held * held};
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
    if (knob.unit != "bytes" || scenario.info->time == TimeModel::host) return edges;
    const Space space = scenario.instruction(params, 0).space;
    if (space == Space::constant) return {{double{kConstantL1Bytes}, "constant L1"}};
    if (space != Space::global) return edges;
    for (const CacheLevel& level : cache_levels(device)) {
        if (level.memory != Memory::dram) edges.push_back({level.bytes, level.name()});
    }
    return edges;
}

std::string_view memory_name(Memory memory, const DeviceFacts& device) {
    constexpr std::string_view kNames[kMemoryCount] = {"registers",
                                                       "shared memory",
                                                       "L1",
                                                       "texture cache",
                                                       "constant cache",
                                                       "another block's shared memory",
                                                       "L2",
                                                       "DRAM",
                                                       "host memory"};
    if (memory == texture_memory(device) && memory == Memory::l1) return "L1 and textures";
    return kNames[int(memory)];
}

MemoryInfo memory_info(Memory memory, const DeviceFacts& device) {
    MemoryInfo info = info_of(memory, device);
    if (info.gb_per_s <= 0) info.speed = SpeedSource::none;
    return info;
}

double clocks_of_wavefront(const DeviceFacts& device) {
    const double of_wavefront = double(device.bank_rules.banks) * (device.bank_rules.wide_banks ? 8 : 4);
    const double per_clock = device.memory.shared_bytes_per_clock;
    return per_clock > 0 ? of_wavefront / per_clock : 1;
}

Memory texture_memory(const DeviceFacts& device) {
    return device.memory.texture_bytes > 0 ? Memory::texture : Memory::l1;
}

Memory first_memory(const Instruction& instruction, const DeviceFacts& device) {
    if (instruction.space == Space::texture) return texture_memory(device);
    if (!has_l2(device)) return Memory::dram;
    // Stores take the same path as other loads: through the L1, or past it.
    if (l1_keeps_global(device)) return Memory::l1;
    const bool read_only = is_load(instruction.op) && !instruction.may_change;
    return read_only && has_read_only_cache(device) ? texture_memory(device) : Memory::l2;
}

bool is_kept(const Instruction& instruction, const DeviceFacts& device) {
    const Memory first = first_memory(instruction, device);
    return is_load(instruction.op) && (first == Memory::l1 || first == Memory::texture);
}

}  // namespace warplens
