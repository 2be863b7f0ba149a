#pragma once

#include "kernels/scenarios/shared_knobs.h"
#include "kernels/shuffled_order.h"

namespace warplens {

/// The same bytes are read repeatedly. Which cache holds them decides how long that takes.
///
/// Latency: one lane follows a chain with one index in each 128-byte line, in an order that looks random.
/// Bandwidth: every SM reads 16 bytes per thread, side by side. A footprint of up to kSliceBytes is read
/// whole by every block, repeatedly. Of a larger one each column of blocks reads its own slice once, and the
/// rows of the grid repeat that.
struct CacheFootprint {
    enum class What : int { latency, bandwidth };
    static constexpr int kLineBytes = 128, kIndexBytes = 4;
    static constexpr int kTimedLoads = 4096;  ///< latency: steps between the two clock readings
    static constexpr int kBlockThreads = 256, kVectorBytes = 16;
    static constexpr int kSteps = 64;  ///< bandwidth: vectors that each thread reads
    static constexpr int kStepBytes = kBlockThreads * kVectorBytes;  ///< read by a block in one step
    static constexpr int kSliceBytes = kSteps * kStepBytes;          ///< 256 KB, more than the L1 of any SM
    static constexpr int kBlocks = 8192;                             ///< so that 2 GB are read in all

    static constexpr Choice kQuantities[] = {{int(What::latency), "latency"},
                                             {int(What::bandwidth), "bandwidth"}};
    WARPLENS_HD static constexpr bool is_latency(const Params& p) { return p.quantity == int(What::latency); }
    static constexpr int last_step(const Params& p) { return launch(p).steps - 1; }

    static constexpr Knob knobs[] = {
        {&Params::footprint_log2, "footprint", "", "Footprint", "bytes",
         "The footprint: how many bytes are read repeatedly. The smallest cache that holds them delivers them.",
         KnobKind::power, 12, 30, kNoChoices, false, true},
        {&Params::quantity, "measure", "", "Measure", "",
         "latency: one lane follows a chain, each load waits for the one before. bandwidth: every SM reads as "
         "much as it can.",
         KnobKind::choice, 0, 1, kQuantities},
        step_knob("Which load of the walk the pictures show.", kTimedLoads - 1, &last_step),
    };
    static constexpr Preset presets[] = {{"in L1", "footprint=2^16"},
                                         {"in L2", "footprint=2^22"},
                                         {"in DRAM", "footprint=2^28"},
                                         {"bandwidth of L1", "measure=bandwidth,footprint=2^15"},
                                         {"bandwidth of DRAM", "measure=bandwidth,footprint=2^30"}};

    static constexpr SpeedUnit speed_unit(const Params& p) {
        return is_latency(p) ? SpeedUnit::cycles : SpeedUnit::gb_per_s;
    }

    static constexpr ScenarioInfo info{
        .id = "cache-footprint",
        .title = "Footprint and caches",
        .formula = "i = next[i], line after line in random order",
        .summary = "Reads the same bytes repeatedly; latency and bandwidth show which cache holds them.",
        .spaces = space_bit(Space::l2) | space_bit(Space::global),
        .knobs = knobs,
        .presets = presets,
        .main_knobs = "footprint,measure",
        .first_axis = "footprint",
        .board = "traffic",
        .time = TimeModel::walk,
        .speed_unit = &speed_unit,
        .instance =
            [](const Params& p) { return (std::int64_t{1} << p.footprint_log2) > kSliceBytes ? 1 : 0; },
        .judged_whole = true,
        .not_counted = [](const Params&) -> std::string_view {
            return "its kernel follows a chain through memory, for as long as the time takes to measure";
        }};

    static constexpr LaunchShape launch(const Params& p) {
        const std::int64_t footprint = std::int64_t{1} << p.footprint_log2;
        const int columns = footprint > kSliceBytes ? int(footprint / kSliceBytes) : 1;
        LaunchShape shape{.grid = {columns, kBlocks / columns}, .block = {kBlockThreads, 1}, .steps = kSteps};
        if (is_latency(p)) shape = {.grid = {}, .block = {kWarpLanes, 1}, .steps = kTimedLoads};
        shape.buffer_bytes[0] = footprint;
        return shape;
    }

    static constexpr int instruction_count(const Params&) { return 1; }

    static constexpr Instruction instruction(const Params& p, int) {
        return {.label = is_latency(p) ? "follow the chain" : "read all",
                .code = is_latency(p) ? "i = next[i];" : "sum += in[(step * threads + i) % n];",
                .space = Space::global,
                .op = Op::load,
                .bytes_per_lane = is_latency(p) ? kIndexBytes : kVectorBytes,
                .step_period = 1};
    }

    WARPLENS_HD static constexpr LaneAccess access(const Params& p, int, const ThreadId& t) {
        if (is_latency(p)) {
            constexpr int kLineBits = 7;
            const std::uint64_t line =
                shuffled(static_cast<std::uint32_t>(t.step), p.footprint_log2 - kLineBits);
            return {line * kLineBytes, t.x == 0};
        }
        const std::uint32_t within = (1u << p.footprint_log2) - 1;
        const std::uint32_t inside = static_cast<std::uint32_t>(t.step * kStepBytes) & within;
        return {static_cast<std::uint32_t>(t.block_x) * std::uint32_t{kSliceBytes} + inside +
                    static_cast<std::uint32_t>(t.x * kVectorBytes),
                true};
    }

    static KernelCode code(const Params& p) {
        constexpr int kLineBits = 7;
        const std::int64_t bytes = launch(p).buffer_bytes[0];
        const bool past_l1 = bytes > kSliceBytes;
        return {is_latency(p) ? "chase" : "read_slice",
                {{"kPastL1", past_l1}},
                {{"line_bits", p.footprint_log2 - kLineBits},
                 {"slice", (past_l1 ? kSliceBytes : bytes) / kVectorBytes}}};
    }
    static constexpr Sharing sharing{};
    static constexpr std::span<const QuizSource> quiz = kNoQuiz;
};

}  // namespace warplens
