#pragma once

// Knobs that several scenarios have alike, for the table in each one's header.

#include "kernels/scenario_facts.h"

namespace warplens {

inline constexpr Choice kFloatBytes[] = {{4, "4 B"}, {8, "8 B"}, {16, "16 B"}};

/// @param choices  by rising size [bytes]
constexpr Knob element_knob(std::string_view tooltip, std::span<const Choice> choices = kElementBytes) {
    return {&Params::element_bytes,
            "element",
            "element_bytes",
            "Element",
            "",
            tooltip,
            KnobKind::choice,
            choices.front().value,
            choices.back().value,
            choices,
            false,
            true};
}
/// @param most  the largest k of 2^k blocks
constexpr Knob blocks_knob(std::string_view tooltip, int most) {
    return {&Params::blocks_log2, "blocks", "", "Blocks", "blocks", tooltip, KnobKind::power, 0, most};
}
constexpr Knob warp_knob(int most, int (*last)(const Params&),
                         std::string_view tooltip = "Which warp of the grid the pictures show.") {
    return {&Params::warp, "warp",     "",   "Warp", "",  tooltip, KnobKind::slider, 0,
            most,          kNoChoices, true, false,  last};
}
constexpr Knob step_knob(std::string_view tooltip, int most, int (*last)(const Params&)) {
    return {&Params::step, "step",     "",   "Step", "",  tooltip, KnobKind::slider, 0,
            most,          kNoChoices, true, false,  last};
}
constexpr Knob mask_knob(std::string_view tooltip) {
    return {&Params::mask, "mask", "lanes", "Active lanes", "", tooltip, KnobKind::mask};
}
inline constexpr Knob kMaskOfWarp =
    mask_knob("Which lanes of the warp take part; the others are switched off by a condition.");
inline constexpr Knob kMaskOfWarps =
    mask_knob("Which lanes of every warp take part; the others are switched off by a condition.");
inline constexpr Knob kAccessedBytes =
    element_knob("Bytes that one lane accesses in one instruction: char, short, float, float2 or float4.");
inline constexpr std::string_view kBytesInGroups =
    "Bytes per lane. 8-byte accesses are served in 2 groups of 16 lanes, 16-byte accesses in 4 groups of 8.";

}  // namespace warplens
