#include "app/model/time/spilling.h"

#include "app/model/time/arithmetic.h"
#include "kernels/scenarios/local_spill.h"

#include <algorithm>
#include <cmath>

namespace warplens {
namespace {

// Cycles until the next multiply-add of a chain can begin: 4 on every GPU since Volta (Jia et al. 2018,
// Huerta et al. 2025; the table of latencies has it for A6000 and B200).
constexpr double kChainCycles = 4;

// Registers of an SM, allocated to warps 256 at a time: CC 3.0 and later except 3.7 (cuda_occupancy.h).
constexpr int kRegistersPerSm = 65536, kRegisterUnit = 256;

constexpr double kLoopInstructions = 3;  // of a round, beside its multiply-adds and spills

constexpr double kL1LinesPerClock = 1;  // 128 bytes per clock, as in bandwidth.cpp

/// Resident warps of an SM, as limited by registers and threads; only whole blocks count.
double resident_warps(int registers, int warps_of_block, const DeviceFacts& device) {
    const int per_warp = (registers * kWarpLanes + kRegisterUnit - 1) / kRegisterUnit * kRegisterUnit;
    const int warps = std::min(kRegistersPerSm / per_warp, device.max_threads_per_sm / kWarpLanes);
    return warps / warps_of_block * warps_of_block;
}

/// Warps of the grid that the busiest SM executes, one after another.
double warps_of_sm(const LaunchShape& shape, const DeviceFacts& device) {
    return std::ceil(shape.grid.x / std::max(1.0, double(device.sm_count))) * warps_per_block(shape);
}

/// Warps of the grid that are resident on one SM at the same time.
double warps_at_once(const LaunchShape& shape, const SpillRecord& compiled, const DeviceFacts& device) {
    return std::min(warps_of_sm(shape, device),
                    resident_warps(compiled.registers, warps_per_block(shape), device));
}

}  // namespace

Missed missed_by_spills(const Scenario& scenario, const Params& params, const DeviceFacts& device) {
    const SpillRecord compiled = LocalSpill::record(params);
    const double warps = warps_at_once(scenario.launch(params), compiled, device);
    return missed_by_private(warps * device.sm_count * kWarpLanes * compiled.frame_bytes, device);
}

Prediction predict_spill(const Scenario& scenario, const Params& params, const DeviceFacts& device) {
    Prediction result{.speed_unit = SpeedUnit::gflop_per_s};
    const LaunchShape shape = scenario.launch(params);
    const SpillRecord compiled = LocalSpill::record(params);
    const double spilled = LocalSpill::spilled_values(params), live = params.live_values;
    const double sm_hz = device.clock_mhz * 1e6, sms = device.sm_count;
    const double warps = warps_at_once(shape, compiled, device);
    if (warps <= 0 || sm_hz <= 0 || sms <= 0 || device.peak_gb_per_s <= 0) return result;

    const Missed missed = missed_by_spills(scenario, params, device);
    const double past_l1 = missed.l1, past_l2 = (1 + missed.l1) / 2 * missed.l2;
    const double lines = 2 * spilled * warps;  // a store, which passes to the L2 in any case, and a load
    // One SM has the way to the L2 for itself; all of them together get half of it for their stores.
    const double active = std::min(1.0, double(shape.grid.x) / sms);
    const double stored = kLineBytes / kSectorBytes * std::max(1.0, limits::kCyclesOfLocalSector * active);
    const double loaded = past_l1 * kLineBytes / l2_bytes_per_clock(device);
    const double dram_bytes_per_clock =
        limits::kWriteShare * limits::usable_peak_gb_per_s(device) * 1e9 / (sm_hz * sms);
    const double fma_per_clock = std::max(1, device.fp32_lanes_per_sm) / double{kWarpLanes};
    const double all_warps = double(shape.grid.x) * warps_per_block(shape);
    // A block that ends makes room for the next one at once; only the chains of the last ones run alone.
    const double waves = warps_of_sm(shape, device) / warps, rounds = LocalSpill::kRounds * waves;
    using limits::Limit;
    const double second = 1 / sm_hz;  // per cycle of one SM, for one round of all its resident warps
    const Limit all[] = {
        {kChainCycles * live * std::ceil(waves) / waves * second, Limiter::dependent_multiply_adds},
        {live * warps / fma_per_clock * second, Limiter::multiply_adds},
        {(live + kLoopInstructions + 2 * spilled) * warps / device.issued_per_clock * second, Limiter::issue},
        {lines / kL1LinesPerClock * second, Limiter::spills_to_l1},
        {lines / 2 * (stored + loaded) * second,
         has_l2(device) ? Limiter::spills_past_l1 : Limiter::way_to_dram},
        {past_l2 * lines * kLineBytes / dram_bytes_per_clock * second,
         has_l2(device) ? Limiter::spills_past_l2 : Limiter::spills_to_dram},
    };
    const Limit longest = limits::soft_maximum(all);
    std::ranges::transform(all, result.limits.begin(), [rounds](const Limit& one) {
        return Limit{one.seconds * rounds, one.limiter};
    });
    result.limiter = longest.limiter;
    result.peak = peak_gflop_per_s(device);
    result.time_us = rounds * longest.seconds * 1e6;
    result.value = scenario.info->flop(params) / (rounds * longest.seconds) * 1e-9;
    result.dram_bytes = past_l2 * 2 * spilled * all_warps * kLineBytes * LocalSpill::kRounds;
    return result;
}

}  // namespace warplens
