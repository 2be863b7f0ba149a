#pragma once

#include "kernels/scenario.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace warplens {

/// One row of the catalogue: a scenario with its functions, for code that does not know its type.
struct Scenario {
    const ScenarioInfo* info;
    LaunchShape (*launch)(const Params&);
    int (*instruction_count)(const Params&);
    Instruction (*instruction)(const Params&, int index);
    LaneAccess (*access)(const Params&, int index, const ThreadId&);
    /// All lanes of one warp at once. Block and warp_in_block must lie inside the launch.
    WarpAccess (*warp)(const Params&, int index, Extent block, int warp_in_block, int step);

    bool in(Space space) const { return (info->spaces & space_bit(space)) != 0; }
};

/// The space that a scenario is most about, of those under which it is listed.
Space home_space(const Scenario& scenario);

/// All scenarios, in the order of kernels/scenarios/list.h.
std::span<const Scenario> all_scenarios();

/// By id; null when there is none.
const Scenario* find_scenario(std::string_view id);

/// By key or alias; '-' and '_' are the same. Null when the scenario has no such knob.
const Knob* find_knob(const Scenario& scenario, std::string_view key);

/// Whether a knob can be the axis of a plot: it has more than one value, an order, and changes numbers of the
/// plotted quantity; not masks, not what only chooses the picture, not what turns bandwidth into latency.
bool can_be_axis(const Scenario& scenario, const Knob& knob);

/// Read a knob's value as a person writes it: a number, the name of a choice, 2^k for a power, 0x… for a
/// mask.
/// @return  the field's value, or empty when the text is no legal value for this knob under these params.
std::optional<int> parse_knob(const Knob& knob, const Params& params, std::string_view text);

/// Write a knob's value so that parse_knob reads it back.
std::string format_knob(const Knob& knob, const Params& params);

/// What the knob takes, for messages: "0 to 64 elements", "one of load, store", "a power of two from 2^10 to
/// 2^29".
std::string describe_range(const Knob& knob, const Params& params);

/// The defaults with a preset's settings on top.
Params preset_params(const Scenario& scenario, const Preset& preset);

/// Bring every knob that depends on others back into its range.
void clamp_knobs(const Scenario& scenario, Params& params);

/// Warps of one block.
int warps_per_block(const LaunchShape& shape);

/// Where a warp of the grid stands, numbered block by block (x first), within a block by thread.
struct WarpPlace {
    Extent block;  ///< block index
    int warp_in_block = 0;
};
WarpPlace place_of_warp(const LaunchShape& shape, std::int64_t warp);

}  // namespace warplens
