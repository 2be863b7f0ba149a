#pragma once

#include "app/experiment/state.h"
#include "kernels/timing/timeline.h"

namespace warplens {

// The knobs of the board of the timeline.
inline constexpr BoardKnob kTimelineStages{
    .key = "timeline.stages",
    .label = "Stages",
    .unit = "",
    .tooltip =
        "Pairs of tiles that shared memory has room for. 1: nothing is fetched ahead. 2: double buffering.",
    .min = 1,
    .max = StagedProduct::kMostStages,
    .usual = 2};
inline constexpr BoardKnob kTimelineTile{.key = "timeline.tile",
                                         .label = "From tile",
                                         .unit = "",
                                         .tooltip = "The first pair of tiles that the picture shows.",
                                         .min = 0,
                                         .max = StagedProduct::kTiles - 8,
                                         .usual = 0};
inline constexpr const BoardKnob* kTimelineKnobs[] = {&kTimelineStages, &kTimelineTile};

}  // namespace warplens
