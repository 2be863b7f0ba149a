#pragma once

#include "app/experiment/state.h"
#include "app/model/access/hazards.h"

#include <algorithm>

namespace warplens {

inline constexpr int kMostBarriers = 3;  ///< of a kernel of a scenario
inline constexpr int kNoBarrier = kMostBarriers + 1;

// The knobs of the board of hazards.
inline constexpr BoardKnob kHazardsBarriers{
    .key = "hazards.barriers",
    .label = "Barriers",
    .tooltip =
        "0: all of the kernel's barriers are in place. 1, 2, 3: without the first, second, third one, a fence "
        "among them. 4: none.",
    .min = 0,
    .max = kNoBarrier,
    .on_board = true};
inline constexpr const BoardKnob* kHazardsKnobs[] = {&kHazardsBarriers};

/// Whether a kernel with so many barriers has what a value of the knob means. With a single barrier there is
/// no difference between none and all but one.
constexpr bool is_offered(int value, int barriers) {
    return value == 0 || (value == kNoBarrier ? barriers > 1 : value <= barriers);
}

/// The barriers that a value of the knob leaves out. A barrier that the kernel does not have changes nothing.
constexpr LeftOut left_out_by(int value, int barriers) {
    const LeftOut all = (LeftOut{1} << barriers) - 1;
    return value == 0 ? 0 : value == kNoBarrier ? all : (LeftOut{1} << (value - 1)) & all;
}

}  // namespace warplens
