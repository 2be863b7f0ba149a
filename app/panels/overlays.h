#pragma once

#include "app/panels/panel_style.h"
#include "app/window/action.h"
#include "app/window/finder.h"
#include "app/window/frame.h"

namespace warplens {

// Parts that are drawn over the panels for a while. Each is opened by a field of View.

/// All that happened in this run, above the status bar, while View::messages is set.
void show_message_list(const PanelStyle& style, const Messages& messages, const View& view, Actions& actions);

/// The ways to fix the setting, while View::fixes is set: what may change for it, and the smallest changes
/// with what they bring and cost. A click on one sets it up beside the present setting.
void show_fixes(const PanelStyle& style, const Frame& frame, const View& view, Actions& actions);

/// A field in the upper middle, and below it what is called like the text in it, while View::finder is set.
void show_finder(const PanelStyle& style, const Frame& frame, const View& view, Finder& finder,
                 Actions& actions);

/// The card View::tour of the tour. The window is dimmed except for the part that the card points at. It
/// takes mouse and keys. The names of these parts are in tour_cards(); they must have been drawn before in
/// this frame.
void show_tour(const PanelStyle& style, const View& view, Actions& actions);

/// The dialog of exports, over everything else.
/// @param dialog  Null while it is closed.
void show_export_dialog(const PanelStyle& style, const ExportView* dialog, const View& view,
                        Actions& actions);

}  // namespace warplens
