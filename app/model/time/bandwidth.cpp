#include "app/model/time/prediction.h"

#include "app/base/recent.h"
#include "app/model/access/demand.h"
#include "app/model/access/report.h"
#include "app/model/device/caches.h"
#include "app/model/time/in_flight.h"
#include "app/model/time/limits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>

namespace warplens {
namespace {

/// Whether lanes of a typed kernel's atomic operations in global memory meet as data have it.
bool follows_from_data(const Scenario& scenario, const Params& params) {
    if (scenario.typed == nullptr) return false;
    for (int k = 0; k < scenario.instruction_count(params); ++k)
        if (scenario.instruction(params, k).place_unknown) return true;
    return false;
}

// For devices without a measurement: the value of V100, A100 and H100.
constexpr double kUsualL1BytesPerClock = 128;

/// The bandwidth of the cache of an SM that serves global loads [bytes per clock].
double l1_bytes_per_clock(const DeviceFacts& device) {
    if (has_read_only_cache(device)) return device.memory.read_only_bytes_per_clock;
    const double known = device.memory.l1_bytes_per_clock;
    return known > 0 ? known : kUsualL1BytesPerClock;
}

/// The largest bandwidth of an SM for the memories inside it that a launch uses [bytes per clock].
double inside_width(const Demand& demand, const DeviceFacts& device) {
    if (demand.wavefronts > 0)
        return double(device.bank_rules.banks) * (device.bank_rules.wide_banks ? 8 : 4) /
               clocks_of_wavefront(device);
    if (demand.l1_cycles > 0 || !demand.keeps) return l1_bytes_per_clock(device);
    return device.issued_per_clock * kWarpLanes * 4;
}

/// The time of the grid that does not come from parts of the GPU working in parallel [seconds].
struct Blocks {
    double started = 0;           ///< until the work distributor has started all blocks
    double in_flight = 0;         ///< until all blocks have been resident on an SM, each for its duration
    double last = 0;              ///< what the last block waits for
    double waves = 0, alone = 0;  ///< how often the SMs are filled; what a block waits for
};

/// How much more an SM with the most blocks has to do than the average one.
double busiest_share(const Demand& demand, const DeviceFacts& device) {
    const double of_sm = demand.blocks / device.sm_count;
    return std::ceil(of_sm) / of_sm;
}

/// Little's law: the SMs hold a limited number of blocks at a time, and each stays as long as its loads, one
/// after another, its stores and its wavefronts take. A copy on an H200 takes 24.7 cycles per warp (64 warps
/// are resident on an SM, so each stays for 1,580 cycles: the start, a load from busy DRAM, a store). Loads
/// or stores alone take 19.9 cycles, which is the time to start a block of 8 warps.
Blocks time_of_blocks(const Demand& demand, const DeviceFacts& device) {
    const double clock_hz = device.clock_mhz * 1e6;
    const double waves = demand.blocks / (double(device.sm_count) * demand.blocks_of_sm);
    // Blocks that wait often may be there all at once, and too few to keep DRAM busy.
    const bool stays = demand.last_waits < demand.waits;
    const double waits =
        stays ? std::lerp(demand.waits, demand.busy_waits, std::min(1.0, waves)) : demand.busy_waits;
    const double life = limits::kBlockStartCycles + limits::kWarpStartCycles * demand.warps_of_block + waits +
                        demand.store_waits + limits::kBarrierCycles * demand.barriers +
                        demand.wavefronts / std::max(1.0, demand.blocks) +
                        demand.awaited_wavefronts * std::min(limits::kBlocksAtBanks, demand.blocks_of_sm);
    return {.started = demand.blocks / (limits::kBlocksPerClock * clock_hz),
            .in_flight = std::max(waves * life, demand.waits - demand.last_waits) / clock_hz,
            .last = demand.last_waits / clock_hz,
            .waves = waves,
            .alone = demand.waits / clock_hz};
}

/// Cycles of an SM in which instructions of the grid are issued, on average over the SMs.
double issue_cycles(const Demand& demand, const DeviceFacts& device) {
    using namespace limits;
    const Arithmetic& computed = demand.computed;
    if (computed.instructions <= 0) return demand.issued / device.issued_per_clock;
    const double warps = std::min(double(demand.blocks_of_sm), std::ceil(demand.blocks / device.sm_count)) *
                         demand.warps_of_block;
    return busiest_share(demand, device) *
           std::max({(demand.issued + computed.instructions) / device.issued_per_clock,
                     computed.instructions * kDependentCycles / warps, computed.special * kCyclesOfSpecial,
                     computed.doubles * cycles_of_double(device)});
}

/// Requested bytes per second [10^9 bytes/s], and what limits them.
void set_speed(Prediction& result, const Demand& demand, const DeviceFacts& device, bool of_grid,
               double tail_us) {
    using namespace limits;
    const Traffic dram = beyond_l2(demand.traffic, device, result.cold);
    const double peak = limits::usable_peak_gb_per_s(device) * 1e9,
                 sm_hz = device.sm_count * device.clock_mhz * 1e6;
    const double atomic_cycle =
        (device.cc.major < 9 ? limits::kShareOfEarlierAtomics : 1) / (device.clock_mhz * 1e6);
    const double added = std::max(demand.last_atomics.cycles * atomic_cycle,
                                  demand.last_atomics.sectors * kSmCyclesOfAtomicSector / sm_hz);
    const Blocks blocks = of_grid ? time_of_blocks(demand, device) : Blocks{};
    const double read = dram.read + dram.filled + demand.local_read,
                 written = dram.written + demand.local_written;
    const double rows =
        (dram.read_rows + dram.filled_rows) * kRowReadBytes + dram.written_rows * kRowWriteBytes;
    constexpr double kNearly = 0.9;
    const double bytes_cycles = demand.l2_sectors * kSectorBytes / l2_bytes_per_clock(device);
    const double l2_cycles =
        bytes_cycles +
        demand.local_stores * (kCyclesOfLocalSector - 1) * kSectorBytes / l2_bytes_per_clock(device) +
        demand.partial_lines * kPartialLineCycles + demand.partial_sectors * kPartialSectorCycles +
        demand.atomics.sectors * kSmCyclesOfAtomicSector + demand.local_missed * kCyclesOfMissedLine;
    const Limit all[] = {
        {(read / kReadShare + written / kWriteShare) / peak, Limiter::dram},
        {rows / peak, Limiter::dram_rows},
        {dram.queued > 0 ? (read + written + dram.queued) / peak : 0, Limiter::one_partition},
        {blocks.started, Limiter::block_launch},
        {blocks.in_flight, Limiter::bytes_in_flight},
        {l2_cycles / sm_hz, has_l2(device) && bytes_cycles < kNearly * l2_cycles ? Limiter::costly_l2_sectors
                                                                                 : sectors_past_sm(device)},
        {demand.l2_requests * kCyclesPerL2Request / sm_hz, Limiter::l2_requests},
        {demand.atomics.cycles * atomic_cycle + added, Limiter::atomics},
        {demand.value_cycles / sm_hz, Limiter::equal_lanes},
        {demand.same_sector_stores / (kStoresOfSectorPerClock * device.clock_mhz * 1e6), Limiter::one_sector},
        {(demand.wavefronts * clocks_of_wavefront(device) + (of_grid ? demand.l1_cycles : 0)) /
                 (sm_hz * (of_grid && demand.in_turns ? kPipeShare : 1)) +
             demand.local_cycles * busiest_share(demand, device) / sm_hz,
         demand.wavefronts > demand.l1_cycles + demand.local_cycles
             ? shared_memory_limiter(demand.wavefronts, demand.excessive_wavefronts)
             : cache_of_sm(device)},
        {std::max(demand.texture_requests / kTextureRequestsPerClock,
                  demand.texture_sectors * kCyclesPerTextureSector) /
             sm_hz,
         Limiter::texture_unit},
        {demand.constant_words * kCyclesPerConstantWord / sm_hz, Limiter::constant_requests},
        {of_grid ? issue_cycles(demand, device) / sm_hz : 0, Limiter::issue},
    };
    std::ranges::copy(all, result.limits.begin());
    // Atomic additions at the end of blocks do not overlap with the loads of their wave.
    std::array<Limit, std::size(all)> meanwhile;
    std::ranges::copy(all, meanwhile.begin());
    std::ranges::find(meanwhile, Limiter::atomics, &Limit::limiter)->seconds -= added;
    Limit longest = soft_maximum(meanwhile);
    if (!demand.active || longest.seconds <= 0) return;
    const double behind = std::max(0.0, added / std::sqrt(std::max(1.0, blocks.waves)) - kEndsApartUs * 1e-6);
    // The blocks of a last wave that is nearly empty take as long as any others.
    const double full = std::floor(blocks.waves), rest = blocks.waves - full;
    const double tail = full > 0 && rest > 0 ? blocks.alone - longest.seconds * rest / blocks.waves : 0;
    if (behind > longest.seconds) longest.limiter = Limiter::atomics;
    const double kernel = longest.seconds + behind + std::max(blocks.last, tail) + tail_us * 1e-6;
    const double launch = of_grid ? launch_seconds(kernel, result.cold) : 0;
    result.limiter = launch + blocks.last > longest.seconds + behind ? Limiter::launch : longest.limiter;
    result.time_us = (kernel + launch) * 1e6;
    result.value = result.useful_bytes / result.time_us * 1e-3;
    result.dram_bytes = dram.of_dram() + demand.local_read + demand.local_written;
}

/// The speed of an SM that repeats the pictured request of each instruction, as the bank loop does, and what
/// limits it. Other warps of the grid may have other conflicts.
void set_pictured_speed(Prediction& result, const Scenario& scenario, const Params& params,
                        const LaunchShape& shape, const DeviceFacts& device) {
    // A load of one matrix takes longer than its wavefront (H200, H100).
    constexpr double kCyclesOfMatrixLoad = 1.15;
    const WarpPlace place = place_of_warp(shape, params.warp);
    double cycles = 0;
    Totals all;
    for (int k = 0; k < scenario.instruction_count(params); ++k) {
        const int step = pictured_step(shape, scenario.instruction(params, k), params.step);
        const WarpAccess access = scenario.warp(params, k, place.block, place.warp_in_block, step);
        if (access.active == 0) continue;
        const Totals totals = count_access(access, device);
        const double least = access.op == Op::load_matrix ? kCyclesOfMatrixLoad : 0;
        all += totals;
        cycles += std::max(least, double(totals.wavefronts) * clocks_of_wavefront(device));
    }
    const double sm_hz = device.sm_count * device.clock_mhz * 1e6;
    result.value = cycles > 0 ? double(all.bytes_used) / cycles * sm_hz * 1e-9 : 0;
    result.limiter = cycles > 0
                         ? shared_memory_limiter(double(all.wavefronts), double(all.excessive_wavefronts()))
                         : Limiter::none;
}

/// For repeated reading of the same bytes: each cache delivers what it holds.
Prediction predict_walk(const LaunchShape& shape, const Totals& grid, const DeviceFacts& device) {
    const double footprint = double(shape.buffer_bytes[0]), useful_bytes = double(grid.bytes_used);
    Prediction result{
        .peak = device.peak_gb_per_s, .useful_bytes = useful_bytes, .footprint_bytes = footprint};
    const double sm_hz = device.sm_count * device.clock_mhz * 1e6;
    result.fits_l2 = missed_by_walk(shape, device).l2 <= 0;
    if (device.peak_gb_per_s <= 0 || sm_hz <= 0) return result;
    const WalkTraffic traffic = count_walk_traffic(grid, shape, device);
    result.dram_bytes = traffic.of_dram;
    const limits::Limit all[] = {
        {useful_bytes / (sm_hz * l1_bytes_per_clock(device)), cache_of_sm(device)},
        {traffic.past_l1 / (sm_hz * l2_bytes_per_clock(device)),
         has_l2(device) ? Limiter::l2 : Limiter::way_to_dram},
        {result.dram_bytes / (limits::kReadShare * limits::usable_peak_gb_per_s(device) * 1e9),
         Limiter::dram}};
    std::ranges::copy(all, result.limits.begin());
    const limits::Limit longest = limits::soft_maximum(all);
    result.limiter = longest.limiter;
    result.time_us = longest.seconds * 1e6;
    result.value = longest.seconds > 0 ? useful_bytes / longest.seconds * 1e-9 : 0;
    return result;
}

/// Kept, because the plot, the heatmap, the numbers and the words ask for the same settings, often those of
/// the last change.
Demand demand_of(LaunchCounts& launch, bool cold) {
    const auto count = [&] { return count_demand(launch, cold); };
    if (launch.scenario.typed != nullptr) return count();  // what is known of a typed kernel grows
    static Recent<std::tuple<const Scenario*, Params, DeviceFacts, bool>, Demand> recent(256);
    return *recent.get(std::forward_as_tuple(&launch.scenario, launch.params, launch.device, cold), count);
}

/// For a kernel whose data lie in DRAM.
Prediction predict_kernel(LaunchCounts& launch, bool cold) {
    const Scenario& scenario = launch.scenario;
    const Params& params = launch.params;
    const DeviceFacts& device = launch.device;
    const LaunchShape& shape = launch.shape;
    if (follows_from_data(scenario, params))
        return {.peak = device.peak_gb_per_s, .cold = cold, .follows_from_data = true};
    if (scenario.info->time == TimeModel::walk) return predict_walk(shape, launch.grid(0), device);
    if (scenario.info->time == TimeModel::in_flight) return predict_in_flight(scenario, params, device, cold);
    const Demand demand = demand_of(launch, cold);
    const double sm_hz = device.sm_count * device.clock_mhz * 1e6;
    Prediction result{
        .peak = demand.leaves_sm ? device.peak_gb_per_s : sm_hz * inside_width(demand, device) * 1e-9,
        .shared_memory = !demand.leaves_sm,
        .cold = cold,
        .fits_l2 = demand.leaves_sm && fits_in_l2(demand.traffic.footprint, device),
        .useful_bytes = demand.leaves_sm ? demand.traffic.useful : demand.inside_bytes,
        .footprint_bytes = demand.traffic.footprint};
    if (sm_hz <= 0 || device.peak_gb_per_s <= 0) return result;
    const Measured how = how_measured(scenario, params);
    const double tail_us = scenario.info->tail_us == nullptr ? 0 : scenario.info->tail_us(params);
    set_speed(result, demand, device, how == Measured::grid, tail_us);
    if (how == Measured::banks && result.value > 0)
        set_pictured_speed(result, scenario, params, shape, device);
    return result;
}

/// The data come from the host first, or while the kernel runs.
Prediction with_transfer(Prediction kernel, const Scenario& scenario, const Params& params,
                         const DeviceFacts& device) {
    Prediction result = kernel;
    result.transfer = transfer_of(scenario, params, device);
    result.peak = device.link_gb_per_s;
    result.fits_l2 = false;
    double kernel_seconds = kernel.time_us * 1e-6;
    if (result.transfer.carrier == Carrier::sectors) {  // the transfer is what the kernel does
        kernel_seconds = limits::launch_seconds(result.transfer.seconds, kernel.cold);
        result.dram_bytes = result.footprint_bytes = 0;
        kernel.limiter = Limiter::launch;
    }
    const limits::Limit all[] = {{result.transfer.seconds, result.transfer.limiter},
                                 {kernel_seconds, kernel.limiter}};
    result.limits = {all[0], all[1]};
    const bool known = result.transfer.seconds > 0 && kernel.time_us > 0;
    result.limiter = known ? all[all[0].seconds < all[1].seconds].limiter : Limiter::none;
    result.time_us = known ? (result.transfer.seconds + kernel_seconds) * 1e6 : 0;
    result.value = known ? result.useful_bytes / result.time_us * 1e-3 : 0;
    return result;
}

}  // namespace

Prediction predict_bandwidth(LaunchCounts& launch, bool cold) {
    const Prediction kernel = predict_kernel(launch, cold);
    return launch.scenario.info->time == TimeModel::host
               ? with_transfer(kernel, launch.scenario, launch.params, launch.device)
               : kernel;
}

Prediction predict_bandwidth(const Scenario& scenario, const Params& params, const DeviceFacts& device,
                             bool cold) {
    LaunchCounts launch(scenario, params, device);
    return predict_bandwidth(launch, cold);
}

}  // namespace warplens
