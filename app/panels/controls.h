#pragma once

#include "app/panels/ui.h"

namespace warplens {

/// The left column: scenario, knobs, device. The only panel that changes the state.
/// @return  whether anything in the state changed.
bool show_controls(const PanelStyle& style, const Frame& frame, State& state, View& view, Wishes& wishes);

/// The few knobs that projector mode shows, side by side. @return  whether one was turned.
bool show_main_knobs(const PanelStyle& style, const Frame& frame, State& state, const View& view,
                     Wishes& wishes);

/// The bar at the top: memory spaces, recordings, theme, scale, projector, help; what has no room goes into
/// lists. Choosing a space leads to its first scenario.
/// @param go_to  set to the scenario that a person asked for.
void show_top_bar(const PanelStyle& style, const Frame& frame, View& view, Wishes& wishes,
                  const Scenario*& go_to);
/// What its buttons and keys open: copy, learn, recordings, themes. Projector mode has them without the bar.
void show_bar_menus(const PanelStyle& style, const Frame& frame, View& view, Wishes& wishes);

}  // namespace warplens
