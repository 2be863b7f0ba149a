#include "app/model/time/arithmetic.h"

#include "app/base/recent.h"
#include "app/model/access/banks.h"
#include "app/model/access/demand.h"
#include "app/model/device/caches.h"
#include "app/model/time/ladder_time.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace warplens {
namespace {

/// One instruction in one block, over all its steps.
struct BlockCost {
    double requests = 0;
    double l1_cycles = 0;   ///< in the pipe of L1 and shared memory
    double wavefronts = 0;  ///< of shared memory
    double excessive = 0;   ///< those of them that bank conflicts cost
    double bytes = 0;       ///< that lanes ask global memory for [bytes]
    double moved = 0;       ///< in sectors of global memory, request by request [bytes]
    double past_l1 = 0;     ///< to and from the L2 [bytes]
};

/// Distinct sectors that a block touches with one instruction in its first steps.
double sectors_of_steps(const Scenario& scenario, const Params& params, int index, int warps, int steps) {
    std::vector<std::uint64_t> sectors;
    for (int step = 0; step < steps; ++step) {
        for (int warp = 0; warp < warps; ++warp) {
            const WarpAccess access = scenario.warp(params, index, {}, warp, step);
            for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1) {
                const std::uint64_t sector = access.byte_address[std::countr_zero(rest)] / kSectorBytes;
                if (sectors.empty() || sectors.back() != sector) sectors.push_back(sector);
            }
        }
    }
    std::sort(sectors.begin(), sectors.end());
    return double(std::unique(sectors.begin(), sectors.end()) - sectors.begin());
}

/// The same for all steps. Where all count alike, a few stand for them: one, if the next one shares nothing
/// with it; else eight, because eight steps along a row of floats use up a sector.
double sectors_of_block(const Scenario& scenario, const Params& params, int index, const LaunchShape& shape) {
    constexpr int kStepsOfASector = kSectorBytes / 4;
    const Instruction instruction = scenario.instruction(params, index);
    const int all = steps_of(shape, instruction), warps = warps_per_block(shape);
    const auto of = [&](int steps) { return sectors_of_steps(scenario, params, index, warps, steps); };
    if (instruction.step_period != 1 || all <= kStepsOfASector) return of(all);
    const double one = of(1);
    return of(2) == 2 * one ? one * all : of(kStepsOfASector) * all / kStepsOfASector;
}

BlockCost cost_of_block(const Scenario& scenario, const Params& params, int index, const LaunchShape& shape,
                        const DeviceFacts& device) {
    const Instruction instruction = scenario.instruction(params, index);
    const int all = steps_of(shape, instruction);
    const int steps = instruction.step_period > 0 ? std::min(instruction.step_period, all) : all;
    const bool global = instruction.space == Space::global;
    BlockCost cost;
    for (int step = 0; step < steps; ++step) {
        for (int warp = 0; warp < warps_per_block(shape); ++warp) {
            const WarpAccess access = scenario.warp(params, index, {}, warp, step);
            if (access.active == 0) continue;
            ++cost.requests;
            if (global || instruction.space == Space::shared)
                cost.l1_cycles += l1_pipe_cycles(access, device);
            if (instruction.space == Space::shared) {
                const BankCount banks = count_banks(access, device.bank_rules);
                cost.wavefronts += banks.wavefronts;
                cost.excessive += banks.excessive();
            }
            if (!global) continue;
            cost.bytes += double(std::popcount(access.active)) * access.bytes_per_lane;
            cost.moved += count_sectors(access, device.sector_rules).bytes_moved;
        }
    }
    const double times = double(all) / steps;
    for (double* const sum :
         {&cost.requests, &cost.l1_cycles, &cost.wavefronts, &cost.excessive, &cost.bytes, &cost.moved})
        *sum *= times;
    // Stores pass through; loads that the SM does not keep go the whole way each time.
    const bool kept = global && is_kept(instruction, device);
    cost.past_l1 = kept ? sectors_of_block(scenario, params, index, shape) * kSectorBytes : cost.moved;
    return cost;
}

