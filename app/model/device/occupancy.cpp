#include "app/model/device/occupancy.h"

#include "kernels/warp_access.h"

#include <algorithm>

namespace warplens {
namespace {

constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }
constexpr int round_up(int value, int unit) { return unit <= 1 ? value : ceil_div(value, unit) * unit; }

int allowed_by_warps(const CapabilityFacts& facts, const OccupancyInput& input, Occupancy& result) {
    if (input.threads <= facts.max_threads_per_block) return facts.max_warps / result.warps_per_block;
    result.refusal = Refusal::threads;
    return 0;
}

/// Compute capability 1.x: registers are allocated to whole blocks, whose warps come in pairs. (Only for
/// registers: by the programming guide 4.2 and the calculator, an odd warp occupies one slot. The header of
/// CUDA 7.0 counts two.)
int allowed_by_block_registers(const CapabilityFacts& facts, const OccupancyInput& input, Occupancy& result) {
    const int warps = round_up(result.warps_per_block, facts.warp_unit);
    result.registers_per_block = round_up(input.registers * kWarpLanes * warps, facts.register_unit);
    if (result.registers_per_block == 0) return kUnlimited;
    if (result.registers_per_block > facts.registers_per_block) {
        result.refusal = Refusal::registers_per_block;
        return 0;
    }
    return facts.registers_per_sm / result.registers_per_block;
}

/// Whether the hardware lets the block start. It assumes that all partitions get equally many warps.
bool registers_fit(const CapabilityFacts& facts, const Occupancy& result, int partitions) {
    return result.registers_per_warp * round_up(result.warps_per_block, partitions) <=
           facts.registers_per_block;
}

int allowed_by_registers(const CapabilityFacts& facts, const OccupancyInput& input, Occupancy& result) {
    if (input.registers > facts.registers_per_thread_checked) {
        result.refusal = Refusal::registers_per_thread;
        return 0;
    }
    if (facts.registers_by_block) return allowed_by_block_registers(facts, input, result);
    result.registers_per_warp =
        round_up(input.registers * kWarpLanes, register_portion(facts, input.registers));
    result.registers_per_block = result.registers_per_warp * result.warps_per_block;
    if (result.registers_per_warp == 0) return kUnlimited;
    if (!registers_fit(facts, result, facts.partitions)) {
        result.refusal = Refusal::registers_per_block;
        return 0;
    }
    if (!registers_fit(facts, result, facts.partitions_checked)) {
        result.refusal = Refusal::registers_elsewhere;
        return 0;
    }
    const int warps_of_partition = facts.registers_per_sm / facts.partitions / result.registers_per_warp;
    return warps_of_partition * facts.partitions / result.warps_per_block;
}

/// The smallest size of an SM's shared memory that holds this many bytes, or the largest size if none does.
int next_size(const CapabilityFacts& facts, int bytes) {
    const auto found = std::ranges::lower_bound(facts.shared_sizes, bytes);
    return found == facts.shared_sizes.end() ? facts.shared_per_sm : *found;
}

int hidden_shared(const CapabilityFacts& facts, const OccupancyInput& input) {
    if (facts.most_arguments == 0) return facts.shared_reserved;
    return input.arguments == kNothingHidden ? 0 : facts.shared_launch + input.arguments;
}

int allowed_by_shared(const CapabilityFacts& facts, const OccupancyInput& input, Occupancy& result) {
    const int declared = input.declared_shared();
    result.shared_per_block = round_up(declared + hidden_shared(facts, input), facts.shared_unit);
    result.asks_for_shared = declared > facts.shared_per_block;
    result.shared_per_sm = shared_of_carveout(facts, input.carveout);
    const int most = result.asks_for_shared ? facts.shared_per_block_most : facts.shared_per_block;
    if (result.shared_per_block > most + facts.shared_reserved) {
        result.refusal = Refusal::shared;
        return 0;
    }
    if (result.shared_per_block == 0) return kUnlimited;
    if (result.shared_per_block >
        result.shared_per_sm) {  // the requested carve-out is exceeded, because one block must fit
        result.shared_per_sm = next_size(facts, result.shared_per_block);
    }
    return result.shared_per_sm / result.shared_per_block;
}

/// Blocks share the barriers of the SM from Hopper on; before, each block has its own.
int allowed_by_barriers(const CapabilityFacts& facts, const OccupancyInput& input) {
    const bool shared_among_blocks = facts.cc.major >= 9 && facts.max_barriers > 0;
    return shared_among_blocks && input.barriers > 0 ? facts.max_barriers / input.barriers : kUnlimited;
}

}  // namespace

std::string_view resource_name(Resource resource) {
    constexpr std::array<std::string_view, kResources> kNames{"warps", "registers", "shared", "blocks",
                                                              "barriers"};
    return kNames[static_cast<std::size_t>(resource)];
}

int register_portion(const CapabilityFacts& facts, int registers) {
    const bool coarse = std::ranges::find(facts.coarse_registers, registers) != facts.coarse_registers.end();
    return coarse ? facts.coarse_register_unit : facts.register_unit;
}

int shared_of_carveout(const CapabilityFacts& facts, int percent) {
    if (percent < 0 || !facts.has_carveout()) return facts.shared_per_sm;
    return next_size(facts, static_cast<int>(std::int64_t{facts.shared_per_sm} * percent / 100));
}

std::optional<int> carveout_for(const CapabilityFacts& facts, int shared_bytes) {
    if (!facts.has_carveout()) return std::nullopt;
    for (int percent = 0; percent <= 100; ++percent) {
        if (shared_of_carveout(facts, percent) == shared_bytes) return percent;
    }
    return std::nullopt;
}

Occupancy compute_occupancy(const CapabilityFacts& facts, const OccupancyInput& input) {
    Occupancy result;
    result.max_warps = facts.max_warps;
    result.warps_per_block = ceil_div(std::max(1, input.threads), kWarpLanes);
    // In reverse order: if several reasons refuse the block, the first of this list is reported.
    result.allowed = {0, 0, allowed_by_shared(facts, input, result), facts.max_blocks,
                      allowed_by_barriers(facts, input)};
    result.allowed[1] = allowed_by_registers(facts, input, result);
    result.allowed[0] = allowed_by_warps(facts, input, result);
    result.blocks = std::ranges::min(result.allowed);
    for (int i = 0; i < kResources; ++i) {
        if (result.allowed[static_cast<std::size_t>(i)] == result.blocks) result.limiting |= 1u << i;
    }
    return result;
}

}  // namespace warplens
