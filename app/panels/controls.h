#pragma once

#include "app/panels/ui.h"

namespace warplens {

/// The left column: scenario, knobs, device. The only panel that changes the state.
/// @return  whether anything in the state changed.
bool show_controls(const Frame& frame, const Theme& theme, State& state, View& view, Wishes& wishes);

/// The bar at the top: memory spaces, theme, scale, help. Choosing a space leads to its first scenario.
/// @param go_to  set to the scenario that a person asked for.
void show_top_bar(const Frame& frame, View& view, Wishes& wishes, const Scenario*& go_to);

}  // namespace warplens
