#pragma once

#include "app/experiment/heatmap_cells.h"
#include "app/experiment/recordings.h"
#include "app/pictures/plot/curve.h"
#include "app/pictures/plot/fit_plot.h"
#include "app/window/measuring.h"

#include <chrono>

namespace warplens {

/// Whether a state's plot has two axes.
inline bool has_heatmap(const State& state) { return state.axis != nullptr && state.second_axis != nullptr; }

/// Where the measured values of a plot come from.
struct PlotSources {
    const Measuring& measuring;
    const Recordings& recordings;
    RecordingView view;
};

/// What the window's plot shows beside the model's curve: the cells of a heatmap, computed a few at a time,
/// cycles against wavefronts, and everything measured. A measurement's device is the GPU that is here,
/// whichever one the model shows.
class PlotData {
public:
    /// The cells for another state with two axes.
    void set(const State& state, const DeviceFacts& device) { cells_.set(state, device); }
    /// Compute cells for at most so long. @return  whether some were left before
    bool fill(const State& state, std::chrono::microseconds time);
    bool complete(const State& state) const { return !has_heatmap(state) || cells_.complete(); }
    const HeatmapCells& cells() const { return cells_; }
    const FitPlot& fit() const { return fit_; }

    /// Bring what is measured up to date, in the cells, the fit and the curve.
    void refresh_measured(const State& state, const PlotSources& sources, Curve& curve);

private:
    HeatmapCells cells_;
    FitPlot fit_;
};

}  // namespace warplens
