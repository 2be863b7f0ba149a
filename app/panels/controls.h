#pragma once

#include "app/panels/panel_style.h"
#include "app/window/action.h"
#include "app/window/frame.h"

#include <span>

namespace warplens {

struct Screen;

/// The left column: scenario, knobs, device.
/// @return  whether anything in the state changed.
bool show_controls(const PanelStyle& style, const Frame& frame, State& state, const View& view,
                   Actions& actions);

/// One knob. Greyed where it has no effect, with the reason in its tooltip. @return  whether it was changed
bool show_knob(const PanelStyle& style, const Frame& frame, const Knob& knob, State& state, int hovered_lane,
               Actions& actions);

/// The map of the grid at the foot of the column, or below its last line: all warps by what they take beyond
/// their ideal. A click pictures the worst warp of a cell; with the keyboard's focus the arrows move by a
/// warp.
void show_grid_map(const Screen& screen);

/// How many of the main knobs projector mode shows side by side in so much room, each whole.
/// @param room  [pixels]
int fit_main_knobs(const PanelStyle& style, const Frame& frame, float room);
/// These. @return  whether one was changed.
bool show_main_knobs(const PanelStyle& style, const Frame& frame, State& state, const View& view,
                     Actions& actions);

/// The verdict as the headline above what is shown, with the one thing to try at its end.
void show_headline(const PanelStyle& style, const Frame& frame, Actions& actions);
/// The button that lists all fixes, where there is something to fix and no change to try in the headline.
void show_fixes_button(const PanelStyle& style, const Frame& frame, Actions& actions);

/// For projector mode: the smallest change that fixes the setting as a button, if there is one
/// (app/learn/fixes.h), and one that lists them all if that has room beside it.
void show_what_to_try(const PanelStyle& style, const Frame& frame, Actions& actions);
/// Width of these buttons in one line, or if they have not that room of the first with as much of its text as
/// has [pixels].
float what_to_try_width(const PanelStyle& style, const Frame& frame, float room);

/// A memory space as the bar and the start page name it.
struct SpaceEntry {
    Space space;
    const char* label;
    const char* term;  ///< in the glossary
};
/// All of them, in the order of the bar.
std::span<const SpaceEntry> space_entries();

/// A button of the top bar, and the menu behind it: recordings with a tick each, and a field to open one
/// more.
void show_recordings_menu(const PanelStyle& style, const Frame& frame, const View& view, Actions& actions);

}  // namespace warplens
