#pragma once

#include "app/experiment/pipeline.h"
#include "app/experiment/state.h"
#include "app/figures/figure_options.h"

#include <vector>

namespace warplens {

/// The states that a player goes through, from the first step to the last: the steps of the state's board;
/// otherwise the wavefronts of the slowest instruction; otherwise the knob `step` of the scenario.
/// @param by  what to play, if there is a choice
/// Errors: UsageError if there is nothing to play, or more than 256 steps.
std::vector<State> steps_of(const State& state, const std::vector<DeviceFacts>& devices, StepBy by);

}  // namespace warplens
