#pragma once

// The parts of draw_bandwidth, and what a comparison marks its sides with elsewhere.

#include "app/pictures/kit/axes.h"
#include "app/pictures/plot/curve.h"

#include <string>
#include <vector>

namespace warplens {

/// Whether a setting has a place on the axis: 0 has none on a logarithmic one.
inline bool is_shown(const PlotArea& plot, double x) { return !plot.x_log || x >= plot.x_min; }

/// The range from the lower to the upper quartile, at a measured point.
void draw_whisker(Canvas& canvas, float x, float low, float high, Color color);

/// Every series with its colour, marker and whiskers; what was measured here lies on top.
void draw_series(Canvas& canvas, const Curve& curve, const PlotArea& plot);

/// The lines of a tooltip for the setting `curve.x[i]`; each series that has it, and how far off the model
/// is.
std::string series_tooltip(const Curve& curve, std::size_t i);

/// "model 12 % above the recorded value": how the model stands to a value of that kind. Empty if there is
/// nothing to compare.
std::string model_against(double model, double value, Provenance kind);

/// The same for the present setting, for the caption. Empty if it was not measured or recorded.
std::string model_against_series(const Curve& curve);

/// Model and all series: beside the title if there is room, else below it. Names are shortened until all of
/// them fit; where the plot is too low, there is none.
/// @param note  to stand beside them. Empty for none.
/// @return  y below them.
float draw_plot_legend(Canvas& canvas, const Curve& curve, const PlotNote& note, float top, float width);

/// Whether the model is drawn as bars: the settings are choices, between which there is nothing, and the axis
/// begins with zero.
bool has_bars(const Curve& curve);
float bar_width(const Curve& curve, const PlotArea& plot);
Box model_bar(const Theme& theme, Rect rect);

/// Whether A's model takes another way than B's.
bool has_other_way(const Curve& curve);

/// A's model as a dotted line, below B's.
void draw_other_model(Canvas& canvas, const Curve& curve, const PlotArea& plot);

/// "stride = 8": a place on the x axis.
std::string setting_name(const Curve& curve, double x);

/// A setting on a plate above the plot, with an upright line down to its value.
struct SettingFlag {
    double value = 0;  ///< of the knob
    char side = 0;     ///< 'A' or 'B' of a comparison; 0 if there is only the present setting
    std::string text;
    Rect rect;
};
/// The present setting, or both of a comparison: the smaller one on the left where they would overlap.
std::vector<SettingFlag> place_flags(const Canvas& canvas, const Curve& curve, const PlotArea& plot);
void draw_flags(Canvas& canvas, const PlotArea& plot, const std::vector<SettingFlag>& flags);

/// A letter in a disk: how A and B are marked everywhere.
/// @param center  of the disk, which is kBadge wide
void draw_side_badge(Canvas& canvas, Vec2 center, char side);
inline constexpr float kBadge = 20;  ///< [points]
Color side_color(const Theme& theme, char side);

/// Ticks on the knob's own settings, thinned out until the numbers do not touch.
std::vector<Tick> setting_ticks(const Curve& curve, const PlotArea& plot, const TextMeasure& measure);
/// The ticks of a choice with so many lines of names: all of them if that is enough, else none.
std::vector<Tick> choice_ticks(const Canvas& canvas, const Curve& curve, const PlotArea& plot, int lines);
/// Over how many lines the names of choices are spread so that all are there, if a plot of some height is
/// left above them; else one.
/// @param room  for plot and names [points]
int lines_of_choices(const Canvas& canvas, const Curve& curve, PlotArea plot, float room);

/// The place of the name of a curve's mark, at the top of the plot.
struct MarkName {
    float begin = 0, width = 0;
    int row = 0;  ///< 0 for the topmost one
};

inline constexpr float kMarkNameRow = 17;  ///< height of a row [points]

/// One name for each mark: left of its line, or right of it where another name is in the way, or one row
/// lower.
std::vector<MarkName> place_mark_names(const Curve& curve, const PlotArea& plot, const TextMeasure& measure);

}  // namespace warplens
