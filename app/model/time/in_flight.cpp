#include "app/model/time/in_flight.h"

#include "kernels/scenarios/latency_hiding.h"

#include <algorithm>
#include <cmath>

namespace warplens {
namespace {

using S = LatencyHiding;

// A round waits for the slowest of its loads, and a load for the slowest of its sectors. Each doubling of the
// loads adds as many cycles, and so does the first load beyond the latency of a single sector. Fitted to 240
// settings on an H200: one warp per SM takes 727 cycles for 1 load of DRAM, 806 for 2, 898 for 4 and 959 for
// 8, where a single sector takes 663.
constexpr double kSlowestOfDram = 77, kSlowestOfL2 = 28;

// Cycles of a round for each sector that a warp asks for in it, beyond the first four. Fitted there, too:
// one warp with 8 loads of 16 bytes takes 1,150 cycles.
constexpr double kCyclesOfSector = 1.6;

// Warps wait for their slowest load while others have theirs, so the limits overlap less than in kernels
// whose blocks come and go. Fitted there, too.
constexpr double kSoftnessOfRounds = 3;

double useful_bytes(const Params& p) { return double(S::in_flight(p)) * S::rounds(p); }

bool stays_in_l2(const Params& p, const DeviceFacts& device, bool cold) {
    return !cold && device.l2_bytes > 0 && share_that_hits(useful_bytes(p), double(device.l2_bytes)) > 0.5;
}

/// Blocks of a GPU that are resident at the same time, as a mean over its SMs.
double blocks_at_once(const Params& p, const DeviceFacts& device) {
    const double blocks = double(S::kSms) * S::blocks_of_sm(p) / device.sm_count;
    const int threads = S::warps_of_block(p) * kWarpLanes;
    if (device.max_threads_per_sm <= 0) return blocks;
    return std::min(blocks, std::max(1.0, double(device.max_threads_per_sm / threads)));
}

}  // namespace

InFlight bytes_in_flight(const Params& p, const DeviceFacts& device, bool cold) {
    const double sm_hz = device.sm_count * device.clock_mhz * 1e6;
    if (sm_hz <= 0 || device.peak_gb_per_s <= 0) return {};
    InFlight result{.from_l2 = stays_in_l2(p, device, cold)};
    const double of_warp = double(kWarpLanes) * S::loads(p) * p.element_bytes;
    result.warps = blocks_at_once(p, device) * S::warps_of_block(p);
    result.now = result.warps * of_warp;
    result.gb_per_s = result.from_l2 ? l2_bytes_per_clock(device) * sm_hz * 1e-9
                                     : limits::kReadShare * limits::usable_peak_gb_per_s(device);
    const double single = result.from_l2 ? device.latencies.l2 : device.latencies.dram;
    if (single <= 0) return result;
    constexpr double kSectorsOfLine = double(kLineBytes) / kSectorBytes;
    result.latency_cycles = single +
                            (result.from_l2 ? kSlowestOfL2 : kSlowestOfDram) * std::log2(2 * S::loads(p)) +
                            kCyclesOfSector * (of_warp / kSectorBytes - kSectorsOfLine);
    result.needed = result.gb_per_s * 1e9 / sm_hz * result.latency_cycles;
    return result;
}

InFlight average_in_flight(double gb_per_s, const DeviceFacts& device) {
    const double sm_hz = device.sm_count * device.clock_mhz * 1e6;
    if (sm_hz <= 0 || device.peak_gb_per_s <= 0 || device.latencies.dram <= 0) return {};
    InFlight result{.latency_cycles = device.latencies.dram + kSlowestOfDram,
                    .gb_per_s = limits::kReadShare * limits::usable_peak_gb_per_s(device)};
    result.now = gb_per_s * 1e9 / sm_hz * result.latency_cycles;
    result.needed = result.gb_per_s * 1e9 / sm_hz * result.latency_cycles;
    return result;
}

Prediction predict_in_flight(const Params& p, const DeviceFacts& device, bool cold) {
    const InFlight flight = bytes_in_flight(p, device, cold);
    const double useful = useful_bytes(p), sm_hz = device.sm_count * device.clock_mhz * 1e6;
    Prediction result{.peak = device.peak_gb_per_s,
                      .cold = cold,
                      .fits_l2 = useful < double(device.l2_bytes),
                      .useful_bytes = useful,
                      .dram_bytes = flight.from_l2 ? 0 : useful,
                      .footprint_bytes = useful};
    if (flight.latency_cycles <= 0) return result;
    const limits::Limit all[] = {
        {flight.from_l2 ? 0 : useful / (limits::kReadShare * limits::usable_peak_gb_per_s(device) * 1e9),
         Limiter::dram},
        {useful / (flight.now / flight.latency_cycles * sm_hz), Limiter::bytes_in_flight},
        {useful / (l2_bytes_per_clock(device) * sm_hz), sectors_past_sm(device)}};
    std::ranges::copy(all, result.limits.begin());
    const limits::Limit longest = limits::soft_maximum(all, kSoftnessOfRounds);
    const double launch = limits::launch_seconds(longest.seconds, cold);
    result.limiter = launch > longest.seconds ? Limiter::launch : longest.limiter;
    result.time_us = (longest.seconds + launch) * 1e6;
    result.value = useful / result.time_us * 1e-3;
    return result;
}

}  // namespace warplens
