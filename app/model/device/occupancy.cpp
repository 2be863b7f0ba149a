#include "app/model/device/occupancy.h"

#include <algorithm>
#include <cstdlib>

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

/// The largest value in [least, most] for which `good` holds; `good` must hold up to some value and for none
/// above it.
template <class Good>
std::optional<int> last_good(int least, int most, Good good) {
    if (least > most || !good(least)) return std::nullopt;
    while (least < most) {
        const int middle = least + (most - least + 1) / 2;
        if (good(middle))
            least = middle;
        else
            most = middle - 1;
    }
    return least;
}

/// The member that changes with a knob; of shared memory it is the dynamic part.
int OccupancyInput::*field_of(OccupancyKnob knob) {
    constexpr int OccupancyInput::*kKnobFields[] = {&OccupancyInput::threads, &OccupancyInput::registers,
                                                    &OccupancyInput::dynamic_shared,
                                                    &OccupancyInput::carveout};
    return kKnobFields[int(knob)];
}

Remedy make_remedy(const CapabilityFacts& facts, const OccupancyInput& before, OccupancyInput after) {
    Remedy remedy{{}, after, compute_occupancy(facts, after)};
    for (const OccupancyKnob knob :
         {OccupancyKnob::threads, OccupancyKnob::registers, OccupancyKnob::shared, OccupancyKnob::carveout}) {
        if (value_of(before, knob) != value_of(after, knob))
            remedy.changes.push_back({knob, value_of(before, knob), value_of(after, knob)});
    }
    return remedy;
}

/// The knob at the largest value that allows `blocks`, by its own resource alone.
std::optional<OccupancyInput> lowered(const CapabilityFacts& facts, const OccupancyInput& input,
                                      OccupancyKnob knob, Resource resource, int blocks) {
    const auto allows = [&](int value) {
        return compute_occupancy(facts, with_value(input, knob, value)).allowed_by(resource) >= blocks;
    };
    const int least = knob == OccupancyKnob::registers ? 1 : 0, now = value_of(input, knob);
    const std::optional<int> value = last_good(std::min(least, now), now, allows);
    return value ? std::optional(with_value(input, knob, *value)) : std::nullopt;
}

/// Registers and shared memory reduced so that another block fits, with the size of the block unchanged.
std::optional<OccupancyInput> room_for_another(const CapabilityFacts& facts, const OccupancyInput& input) {
    const int wanted = compute_occupancy(facts, input).blocks + 1;
    std::optional<OccupancyInput> after =
        lowered(facts, input, OccupancyKnob::registers, Resource::registers, wanted);
    if (after) after = lowered(facts, *after, OccupancyKnob::shared, Resource::shared, wanted);
    if (!after || compute_occupancy(facts, *after).blocks < wanted) return std::nullopt;
    return after;
}

std::optional<OccupancyInput> larger_carveout(const CapabilityFacts& facts, const OccupancyInput& input) {
    const int before = compute_occupancy(facts, input).blocks;
    if (input.carveout < 0 || !facts.has_carveout()) return std::nullopt;
    for (int percent = input.carveout + 1; percent <= 100; ++percent) {
        const OccupancyInput after = with_value(input, OccupancyKnob::carveout, percent);
        if (compute_occupancy(facts, after).blocks > before) return after;
    }
    return std::nullopt;
}

/// The block size in whole warps with the most resident warps, if it has more; of several the nearest, of two
/// the smaller one.
std::optional<OccupancyInput> other_block(const CapabilityFacts& facts, const OccupancyInput& input) {
    int most = compute_occupancy(facts, input).warps();
    std::optional<OccupancyInput> best;
    for (int threads = kWarpLanes; threads <= facts.max_threads_per_block; threads += kWarpLanes) {
        const OccupancyInput after = with_value(input, OccupancyKnob::threads, threads);
        const int warps = compute_occupancy(facts, after).warps();
        const bool nearer =
            best && std::abs(threads - input.threads) < std::abs(best->threads - input.threads);
        if (warps < most || (warps == most && !nearer)) continue;
        most = warps;
        best = after;
    }
    return best;
}

/// How much a remedy changes, as a share of the old value. A carve-out requires no change of the kernel.
double size_of(const Remedy& remedy) {
    double size = 0;
    for (const OccupancyChange& change : remedy.changes) {
        if (change.knob == OccupancyKnob::carveout) continue;
        size += std::abs(change.to - change.from) / std::max(1.0, double(change.from));
    }
    return size;
}

/// If no single change helps: first a block that can exist, then the registers and the shared memory that it
/// may have.
std::optional<OccupancyInput> everything(const CapabilityFacts& facts, const OccupancyInput& input) {
    const int threads = std::min(input.threads, facts.max_threads_per_block);
    return room_for_another(facts, with_value(input, OccupancyKnob::threads, threads));
}

