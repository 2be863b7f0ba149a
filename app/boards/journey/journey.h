#pragma once

#include "app/boards/story/story.h"
#include "app/experiment/state.h"
#include "app/model/device/device.h"

namespace warplens {

// The way of the two factors of one multiply-add, sum += a * b, from DRAM into registers: straight, as in the
// simple product of two matrices, or once for a whole tile, through shared memory. The steps, and all that is
// said about them, are in assets/boards/journey.json.

/// The values of the board's knobs.
struct JourneySetting {
    bool tiled = false;
    int tile = 32;  ///< rows and columns of a tile; each element in it is used so often
};

/// The values of the story are cycles, as the latencies of one GPU give them; sizes; and what that GPU has.
/// "straight" and "with_tile" are the cycles of a multiply-add of one warp that waits for everything in turn.
/// Storing into shared memory and the barrier are not counted: nobody has measured them alone. The
/// multiply-add itself is a few cycles, and not counted where its latency is not known.
Story journey_story(const JourneySetting& setting, const DeviceFacts& device, int step);

/// The stations in a row, DRAM at the left and the arithmetic at the right, with the factors where they are;
/// below it the cycles of a multiply-add without and with a tile. A click on a bar chooses it.
Picture draw_journey(const Story& story, const Style& style);

// The knobs of the board. Those that others depend on come first.
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
    .limit =
        [](const BoardValues& values) { return journey_story(journey_setting(values), {}, 0).count() - 1; },
    .on_board = true,
    .played = true};
inline constexpr const BoardKnob* kJourneyKnobs[] = {&kJourneyTiled, &kJourneyTile, &kJourneyStep};

}  // namespace warplens
