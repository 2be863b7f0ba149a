#pragma once

// The folder app/experiment/ contains what an experiment is set to and all that is known about it: State
// (the Setting and the Look), the codec that is its one text form, Evidence, history, goals and the
// devices to choose from. It draws nothing and parses no command line; boards, figures, the window and
// the commands all start from it.

#include "app/experiment/board_info.h"
#include "app/model/catalogue.h"
#include "app/pictures/access/access_picture.h"
#include "app/pictures/plot/heatmap.h"

#include <cstddef>
#include <optional>

namespace warplens {

/// What an experiment is set to: all numbers follow from it and from nothing else. The sides of a comparison
/// are two of them.
struct Setting {
    const Scenario* scenario = nullptr;
    Params params;
    std::size_t device = 0;  ///< index into the list of devices
    bool cold = false;  ///< predict and measure launches that find an empty L2, not what the one before left
    BankMode bank_mode = BankMode::four_bytes;  ///< of devices that have a choice: CC 3.x
    BoardValues boards;

    friend bool operator==(const Setting&, const Setting&) = default;
};

/// How a setting is looked at. Changes no number.
struct Look {
    const BoardInfo* board = first_board();  ///< what the middle of the window shows
    const Knob* axis = nullptr;  ///< knob on the x axis of the plot; one of the scenario's (can_be_axis)
    const Knob* second_axis = nullptr;  ///< another one, up the heatmap; null: the plot is a curve
    HeatmapShow heatmap_show = HeatmapShow::model;
    bool fit = false;  ///< cycles against wavefronts in place of the plot, where the scenario has that
    ColorBy color_by = ColorBy::wavefront;
    int only_wavefront = -1;  ///< the wavefront player's position; -1: all at once
    bool log_axes = false;
    std::optional<bool>
        log_colors;  ///< of the heatmap; empty: where its values span more than a factor of 10

    friend bool operator==(const Look&, const Look&) = default;
};

/// A setting and how it is looked at: what undo takes back. Small and copied freely.
struct State : Setting, Look {
    /// A, which is kept beside what is set, B; empty: nothing is compared.
    std::optional<Setting> compared;

    friend bool operator==(const State&, const State&) = default;
};

/// The state a scenario starts in: its defaults, its first axis knob.
State initial_state(const Scenario& scenario, std::size_t device);

/// A kept setting as a state of its own, looked at as another one is: the same board, axes, colours and
/// player. Of another scenario the axis is its usual one.
State state_of(const Setting& setting, const State& looked_at);

}  // namespace warplens
