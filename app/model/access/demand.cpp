#include "app/model/access/demand.h"

#include "app/model/access/banks.h"
#include "app/model/access/texture.h"
#include "app/model/device/caches.h"
#include "app/model/time/limits.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>

namespace warplens {
namespace {

/// Whether a request of a full warp takes two cycles, as where an SM has 16 load/store units (GPUs whose L1
/// was measured at half of what its banks could deliver: assets/gpus.json). With it the products of tiles of
/// an RTX A6000 and an RTX 4090 are within a tenth of what was published; without, they are 1.6 times too
/// fast.
bool has_half_as_many_units(const DeviceFacts& device) {
    return device.memory.l1_bytes_per_clock > 0 && device.memory.l1_bytes_per_clock < kLineBytes;
}

/// The mean over some warps and steps of an instruction, for requests with an active lane. 0 if there are
/// none.
template <class Of>
double mean_of_warps(const Scenario& scenario, const Params& params, int index, const LaunchShape& shape,
                     Of of) {
    constexpr int kMostWarps = 4, kMostSteps = 4;
    const Extent middle{shape.grid.x / 2, shape.grid.y / 2};
    const int executed = steps_of(shape, scenario.instruction(params, index)),
              all_steps = scenario.typed ? std::min(executed, TypedKernel::kFirstExecutions) : executed,
              all_warps = warps_per_block(shape);
    const int steps = std::min(all_steps, kMostSteps), warps = std::min(all_warps, kMostWarps);
    double sum = 0;
    int requests = 0;
    for (int s = 0; s < steps; ++s) {
        for (int w = 0; w < warps; ++w) {
            const WarpAccess access =
                scenario.warp(params, index, middle, w * all_warps / warps, s * all_steps / steps);
            if (access.active == 0) continue;
            sum += of(access);
            ++requests;
        }
    }
    return requests > 0 ? sum / requests : 0;
}

/// Distinct sectors of the texels that all lanes fetch.
double distinct_texture_sectors(const WarpAccess& access) {
    std::vector<std::uint64_t> sectors;
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        const LaneTexels texels = texels_of_lane(access, lane);
        for (const std::uint64_t address : texels.all()) sectors.push_back(address / kSectorBytes);
    }
    std::ranges::sort(sectors);
    return double(std::unique(sectors.begin(), sectors.end()) - sectors.begin());
}

/// The share of the sectors of a store that its requests write only in part, 0 to 1.
double partly_written(const Totals& grid) {
    const double moved = double(grid.sectors) * kSectorBytes;
    return moved > 0 ? std::max(0.0, 1 - double(grid.bytes_used) / moved) : 0;
}

/// Per-thread arrays stay in the L1 as long as those of all resident threads fit; otherwise they are written
/// back to the L2, and from there to DRAM. Stores pass through the L1 to the L2 (counted on an H200: as many
/// sectors as the stores have).
/// @param fresh  the share of the sectors of a step that the step before did not access
void add_local(Demand& demand, Op op, const Totals& grid, double fresh, const LaunchShape& shape,
               const DeviceFacts& device) {
    const Missed missed = missed_by_private(resident_private_bytes(shape, device), device);
    const bool load = is_load(op);
    if (device.memory.l1_keeps_local)
        demand.local_cycles +=
            load ? std::max(double(grid.instructions), double(grid.lines) / limits::kTagsPerClock)
                 : std::max(double(grid.sectors), double(grid.lines) * limits::kCyclesOfLocalLine);
    demand.l2_sectors += double(grid.sectors) * (load ? missed.l1 : 1);
    demand.local_stores += load ? 0 : double(grid.sectors);
    demand.local_missed += (load ? missed.l1 : 1) * missed.l2 * fresh * double(grid.lines);
    const LocalTraffic traffic = count_local_traffic(op, grid, missed, fresh, device);
    demand.local_read += traffic.read;
    demand.local_written += traffic.written;
    demand.inside_bytes += double(grid.bytes_used);
}

/// The instructions of a step on compute capability 1.x: what each does, and its indices.
double old_instructions_of_step(StepIndex index) {
    return limits::kOldInstructionsOfStep + (index == StepIndex::product ? limits::kOldInstructionsOfProduct
                                             : index == StepIndex::remainder
                                                 ? limits::kOldInstructionsOfRemainder
                                                 : 0);
}

/// Adds the requests that write only some bytes of their sectors.
void add_partial(Demand& demand, const Totals& grid, bool local) {
    const double partly = partly_written(grid);
    demand.partial_lines += partly * double(grid.lines);
    // A whole sector of local memory already takes as long as one in part.
    if (!local) demand.partial_sectors += partly * double(grid.sectors);
}

/// Cycles of one load.
/// @param missed  the share of its sectors that DRAM must deliver
double wait_of(Space space, double missed, const Latencies& latencies) {
    const double l2 = latencies.l2 + std::max(0.0, latencies.dram - latencies.l2) * missed;
    switch (space) {
        case Space::global:
        case Space::l2:
            return l2;
        case Space::texture:
            return l2 + std::max(0.0, latencies.texture - latencies.l1);
        case Space::shared:
        case Space::registers:
            return latencies.shared;
        case Space::cluster:
            return latencies.dsmem;
        case Space::constant:
            return latencies.constant_l1;
        case Space::local:
            return latencies.l1;
    }
    return 0;
}

constexpr int kUnrolled = 4;
int under_way(const Instruction& instruction) {
    return instruction.under_way > 0 ? instruction.under_way : kUnrolled;
}

/// Whether a loop around an access of a typed kernel has enough rounds between two barriers to be unrolled.
bool is_unrolled(const Instruction& instruction) {
    return instruction.intervals > 0 && instruction.steps >= kUnrolled * instruction.intervals;
}

/// Whether an earlier load of a typed kernel loads the whole vector of which this one needs a component.
bool shares_vector(const Scenario& scenario, const Params& params, int index) {
    const Instruction of = scenario.instruction(params, index);
    if (of.vector_bytes == 0 || !is_load(of.op)) return false;
    const WarpAccess access = scenario.warp(params, index, {}, 0, 0);
    const auto vector_of = [&](const WarpAccess& one, std::size_t lane) {
        return one.byte_address[lane] / std::uint64_t(of.vector_bytes);
    };
    for (int k = 0; k < index; ++k) {
        const Instruction before = scenario.instruction(params, k);
        if (before.vector_bytes != of.vector_bytes || before.object != of.object ||
            before.phase != of.phase || !is_load(before.op))
            continue;
        const WarpAccess other = scenario.warp(params, k, {}, 0, 0);
        bool same = other.active == access.active;
        for (std::size_t lane = 0; lane < kWarpLanes && same; ++lane)
            same = (access.active >> lane & 1u) == 0 || vector_of(access, lane) == vector_of(other, lane);
        if (same) return true;
    }
    return false;
}

/// How nvcc joins loads of an unrolled loop from words of shared memory that lie side by side.
struct Joined {
    double loads = 1;       ///< instructions for each load of the text
    double wavefronts = 1;  ///< of these, for each of the others
};
Joined joined_loads(const Scenario& scenario, const Params& params, int index, const DeviceFacts& device) {
    constexpr int kWidest = 16;
    const Instruction instruction = scenario.instruction(params, index);
    if (shares_vector(scenario, params, index)) return {0, 0};
    const int bytes = instruction.bytes_per_lane, loads = kWidest / bytes;
    if (instruction.space != Space::shared || !is_load(instruction.op) || !is_unrolled(instruction) ||
        loads < 2)
        return {};
    std::vector<WarpAccess> parts;
    double apart = 0;
    for (int step = 0; step < loads; ++step) {
        parts.push_back(scenario.warp(params, index, {}, 0, step));
        apart += count_banks(parts.back(), device.bank_rules).wavefronts;
    }
    const std::optional<WarpAccess> wide = joined_access(parts);
    if (!wide) return {};
    return {1.0 / loads, apart > 0 ? count_banks(*wide, device.bank_rules).wavefronts / apart : 1};
}

/// How often a block waits for an instruction. Loops are unrolled, unless all threads wait for each other
/// after each step.
double turns_of(const LaunchShape& shape, const Instruction& instruction) {
    const int steps = steps_of(shape, instruction), together = under_way(instruction);
    return shape.barrier_each_step ? steps : (steps + together - 1) / together;
}

/// @param l1_cycles  of all its requests, see l1_pipe_cycles
/// @param sampled    of a warp: for textures its distinct sectors, for local memory its fresh_share
void add_instruction(Demand& demand, const Instruction& instruction, const Totals& grid, double l1_cycles,
                     double sampled, const LaunchShape& shape, const DeviceFacts& device) {
    switch (instruction.space) {
        case Space::shared:
        case Space::cluster:
            demand.wavefronts += double(grid.wavefronts);
            demand.excessive_wavefronts += double(grid.excessive_wavefronts());
            demand.inside_bytes += double(grid.bytes_used);
            return;
        case Space::local:
            add_local(demand, instruction.op, grid, sampled, shape, device);
            if (!is_load(instruction.op)) add_partial(demand, grid, true);
            return;
        case Space::constant:
            demand.constant_words += double(grid.requests - grid.instructions);
            demand.inside_bytes += double(grid.bytes_used);
            return;
        case Space::registers:
            demand.keeps = true;
            demand.inside_bytes += double(grid.instructions) * kWarpLanes * instruction.bytes_per_lane;
            return;
        case Space::texture:
            demand.texture_requests += double(grid.requests);
            demand.texture_sectors += double(grid.instructions) * sampled;
            break;
        case Space::global:
        case Space::l2:
            break;
    }
    demand.leaves_sm = true;
    if (is_load(instruction.op)) {
        demand.l1_cycles += l1_cycles;
    } else if (is_atomic(instruction.op)) {
        (instruction.phase > 0 ? demand.last_atomics : demand.atomics).sectors += double(grid.sectors);
    } else {
        add_partial(demand, grid, false);
    }
}

/// How often a block waits for all of its threads.
int barriers_of(const Scenario& scenario, const Params& params, const LaunchShape& shape) {
    if (shape.shared_bytes == 0) return 0;
    int phases = 0, steps = 1;
    std::map<int, int> intervals;  // by phase
    for (int k = 0; k < scenario.instruction_count(params); ++k) {
        const Instruction instruction = scenario.instruction(params, k);
        phases = std::max(phases, instruction.phase);
        steps = std::max(steps, steps_of(shape, instruction));
        intervals[instruction.phase] = std::max(intervals[instruction.phase], instruction.intervals);
    }
    if (scenario.typed != nullptr) {
        int all = -1;
        for (const auto& [phase, of_phase] : intervals) all += of_phase;
        return std::max(0, all);
    }
    return phases + (shape.barrier_each_step ? steps - 1 : 0);
}

/// The other warps of a block wait at its barriers for this: the wavefronts beyond the ideal of the warp that
/// has most of them, step by step.
double awaited_wavefronts(const Scenario& scenario, const Params& params, const LaunchShape& shape,
                          const DeviceFacts& device) {
    if (!shape.barrier_each_step) return 0;
    double sum = 0;
    for (int k = 0; k < scenario.instruction_count(params); ++k) {
        const Instruction instruction = scenario.instruction(params, k);
        if (instruction.space != Space::shared) continue;
        for (int step = 0; step < steps_of(shape, instruction); ++step) {
            int most = 0;
            for (int warp = 0; warp < warps_per_block(shape); ++warp) {
                const BankCount banks =
                    count_banks(scenario.warp(params, k, {}, warp, step), device.bank_rules);
                most = std::max(most, banks.wavefronts - banks.ideal);
            }
            sum += most;
        }
    }
    return sum;
}

/// Calls visit(access) with every request of a block that has an active lane.
template <class Visit>
void for_each_request(const Scenario& scenario, const Params& params, int index, const LaunchShape& shape,
                      Visit visit) {
    const int steps = steps_of(shape, scenario.instruction(params, index)), warps = warps_per_block(shape);
    for (int step = 0; step < steps; ++step) {
        for (int warp = 0; warp < warps; ++warp) {
            const WarpAccess access = scenario.warp(params, index, {}, warp, step);
            if (access.active != 0) visit(access);
        }
    }
}

/// The cycles that a request keeps slices of the L2 busy, by the piece of memory that each slice owns.
using SliceCycles = std::unordered_map<std::uint64_t, double>;
void add_turns(SliceCycles& slices, const WarpAccess& access) {
    for (std::uint32_t rest = access.active; rest != 0;) {
        const std::uint64_t line = access.byte_address[std::countr_zero(rest)] / kLineBytes;
        std::uint32_t lanes = 0;
        for (std::uint32_t more = rest; more != 0; more &= more - 1) {
            if (access.byte_address[std::countr_zero(more)] / kLineBytes == line) lanes |= more & (~more + 1);
        }
        const int sectors = count_touched(access.byte_address, lanes, access.bytes_per_lane).sectors();
        slices[line * kLineBytes / limits::kBytesOfSlice] +=
            (sectors - 1) * limits::kCyclesOfAtomicSector +
            (1 + sectors_in_turns(access, lanes) - sectors) * limits::kCyclesOfAtomicTurn;
        rest &= ~lanes;
    }
}

/// The cycles of the busiest slice of the L2, for the atomic operations of the grid. If many places are
/// equally busy, some slice has several of them.
double atomic_cycles(const Scenario& scenario, const Params& params, int index, const LaunchShape& shape) {
    SliceCycles slices;
    for_each_request(scenario, params, index, shape,
                     [&](const WarpAccess& access) { add_turns(slices, access); });
    double most = 0, all = 0;
    for (const auto& [piece, cycles] : slices) {
        most = std::max(most, cycles);
        all += cycles;
    }
    if (most <= 0) return 0;
    const double blocks = double(shape.grid.x) * shape.grid.y;
    const bool moves = scenario.access(params, index, {std::min(1, shape.grid.x - 1)}).byte_address !=
                       scenario.access(params, index, {}).byte_address;
    const double pieces = all / most * (moves ? blocks : 1), each = pieces / limits::kAtomicSlices;
    const bool last = scenario.instruction(params, index).phase > 0;
    const double meet = std::min(pieces / 2, last ? limits::kMostThatMeetLast : limits::kMostThatMeet);
    return most * (moves ? 1 : blocks) * std::max({1.0, each, meet});
}

/// The cycles of the SMs while the warps of a grid take one distinct value after the other.
double value_cycles(const Scenario& scenario, const Params& params, int index, const LaunchShape& shape) {
    const Instruction instruction = scenario.instruction(params, index);
    if (instruction.by_value == ByValue::no) return 0;
    const bool match = instruction.by_value == ByValue::match;
    const double each = match ? limits::kCyclesOfMatch : limits::kCyclesOfReduce,
                 value = match ? limits::kCyclesOfMatchedValue : limits::kCyclesOfReducedValue;
    double cycles = 0;
    for_each_request(scenario, params, index, shape, [&](const WarpAccess& access) {
        const Touched leaders = count_touched(access.byte_address, access.active, instruction.bytes_per_lane);
        cycles += each + leaders.addresses() * value;
    });
    return cycles * double(shape.grid.x) * shape.grid.y;
}

int blocks_of_sm(const LaunchShape& shape, const DeviceFacts& device) {
    const int threads = shape.block.x * shape.block.y;
    std::int64_t blocks = std::numeric_limits<int>::max();
    const auto limit = [&blocks](std::int64_t all, std::int64_t each) {
        if (all > 0 && each > 0) blocks = std::min(blocks, all / each);
    };
    limit(device.max_blocks_per_sm, 1);
    limit(device.max_threads_per_sm, threads);
    limit(device.memory.shared_bytes, shape.shared_bytes);
    return int(std::max<std::int64_t>(1, blocks));
}

}  // namespace

