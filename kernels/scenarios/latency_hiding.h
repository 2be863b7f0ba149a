#pragma once

#include "kernels/scenarios/shared_knobs.h"

namespace warplens {

/// A few warps of each SM read memory from one end to the other, each thread a few elements at a time. How
/// much that keeps on its way decides the speed (Little's law).
///
/// There are 132 blocks, one for each SM of an H100 or H200, or twice as many where a block would be too
/// large; on other GPUs they spread over the SMs. In a round each thread begins `loads` loads, which do not
/// wait for each other, and uses all of them before the next round.
struct LatencyHiding {
    static constexpr int kSms = 132;              ///< of an H100 and an H200
    static constexpr int kMostWarpsOfBlock = 32;  ///< 1,024 threads
    static constexpr Choice kWarps[] = {{1, "1"},   {2, "2"},   {4, "4"},   {8, "8"},   {12, "12"},
                                        {16, "16"}, {24, "24"}, {32, "32"}, {48, "48"}, {64, "64"}};
    static constexpr Choice kLoads[] = {{1, "1"}, {2, "2"}, {4, "4"}, {8, "8"}};

    WARPLENS_HD static constexpr int blocks_of_sm(const Params& p) {
        return p.block_y > kMostWarpsOfBlock ? 2 : 1;
    }
    WARPLENS_HD static constexpr int warps_of_block(const Params& p) { return p.block_y / blocks_of_sm(p); }
    WARPLENS_HD static constexpr int threads(const Params& p) { return kSms * p.block_y * kWarpLanes; }
    WARPLENS_HD static constexpr int loads(const Params& p) { return p.live_values; }
    /// The most bytes that all threads have on their way.
    static constexpr std::int64_t in_flight(const Params& p) {
        return std::int64_t{threads(p)} * loads(p) * p.element_bytes;
    }
    static constexpr int rounds(const Params& p) {
        const std::int64_t all = std::int64_t{1} << p.footprint_log2;
        return all > in_flight(p) ? int(all / in_flight(p)) : 1;
    }
    static constexpr Streaming streaming(const Params& p) {
        return {
            .warp_bytes = kWarpLanes * loads(p) * p.element_bytes, .loads = loads(p), .rounds = rounds(p)};
    }
    /// With 64 warps a thread has 32 registers: half of them for what is on its way.
    static constexpr int most_loads(const Params& p) {
        constexpr int kMostLoads = 8, kMostBytes = 64;
        return p.block_y > kMostWarpsOfBlock && p.element_bytes * kMostLoads > kMostBytes
                   ? kMostBytes / p.element_bytes
                   : kMostLoads;
    }

    static constexpr Knob knobs[] = {
        {&Params::block_y, "warps", "", "Warps", "per SM",
         "Warps that are resident on each of 132 SMs and stay there until all is read.", KnobKind::choice, 1,
         64, kWarps, false, true},
        element_knob("What one lane gets from one load: float, float2 or float4.", kFloatBytes),
        {&Params::live_values, "loads", "", "Loads", "at once",
         "Loads that each thread begins before it uses the first one. They do not depend on each other.",
         KnobKind::choice, 1, 8, kLoads, false, true, &most_loads},
        {&Params::footprint_log2, "bytes", "", "Bytes", "bytes",
         "About how much all threads read, once, from one end to the other.", KnobKind::power, 16, 30,
         kNoChoices, false, true},
    };
    static constexpr Preset presets[] = {
        {"one warp", "warps=1"},           {"8 warps", "warps=8"},
        {"64 warps", "warps=64"},          {"4 loads at once", "warps=16,loads=4"},
        {"float4", "warps=16,element=16"}, {"few warps, wide loads", "warps=8,loads=4,element=16"}};
    static constexpr ScenarioInfo info{
        .id = "latency-hiding",
        .title = "Latency hiding",
        .formula = "in[(round * loads + k) * threads + i]",
        .summary = "A few warps of each SM read memory, a few loads at a time: Little's law.",
        .spaces = space_bit(Space::global),
        .knobs = knobs,
        .defaults = {.element_bytes = 4, .block_y = 8, .live_values = 1, .footprint_log2 = 28},
        .presets = presets,
        .main_knobs = "warps,element,loads",
        .first_axis = "warps",
        .board = "flight",
        .time = TimeModel::in_flight,
        .streaming = &streaming};

    static constexpr LaunchShape launch(const Params& p) {
        LaunchShape shape{.grid = {kSms * blocks_of_sm(p), 1},
                          .block = {kWarpLanes, warps_of_block(p)},
                          .steps = rounds(p) * loads(p)};
        shape.buffer_bytes[0] = in_flight(p) * rounds(p);
        return shape;
    }

    static constexpr int instruction_count(const Params&) { return 1; }

    static constexpr Instruction instruction(const Params& p, int) {
        return {.label = "load ahead",
                .code = "value[k] = in[(round * loads + k) * threads + i];",
                .space = Space::global,
                .op = Op::load,
                .bytes_per_lane = p.element_bytes,
                .step_period = 1};
    }

    WARPLENS_HD static constexpr LaneAccess access(const Params& p, int, const ThreadId& t) {
        const int i = (t.block_x * warps_of_block(p) + t.y) * kWarpLanes + t.x;
        return {(static_cast<std::uint64_t>(t.step) * static_cast<std::uint64_t>(threads(p)) +
                 static_cast<std::uint64_t>(i)) *
                    static_cast<std::uint64_t>(p.element_bytes),
                true};
    }

    static KernelCode code(const Params& p) {
        return {"read_ahead",
                {element_type(p.element_bytes), {"kLoads", loads(p)}, {"kBlocks", blocks_of_sm(p)}},
                {{"rounds", rounds(p)}}};
    }
    static constexpr Sharing sharing{};
    static constexpr std::span<const QuizSource> quiz = kNoQuiz;
};

}  // namespace warplens
