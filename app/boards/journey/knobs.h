#pragma once

#include "app/boards/journey/journey.h"
#include "app/experiment/state.h"

namespace warplens {

// What the board of the journey can be set to. Those that others depend on come first.
inline constexpr BoardKnob kJourneyTiled{
    .key = "journey.tiled",
    .label = "Shared tile",
    .tooltip =
        "Off: every multiply-add gets its factors from global memory. On: the block brings a tile into shared "
        "memory, and each element of it is used many times.",
    .min = 0,
    .max = 1,
    .allows = [](const BoardValues&, int) { return true; }};
inline constexpr BoardKnob kJourneyTile{
    .key = "journey.tile",
    .label = "Tile",
    .tooltip = "Rows and columns of a tile. Each element in it serves so many multiply-adds.",
    .min = 4,
    .max = 32,
    .usual = 32,
    .allows = [](const BoardValues&, int value) { return (value & (value - 1)) == 0; }};
inline JourneySetting journey_setting(const BoardValues& values) {
    return {values[kJourneyTiled] != 0, values[kJourneyTile]};
}
inline constexpr BoardKnob kJourneyStep{
    .key = "journey.step",
    .label = "Step",
    .tooltip = "What the player shows.",
    .min = 0,
    .max = 10,
    .limit = [](const BoardValues& values) { return int(journey_steps(journey_setting(values)).size()) - 1; },
    .on_board = true,
    .played = true};
inline constexpr const BoardKnob* kJourneyKnobs[] = {&kJourneyTiled, &kJourneyTile, &kJourneyStep};

}  // namespace warplens