double l1_pipe_cycles(const WarpAccess& access, const DeviceFacts& device) {
    const BankCount banks = count_banks(access, device.bank_rules);
    if (access.space != Space::global)
        return std::max(banks.wavefronts * clocks_of_wavefront(device),
                        has_half_as_many_units(device) ? 2.0 : 0.0) +
               limits::kCyclesOfSharedRequest;
    const int lines = count_sectors(access, device.sector_rules).lines;
    const double tags = std::ceil(double(lines) / limits::kTagsPerClock);
    const double width = device.memory.read_only_bytes_per_clock;
    const double slow = width > 0                        ? kLineBytes / width * banks.ideal
                        : has_half_as_many_units(device) ? 2.0 * banks.ideal
                                                         : 0;
    return std::max({double(banks.wavefronts), tags, slow}) + limits::kCyclesOfRequest;
}

double mean_l1_pipe_cycles(const Scenario& scenario, const Params& params, int index,
                           const LaunchShape& shape, const DeviceFacts& device) {
    return mean_of_warps(scenario, params, index, shape,
                         [&](const WarpAccess& access) { return l1_pipe_cycles(access, device); });
}

double mean_texture_sectors(const Scenario& scenario, const Params& params, int index,
                            const LaunchShape& shape) {
    return mean_of_warps(scenario, params, index, shape, &distinct_texture_sectors);
}

