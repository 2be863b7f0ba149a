#pragma once

#include "app/experiment/state.h"
#include "app/model/device/device.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// A place in the program, as lessons, tables and the command line name it:
///
///     transpose?variant=padded&matrix=512
///     global-stride?stride=8&op=load&device=RTX%204090&board=traffic
///     ?board=occupancy&occupancy.threads=256&occupancy.registers=33
///
/// Before the question mark stands the scenario; none: the present one as it is set. Behind it stand
/// settings: knobs of the scenario (all others at their defaults), knobs of boards
/// (app/boards/board_params.h; those that are not named stay), and
///     device        part of a name, or a compute capability    board  a board's key; default: access
///     axis          the knob along the plot                     second-axis  the knob up the heatmap
///     log           1: logarithmic axes                         cold   1: launches from an empty L2
///     bank-mode     4 or 8: width of shared memory's words on CC 3.x [bytes]
///     instruction   the one in the large picture, from 0; all   scope  warp, block or grid: of the numbers
///     tab           why, code, lesson; reading, source: lesson and code where they have more room
///     compare       another setting to stand beside this one: knobs that it sets otherwise, with commas
///                   ("padding=0,device=A100"), or a whole link, encoded; none: no longer
struct Place {
    State state;
    std::optional<int> instruction;  ///< -1: all of them
    std::optional<int> scope;        ///< 0 warp, 1 block, 2 grid
    std::optional<int> tab;          ///< 0 why, 1 code, 2 lesson, 3 and 4 lesson and code with more room
};

/// Where a link leads to.
/// @param now  the present state: what the link does not say stays.
/// Errors: UsageError with one sentence for anything that does not exist or is out of range.
Place follow_link(std::string_view link, const State& now, const std::vector<DeviceFacts>& devices);

/// The link to a state: its scenario, knobs that are not at their defaults, axes, board and device.
std::string link_to(const State& state, const std::vector<DeviceFacts>& devices);

/// The setting that stands beside a state, as `--compare` and `compare=` in links name it.
/// @param text  settings on top of the state's own, with commas: "padding=0,device=A100"; or a link.
/// Errors: UsageError as follow_link.
Setting compared_setting(std::string_view text, const State& beside, const std::vector<DeviceFacts>& devices);

/// The text that compared_setting reads, as short as can be.
std::string compared_text(const Setting& setting, const State& beside,
                          const std::vector<DeviceFacts>& devices);

/// "4" or "8". @param key  for the message. Errors: UsageError for anything else.
BankMode bank_mode_of(std::string_view key, std::string_view value);

/// Set knobs of boards: "occupancy.threads=128".
/// Errors: UsageError for an unknown knob or a value out of range, with the range.
void apply_board_setting(BoardParams& params, std::string_view key, std::string_view value);

}  // namespace warplens
