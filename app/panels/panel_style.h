#pragma once

#include "app/gl/fonts.h"
#include "app/pictures/kit/palette.h"

namespace warplens {

class Painter;

// app/panels is what a person sees and touches, drawn with Dear ImGui: one panel a file. A panel is a
// function. It reads what it is given (a Frame or parts of it) and leaves what was asked for with its caller;
// it computes no number, changes no setting that it was not handed, and keeps nothing in statics. What a
// widget remembers is in View; pictures and broken lines that are dear to make are in PictureCache; where an
// item is, ui::items() says. Widgets that several panels share are in widgets.h. What is drawn into a picture
// is decided in app/pictures and app/boards, not here.

/// How all panels of a drawn frame look, and what draws them.
struct PanelStyle {
    const Theme& colors;
    const Fonts& fonts;
    Painter& painter;
    float scale = 1;  ///< pixels per point

    float px(float points) const { return points * scale; }  ///< [pixels]
};

}  // namespace warplens
