#pragma once

#include "app/model/device/caches.h"

#include <optional>
#include <string_view>

namespace warplens {

/// The part of the GPU, or of the launch, that limits a predicted speed.
enum class Limiter {
    none,  ///< nothing is predicted
    dram,
    dram_rows,
    way_to_dram,
    one_partition,
    block_launch,
    bytes_in_flight,
    l2,
    l2_sectors,
    costly_l2_sectors,
    l2_requests,
    one_sector,
    atomics,
    equal_lanes,
    rounds,
    narrow_copies,
    l1,
    read_only_cache,
    bank_conflicts,
    shared_bandwidth,
    texture_unit,
    constant_requests,
    issue,
    multiply_adds,
    dependent_multiply_adds,
    too_few_blocks,
    launch,
    spills_to_l1,
    spills_past_l1,
    spills_past_l2,
    spills_to_dram,
    l1_latency,
    l2_latency,
    far_l2_latency,
    dram_latency,
    shared_latency,
    cluster_latency,
    texture_latency,
    constant_latency,
    constant_words,
    constant_misses,
    shuffle_latency,
    link,
    host_copies,
    page_faults,
};

/// Its name for people: "DRAM", "bytes in flight". Empty for none.
std::string_view limiter_name(Limiter limiter);
/// The meaning in one sentence for a learner. Empty if the name says enough.
std::string_view limiter_meaning(Limiter limiter);
/// The memory that it is about. Empty if it is about no memory.
std::optional<Memory> memory_of(Limiter limiter, const DeviceFacts& device);

/// Whether time goes by while warps wait and no part of the GPU is busy all the time, so that more of them
/// would be faster.
bool is_wait(Limiter limiter);

/// Shared memory as a limit: where at least a twentieth of its wavefronts is above the ideal conflicts cost
/// the time, else it is as fast as it can be.
constexpr Limiter shared_memory_limiter(double wavefronts, double excessive) {
    return excessive >= 0.05 * wavefronts ? Limiter::bank_conflicts : Limiter::shared_bandwidth;
}

/// The sectors between the SMs and what is behind them: the L2, or DRAM where there is none.
Limiter sectors_past_sm(const DeviceFacts& device);

/// The cache of an SM that serves global loads: the L1, or where it stands beside it the read-only cache.
Limiter cache_of_sm(const DeviceFacts& device);

/// The limiter of a global load that a level of the caches serves.
Limiter latency_of(const CacheLevel& level);

}  // namespace warplens
