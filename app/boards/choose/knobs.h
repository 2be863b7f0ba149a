#pragma once

#include "app/experiment/state.h"

namespace warplens {

/// The answers that were given (app/boards/choose/decisions.h).
inline constexpr BoardKnob kChoosePath{
    .key = "choose.path",
    .label = "Answers",
    .tooltip = "The answers that were given, a decimal digit each, the first one first. 0: none.",
    .min = 0,
    .max = 999999999,
    .on_board = true};
inline constexpr const BoardKnob* kChooseKnobs[] = {&kChoosePath};

}  // namespace warplens
