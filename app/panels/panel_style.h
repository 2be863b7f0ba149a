#pragma once

#include "app/gl/fonts.h"
#include "app/model/verdict.h"
#include "app/pictures/kit/palette.h"

namespace warplens {

class Painter;

// The folder app/panels/ contains what a person sees and touches, drawn with Dear ImGui, one panel per file.
// A panel is a function. It reads its arguments (a Frame or parts of it) and returns to its caller what the
// person asked for. It computes no number, changes only settings that it got as an argument, and keeps
// nothing in static variables. The state of widgets is in View; pictures and laid out texts that are
// expensive to make are in PictureCache; ui::items() has the positions of items. Widgets that several panels
// share are in widgets.h. What is drawn into a picture is decided in app/pictures and app/boards, not here.

/// How all panels of a drawn frame look, and what draws them.
struct PanelStyle {
    const Theme& colors;
    const Fonts& fonts;
    Painter& painter;
    float scale = 1;  ///< pixels per point

    Color of(Tone tone) const { return color_of(colors, tone); }
    float px(float points) const { return points * scale; }  ///< [pixels]
};

}  // namespace warplens
