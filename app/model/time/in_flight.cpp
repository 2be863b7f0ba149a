#include "app/model/time/in_flight.h"

#include "app/model/device/caches.h"
#include "app/model/time/traffic.h"

#include <algorithm>
#include <cmath>

namespace warplens {
namespace {

using limits::kSlowestOfDram;
constexpr double kSlowestOfL2 = 28;  // as kSlowestOfDram

// Cycles of a round for each sector that a warp asks for in it, beyond the first four. Fitted to the same:
// one warp with 8 loads of 16 bytes takes 1,150 cycles.
constexpr double kCyclesOfSector = 1.6;

// Warps wait for their slowest load while others have theirs, so the limits overlap less than in kernels
// whose blocks come and go. Fitted to the same settings as kSlowestOfDram.
constexpr double kSoftnessOfRounds = 3;

// A block that waits for all its threads has this to do in each round, with whatever is on its way:
// barriers, reading the tile, beginning the next copies; for a round, each KiB of it and each copy of a
// thread [cycles]. Fitted to 60 settings of async-copy on an H200 with 1 and 2 blocks on an SM.
constexpr double kCyclesOfRound = 270, kCyclesOfKib = 50, kCyclesOfCopy = 40;
// Cycles of an SM for an asynchronous copy of a warp if its lanes copy less than 16 bytes each. Measured
// there: of 4 bytes each an SM copies 8.9 in a clock, however many blocks it has.
constexpr double kCyclesOfNarrowCopy = 14;

bool stays_in_l2(double useful, const DeviceFacts& device, bool cold) {
    return !cold && share_in_l2(useful, device) > 0.5;
}

/// The most that the L2 or DRAM delivers to all SMs [10^9 bytes/s].
double delivered_gb_per_s(const DeviceFacts& device, bool from_l2) {
    return from_l2 ? l2_bytes_per_clock(device) * device.sm_count * device.clock_mhz * 1e-3
                   : limits::kReadShare * limits::usable_peak_gb_per_s(device);
}

/// Blocks of a GPU that are resident at the same time, as a mean over its SMs: those for which there are
/// threads, registers and shared memory. A warp's registers come from one of four partitions, in eights for
/// each thread (compute capability 5.0 and later).
double blocks_at_once(const LaunchShape& shape, int registers, const DeviceFacts& device) {
    constexpr double kReserved = 1024, kRegisterBytes = 4,
                     kPartitions = 4;  // reserved: for the driver [bytes]
    const int warps = warps_per_block(shape), in_eights = (registers + 7) / 8 * 8;
    double blocks = double(shape.grid.x) / device.sm_count;
    const auto limit = [&blocks](double all, double each) {
        if (all > 0 && each > 0) blocks = std::min(blocks, std::max(1.0, std::floor(all / each)));
    };
    limit(device.max_threads_per_sm, warps * kWarpLanes);
    limit(device.max_blocks_per_sm, 1);
    if (registers > 0)
        limit(kPartitions * std::floor(double(device.memory.registers_bytes) /
                                       (kPartitions * kRegisterBytes * kWarpLanes * in_eights)),
              warps);
    if (shape.shared_bytes > 0)
        limit(double(device.memory.shared_bytes), double(shape.shared_bytes) + kReserved);
    return blocks;
}

/// The work of the whole grid.
struct GridWork {
    double useful = 0;  ///< requested from global memory [bytes]
    Traffic traffic;    ///< of global memory, before the L2 has kept anything
    double wavefronts = 0, excessive = 0;
};
GridWork count_work(const Scenario& scenario, const Params& p, const DeviceFacts& device) {
    GridWork work;
    LaunchCounts launch(scenario, p, device);
    for (int k = 0; k < launch.instructions; ++k) {
        const Totals& grid = launch.grid(k);
        if (scenario.instruction(p, k).space == Space::global) {
            work.useful += double(grid.bytes_used);
            work.traffic += launch.traffic(k);
        }
        work.wavefronts += double(grid.wavefronts);
        work.excessive += double(grid.excessive_wavefronts());
    }
    return work;
}

}  // namespace

InFlight bytes_in_flight(const Scenario& scenario, const Params& p, const DeviceFacts& device, bool cold) {
    const double sm_hz = device.sm_count * device.clock_mhz * 1e6;
    if (sm_hz <= 0 || device.peak_gb_per_s <= 0) return {};
    const Streaming streaming = scenario.info->streaming(p);
    const LaunchShape shape = scenario.launch(p);
    const int registers = scenario.info->registers == nullptr ? 0 : scenario.info->registers(p);
    const int warps = warps_per_block(shape);
    const double read = double(shape.grid.x) * warps * streaming.warp_bytes * streaming.rounds;
    InFlight result{.blocks = blocks_at_once(shape, registers, device),
                    .from_l2 = stays_in_l2(read, device, cold)};
    result.warps = result.blocks * warps;
    result.places = result.warps * streaming.warp_bytes * streaming.stages;
    result.gb_per_s = delivered_gb_per_s(device, result.from_l2);
    const double single = result.from_l2 ? device.latencies.l2 : device.latencies.dram;
    if (single <= 0) return result;
    constexpr double kSectorsOfLine = double(kLineBytes) / kSectorBytes;
    result.latency_cycles =
        single + (result.from_l2 ? kSlowestOfL2 : kSlowestOfDram) * std::log2(2 * streaming.loads) +
        kCyclesOfSector * (double(streaming.warp_bytes) / kSectorBytes - kSectorsOfLine);
    if (streaming.barriers) {
        const double rounds = double(shape.grid.x) * streaming.rounds;
        result.barrier_cycles = kCyclesOfRound;
        result.issue_cycles = kCyclesOfCopy * streaming.loads;
        result.own_cycles = result.barrier_cycles + kCyclesOfKib * warps * streaming.warp_bytes / 1024 +
                            result.issue_cycles + count_work(scenario, p, device).excessive / rounds;
    }
    // A place is used before the next bytes are on their way to it, and a block uses one after the other.
    result.stage_cycles =
        std::max(result.latency_cycles + result.own_cycles, streaming.stages * result.own_cycles);
    result.now = result.places * (result.latency_cycles / result.stage_cycles);
    result.needed = result.gb_per_s * 1e9 / sm_hz * result.latency_cycles;
    return result;
}

double cycles_of_tile(const InFlight& flight, const Prediction& prediction, const Scenario& scenario,
                      const Params& p, const DeviceFacts& device) {
    const double rounds = double(scenario.launch(p).grid.x) * scenario.info->streaming(p).rounds;
    return limits::soft_maximum(prediction.limits, kSoftnessOfRounds).seconds * device.sm_count *
           device.clock_mhz * 1e6 * flight.blocks / rounds;
}

InFlight average_in_flight(double gb_per_s, const DeviceFacts& device, bool from_l2) {
    const double sm_hz = device.sm_count * device.clock_mhz * 1e6;
    const double single = from_l2 ? device.latencies.l2 : device.latencies.dram;
    if (sm_hz <= 0 || device.peak_gb_per_s <= 0 || single <= 0) return {.from_l2 = from_l2};
    InFlight result{.latency_cycles = single + (from_l2 ? kSlowestOfL2 : kSlowestOfDram),
                    .gb_per_s = delivered_gb_per_s(device, from_l2),
                    .from_l2 = from_l2};
    result.now = gb_per_s * 1e9 / sm_hz * result.latency_cycles;
    result.needed = result.gb_per_s * 1e9 / sm_hz * result.latency_cycles;
    return result;
}

Prediction predict_in_flight(const Scenario& scenario, const Params& p, const DeviceFacts& device,
                             bool cold) {
    const InFlight flight = bytes_in_flight(scenario, p, device, cold);
    const GridWork work = count_work(scenario, p, device);
    const double useful = work.useful, sm_hz = device.sm_count * device.clock_mhz * 1e6;
    Prediction result{.peak = device.peak_gb_per_s,
                      .cold = cold,
                      .fits_l2 = fits_in_l2(work.traffic.footprint, device),
                      .useful_bytes = useful,
                      .dram_bytes = beyond_l2(work.traffic, device, cold).of_dram(),
                      .footprint_bytes = work.traffic.footprint};
    if (flight.latency_cycles <= 0) return result;
    const Streaming streaming = scenario.info->streaming(p);
    const LaunchShape shape = scenario.launch(p);
    const double rounds = double(shape.grid.x) * streaming.rounds;  // of all blocks
    const limits::Limit all[] = {
        {result.dram_bytes / (limits::kReadShare * limits::usable_peak_gb_per_s(device) * 1e9),
         Limiter::dram},
        {useful * (flight.latency_cycles + flight.own_cycles) / (flight.places * sm_hz),
         Limiter::bytes_in_flight},
        {rounds * flight.own_cycles / (flight.blocks * sm_hz), Limiter::rounds},
        {rounds * warps_per_block(shape) * streaming.narrow_copies * kCyclesOfNarrowCopy / sm_hz,
         Limiter::narrow_copies},
        {useful / (l2_bytes_per_clock(device) * sm_hz), sectors_past_sm(device)},
        {work.wavefronts * clocks_of_wavefront(device) / sm_hz,
         shared_memory_limiter(work.wavefronts, work.excessive)}};
    std::ranges::copy(all, result.limits.begin());
    const limits::Limit longest = limits::soft_maximum(all, kSoftnessOfRounds);
    const double launch = limits::launch_seconds(longest.seconds, cold);
    result.limiter = launch > longest.seconds ? Limiter::launch : longest.limiter;
    result.time_us = (longest.seconds + launch) * 1e6;
    result.value = useful / result.time_us * 1e-3;
    return result;
}

}  // namespace warplens
