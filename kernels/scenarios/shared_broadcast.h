#pragma once

#include "kernels/scenarios/shared_knobs.h"

namespace warplens {

enum class SharingPattern : int { neighbours, interleaved };

/// The lanes of a warp request a few distinct elements. Each element lies in a word of its own. If these
/// words share a bank, they are served one after the other, no matter how many lanes request each.
///
///     4 words, neighbours:   lanes 0 to 7 request the first, 8 to 15 the second, ...
///     4 words, interleaved:  lanes 0, 4, 8, ... request the first, 1, 5, 9, ... the second, ...
struct SharedBroadcast {
    static constexpr int kWordBytes = 4;
    static constexpr Choice kPatterns[] = {{int(SharingPattern::neighbours), "neighbours"},
                                           {int(SharingPattern::interleaved), "interleaved"}};
    /// From one requested element to the next at distance 1 [bytes].
    WARPLENS_HD static constexpr int unit(const Params& p) {
        return p.element_bytes > kWordBytes ? p.element_bytes : kWordBytes;
    }

    static constexpr std::string_view sharing_is_idle(const Params& p) {
        return p.words == 1 ? "All lanes request the same word." : "";
    }

    static constexpr Knob knobs[] = {
        {&Params::words, "words", "", "Distinct words", "",
         "How many distinct words the 32 lanes request. 1: a broadcast. 32: a word for each lane.",
         KnobKind::slider, 1, 32, kNoChoices, false, true},
        remedy(
            {&Params::stride, "stride", "", "Distance", "words",
             "From one of these words to the next, in elements if they have 8 or 16 bytes. 1: different banks. 32: "
             "all in one bank.",
             KnobKind::slider, 1, 64, kNoChoices, false, true, nullptr, &sharing_is_idle}),
        {&Params::pattern, "pattern", "", "Shared by", "",
         "neighbours: adjacent lanes request the same word. interleaved: lane i requests word i mod words.",
         KnobKind::choice, 0, 1, kPatterns, false, false, nullptr, &sharing_is_idle},
        element_knob(
            "Bytes per lane. Wide loads are served in groups of lanes; equal neighbours are merged."),
        kMaskOfWarp,
        blocks_knob("How many blocks of one warp the grid has; each does the same.", 21),
    };
    static constexpr Preset presets[] = {{"broadcast", "words=1"},
                                         {"multicast", "words=8"},
                                         {"conflict", "words=8,stride=32"},
                                         {"half a warp", "words=8,stride=32,mask=0xffff"},
                                         {"float4 in pairs", "words=16,element=16"}};
    static constexpr ScenarioInfo info{
        .id = "shared-broadcast",
        .title = "Broadcast and multicast",
        .formula = "tile[k * distance], k of each lane",
        .summary = "All lanes of a warp request a few distinct words of shared memory.",
        .spaces = space_bit(Space::shared),
        .knobs = knobs,
        .defaults = {.words = 4},
        .presets = presets,
        .main_knobs = "words,stride,pattern",
        .first_axis = "words"};

    static constexpr LaunchShape launch(const Params& p) {
        return {.grid = {1 << p.blocks_log2, 1},
                .block = {kWarpLanes, 1},
                .shared_bytes = std::int64_t{(p.words - 1) * p.stride + 1} * unit(p)};
    }

    static constexpr KernelOrder order(const Params&) {
        KernelOrder order;
        return order.fill(4, kFillWords).barrier().access(0);
    }

    static constexpr int instruction_count(const Params&) { return 1; }

    static constexpr Instruction instruction(const Params& p, int) {
        return {.label = "load shared",
                .code = "value = tile[k * distance];",
                .space = Space::shared,
                .op = Op::load,
                .bytes_per_lane = p.element_bytes};
    }

    WARPLENS_HD static constexpr LaneAccess access(const Params& p, int, const ThreadId& t) {
        const int k =
            p.pattern == int(SharingPattern::neighbours) ? t.x * p.words / kWarpLanes : t.x % p.words;
        return {static_cast<std::uint64_t>(k * p.stride * unit(p)), lane_in_mask(p, t.x)};
    }

    static KernelCode code(const Params& p) {
        return {p.pattern == int(SharingPattern::neighbours) ? "load_by_neighbours" : "load_interleaved",
                {element_type(p.element_bytes)}};
    }
    static constexpr Sharing sharing{.order = &order};
    static constexpr QuizTurn turns[] = {{"words", "1,2,3,4,6,8,12,16,24,32"},
                                         {"stride", "1,2,4,8,16,32,33"},
                                         {"pattern", "neighbours,interleaved"}};
    static constexpr QuizTell tells[] = {
        {"pattern=neighbours", "", "k = i * {words} / 32.", "tile[k * {stride}]"},
        {"pattern=interleaved", "", "k = i % {words}.", "tile[k * {stride}]"}};
    static constexpr QuizSource quiz[] = {{5, Space::shared, turns, tells, "words,stride"}};
};

}  // namespace warplens
