#include "app/model/access/demand.h"

#include "app/model/access/banks.h"
#include "app/model/access/report.h"
#include "app/model/access/sectors.h"
#include "app/model/device/caches.h"
#include "app/model/time/limits.h"

#include <algorithm>
#include <cmath>

namespace warplens {
namespace {

/// The spaces whose traffic count_traffic can predict. The traffic of per-thread arrays depends on what the
/// L1 keeps.
bool has_traffic(Space space) {
    return space == Space::global || space == Space::l2 || space == Space::texture;
}

/// Per-thread arrays stay in the L1 as long as those of all resident threads fit; otherwise they are written
/// back to the L2, and from there to DRAM. Stores pass through the L1 to the L2 (counted on an H200: as many
/// sectors as the stores have).
void add_local(Demand& demand, Op op, const Totals& grid, const LaunchShape& shape,
               const DeviceFacts& device) {
    const Missed missed = missed_by_private(resident_private_bytes(shape, device), device);
    demand.l1_cycles += std::max(double(grid.instructions), double(grid.lines) / limits::kTagsPerClock);
    demand.l2_sectors += (is_load(op) ? missed.l1 : 1) * double(grid.sectors);
    demand.local_read += missed.l1 * missed.l2 * double(grid.sectors) * kSectorBytes;
    demand.inside_bytes += double(grid.bytes_used);
}

/// Adds the requests that write only some bytes of their sectors.
void add_partial(Demand& demand, const Totals& grid) {
    const double moved = double(grid.sectors) * kSectorBytes;
    const double partly = moved > 0 ? std::max(0.0, 1 - double(grid.bytes_used) / moved) : 0;
    demand.partial_lines += partly * double(grid.lines);
    demand.partial_sectors += partly * double(grid.sectors);
}

/// Cycles of one load.
/// @param missed  the share of its sectors that DRAM must deliver
double wait_of(Space space, double missed, const Latencies& latencies) {
    const double l2 = latencies.l2 + std::max(0.0, latencies.dram - latencies.l2) * missed;
    if (space == Space::texture) return l2 + std::max(0.0, latencies.texture - latencies.l1);
    if (space == Space::shared || space == Space::registers) return latencies.shared;
    if (space == Space::cluster) return latencies.dsmem;
    if (space == Space::constant) return latencies.constant_l1;
    return space == Space::local ? latencies.l1 : l2;
}

/// How often a block waits for an instruction. Loops are unrolled four times, unless
/// all threads wait for each other after each step.
double turns_of(const LaunchShape& shape, const Instruction& instruction) {
    constexpr int kUnrolled = 4;
    const int steps = steps_of(shape, instruction);
    return shape.barrier_each_step ? steps : (steps + kUnrolled - 1) / kUnrolled;
}

/// @param l1_cycles  of all its requests, see l1_pipe_cycles
void add_instruction(Demand& demand, const Instruction& instruction, const Totals& grid, double l1_cycles,
                     const LaunchShape& shape, const DeviceFacts& device) {
    switch (instruction.space) {
        case Space::shared:
        case Space::cluster:
            demand.wavefronts += double(grid.wavefronts);
            demand.inside_bytes += double(grid.bytes_used);
            return;
        case Space::local:
            add_local(demand, instruction.op, grid, shape, device);
            if (!is_load(instruction.op)) add_partial(demand, grid);
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
            demand.texture_sectors += double(grid.sectors);
            break;
        case Space::global:
        case Space::l2:
            break;
    }
    demand.leaves_sm = true;
    if (is_load(instruction.op)) {
        demand.l1_cycles += l1_cycles;
    } else {
        add_partial(demand, grid);
    }
}

/// How often a block waits for all of its threads.
int barriers_of(const Scenario& scenario, const Params& params, const LaunchShape& shape) {
    if (shape.shared_bytes == 0) return 0;
    int phases = 0, steps = 1;
    for (int k = 0; k < scenario.instruction_count(params); ++k) {
        const Instruction instruction = scenario.instruction(params, k);
        phases = std::max(phases, instruction.phase);
        steps = std::max(steps, steps_of(shape, instruction));
    }
    return phases + (shape.barrier_each_step ? steps - 1 : 0);
}

int blocks_of_sm(const LaunchShape& shape, const DeviceFacts& device) {
    const int threads = shape.block.x * shape.block.y;
    int blocks = limits::kBlocksOfSm;
    if (device.max_threads_per_sm > 0) blocks = std::min(blocks, device.max_threads_per_sm / threads);
    if (shape.shared_bytes > 0 && device.shared_per_block_bytes > 0)
        blocks = static_cast<int>(
            std::min<std::int64_t>(blocks, device.shared_per_block_bytes / shape.shared_bytes));
    return std::max(1, blocks);
}

/// Whether the SMs give global loads half of what their banks could deliver (assets/gpus.json names such
/// GPUs).
bool has_slow_l1(const DeviceFacts& device) {
    return device.memory.l1_bytes_per_clock > 0 && device.memory.l1_bytes_per_clock < kLineBytes;
}

}  // namespace

double resident_private_bytes(const LaunchShape& shape, const DeviceFacts& device) {
    const double threads = double(shape.grid.x) * shape.grid.y * shape.block.x * shape.block.y;
    return std::min<double>(threads, double(device.sm_count) * device.max_threads_per_sm) * shape.local_bytes;
}

Demand count_demand(const Scenario& scenario, const Params& params, const LaunchShape& shape,
                    const DeviceFacts& device, bool cold) {
    Demand demand;
    demand.blocks = double(shape.grid.x) * shape.grid.y;
    demand.warps_of_block = warps_per_block(shape);
    demand.blocks_of_sm = blocks_of_sm(shape, device);
    const int count = scenario.instruction_count(params);
    const double warps = demand.blocks * demand.warps_of_block;
    demand.issued = warps * limits::kInstructionsOfWarp;
    Traffic each[kMaxInstructions];
    for (int k = 0; k < count; ++k) {
        const Instruction instruction = scenario.instruction(params, k);
        const Totals grid = count_grid(scenario, params, k, device);
        demand.active = demand.active || grid.instructions > 0;
        demand.issued += warps * steps_of(shape, instruction) * limits::kInstructionsOfAccess;
        const double l1_cycles =
            instruction.space == Space::global
                ? double(grid.instructions) * mean_l1_pipe_cycles(scenario, params, k, shape, device)
                : 0;
        add_instruction(demand, instruction, grid, l1_cycles, shape, device);
        if (!has_traffic(instruction.space)) continue;
        each[k] = count_traffic(scenario, params, k, shape, device);
        each[k].useful = double(grid.bytes_wanted);  // exact, also at the edges
        const double sectors = sectors_past_l1(instruction, each[k], grid, device);
        demand.l2_sectors += sectors;
        if (instruction.op == Op::store && instruction.space == Space::global) {
            const double written =
                std::max(1.0, double(shape.buffer_bytes[instruction.buffer]) / kSectorBytes);
            demand.same_sector_stores += double(grid.sectors) / written;
        }
        if (is_load(instruction.op) && grid.sectors > 0)
            demand.l2_requests += double(grid.lines) * std::min(1.0, sectors / double(grid.sectors));
        demand.traffic += each[k];
    }
    const double l2 = static_cast<double>(device.l2_bytes);
    demand.in_l2 = cold || l2 <= 0 ? 0 : share_that_hits(demand.traffic.footprint, l2);
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
        const double wait = wait_of(instruction.space, share * (1 - demand.in_l2), device.latencies);
        if (is_load(instruction.op))
            demand.waits += turns_of(shape, instruction) * wait;
        else if (has_traffic(instruction.space))
            demand.store_waits = std::max(demand.store_waits, wait);
    }
    demand.barriers = barriers_of(scenario, params, shape);
    return demand;
}

