#pragma once

#include "app/model/time/fit.h"
#include "app/pictures/plot/curve.h"

#include <optional>
#include <string>
#include <vector>

namespace warplens {

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
