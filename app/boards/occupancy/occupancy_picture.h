#pragma once

#include "app/model/device/occupancy.h"
#include "app/pictures/kit/canvas.h"

#include <string>

namespace warplens {

/// What the board of occupancy draws and puts into words.
struct OccupancyView {
    const CapabilityFacts* facts = nullptr;
    OccupancyInput input;
    std::string where;  ///< "H200, compute capability 9.0"
};

/// An SM with its warp slots and the blocks in them; a bar for each resource, divided into blocks; occupancy
/// against threads, registers and shared memory. A click on a curve leads to that setting (Hit::link).
Picture draw_occupancy(const OccupancyView& view, const Style& style);

/// What is resident, what limits it, and the smallest change that raises it. The reason is the arithmetic.
Explanation explain_occupancy(const OccupancyView& view);

/// Why not even one block can run, in one sentence. Empty if one can.
std::string refusal_sentence(const OccupancyView& view);

/// "One register fewer, 32 instead of 33, gives 8 blocks: 64 of 64 warps."
std::string remedy_sentence(const OccupancyView& view, const Remedy& remedy);

/// What limits, in words: "Registers", "Warp slots and shared memory".
std::string limiters_phrase(const Occupancy& occupancy);

/// "warp slots", "shared memory": as a person names it.
std::string_view resource_words(Resource resource);

/// The link that sets one knob of the board and leaves the others.
std::string occupancy_link(const OccupancyInput& input, OccupancyKnob knob, int value);

}  // namespace warplens
