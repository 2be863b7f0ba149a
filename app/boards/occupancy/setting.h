#pragma once

#include "app/boards/occupancy/occupancy_picture.h"
#include "app/experiment/state.h"
#include "app/model/device/device.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace warplens {

/// The rules that the board of occupancy follows, and what is set there.
struct OccupancySetting {
    CapabilityFacts facts;
    OccupancyInput input;  ///< without the values that this compute capability does not have
    std::string where;     ///< "H200, compute capability 9.0"

    OccupancyView view() const { return {&facts, input, where}; }
};

/// What is set on the board. Empty if nothing is known of the compute capability that is set.
std::optional<OccupancySetting> occupancy_setting(const State& state,
                                                  const std::vector<DeviceFacts>& devices);

/// All rows of the table of compute capabilities, oldest first.
std::span<const CapabilityFacts> known_capabilities();

/// What the board is set to when a scenario's launch is taken over.
struct LaunchOnBoard {
    BoardValues boards;
    bool registers_known = false;
    std::string registers_from;  ///< where the registers come from, or that they are not known and how many
                                 ///< are assumed
};

/// The launch of the present scenario as it is set: threads, shared memory, registers.
LaunchOnBoard launch_on_board(const State& state);

}  // namespace warplens