double fresh_share(const Scenario& scenario, const Params& params, int index, const LaunchShape& shape) {
    if (steps_of(shape, scenario.instruction(params, index)) < 2) return 1;
    const auto sectors_at = [&](int step) {
        const WarpAccess access = interleave_local(scenario.warp(params, index, {}, 0, step));
        std::set<std::uint64_t> sectors;
        for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1)
            sectors.insert(access.byte_address[std::countr_zero(rest)] / kSectorBytes);
        return sectors;
    };
    const std::set<std::uint64_t> before = sectors_at(0), now = sectors_at(1);
    const auto again = std::ranges::count_if(now, [&](std::uint64_t one) { return before.contains(one); });
    return now.empty() ? 1 : 1 - double(again) / double(now.size());
}

LocalTraffic count_local_traffic(Op op, const Totals& grid, Missed missed, double fresh,
                                 const DeviceFacts& device) {
    const bool load = is_load(op);
    const auto moved = double(grid.bytes_moved);
    if (!has_l2(device)) return {moved, load ? moved : 0, load ? 0 : moved};  // DRAM serves each request
    const double past_l1 = moved * (load ? missed.l1 : 1), past_l2 = past_l1 * missed.l2 * fresh;
    return {past_l1, load ? past_l2 : past_l2 * partly_written(grid), load ? 0 : past_l2};
}

