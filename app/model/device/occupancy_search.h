#pragma once

#include "app/model/device/occupancy.h"

#include <vector>

namespace warplens {

/// What a person can change about a launch to get more warps onto an SM.
enum class OccupancyKnob { threads, registers, shared, carveout };

/// The value of a knob: threads, registers, declared bytes of shared memory, or percent.
int value_of(const OccupancyInput& input, OccupancyKnob knob);

/// The input with another value. Shared memory is taken from the dynamic part first, then from the static
/// one.
OccupancyInput with_value(OccupancyInput input, OccupancyKnob knob, int value);

struct OccupancyChange {
    OccupancyKnob knob = OccupancyKnob::registers;
    int from = 0, to = 0;
};

/// A change that gets more warps onto an SM. No smaller change of the same knobs does.
struct Remedy {
    std::vector<OccupancyChange> changes;  ///< One change, or several if only all of them together help.
    OccupancyInput input;                  ///< the input with the changes
    Occupancy occupancy;                   ///< the occupancy of that input
};

/// The smallest change of each knob that gets more warps onto an SM, found by trying the rule itself.
///
/// For registers or bytes it is the largest number that allows another block, for the carve-out the smallest,
/// for the block the nearest size in whole warps with more resident warps, all else unchanged. Changes of two
/// knobs at once are only sought if no single knob helps.
/// @return  a carve-out comes first, then the one that changes its knob least. Empty if the SM is full, or if
/// nothing helps.
std::vector<Remedy> find_remedies(const CapabilityFacts& facts, const OccupancyInput& input);

/// Values of a knob with the same number of resident warps.
struct OccupancyStep {
    int from = 0, to = 0;  ///< both included
    int blocks = 0, warps = 0;
};

/// Occupancy against a knob, with all else as in the input. Threads and registers start at 1, shared memory
/// at 0; they end at the maximum of a block (a thread) or at the present value, whichever is more.
std::vector<OccupancyStep> occupancy_curve(const CapabilityFacts& facts, const OccupancyInput& input,
                                           OccupancyKnob knob);

/// The block sizes, in whole warps, that fill the SM, with all else as in the input.
std::vector<int> full_block_sizes(const CapabilityFacts& facts, const OccupancyInput& input);

}  // namespace warplens
