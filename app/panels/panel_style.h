#pragma once

#include "app/gl/fonts.h"
#include "app/pictures/kit/palette.h"

namespace warplens {

class Painter;

/// How all panels of a drawn frame look, and what draws them.
struct PanelStyle {
    const Theme& colors;
    const Fonts& fonts;
    Painter& painter;
    float scale = 1;  ///< pixels per point

    float px(float points) const { return points * scale; }  ///< [pixels]
};

}  // namespace warplens
