#pragma once

#include "kernels/scenarios/shared_knobs.h"

namespace warplens {

/// The lanes of a warp look up `words` distinct words of a table in constant memory. Lanes that request the
/// same word share a request; requests for distinct words are serialized.
///
/// Each block is one warp, and every block does the same.
struct ConstantLookup {
    enum class Pattern : int { neighbours, interleaved };  ///< which lanes request the same word
    static constexpr Choice kPatterns[] = {{int(Pattern::neighbours), "neighbours"},
                                           {int(Pattern::interleaved), "interleaved"}};
    static constexpr int kWordBytes = 4;

    static constexpr std::string_view sharing_is_idle(const Params& p) {
        return p.words == 1 ? "All lanes request the same word." : "";
    }

    static constexpr Knob knobs[] = {
        {&Params::words, "words", "", "Distinct words", "words",
         "How many distinct words the warp requests. 1: all lanes request the same word, a broadcast.",
         KnobKind::slider, 1, kWarpLanes, kNoChoices, false, true},
        {&Params::pattern, "pattern", "", "Shared by", "",
         "Which lanes request the same word. neighbours: adjacent lanes. interleaved: lane i requests word i mod words.",
         KnobKind::choice, 0, 1, kPatterns, false, false, nullptr, &sharing_is_idle},
        remedy({&Params::stride, "stride", "", "Stride", "words",
                "Distance between the distinct words. A line of the constant cache holds 16 words.",
                KnobKind::slider, 1, 256, kNoChoices, false, true, nullptr, &sharing_is_idle}),
        kMaskOfWarp,
        blocks_knob("How many blocks of one warp the grid has; each does the same.", 21),
    };
    static constexpr Preset presets[] = {{"broadcast", "words=1"},
                                         {"two words", "words=2,pattern=interleaved"},
                                         {"lane index", "words=32"},
                                         {"cache full", "words=32,stride=16"},
                                         {"beyond the cache", "words=32,stride=32"}};
    static constexpr ScenarioInfo info{
        .id = "constant-lookup",
        .title = "Table lookup",
        .formula = "table[word(lane) * stride]",
        .summary = "The lanes of a warp look up words of a table in constant memory.",
        .spaces = space_bit(Space::constant),
        .knobs = knobs,
        .defaults = {.words = 4},
        .presets = presets,
        .main_knobs = "words,pattern,stride",
        .first_axis = "words",
        .speed_unit = [](const Params&) { return SpeedUnit::cycles; }};

    static constexpr LaunchShape launch(const Params& p) {
        return {.grid = {1 << p.blocks_log2, 1}, .block = {kWarpLanes, 1}};
    }

    static constexpr int instruction_count(const Params&) { return 1; }

    static constexpr Instruction instruction(const Params&, int) {
        return {.label = "load constant",
                .code = "value = table[word(lane) * stride];",
                .space = Space::constant,
                .op = Op::load,
                .bytes_per_lane = kWordBytes};
    }

    /// Which of the distinct words a lane requests. With all lanes active each word is requested by some
    /// lane.
    WARPLENS_HD static constexpr int word_of(const Params& p, int lane) {
        return p.pattern == int(Pattern::neighbours) ? lane * p.words / kWarpLanes : lane % p.words;
    }

    WARPLENS_HD static constexpr LaneAccess access(const Params& p, int, const ThreadId& t) {
        return {static_cast<std::uint64_t>(word_of(p, t.x) * p.stride * kWordBytes), lane_in_mask(p, t.x)};
    }

    static KernelCode code(const Params& p) {
        return {p.pattern == int(Pattern::neighbours) ? "look_up_by_neighbours" : "look_up_interleaved"};
    }
    static constexpr Sharing sharing{};
    static constexpr QuizTurn turns[] = {{"words", "1,2,3,4,6,8,12,16,24,32"},
                                         {"pattern", "neighbours,interleaved"},
                                         {"mask", "all,all,0xffff,0xff,0x55555555,0xf0f0f0f0"}};
    static constexpr QuizTell tells[] = {{"pattern=neighbours", "", "", "table[i * {words} / 32]"},
                                         {"pattern=interleaved", "", "", "table[i % {words}]"}};
    static constexpr QuizSource quiz[] = {{8, Space::constant, turns, tells, "words"}};
};

}  // namespace warplens
