#pragma once

// Plots over many settings: a curve against one knob, a heat map against two, cycles against wavefronts, and
// the table of two compared settings. They draw predictions and measurements that they are given: nothing is
// predicted or measured here.

#include "app/model/quantity.h"
#include "app/model/time/fit.h"
#include "app/model/time/prediction.h"
#include "app/pictures/kit/canvas.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// The origin of measurements.
struct MeasuredOn {
    Provenance kind = Provenance::measured;  ///< measured here, or recorded
    std::string gpu;  ///< "NVIDIA H200", with the date if recorded; empty if there are none
    /// "◆ measured on NVIDIA H200", "▲ NVIDIA H200, recorded 2026-11-21"
    std::string text() const;
};

struct MeasuredPoint {
    double x = 0;      ///< knob value
    double value = 0;  ///< median, in the curve's unit
    double lower = 0, upper = 0;
};

/// The points of one GPU in the plot.
struct MeasuredSeries {
    Provenance kind = Provenance::measured;  ///< measured here and now, or recorded
    std::string label;                       ///< "NVIDIA H200, here"; "NVIDIA H200, recorded 2026-11-21"
    int look = 0;                            ///< for series_look; 0 for the GPU that is here
    std::vector<MeasuredPoint> points;
    bool of_model = true;  ///< of the GPU whose model is drawn: then the two can be compared
    std::string gpu = {};  ///< where the whole label has no room: "NVIDIA H200"
};

/// A place on the x axis that means something, for example the size of a cache.
struct CurveMark {
    double x = 0;
    std::string label;
};

/// Whether values between these two are within a few percent of each other: what changes along the axis is no
/// reason for them then.
constexpr bool are_alike(double least, double most) { return most > 0 && least >= 0.95 * most; }

/// A sentence whose end is left out where it has no room: "the same for any zoom", ": limited by DRAM".
struct PlotNote {
    std::string text, reason = {};
    std::string whole() const { return text + reason; }
};
/// For values that are alike: `before`, then "any zoom". @param limiter  the reason; may be none
PlotNote every_setting(std::string before, const Knob& knob, Limiter limiter);

struct Curve {
    const Knob* knob = nullptr;
    std::vector<double> x;               ///< knob values, rising (2^k for powers)
    std::vector<Prediction> model;       ///< at each x
    std::vector<MeasuredSeries> series;  ///< none of them empty; what was measured here comes first
    double here = 0;                     ///< the present setting
    std::string gpu;                     ///< the device of the model
    std::string peak_source;             ///< "datasheet"
    std::string no_measurement;          ///< why there are no measured points; empty if there are some
    std::string caption;                 ///< knobs that are not at their default
    /// On what is not plotted, to stand beside the legend. Empty if there is nothing to say.
    PlotNote note;
    bool log_axes = false;
    SpeedUnit speed_unit = SpeedUnit::gb_per_s;  ///< of the y axis
    std::vector<CurveMark> marks;  ///< places on the x axis that mean something: sizes of caches
    /// The model at the setting that this one is compared with. Empty if with none.
    struct Other {
        double here = 0;
        std::vector<double> x;
        std::vector<Prediction> model;
        std::string gpu;
    };
    std::optional<Other> other = {};
};
Picture draw_bandwidth(const Curve& curve, const Style& style);
/// The same as a low strip: the values and the present setting above the settings, and no y axis, whose
/// numbers stand in the line above it and in its tooltips.
Picture draw_plot_strip(const Curve& curve, const Style& style);

/// Measured cycles per request against predicted wavefronts per request, over all settings of a scenario that
/// have been measured: if the banks hand out one wavefront a cycle, the points lie on y = x.
struct FitPlot {
    struct Point {
        double wavefronts = 0;                    ///< predicted, per request
        double cycles = 0, lower = 0, upper = 0;  ///< measured, per request: median and quartiles
        std::string setting;  ///< "stride=8, op=store"; empty if all are at their defaults
        Params params;        ///< the same, for a click
        bool here = false;    ///< the present setting
    };
    std::vector<Point> points;  ///< by rising wavefronts
    std::optional<LineFit> fit;
    std::string title;           ///< of the scenario
    std::string gpu;             ///< whose rules predict
    MeasuredOn measured_on;      ///< where the points come from, if there are any
    std::string no_measurement;  ///< why there are no points, one sentence; empty when there are
};

/// "cycles = 1.01 × wavefronts + 0.20": the fitted line as a person writes it.
std::string line_text(const LineFit& fit);

/// Hit::item is the point's index.
Picture draw_fit(const FitPlot& plot, const Style& style);

}  // namespace warplens
