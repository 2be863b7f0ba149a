#pragma once

#include "app/experiment/measurements.h"
#include "app/experiment/plot.h"
#include "app/model/device/device.h"
#include "app/pictures/plot/heatmap.h"

#include <cstddef>
#include <string>
#include <vector>

namespace warplens {

/// The usual and the largest size of a heatmap. It has up to twice as many columns if there are few rows, and
/// the other way round.
inline constexpr std::size_t kUsualColumns = 33, kUsualRows = 17;
inline constexpr std::size_t kMostCells = kUsualColumns * kUsualRows;

/// Field values along the axes of a heatmap.
struct HeatmapAxes {
    std::vector<int> columns, rows;
    bool operator==(const HeatmapAxes&) const = default;
};
HeatmapAxes heatmap_axes(const Knob& x, const Knob& y, const Params& params);

/// The values of a knob for an axis of a heatmap: all of them, or if there are more than `most`, the
/// multiples of a power of two, because patterns of memory accesses show there.
std::vector<int> grid_values(const Knob& knob, const Params& params, std::size_t most);

/// The question that a plot with two axes answers.
struct CellsQuestion {
    Setting setting;  ///< from along_axes
    const Knob* x = nullptr;
    const Knob* y = nullptr;
    HeatmapAxes axes;

    std::size_t size() const { return axes.columns.size() * axes.rows.size(); }
    /// The setting that the axes name, possible or not.
    Params wanted(std::size_t index, Params now) const;
    /// The setting of a cell as a click sets it; the knobs that do not matter are as in `now`.
    Params params_of(std::size_t index, const Params& now) const;
    /// Whether there is such a setting: the limit of one axis may depend on the other.
    bool exists(std::size_t index) const;

    friend bool operator==(const CellsQuestion&, const CellsQuestion&) = default;
};
/// @param state  has two axes
CellsQuestion cells_question(const State& state);

/// A heatmap without its cells' values.
Heatmap empty_heatmap(const CellsQuestion& question, const DeviceFacts& device);
/// Ask the model about a cell, which takes up to some ten microseconds.
void fill_cell(Heatmap& map, const CellsQuestion& question, std::size_t index, const DeviceFacts& device);
/// The heatmap of a state. @param cells  of cells_question(state)
Heatmap heatmap_of(const State& state, Heatmap cells);
/// The same with all cells computed at once.
Heatmap all_cells(const State& state, const DeviceFacts& device);

/// The settings of all cells that exist, nearest to the present setting first. The present setting itself
/// comes first even if it has no cell.
std::vector<Params> cell_settings(const State& state);

/// Add the measured values. @param device  the GPU that was measured
void add_measured(Heatmap& map, const State& state, const Measurements& measurements,
                  const DeviceFacts& device, const MeasuredOn& on);

/// The knob of a heatmap's y axis if none was named: the scenario's first one besides `first`, if possible
/// one that is marked as an axis. Null if there is no other.
const Knob* usual_second_axis(const Scenario& scenario, const Knob* first);

}  // namespace warplens
