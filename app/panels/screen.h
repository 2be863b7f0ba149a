#pragma once

#include "app/panels/picture_panel.h"

#include <functional>

namespace warplens {

/// What the panels drew before, of both sides of a comparison.
struct PictureCaches {
    PictureCache a, b;
};

/// What the parts of the window are drawn from, and into, in one drawn frame.
struct Screen {
    const PanelStyle& style;
    const Frame& frame;  ///< follows `set`
    View& view;
    PictureCaches& caches;
    Actions& actions;
    /// Takes up a knob's change at once, so that the parts drawn after it show it in the same frame.
    const std::function<void(const State&)>& set;
};

// Where the parts of the window stand; places in pixels.

/// The whole window: three columns, two, or one, as there is room.
void show_columns(const Screen& screen);
/// The whole window in projector mode: large type, one picture with what it means, few knobs.
void show_projector(const Screen& screen);
/// So many pixels per point give projector mode the largest type that leaves room for the picture. In steps,
/// because fonts are drawn anew for each.
/// @param size  of the window [pixels]
float projector_scale(Vec2 size);

/// One part in a panel that fills a place.
void show_part(const Screen& screen, Section section, const Rect& place);
/// The strip of boards, and below it the chosen one: pictures and plot of the scenario, or one of the maps.
void show_middle(const Screen& screen, const Rect& place);
/// A window with room for two columns, or for one: parts take each other's place, and pills switch between
/// them.
void show_two_columns(const Screen& screen, const Rect& place);
void show_one_column(const Screen& screen, const Rect& place);
/// A and B of a comparison side by side, or above each other where there is little room.
void show_sides(const Screen& screen, const Rect& place);

}  // namespace warplens
