#pragma once

#include "app/model/device/occupancy.h"

#include <vector>

namespace warplens {

/// What a person can change about a launch to get more warps onto an SM.
enum class OccupancyKnob { threads, registers, shared, carveout };

/// The value of a knob: threads, registers, declared bytes of shared memory, percent.
int value_of(const OccupancyInput& input, OccupancyKnob knob);

/// The input with another value. Shared memory: of what the launch asks for first, then of what the source
/// declares.
OccupancyInput with_value(OccupancyInput input, OccupancyKnob knob, int value);

struct OccupancyChange {
    OccupancyKnob knob = OccupancyKnob::registers;
    int from = 0, to = 0;
};

/// A change that gets more warps onto an SM. Nothing smaller in the same knobs does.
struct Remedy {
    std::vector<OccupancyChange> changes;  ///< one; several where only all of them together help
    OccupancyInput input;                  ///< with the changes
    Occupancy occupancy;                   ///< of it
};

/// The smallest change in each knob that gets more warps onto an SM, found by trying the rule itself.
///
/// Fewer registers or bytes: the most that allow another block. A larger carve-out: the least that does.
/// Another size of the block: the nearest in whole warps with more resident warps, all else the same.
/// Changes of two knobs at once are sought only where no knob helps alone.
/// @return  the one that changes its knob the least comes first, a carve-out before all; empty: the SM is
///          full, or nothing helps.
std::vector<Remedy> find_remedies(const CapabilityFacts& facts, const OccupancyInput& input);

/// Values of a knob with the same number of resident warps.
struct OccupancyStep {
    int from = 0, to = 0;  ///< both included
    int blocks = 0, warps = 0;
};

/// Occupancy against a knob, all else as in the input. Threads and registers from 1, shared memory from 0,
/// up to what a block (a thread) may have or to the present value, whichever is more.
std::vector<OccupancyStep> occupancy_curve(const CapabilityFacts& facts, const OccupancyInput& input,
                                           OccupancyKnob knob);

/// Sizes of a block, in whole warps, that fill the SM, all else as in the input.
std::vector<int> full_block_sizes(const CapabilityFacts& facts, const OccupancyInput& input);

}  // namespace warplens
