#pragma once

#include "app/experiment/measurements.h"
#include "app/experiment/state.h"
#include "app/model/device/device.h"
#include "app/pictures/plot/heatmap.h"

#include <cstddef>
#include <string>
#include <vector>

namespace warplens {

/// A heatmap has at most so many cells; up to twice as many columns where rows are few, and the other way
/// round.
inline constexpr std::size_t kUsualColumns = 33, kUsualRows = 17;
inline constexpr std::size_t kMostCells = kUsualColumns * kUsualRows;

/// Field values along the axes of a heatmap.
struct HeatmapAxes {
    std::vector<int> columns, rows;
    bool operator==(const HeatmapAxes&) const = default;
};
HeatmapAxes heatmap_axes(const Knob& x, const Knob& y, const Params& params);

/// Settings of a knob for an axis of a heatmap: all of them, or of more than `most` an even choice: multiples
/// of a power of two, because that is where memory has its patterns.
std::vector<int> grid_values(const Knob& knob, const Params& params, std::size_t most);

/// The cells behind a heatmap. One prediction costs up to some ten microseconds and there are up to 561, so
/// cells are computed one by one, nearest to the present setting first, and kept as long as nothing changes
/// that they depend on: turning one of the two knobs of the axes changes none.
class HeatmapCells {
public:
    /// Make this the heatmap of a state with two axes. Cells that still hold are kept.
    /// @param device  state.device of the table
    void set(const State& state, const DeviceFacts& device);

    /// Compute one more cell. @return  whether some are left
    bool fill_next();

    bool complete() const { return next_ >= order_.size(); }
    const Heatmap& heatmap() const { return map_; }
    void clear() { *this = {}; }

    /// The settings of all cells that can be, nearest to the present one first; that one itself leads, also
    /// where it has no cell.
    std::vector<Params> settings() const;

    /// Which knobs a click on a cell sets. @param index  less than heatmap().cells.size(), of a setting that
    /// can be: cell_exists
    Params params_of(std::size_t index) const;
    bool cell_exists(std::size_t index) const;

    /// Bring the measured values up to date. @param device  the GPU that was measured
    void set_measured(const Measurements& measurements, const DeviceFacts& device, const MeasuredOn& on);
    void set_unmeasured(std::string why);

private:
    void start_over(const State& state, const DeviceFacts& device);
    void sort_cells();

    State state_;  ///< of the last set; scenario null: none yet
    Params key_;   ///< the knobs that cells depend on; the others at their defaults
    DeviceFacts device_;
    HeatmapAxes axes_;
    std::vector<std::size_t> near_;   ///< all cells, nearest to the present setting first
    std::vector<std::size_t> order_;  ///< those of them that are not computed yet
    std::size_t next_ = 0;            ///< index into order_
    Heatmap map_;
};

/// All of it at once. @param state  with two axes
HeatmapCells all_cells(const State& state, const DeviceFacts& device);

/// The knob that a heatmap has up its side when none was named: the next axis of the scenario after `first`;
/// null: there is no other.
const Knob* usual_second_axis(const Scenario& scenario, const Knob* first);

}  // namespace warplens
