#pragma once

#include "app/experiment/state.h"
#include "app/model/device/device.h"
#include "app/model/device/occupancy.h"
#include "app/pictures/kit/canvas.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace warplens {

/// The rules that the board of occupancy follows, and what is set there: what it draws and puts into words.
struct OccupancySetting {
    CapabilityFacts facts;
    OccupancyInput input;  ///< without the values that this compute capability does not have
    std::string where;     ///< "H200, compute capability 9.0"
};

/// An SM with its warp slots and the blocks in them; a bar for each resource, divided into blocks; occupancy
/// against threads, registers and shared memory. A click on a curve leads to that setting (Hit::link).
Picture draw_occupancy(const OccupancySetting& view, const Style& style);

/// Says what is resident, what limits it, and the smallest change that raises it. The reason is the
/// arithmetic.
Explanation explain_occupancy(const OccupancySetting& view);

/// Why not even one block can run, in one sentence. Empty if one can.
std::string refusal_sentence(const OccupancySetting& view);

/// "One register fewer, 32 instead of 33, gives 8 blocks: 64 of 64 warps."
std::string remedy_sentence(const OccupancySetting& view, const Remedy& remedy);

/// "warp slots", "shared memory": as a person names it.
std::string_view resource_words(Resource resource);

/// The launch that is set on the board. Empty if nothing is known of the compute capability that is set.
std::optional<OccupancySetting> occupancy_setting(const State& state,
                                                  const std::vector<DeviceFacts>& devices);

/// All rows of the table of compute capabilities, oldest first.
std::span<const CapabilityFacts> known_capabilities();

/// The board's values when a scenario's launch is taken over.
struct LaunchOnBoard {
    BoardValues boards;
    bool registers_known = false;
    std::string registers_from;  ///< where the registers come from, or that they are not known and how many
                                 ///< are assumed
};

/// The launch of the present scenario as it is set: threads, shared memory, registers.
LaunchOnBoard launch_on_board(const State& state);

/// The scenario's own launch, whatever is set on the board.
std::optional<OccupancySetting> launched_setting(const State& state, const std::vector<DeviceFacts>& devices);

/// Blocks of the scenario's own launch that all SMs together hold at once; 0 if it is not known.
std::int64_t resident_blocks(const State& state, const std::vector<DeviceFacts>& devices);

/// Whether no launch is set on the board, so that it counts the scenario's.
bool counts_scenario(const BoardValues& boards);
/// The values that the board counts.
BoardValues counted_values(const State& state);

}  // namespace warplens
