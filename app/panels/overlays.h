#pragma once

#include "app/panels/panel_style.h"
#include "app/window/action.h"
#include "app/window/frame.h"
#include "app/window/messages.h"

namespace warplens {

// What is drawn over the panels for a while. Each part is opened by a field of View.

/// The choice of themes (View::theme_menu opens it).
void show_theme_menu(const PanelStyle& style, View& view, Actions& actions);

/// All that happened in this run, above the status bar, while View::messages is set.
void show_message_list(const PanelStyle& style, const Messages& messages, View& view, Actions& actions);

/// The card View::tour of the tour. The window is dimmed except for the part that the card points at. It
/// takes mouse and keys. The names of these parts are in tour_cards(); they must have been drawn before in
/// this frame.
void show_tour(const PanelStyle& style, const View& view, Actions& actions);

/// Title, stop and buttons of projector mode, on one line as wide as the window.
void show_projector_head(const PanelStyle& style, const Frame& frame, Actions& actions);

/// What projector mode says below the picture. Without a verdict if the picture itself says it.
Explanation spoken(const Frame& frame, const View& view);

}  // namespace warplens
