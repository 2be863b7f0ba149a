#pragma once

// The folder app/experiment/ contains what an experiment is set to and all that is known about it: State (the
// Setting and the Look), the codec for its only text form, Evidence, history, goals and the devices to choose
// from. It draws nothing and parses no command line. Boards, figures, the window and the commands all use it.

#include "app/experiment/board_info.h"
#include "app/model/catalogue.h"
#include "app/pictures/access/access_picture.h"
#include "app/pictures/plot/heatmap.h"

#include <cstddef>
#include <optional>

namespace warplens {

/// What an experiment is set to. All numbers follow from it and from nothing else. A comparison has two of
/// these.
struct Setting {
    const Scenario* scenario = nullptr;
    Params params;
    std::size_t device = 0;  ///< index into the list of devices
    bool cold = false;       ///< whether launches find an empty L2, and not what the launch before left there
    BankMode bank_mode = BankMode::four_bytes;  ///< only for devices that have a choice, CC 3.x
    BoardValues boards;

    friend bool operator==(const Setting&, const Setting&) = default;
};

/// How a setting is shown. It changes no number.
struct Look {
    const BoardInfo* board = first_board();  ///< what the middle of the window shows
    const Knob* axis = nullptr;  ///< knob of the plot's x axis. One of the scenario's, see can_be_axis.
    const Knob* second_axis = nullptr;  ///< knob of the heatmap's y axis. Null if the plot is a curve.
    HeatmapShow heatmap_show = HeatmapShow::model;
    bool fit = false;  ///< show cycles against wavefronts instead of the plot, if the scenario has them
    ColorBy color_by = ColorBy::wavefront;
    int only_wavefront = -1;  ///< position of the wavefront player. -1 for all at once.
    bool log_axes = false;
    std::optional<bool>
        log_colors;  ///< of the heatmap. Empty for logarithmic if its values span more than a factor of 10.

    friend bool operator==(const Look&, const Look&) = default;
};

/// A setting and how it is shown: what undo restores. It is small and copied freely.
struct State : Setting, Look {
    /// A of a comparison, whose B is this setting. Empty if nothing is compared.
    std::optional<Setting> compared;

    friend bool operator==(const State&, const State&) = default;
};

/// The initial state of a scenario: its defaults, and its first axis knob.
State initial_state(const Scenario& scenario, std::size_t device);

/// Make a state from a setting that is shown like another state: with the same board, axes, colours and
/// player. If it has another scenario, the axis is the default one.
State state_of(const Setting& setting, const State& looked_at);

}  // namespace warplens
