#pragma once

#include "app/experiment/heatmap_cells.h"
#include "app/experiment/recordings.h"
#include "app/pictures/plot/curve.h"
#include "app/window/measuring.h"

#include <chrono>

namespace warplens {

/// Whether a state's plot has two axes.
inline bool has_heatmap(const State& state) { return state.axis != nullptr && state.second_axis != nullptr; }

/// The sources of the measured values of a plot.
struct PlotSources {
    const Measuring& measuring;
    const Recordings& recordings;
    RecordingView view;
};

/// What the window's plot shows besides the model's curve: the cells of a heatmap, computed a few at a time,
/// cycles against wavefronts, and everything that was measured. If this machine has a GPU, the measurements
/// are of that GPU, even if the model shows another one.
class PlotData {
public:
    /// Prepare the cells for another state, which has two axes.
    void set(const State& state, const DeviceFacts& device) { cells_.set(state, device); }
    /// Compute cells for about this time. @return  whether some were missing before
    bool fill(const State& state, std::chrono::microseconds time);
    bool complete(const State& state) const { return !has_heatmap(state) || cells_.complete(); }
    const HeatmapCells& cells() const { return cells_; }
    const FitPlot& fit() const { return fit_; }

    /// Update the measured values of the cells, the fit and the curve.
    void refresh_measured(const State& state, const PlotSources& sources, Curve& curve);

private:
    HeatmapCells cells_;
    FitPlot fit_;
};

}  // namespace warplens
