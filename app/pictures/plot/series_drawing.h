#pragma once

#include "app/pictures/kit/canvas.h"

#include <string>
#include <string_view>
#include <vector>

namespace warplens {

// What draw_bandwidth draws of measured and recorded points.

/// Whether a setting has a place on the axis: 0 has none on a logarithmic one.
inline bool is_shown(const PlotArea& plot, double x) { return !plot.x_log || x >= plot.x_min; }

/// Every series with its colour, marker and whiskers; what was measured here lies on top.
void draw_series(Canvas& canvas, const Curve& curve, const PlotArea& plot);

/// The lines of a tooltip for the setting `curve.x[i]`; each series that has it, and how far off the model
/// is.
std::string series_tooltip(const Curve& curve, std::size_t i);

/// "model 12 % above the recorded value": how the model stands to a value of that kind; empty: nothing to
/// compare.
std::string model_against(double model, double value, Provenance kind);

/// The same for the present setting, for the caption; empty: it was not measured or recorded.
std::string model_against_series(const Curve& curve);

/// Model and all series. Names are shortened until all of them fit; where the plot is too low, there is none.
/// @return  their places, from the top left.
std::vector<Legend::Place> draw_plot_legend(Canvas& canvas, const Curve& curve, float top, float width);

}  // namespace warplens
