#pragma once

#include "app/model/time/prediction.h"
#include "app/pictures/kit/canvas.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

struct Tick {
    double value = 0;
    std::string text = {};
    int line = 0;  ///< below an x axis, on which line the text stands: 0 is next to the axis
};

/// A name below an x axis.
struct NameSpot {
    float centre = 0, width = 0;  ///< [points]
};
/// On which line each name stands so that none touches the one before on its line. The names are in order
/// from left to right.
/// @return  empty if so many lines are not enough
std::vector<int> lines_of_names(std::span<const NameSpot> names, int most_lines);
/// The distance of two such lines [points].
inline constexpr float kNameLine = 15;

/// Ticks from zero to `max` at steps of 1, 2 or 5 times a power of ten: three at least, unless they
/// would touch.
/// @param points        the length of the axis [points]
/// @param least_points  the smallest distance between two ticks [points]
std::vector<Tick> linear_ticks(double max, float points, float least_points);

/// Ticks at powers of ten, and at 2 and 5 times each where there is room. Parameters as above.
std::vector<Tick> log_ticks(double min, double max, float points, float least_points);

/// The value of a knob as a person reads it: "8", "4 B", "2²⁵". Powers that count bytes are written "64 KiB".
std::string setting_text(const Knob& knob, double value);

/// A value of the plotted quantity as a person reads it. Speeds below 10 and cycles below 100 have one
/// decimal, others none.
std::string value_text(double value, SpeedUnit speed_unit);

/// The name of a knob's axis with its unit, "stride, elements", or without it if the name ends in it already.
std::string axis_name(const Knob& knob);

/// A label with a small first letter, for the middle of a sentence.
std::string lower_first(std::string_view text);

/// Draws a horizontal line through the plot at each tick, with its number to the left of the plot. The line
/// at the plot's lower end is darker.
void draw_y_ticks(Canvas& canvas, const PlotArea& plot, const std::vector<Tick>& ticks);

/// Draws a short stroke below the plot at each tick, with its number below. Numbers at the ends are moved so
/// that they stay inside the picture; those that would touch another one on their line are left out.
void draw_x_ticks(Canvas& canvas, const PlotArea& plot, const std::vector<Tick>& ticks);

/// The left edge of a plot that leaves room for the picture's margin and for the numbers of these ticks
/// [points].
/// @param least  a text for which there must be room, too
float left_of_ticks(const Canvas& canvas, const std::vector<Tick>& ticks, std::string_view least = {});

/// The texts below a plot: under its numbers the name of the axis, then up to two lines of caption. Of a
/// longer caption, the last clauses are left out.
struct BelowPlot {
    std::string axis;
    std::vector<std::string> caption;  ///< its clauses
    float least_with_name = 0;     ///< the name is left out if it would end the plot above this y [points]
    float least_with_caption = 0;  ///< likewise the caption
    int tick_lines = 1;            ///< the lines that the names at the ticks take
};
/// Draws them at the bottom of the picture.
/// @return  y of the bottom of the plot that stands above them [points]
float draw_below_plot(Canvas& canvas, const BelowPlot& below);

}  // namespace warplens