/// How often DRAM delivers what one instruction reads, if the L2 kept nothing from one wave of blocks to the
/// next: blocks of one wave that want the same bytes share them.
double times_read(const Scenario& scenario, const Params& params, int index, const LaunchShape& shape,
                  const DeviceFacts& device) {
    const auto address = [&](int x, int y) { return scenario.access(params, index, {x, y}).byte_address; };
    const double per_sm = std::max(1, device.max_threads_per_sm / (shape.block.x * shape.block.y));
    const double blocks = double(shape.grid.x) * shape.grid.y;
    const double wave = std::min(blocks, per_sm * device.sm_count);
    double share = 1;  // of the bytes that one wave wants: blocks are started row by row
    if (address(1, 0) != address(0, 0)) share *= std::min(1.0, wave / shape.grid.x);
    if (address(0, 1) != address(0, 0)) share *= std::min(1.0, std::ceil(wave / shape.grid.x) / shape.grid.y);
    return std::max(1.0, blocks / wave * share);
}

/// The costs of one block, by instruction.
using BlockCosts = std::vector<BlockCost>;

BlockCosts count_costs(const Scenario& scenario, const Params& params, const DeviceFacts& device) {
    const LaunchShape shape = scenario.launch(params);
    BlockCosts costs;
    for (int k = 0; k < scenario.instruction_count(params); ++k)
        costs.push_back(cost_of_block(scenario, params, k, shape, device));
    return costs;
}

/// A roofline with its ladders asks for some thirty settings, each time that it is drawn.
BlockCosts costs_of_block(const Scenario& scenario, const Params& params, const DeviceFacts& device) {
    const auto count = [&] { return count_costs(scenario, params, device); };
    if (scenario.typed != nullptr) return count();  // what is known of a typed kernel grows
    static Recent<std::tuple<const Scenario*, Params, DeviceFacts>, BlockCosts> recent(64);
    return *recent.get(std::forward_as_tuple(&scenario, params, device), count);
}

ProductTraffic traffic_of(const Scenario& scenario, const Params& params, const BlockCosts& costs,
                          const DeviceFacts& device, bool cold) {
    const LaunchShape shape = scenario.launch(params);
    const double blocks = double(shape.grid.x) * shape.grid.y;
    ProductTraffic traffic;
    double again = 0, written = 0;
    for (int k = 0; k < scenario.instruction_count(params); ++k) {
        const Instruction instruction = scenario.instruction(params, k);
        if (instruction.space != Space::global) continue;
        const BlockCost& cost = costs[k];
        const bool load = is_load(instruction.op);
        const auto buffer_bytes = double(shape.buffer_bytes[instruction.buffer]);
        (load ? traffic.asked_loads : traffic.asked_stores) += cost.bytes * blocks;
        (load ? traffic.l2_read : traffic.l2_written) += cost.past_l1 * blocks;
        traffic.footprint += buffer_bytes;
        if (load)
            again += buffer_bytes * (times_read(scenario, params, k, shape, device) - 1);
        else
            written += buffer_bytes;
    }
    const auto l2_bytes = double(device.l2_bytes);
    const double missed = traffic.footprint < l2_bytes ? 0 : 1 - l2_bytes / std::max(1.0, traffic.footprint);
    const double left = cold ? 1 : 1 - share_in_l2(traffic.footprint, device);
    traffic.dram_read =
        has_l2(device) ? (traffic.footprint - written + again * missed) * left : traffic.l2_read;
    traffic.dram_written = has_l2(device) ? written * left : traffic.l2_written;
    return traffic;
}

}  // namespace

double peak_gflop_per_s(const DeviceFacts& device) {
    return device.sm_count * device.clock_mhz * 1e6 * device.fp32_lanes_per_sm * 2 * 1e-9;
}

ProductTraffic count_product_traffic(const Scenario& scenario, const Params& params,
                                     const DeviceFacts& device, bool cold) {
    const BlockCosts costs = costs_of_block(scenario, params, device);
    return traffic_of(scenario, params, costs, device, cold);
}

