#pragma once

#include "app/experiment/state.h"
#include "app/model/time/bank_loop.h"
#include "tests/random_params.h"

#include <random>
#include <vector>

namespace warplens::test {

/// Any legal setting of a scenario, with values of boards.
inline Subject random_subject(const Scenario& scenario, std::size_t devices, std::mt19937& random) {
    Subject setting;
    setting.scenario = &scenario;
    setting.params = random_params(scenario, random);
    setting.device = random() % devices;
    setting.cold = random() % 2 == 0;
    setting.bank_mode = random() % 2 == 0 ? BankMode::four_bytes : BankMode::eight_bytes;
    for (const BoardKnob* knob : all_board_knobs()) {
        const auto count = static_cast<unsigned>(knob->max - knob->min + 1);
        if (random() % 2 == 0) setting.boards.set(*knob, knob->min + static_cast<int>(random() % count));
    }
    clamp_board(setting.boards);
    return setting;
}

/// Any look at it that the window can have.
inline void look_at_random(State& state, std::mt19937& random) {
    std::vector<const Knob*> axes;
    for (const Knob& knob : state.scenario->info->knobs) {
        if (can_be_axis(*state.scenario, knob)) axes.push_back(&knob);
    }
    if (!axes.empty()) state.axis = axes[random() % axes.size()];
    if (const Knob* second = axes.empty() ? nullptr : axes[random() % axes.size()];
        second != state.axis && random() % 2 == 0)
        state.second_axis = second;
    state.board = all_boards()[random() % all_boards().size()];
    state.heatmap_show = static_cast<HeatmapShow>(random() % 3);
    state.fit = random() % 4 == 0 && has_bank_loop(*state.scenario, state.params);
    state.color_by = static_cast<ColorBy>(random() % 3);
    state.bits = random() % 4 == 0;
    state.player_step = static_cast<int>(random() % 40) - 1;
    state.log_axes = random() % 2 == 0;
    state.plots_speed = random() % 2 == 0;
    if (random() % 2 == 0) state.log_colors = random() % 2 == 0;
}

/// Any state of a scenario, sometimes with another one beside it.
inline State random_state(const Scenario& scenario, std::size_t devices, std::mt19937& random) {
    State state = initial_state(scenario, 0);
    static_cast<Subject&>(state) = random_subject(scenario, devices, random);
    look_at_random(state, random);
    const unsigned kind = random() % 4;
    if (kind == 0) return state;
    Subject other = state;
    if (kind == 1) other.cold = !other.cold;
    if (kind == 2) other = random_subject(scenario, devices, random);
    if (kind == 3) {
        const auto all = all_scenarios();
        other = random_subject(all[random() % all.size()], devices, random);
    }
    state.compared = state_of(other, state);  // one player of steps moves both
    return state;
}

}  // namespace warplens::test