/// Values at which the steps of a curve may end, in ascending order.
std::vector<int> step_ends(const CapabilityFacts& facts, const OccupancyInput& input, OccupancyKnob knob) {
    std::vector<int> ends;
    if (knob == OccupancyKnob::registers) {
        const int most = std::max(facts.registers_per_thread, input.registers);
        for (int registers = 1; registers <= most; ++registers) ends.push_back(registers);
    } else if (knob == OccupancyKnob::threads) {
        const int most = std::max(facts.max_threads_per_block, input.threads);
        for (int threads = kWarpLanes; threads < most + kWarpLanes; threads += kWarpLanes)
            ends.push_back(std::min(threads, most));
    } else {
        const int most = std::max(facts.shared_per_block_most, input.declared_shared());
        const int handed_out = compute_occupancy(facts, with_value(input, knob, 0)).shared_per_block;
        // Reserved bytes shift the steps: one ends where the next byte needs another unit.
        const auto same_unit = [&](int bytes) {
            return compute_occupancy(facts, with_value(input, knob, bytes)).shared_per_block == handed_out;
        };
        for (int end = *last_good(0, most, same_unit); end < most; end += facts.shared_unit)
            ends.push_back(end);
        ends.push_back(most);
    }
    return ends;
}

}  // namespace

std::string_view resource_name(Resource resource) {
    constexpr std::array<std::string_view, kResources> kNames{"warps", "registers", "shared", "blocks",
                                                              "barriers"};
    return kNames[int(resource)];
}

int register_portion(const CapabilityFacts& facts, int registers) {
    const bool coarse = std::ranges::find(facts.coarse_registers, registers) != facts.coarse_registers.end();
    return coarse ? facts.coarse_register_unit : facts.register_unit;
}

int shared_of_carveout(const CapabilityFacts& facts, int percent) {
    if (percent < 0 || !facts.has_carveout()) return facts.shared_per_sm;
    return next_size(facts, int(std::int64_t{facts.shared_per_sm} * percent / 100));
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
        if (result.allowed[i] == result.blocks) result.limiting |= 1u << i;
    }
    return result;
}

int value_of(const OccupancyInput& input, OccupancyKnob knob) {
    return knob == OccupancyKnob::shared ? input.declared_shared() : input.*field_of(knob);
}

OccupancyInput with_value(OccupancyInput input, OccupancyKnob knob, int value) {
    if (knob == OccupancyKnob::shared) {
        input.static_shared = std::min(input.static_shared, value);
        value -= input.static_shared;
    }
    input.*field_of(knob) = value;
    return input;
}

std::vector<Remedy> find_remedies(const CapabilityFacts& facts, const OccupancyInput& input) {
    std::vector<Remedy> remedies;
    const Occupancy now = compute_occupancy(facts, input);
    if (now.full()) return remedies;
    const auto add = [&](const std::optional<OccupancyInput>& after) {
        if (after) remedies.push_back(make_remedy(facts, input, *after));
    };
    add(larger_carveout(facts, input));
    const std::optional<OccupancyInput> another = room_for_another(facts, input);
    const bool one_knob = another && make_remedy(facts, input, *another).changes.size() == 1;
    if (one_knob) add(another);
    add(other_block(facts, input));
    if (remedies.empty()) add(another ? another : everything(facts, input));
    std::ranges::stable_sort(remedies, {}, size_of);
    return remedies;
}

std::vector<OccupancyStep> occupancy_curve(const CapabilityFacts& facts, const OccupancyInput& input,
                                           OccupancyKnob knob) {
    std::vector<OccupancyStep> steps;
    int from = knob == OccupancyKnob::shared ? 0 : 1;
    for (const int to : step_ends(facts, input, knob)) {
        const Occupancy there = compute_occupancy(facts, with_value(input, knob, to));
        const bool same =
            !steps.empty() && steps.back().warps == there.warps() && steps.back().blocks == there.blocks;
        if (same)
            steps.back().to = to;
        else
            steps.push_back({from, to, there.blocks, there.warps()});
        from = to + 1;
    }
    return steps;
}

std::vector<int> full_block_sizes(const CapabilityFacts& facts, const OccupancyInput& input) {
    std::vector<int> sizes;
    for (int threads = kWarpLanes; threads <= facts.max_threads_per_block; threads += kWarpLanes) {
        if (compute_occupancy(facts, with_value(input, OccupancyKnob::threads, threads)).full())
            sizes.push_back(threads);
    }
    return sizes;
}

}  // namespace warplens
