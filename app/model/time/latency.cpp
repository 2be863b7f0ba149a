#include "app/model/time/prediction.h"

#include "app/model/access/constant.h"
#include "app/model/device/caches.h"

#include <algorithm>
#include <array>
#include <bit>
#include <set>

namespace warplens {
namespace {

// Each further wavefront delays the warp by this many cycles. Published for a B200: about 2.0 cycles for each
// way of a conflict (assets/gpus.json, latencies).
constexpr double kCyclesPerWavefront = 2;

// The L1 looks up one 128-byte line per cycle (Nsight Compute's description of the L1's tag stage).
constexpr double kCyclesPerLine = 1;

// A shuffle takes the path of a shared load without reading a bank. Published microbenchmarks of Ada, Hopper
// and Blackwell give 24 to 25 cycles, where a shared load takes 29 to 30; other GPUs are assumed to be
// similar.
constexpr double kShuffleShare = 24.5 / 29.5;

// Reading another block's shared memory takes 22 cycles more in clusters of 4 to 16 blocks than in one of
// two, 1.7 more for each 32-byte sector beyond four, and 0.7 more for each further wavefront. Measured on an
// H200 and an H100, which agree to the cycle (199 for a cluster of two; 180 on an H800: Luo et al., arXiv
// 2501.12084).
constexpr double kLargerCluster = 22, kCyclesPerPeerSector = 1.7, kCyclesPerPeerWavefront = 0.7;

// Constant memory, measured on an H200 and an H100 as the time of a dependent load: 34.9 cycles for one word,
// 375.9 for 32 words that hit the constant L1, 2,615 for 32 words that miss it.
constexpr double kFurtherConstantWord = (375.9 - 34.9) / 31;
constexpr double kMissedConstantWord = 2615.0 / 32;
// The constant L1 has 2 KiB in lines of 64 bytes; it is assumed to have 8 sets of 4 lines. That explains why
// 32 words at a stride of 16, in 32 lines, fit, and at a stride of 32, in 32 lines, do not: the latter share
// 4 sets.
constexpr int kConstantSets = 8;
constexpr int kConstantWays = kConstantL1Bytes / kConstantLineBytes / kConstantSets;

/// The cycles of one request and what they are spent on. 0 cycles if not known.
struct Wait {
    double cycles = 0;
    Limiter limiter = Limiter::none;
};

/// @param first  the latency; 0 if not known
Wait with_more(double first, double more, Limiter limiter) { return {first > 0 ? first + more : 0, limiter}; }

/// For a request that is repeated: the lines of a set that has too many of them always miss.
Wait constant_wait(const WarpAccess& access, const Latencies& latencies) {
    const ConstantReport report = analyze_constant(access);
    const auto end = report.words.begin() + report.count.requests;
    std::array<std::uint64_t, 4 * kWarpLanes> lines;
    auto last = std::transform(report.words.begin(), end, lines.begin(), [](const ConstantWord& word) {
        return word.byte_address / kConstantLineBytes;
    });
    std::sort(lines.begin(), last);
    last = std::unique(lines.begin(), last);
    std::array<int, kConstantSets> in_set{};
    for (auto line = lines.begin(); line != last; ++line) ++in_set[*line % kConstantSets];
    const auto missed = std::count_if(report.words.begin(), end, [&in_set](const ConstantWord& word) {
        return in_set[word.byte_address / kConstantLineBytes % kConstantSets] > kConstantWays;
    });
    const auto hits = double(report.count.requests - missed);
    const double waiting = double(missed) * kMissedConstantWord;
    if (latencies.constant_l1 <= 0) return {0, Limiter::none};
    if (hits == 0) return {waiting, Limiter::constant_misses};
    const double served = latencies.constant_l1 + (hits - 1) * kFurtherConstantWord;
    return {served + waiting, missed > 0                  ? Limiter::constant_misses
                              : report.count.requests > 1 ? Limiter::constant_words
                                                          : Limiter::constant_latency};
}

Wait walk_wait(double footprint, const DeviceFacts& device) {
    double most = 0;
    Wait wait;
    const std::vector<CacheLevel> levels = cache_levels(device);
    const std::vector<double> shares = served_shares(footprint, levels);
    for (std::size_t i = 0; i < levels.size(); ++i) {
        if (shares[i] <= 0) continue;
        if (levels[i].cycles <= 0) return {};
        wait.cycles += shares[i] * levels[i].cycles;
        if (shares[i] > most) most = shares[i], wait.limiter = latency_of(levels[i]);
    }
    return wait;
}

Wait global_wait(const Scenario& scenario, const LaunchShape& shape, const Instruction& instruction,
                 const Totals& warp, const DeviceFacts& device) {
    if (scenario.info->time == TimeModel::walk) {
        return walk_wait(double(shape.buffer_bytes[instruction.buffer]), device);
    }
    const double more = kCyclesPerLine * double(std::max<std::int64_t>(warp.lines, 1) - 1);
    // Blocks communicate through the L2, because no SM can read the L1 of another one.
    if (shape.cluster > 1) return with_more(device.latencies.l2, more, Limiter::l2_latency);
    return with_more(device.latencies.l1, more, Limiter::l1_latency);
}

/// Further cycles of a request to another block's shared memory, beside one for 128 bytes in a row.
double further_of_peer(const WarpAccess& access, const Totals& warp) {
    constexpr std::int64_t kSectorsOfLine = kLineBytes / kSectorBytes;
    std::set<std::uint64_t> sectors;
    for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1)
        sectors.insert(access.byte_address[std::countr_zero(rest)] / kSectorBytes);
    const auto count = std::max<std::int64_t>(static_cast<std::int64_t>(sectors.size()), kSectorsOfLine);
    return kCyclesPerPeerSector * double(count - kSectorsOfLine) +
           kCyclesPerPeerWavefront * double(std::max<std::int64_t>(warp.wavefronts, 1) - 1);
}

/// A store does not wait; a load behind it in the same pipe waits for each wavefront of the store.
Wait wait_of(const Scenario& scenario, const LaunchShape& shape, const Instruction& instruction,
             const WarpAccess& access, const DeviceFacts& device) {
    const Latencies& latencies = device.latencies;
    const Totals warp = count_access(access, device);
    const bool load = is_load(instruction.op);
    const double further = kCyclesPerWavefront * double(std::max<std::int64_t>(warp.wavefronts, 1) - 1);
    switch (instruction.space) {
        case Space::shared:
            return load ? with_more(latencies.shared, further, Limiter::shared_latency) : Wait{further};
        case Space::cluster:
            return with_more(latencies.dsmem,
                             further_of_peer(access, warp) + (shape.cluster > 2 ? kLargerCluster : 0),
                             Limiter::cluster_latency);
        case Space::constant:
            return constant_wait(access, latencies);
        case Space::texture:
            return {latencies.texture, Limiter::texture_latency};
        case Space::registers:
            return load ? Wait{kShuffleShare * latencies.shared, Limiter::shuffle_latency} : Wait{};
        case Space::local:
            return load ? Wait{latencies.l1, Limiter::l1_latency} : Wait{};
        case Space::global:
        case Space::l2:
            return load ? global_wait(scenario, shape, instruction, warp, device) : Wait{};
    }
    return {};
}

}  // namespace

Prediction predict_cycles(const Scenario& scenario, const Params& params, const DeviceFacts& device) {
    const LaunchShape shape = scenario.launch(params);
    const WarpPlace place = place_of_warp(shape, params.warp);
    Prediction result{.speed_unit = SpeedUnit::cycles};
    if (scenario.info->time == TimeModel::walk) {
        result.footprint_bytes = double(shape.buffer_bytes[0]);
        result.fits_l2 = fits_in_l2(result.footprint_bytes, device);
    }
    double longest = 0;
    for (int k = 0; k < scenario.instruction_count(params); ++k) {
        const Instruction instruction = scenario.instruction(params, k);
        const int step = pictured_step(shape, instruction, params.step);
        const WarpAccess access = scenario.warp(params, k, place.block, place.warp_in_block, step);
        if (access.active == 0) continue;
        const Wait wait = wait_of(scenario, shape, instruction, access, device);
        if (is_load(instruction.op) && wait.cycles <= 0) return {.speed_unit = SpeedUnit::cycles};
        result.value += wait.cycles;
        if (wait.cycles > longest) longest = wait.cycles, result.limiter = wait.limiter;
    }
    return result;
}

}  // namespace warplens
