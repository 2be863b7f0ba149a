#pragma once

#include "app/experiment/pipeline.h"
#include "app/experiment/state.h"
#include "app/figures/figure_options.h"

#include <vector>

namespace warplens {

/// The states that a player goes through from where a state stands, first to last: the step of its board;
/// else the wavefronts of the slowest instruction; else the knob `step` of the scenario.
/// @param state  with its board
/// @param by     what to play, where there is a choice
/// Errors: UsageError when there is nothing to play, or more than 256 steps.
std::vector<State> steps_of(const State& state, const std::vector<DeviceFacts>& devices, StepBy by);

}  // namespace warplens
