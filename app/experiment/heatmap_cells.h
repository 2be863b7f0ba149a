#pragma once

#include "app/experiment/measurements.h"
#include "app/experiment/state.h"
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

/// The cells behind a heatmap. One prediction costs up to some ten microseconds and there are up to 561, so
/// cells are computed one by one, nearest to the present setting first. They are kept until something changes
/// that they depend on, which the knobs of the two axes are not.
class HeatmapCells {
public:
    /// Make this the heatmap of a state with two axes. Cells that are still valid are kept.
    /// @param device  state.device of the table
    void set(const State& state, const DeviceFacts& device);

    /// Compute one more cell. @return  whether there are more to compute
    bool fill_next();

    bool complete() const { return next_ >= order_.size(); }
    const Heatmap& heatmap() const { return map_; }
    void clear() { *this = {}; }

    /// The settings of all cells that are possible, nearest to the present setting first. The present setting
    /// itself comes first even if it has no cell.
    std::vector<Params> settings() const;

    /// The knobs as a click on a cell sets them.
    /// @param index  of a cell for which cell_exists is true
    Params params_of(std::size_t index) const;
    bool cell_exists(std::size_t index) const;

    /// Update the measured values. @param device  the GPU that was measured
    void set_measured(const Measurements& measurements, const DeviceFacts& device, const MeasuredOn& on);
    void set_unmeasured(std::string why);

private:
    void start_over(const State& state, const DeviceFacts& device);
    void sort_cells();
    Params wanted_of(std::size_t index) const;

    State state_;  ///< the last state that was set. Its scenario is null before that.
    Params key_;   ///< the knobs that cells depend on; the others have their defaults
    DeviceFacts device_;
    HeatmapAxes axes_;
    std::vector<std::size_t> near_;   ///< all cells, nearest to the present setting first
    std::vector<std::size_t> order_;  ///< those of them that are not computed yet
    std::size_t next_ = 0;            ///< index into order_
    Heatmap map_;
};

/// Compute all cells at once. @param state  with two axes
HeatmapCells all_cells(const State& state, const DeviceFacts& device);

/// The knob of a heatmap's y axis if none was named: the scenario's first one besides `first`, if possible
/// one that is marked as an axis. Null if there is no other.
const Knob* usual_second_axis(const Scenario& scenario, const Knob* first);

}  // namespace warplens
