#pragma once

#include "app/pictures/kit/axes.h"
#include "app/pictures/plot/heatmap.h"

#include <vector>

namespace warplens {

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

}  // namespace warplens
