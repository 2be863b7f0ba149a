#pragma once

#include "app/answers/setting_keys.h"
#include "app/experiment/recordings.h"
#include "app/window/measuring.h"

#include <cstdint>
#include <optional>

namespace warplens {

/// All that GPUs have shown so far: measured here, counted, or recorded.
struct Seen {
    const Measuring* measuring = nullptr;
    const Recordings* recordings = nullptr;
    std::uint64_t changes = 0;  ///< of both, because they grow
    friend bool operator==(const Seen&, const Seen&) = default;
};
Seen seen_by(const Measuring& measuring, const Recordings& recordings);

/// Evidence with what GPUs have shown of its setting.
struct SeenKey {
    Ready<Evidence> model;
    Ready<Devices> devices;
    Seen seen;
    friend bool operator==(const SeenKey&, const SeenKey&) = default;
};
Evidence answer(const SeenKey& key, Store&);

/// What the plots of a state depend on.
struct PlotSource {
    State state;  ///< from plotted(), which leaves out what no plot shows
    Ready<Devices> devices;
    Seen seen;
    friend bool operator==(const PlotSource&, const PlotSource&) = default;
};
State plotted(State state);

/// The plot against one knob.
struct CurveKey {
    PlotSource source;
    Ready<Evidence> evidence;
    Ready<AxisModel> model;  ///< null without an axis
    Ready<Curve> other;      ///< of A in a comparison; null if this is A, or if nothing is compared
    friend bool operator==(const CurveKey&, const CurveKey&) = default;
};
Curve answer(const CurveKey& key, Store&);

/// The plot against two knobs.
struct HeatmapKey {
    PlotSource source;
    Ready<Heatmap> cells;
    friend bool operator==(const HeatmapKey&, const HeatmapKey&) = default;
};
Heatmap answer(const HeatmapKey& key, Store&);

/// Cycles against wavefronts.
struct FitKey {
    PlotSource source;
    friend bool operator==(const FitKey&, const FitKey&) = default;
};
FitPlot answer(const FitKey& key, Store&);

}  // namespace warplens
