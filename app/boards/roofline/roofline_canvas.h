#pragma once

#include "app/boards/roofline/roofline_picture.h"
#include "app/pictures/kit/axes.h"

#include <algorithm>
#include <string>
#include <vector>

namespace warplens {

/// A roofline while it is drawn.
struct RooflineCanvas {
    Canvas& canvas;
    const RooflineView& view;
    PlotArea plot;
    TakenPlaces taken;        ///< marks and labels
    std::vector<Path> lines;  ///< the roofs

    const Theme& theme() const { return canvas.theme; }
    const Roofline& roofline() const { return *view.roofline; }
    bool is_product() const { return !view.variants.empty(); }
    Color model() const { return theme().series[kSeriesModel]; }
    Color variant() const { return theme().series[2]; }
    /// Behind what is memory bound, and what is compute bound.
    Color ground(bool memory) const { return mix(theme().panel, theme().series[memory ? 1 : 3], 0.09f); }
    float ridge_x() const {
        const double ridge = roofline().ridge();
        return ridge > 0 ? std::clamp(plot.x_of(ridge), plot.rect.x, right()) : plot.rect.x;
    }
    float bottom() const { return plot.rect.y + plot.rect.h; }
    float right() const { return plot.rect.x + plot.rect.w; }
    Vec2 at(double intensity, double gflop_per_s) const {
        return {plot.x_of(intensity), plot.y_of(gflop_per_s)};
    }
};

/// On a plate of its own, which interrupts what runs through it. @return  whether there was room.
bool place_text(RooflineCanvas& d, Rect rect, const std::string& text, FontRole font, Color color);

bool is_off_the_roofs(const RooflineCanvas& d, const Rect& rect);

/// Beside a mark: right, below right, left, above, wherever there is room; over a roof only if nowhere else.
/// @return  whether there was room
bool name_point(RooflineCanvas& d, Vec2 at, const std::string& text, FontRole font, Color color,
                bool may_cross_roofs = true);

inline void take_mark(RooflineCanvas& d, Vec2 at) { d.taken.take({at.x - 7, at.y - 7, 14, 14}); }

void add_hit(RooflineCanvas& d, Vec2 at, std::string tooltip, std::string link = {});

// The points and their names. Names come after all marks, where there is room.
void draw_textbook(RooflineCanvas& d);
void name_textbook(RooflineCanvas& d);
void draw_variants(RooflineCanvas& d);
void draw_launch(RooflineCanvas& d);
void name_launch(RooflineCanvas& d);
/// A launch without counted FLOP has no place on the x axis: its bytes per second stand at the left edge.
void draw_moved(RooflineCanvas& d);

}  // namespace warplens