double l1_pipe_cycles(const WarpAccess& access, const DeviceFacts& device) {
    const BankCount banks = count_banks(access, device.bank_rules);
    if (access.space != Space::global)
        return banks.wavefronts * clocks_of_wavefront(device) + limits::kCyclesOfRequest;
    const int lines = count_sectors(access, device.sector_rules).lines;
    const double tags = std::ceil(double(lines) / limits::kTagsPerClock);
    const double slow = has_slow_l1(device) ? 2.0 * banks.ideal : 0;
    return std::max({double(banks.wavefronts), tags, slow}) + limits::kCyclesOfRequest;
}

double mean_l1_pipe_cycles(const Scenario& scenario, const Params& params, int index,
                           const LaunchShape& shape, const DeviceFacts& device) {
    constexpr int kMostWarps = 4, kMostSteps = 4;
    const Extent middle{shape.grid.x / 2, shape.grid.y / 2};
    const int all_steps = steps_of(shape, scenario.instruction(params, index)),
              all_warps = warps_per_block(shape);
    const int steps = std::min(all_steps, kMostSteps), warps = std::min(all_warps, kMostWarps);
    double sum = 0;
    int requests = 0;
    for (int s = 0; s < steps; ++s) {
        for (int w = 0; w < warps; ++w) {
            const WarpAccess access =
                scenario.warp(params, index, middle, w * all_warps / warps, s * all_steps / steps);
            if (access.active == 0) continue;
            sum += l1_pipe_cycles(access, device);
            ++requests;
        }
    }
    return requests > 0 ? sum / requests : 0;
}

}  // namespace warplens
