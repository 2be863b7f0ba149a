#pragma once

#include "app/base/format.h"
#include "app/model/time/prediction.h"
#include "app/pictures/kit/canvas.h"

#include <string>
#include <string_view>
#include <vector>

namespace warplens {

struct Tick {
    double value = 0;
    std::string text = {};
};

/// Round steps (1, 2, 5 times a power of ten) from zero, as many as have `least_points` of room each.
std::vector<Tick> linear_ticks(double max, float points, float least_points);

/// Powers of ten, with 2 and 5 between them where there is room.
std::vector<Tick> log_ticks(double min, double max, float points, float least_points);

/// A setting as a person reads it: "8", "4 B", "2^25"; powers that count bytes as "64 KB".
std::string setting_text(const Knob& knob, double value);

/// A value of the plotted quantity as a person reads it: a speed whole from 10 on, cycles from 100 on.
std::string value_text(double value, SpeedUnit speed_unit);

/// What stands at the axis of a knob: "stride, elements"; a unit that the name says is not said twice.
std::string axis_name(const Knob& knob);

/// "stride": a label in the middle of a sentence.
std::string lower_first(std::string_view text);

/// A size of memory in units of 1,024, as caches are named: "4 KB", "248 KB", "62.5 MB".
std::string size_text(double bytes);

/// Level lines through a plot with their numbers to its left; the one at the axis is darker.
void draw_y_ticks(Canvas& canvas, const PlotArea& plot, const std::vector<Tick>& ticks);

/// Short strokes below a plot with their numbers, which stay inside the picture.
void draw_x_ticks(Canvas& canvas, const PlotArea& plot, const std::vector<Tick>& ticks);

/// Where a plot begins when its numbers stand to its left: the picture's margin and the widest of them.
/// @param least  at least as wide as this text.
float left_of_ticks(const Canvas& canvas, const std::vector<Tick>& ticks, std::string_view least = {});

/// What stands under a plot: its numbers, the name of the axis, and up to two lines of caption.
struct BelowPlot {
    std::string axis, caption;
    float least_with_name = 0;     ///< the name is left out if it would end the plot above this y [points]
    float least_with_caption = 0;  ///< likewise the caption
};
/// @return  the bottom of the plot [points].
float draw_below_plot(Canvas& canvas, const BelowPlot& below);

}  // namespace warplens