Prediction predict_flop(const Scenario& scenario, const Params& params, const DeviceFacts& device,
                        bool cold) {
    const LaunchShape shape = scenario.launch(params);
    const double blocks = double(shape.grid.x) * shape.grid.y;
    const double sms = device.sm_count, sm_hz = device.clock_mhz * 1e6;
    Prediction result{
        .speed_unit = SpeedUnit::gflop_per_s, .cold = cold, .flop = scenario.info->flop(params)};
    const BlockCosts costs = costs_of_block(scenario, params, device);
    double requests = 0, in_l1 = 0, in_banks = 0, wavefronts = 0, excessive = 0;
    for (int k = 0; k < scenario.instruction_count(params); ++k) {
        const BlockCost& cost = costs[k];
        if (!scenario.instruction(params, k).operand) requests += cost.requests;
        (scenario.instruction(params, k).space == Space::global ? in_l1 : in_banks) += cost.l1_cycles;
        wavefronts += cost.wavefronts;
        excessive += cost.excessive;
    }
    const ProductTraffic traffic = traffic_of(scenario, params, costs, device, cold);
    result.useful_bytes = traffic.asked_loads + traffic.asked_stores;
    const double past_sm_bytes = traffic.l2_read + traffic.l2_written;
    if (has_l2(device)) result.l2_bytes = past_sm_bytes;
    result.footprint_bytes = traffic.footprint;
    result.fits_l2 = fits_in_l2(result.footprint_bytes, device);
    result.dram_bytes = traffic.dram_read + traffic.dram_written;
    if (traffic.asked_loads > 0) result.intensity = result.flop / traffic.asked_loads;
    result.peak = peak_gflop_per_s(device);
    if (device.peak_gb_per_s <= 0 || result.peak <= 0) return result;

    const double blocks_of_sm = std::ceil(blocks / sms);
    const double busiest = blocks_of_sm / sm_hz;  // seconds for each cycle of a block
    const double multiply_adds = result.flop / blocks / (2 * kWarpLanes);  // instructions of one block
    using namespace limits;
    // The machine code of the ladder's kernels is known, so limits have little to add to each other.
    const bool climbs = scenario.info->time == TimeModel::ladder;
    const LadderTime ladder =
        climbs ? time_of_ladder_block(params, requests, multiply_adds, blocks_of_sm, device) : LadderTime{};
    const double issuing = climbs ? ladder.issuing : (requests + multiply_adds) / device.issued_per_clock;
    const Limiter past_sm = sectors_past_sm(device);
    const Limit all[] = {
        {(traffic.dram_read / kReadShare + traffic.dram_written / kWriteShare) /
             (limits::usable_peak_gb_per_s(device) * 1e9),
         Limiter::dram},
        {past_sm_bytes / (sms * sm_hz * l2_bytes_per_clock(device)), past_sm},
        {(in_l1 + in_banks) * busiest,
         in_banks > in_l1 ? shared_memory_limiter(wavefronts, excessive) : cache_of_sm(device)},
        {issuing * busiest, Limiter::issue},
        {multiply_adds * kWarpLanes / device.fp32_lanes_per_sm * busiest, Limiter::multiply_adds},
        {blocks / (kBlocksPerClock * sm_hz), Limiter::block_launch},
    };
    std::ranges::copy(all, result.limits.begin());
    Limit longest = soft_maximum(all, climbs ? kSoftness : kSoftnessOfProducts);
    longest.seconds += ladder.waiting * busiest;
    result.limiter = longest.limiter;
    // A GPU of which a third or more has nothing to do for some of the time.
    if (result.limiter != Limiter::dram && result.limiter != past_sm && blocks_of_sm > 1.5 * blocks / sms)
        result.limiter = Limiter::too_few_blocks;
    if (longest.seconds <= 0) return result;
    // The last block starts, waits for its first loads and for its stores.
    const double last = (kWarpStartCycles * warps_per_block(shape) + 2 * device.latencies.l2) / sm_hz;
    const double kernel = longest.seconds + last, launch = launch_seconds(kernel, cold);
    if (launch + last > longest.seconds) result.limiter = Limiter::launch;
    result.time_us = (kernel + launch) * 1e6;
    result.value = result.flop / result.time_us * 1e-3;
    return result;
}

}  // namespace warplens