double resident_private_bytes(const LaunchShape& shape, const DeviceFacts& device) {
    const double threads = double(shape.grid.x) * shape.grid.y * shape.block.x * shape.block.y;
    return std::min<double>(threads, double(device.sm_count) * device.max_threads_per_sm) * shape.local_bytes;
}

Demand count_demand(LaunchCounts& launch, bool cold) {
    const Scenario& scenario = launch.scenario;
    const Params& params = launch.params;
    const DeviceFacts& device = launch.device;
    const LaunchShape& shape = launch.shape;
    Demand demand;
    demand.blocks = double(shape.grid.x) * shape.grid.y;
    demand.warps_of_block = warps_per_block(shape);
    demand.blocks_of_sm = blocks_of_sm(shape, device);
    const int count = launch.instructions;
    const double warps = demand.blocks * demand.warps_of_block;
    const bool old = device.cc.major == 1 && scenario.typed == nullptr;
    demand.issued = warps * (old ? limits::kOldInstructionsOfWarp : limits::kInstructionsOfWarp);
    if (scenario.typed != nullptr) demand.computed = scenario.typed->arithmetic(params, device);
    std::vector<Traffic> each(static_cast<std::size_t>(count));
    std::vector<double> fresh(each.size(), 1);  // the share of a load's sectors that no L1 has
    int steps = 1;
    bool adds_in_shared = false;  // in a loop without barriers, so that other warps load meanwhile
    for (int k = 0; k < count; ++k) {
        const Instruction instruction = scenario.instruction(params, k);
        const Totals& grid = launch.grid(k);
        demand.active = demand.active || grid.instructions > 0;
        adds_in_shared = adds_in_shared || (instruction.space == Space::shared && is_atomic(instruction.op));
        const Joined joined = joined_loads(scenario, params, k, device);
        demand.issued += old ? double(grid.instructions) * limits::kOldInstructionsOfAccess
                             : warps * steps_of(shape, instruction) * joined.loads *
                                   (instruction.space == Space::registers ? limits::kInstructionsOfKept
                                    : is_unrolled(instruction)            ? limits::kInstructionsUnrolled
                                                                          : limits::kInstructionsOfAccess);
        steps = std::max(steps, steps_of(shape, instruction));
        const double l1_cycles = instruction.space == Space::global
                                     ? double(grid.instructions) *
                                           mean_l1_pipe_cycles(scenario, params, k, shape, device) *
                                           (joined.loads > 0 ? 1 : 0)
                                     : 0;
        const double sampled = instruction.space == Space::texture
                                   ? mean_texture_sectors(scenario, params, k, shape)
                               : instruction.space == Space::local ? fresh_share(scenario, params, k, shape)
                                                                   : 0;
        add_instruction(demand, instruction, grid, l1_cycles, sampled, shape, device);
        demand.wavefronts -= (1 - joined.wavefronts) * double(grid.wavefronts);
        demand.value_cycles += value_cycles(scenario, params, k, shape);
        if (instruction.space == Space::global && is_atomic(instruction.op))
            (instruction.phase > 0 ? demand.last_atomics : demand.atomics).cycles +=
                atomic_cycles(scenario, params, k, shape);
        if (!has_traffic(instruction.space)) continue;
        each[k] = launch.traffic(k);
        // Exact, also at the edges. What is added to is no data that is moved.
        each[k].useful = is_atomic(instruction.op) ? 0 : double(grid.bytes_wanted);
        const double sectors = sectors_past_l1(instruction, each[k], grid, device);
        demand.l2_sectors += sectors;
        if (scenario.typed != nullptr && grid.sectors > 0)
            fresh[k] = std::min(1.0, sectors / double(grid.sectors));
        if (instruction.op == Op::store && instruction.space == Space::global) {
            // An array of a typed kernel that has no declared length is assumed to be small.
            const double bytes = std::max(double(shape.buffer_bytes[instruction.buffer]), each[k].footprint);
            const double written = std::max(1.0, bytes / kSectorBytes);
            demand.same_sector_stores += double(grid.sectors) / written;
        }
        if (is_load(instruction.op) && grid.sectors > 0)
            demand.l2_requests += double(grid.lines) * std::min(1.0, sectors / double(grid.sectors));
        demand.traffic += each[k];
    }
    if (old && shape.barrier_each_step)
        demand.issued += warps * steps * old_instructions_of_step(shape.step_index);
    // There a request with a conflict holds up the only unit that issues.
    if (old)
        demand.issued += demand.excessive_wavefronts * clocks_of_wavefront(device) * device.issued_per_clock;
    struct Together {
        double alone = 0, busy = 0, last = 0;
    };
    std::map<int, Together> waits;  // by phase
    demand.in_l2 = cold ? 0 : share_in_l2(demand.traffic.footprint, device);
    for (int k = 0; k < count; ++k) {
        const Instruction instruction = scenario.instruction(params, k);
        // If several blocks need the same sectors, the first waits for DRAM and the others find them in the
        // L2.
        const double fetched = each[k].sectors * kSectorBytes;
        const double first = fetched > 0 ? std::min(1.0, each[k].of_dram() / fetched) : 0;
        // A block waits for the last of its sectors: if it executes the load once, a few that come from DRAM
        // are enough.
        constexpr double kFew = 64;
        const double share = steps_of(shape, instruction) == 1 ? std::min(1.0, kFew * first) : first;
        const double missed = share * (1 - demand.in_l2), turns = turns_of(shape, instruction);
        const auto wait = [&](double of) { return wait_of(instruction.space, of, device.latencies); };
        if (is_load(instruction.op) || instruction.op == Op::atomic) {
            const double at_once = steps_of(shape, instruction) == 1 ? kFew : under_way(instruction);
            const double far = instruction.space == Space::global ? std::min(1.0, fresh[k] * at_once) : 1.0;
            const double near = (1 - far) * device.latencies.l1;
            const double slowest = limits::kSlowestOfDram * std::log2(under_way(instruction)) * missed,
                         more = scenario.typed != nullptr && turns > 1 ? slowest : 0;
            const double alone = turns * (near + far * (wait(missed) + more)),
                         busy = turns * (near + far * (wait(limits::kBusyDram * missed) + more));
            if (scenario.typed != nullptr && !instruction.chooses) {
                // Loads that need no other's value are under way together.
                Together& together = waits[instruction.phase];
                together.alone = std::max(together.alone, alone);
                together.busy = std::max(together.busy, busy);
                together.last = std::max(together.last, alone / turns);
            } else {
                demand.waits += alone;
                demand.busy_waits += busy;
                demand.last_waits += alone / turns;
            }
        } else if (has_traffic(instruction.space)) {
            demand.store_waits = std::max(demand.store_waits, wait(0));
        }
    }
    for (const auto& [phase, together] : waits) {
        demand.waits += together.alone;
        demand.busy_waits += together.busy;
        demand.last_waits += together.last;
    }
    demand.barriers = barriers_of(scenario, params, shape);
    demand.in_turns = scenario.typed != nullptr ? demand.barriers > 0 : !adds_in_shared;
    demand.awaited_wavefronts = awaited_wavefronts(scenario, params, shape, device);
    return demand;
}

}  // namespace warplens
