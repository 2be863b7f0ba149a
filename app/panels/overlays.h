#pragma once

#include "app/panels/panel_style.h"
#include "app/window/action.h"
#include "app/window/frame.h"
#include "app/window/messages.h"

namespace warplens {

// What lies over the panels for a while; each is opened by a field of View.

/// The choice of themes (View::theme_menu opens it).
void show_theme_menu(const PanelStyle& style, View& view, Actions& actions);

/// All that happened in this run, above the status bar, while View::messages is set.
void show_message_list(const PanelStyle& style, const Messages& messages, View& view, Actions& actions);

/// The card View::tour of the tour: the window dimmed but for the part that it points at. Takes mouse and
/// keys.
/// Names of the parts: tour_cards(); they have to be drawn before in this frame.
void show_tour(const PanelStyle& style, const View& view, Actions& actions);

/// Title, stop and buttons of projector mode, on one line as wide as the window.
void show_projector_head(const PanelStyle& style, const Frame& frame, Actions& actions);

/// What projector mode says below the picture; without a verdict where the picture says it.
Explanation spoken(const Frame& frame, const View& view);

}  // namespace warplens
