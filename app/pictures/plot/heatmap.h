#pragma once

#include "app/pictures/kit/axes.h"
#include "app/pictures/plot/curve.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace warplens {

/// The cells of a heatmap show one of these. `difference` is the measured value divided by the model's.
enum class HeatmapShow { model, measured, difference };

struct HeatmapCell {
    bool known = false;   ///< whether the model has been asked about this setting
    Prediction model;     ///< its value is 0 if it is not known
    std::string refused;  ///< why the device cannot run it, or why there is no such setting; empty if it runs
    std::optional<MeasuredPoint> measured;  ///< empty if it was not measured (yet)
};

/// A quantity as a function of two knobs. All other knobs keep their values.
struct Heatmap {
    const Knob* x_knob = nullptr;  ///< null if there is nothing to draw
    const Knob* y_knob = nullptr;
    std::vector<double> x, y;        ///< the values along the axes, rising; for powers 2^k, not k
    std::vector<HeatmapCell> cells;  ///< cells[row * x.size() + column]; row 0 has the smallest y
    double here_x = 0, here_y = 0;   ///< the present setting, which may lie between the values of x and y
    SpeedUnit speed_unit = SpeedUnit::gb_per_s;
    HeatmapShow show = HeatmapShow::model;
    std::optional<bool> log_colors;  ///< Empty for logarithmic if the values span more than a factor of 10.
    std::string gpu;                 ///< the device of the model
    MeasuredOn measured_on;          ///< where the measured cells come from, if there are any
    std::string no_measurement;      ///< why no cell is measured; empty if one is
    std::string caption;             ///< names the knobs that are not at their defaults

    std::size_t measured_cells() const;
};

/// The value that a cell shows, in the heatmap's unit, or as a ratio if it shows differences. Nothing if it
/// shows no value.
std::optional<double> shown_value(const Heatmap& map, const HeatmapCell& cell);

/// Whether the colours have a logarithmic scale. False for differences, which have a scale of their own.
bool has_log_colors(const Heatmap& map);

/// Turns the values of a heatmap into positions on its colour bar and into colours.
struct HeatScale {
    double low = 0, high = 1;
    bool log = false;
    bool ratio = false;  ///< for differences: the scale is logarithmic, with 1 in the middle

    float position(double value) const;  ///< clamped to 0, the bar's lower end, and 1, its upper end
    Color color_at(const Theme& theme, float position) const;
    Color color(const Theme& theme, double value) const { return color_at(theme, position(value)); }
    /// The numbers beside the bar. @param points  the height of the bar [points]
    std::vector<Tick> ticks(float points) const;
};

/// The scale for all values that a heatmap shows. It begins at zero, or at the smallest value if it is
/// logarithmic; for differences it goes as far below 1 as above.
HeatScale heat_scale(const Heatmap& map);

/// Draws the cells in columns and rows, coloured by their values, and a colour bar with its unit. Numbers
/// stand in the cells if all of them fit, and the present setting has an outline. Hit::item is the index of a
/// cell.
Picture draw_heatmap(const Heatmap& map, const Style& style);

}  // namespace warplens
