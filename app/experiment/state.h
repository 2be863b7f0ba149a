#pragma once

#include "app/boards/board_params.h"
#include "app/model/catalogue.h"
#include "app/pictures/kit/pictures.h"
#include "app/pictures/plot/heatmap.h"

#include <cstddef>
#include <optional>

namespace warplens {

/// What an experiment is set to, without how it is looked at: what the sides of a comparison differ in.
struct KeptSetting {
    const Scenario* scenario = nullptr;
    Params params;
    std::size_t device = 0;  ///< index into the list of devices
    bool cold = false;
    BankMode bank_mode = BankMode::four_bytes;
    BoardParams boards;

    friend bool operator==(const KeptSetting&, const KeptSetting&) = default;
};

/// Everything a person can change that changes an experiment's numbers or pictures. Small and copied freely.
struct State {
    const Scenario* scenario = nullptr;
    Params params;
    std::size_t device = 0;      ///< index into the list of devices
    const Knob* axis = nullptr;  ///< knob on the x axis of the plot; one of the scenario's (can_be_axis)
    const Knob* second_axis = nullptr;  ///< another one, up the heatmap; null: the plot is a curve
    HeatmapShow heatmap_show = HeatmapShow::model;
    bool fit = false;  ///< cycles against wavefronts in place of the plot, where the scenario has that
    ColorBy color_by = ColorBy::wavefront;
    int only_wavefront = -1;  ///< the wavefront player's position; -1: all at once
    bool log_axes = false;
    bool cold = false;  ///< predict and measure launches that find an empty L2, not what the one before left
    std::optional<bool>
        log_colors;  ///< of the heatmap; empty: where its values span more than a factor of 10
    BankMode bank_mode = BankMode::four_bytes;  ///< of devices that have a choice: CC 3.x
    Board board = Board::access;                ///< what the middle of the window shows
    BoardParams boards;
    /// A, which is kept beside what is set, B; empty: nothing is compared.
    std::optional<KeptSetting> compared;

    friend bool operator==(const State&, const State&) = default;
};

/// The state a scenario starts in: its defaults, its first axis knob.
State initial_state(const Scenario& scenario, std::size_t device);

/// The setting of a state, to be kept.
KeptSetting setting_of(const State& state);

/// A kept setting as a state of its own, looked at as another one is: the same board, axes, colours and
/// player. Of another scenario the axis is its usual one.
State state_of(const KeptSetting& setting, const State& looked_at);

}  // namespace warplens
