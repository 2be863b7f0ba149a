#pragma once

#include "app/pictures/kit/axes.h"
#include "app/pictures/plot/curve.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace warplens {

/// What the cells of a heatmap show; `difference` is measured / model.
enum class HeatmapShow { model, measured, difference };

struct HeatmapCell {
    bool known = false;   ///< the model has been asked
    Prediction model;     ///< of this setting; value 0: not known
    std::string refused;  ///< why the device cannot run it, or why it cannot be; empty: it can
    std::optional<MeasuredPoint> measured;  ///< empty: not (yet)
};

/// A quantity against two knobs, all other knobs held.
struct Heatmap {
    const Knob* x_knob = nullptr;  ///< null: nothing to draw
    const Knob* y_knob = nullptr;
    std::vector<double> x, y;        ///< settings along the axes, rising (2^k for powers)
    std::vector<HeatmapCell> cells;  ///< row by row from the smallest y on: cells[row * x.size() + column]
    double here_x = 0, here_y = 0;   ///< the present setting; it need not be among x and y
    SpeedUnit speed_unit = SpeedUnit::gb_per_s;
    HeatmapShow show = HeatmapShow::model;
    std::optional<bool> log_colors;  ///< empty: where the values span more than a factor of 10
    std::string gpu;                 ///< the device of the model
    MeasuredOn measured_on;          ///< where the measured cells come from; nowhere: there are none
    std::string no_measurement;      ///< why there are none; empty when there are
    std::string caption;             ///< knobs that are not at their default

    std::size_t measured_cells() const;
};

/// What a cell shows, in the heatmap's unit (`difference`: a ratio); empty: nothing.
std::optional<double> shown_value(const Heatmap& map, const HeatmapCell& cell);

/// Whether the colours are on a logarithmic scale; never those of differences, which have a scale of their
/// own.
bool has_log_colors(const Heatmap& map);

/// From the values of a heatmap to places on its colour bar and to colours.
struct HeatScale {
    double low = 0, high = 1;
    bool log = false;
    bool ratio = false;  ///< a difference: 1 stands in the middle, on a logarithmic scale

    float position(double value) const;  ///< 0 at the bar's lower end, 1 at its upper one; held between them
    Color color_at(const Theme& theme, float position) const;
    Color color(const Theme& theme, double value) const { return color_at(theme, position(value)); }
    /// What stands at the bar. @param points  its height
    std::vector<Tick> ticks(float points) const;
};

/// A scale that all shown values lie on: from zero; logarithmic on request, from the smallest; for
/// differences as far below 1 as above.
HeatScale heat_scale(const Heatmap& map);

/// Columns and rows of cells coloured by value, the number in the cell where all numbers fit, the present
/// setting outlined, a colour bar with its unit. Hit::item is the cell's index.
Picture draw_heatmap(const Heatmap& map, const Style& style);

}  // namespace warplens
