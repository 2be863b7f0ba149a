#pragma once

#include "app/pictures/kit/pictures.h"

#include <vector>

namespace warplens {

/// Where the name of a curve's mark stands, at the top of the plot.
struct MarkName {
    float begin = 0, width = 0;
    int row = 0;  ///< 0: the topmost
};

inline constexpr float kMarkNameRow = 17;  ///< height of a row [points]

/// One name for each mark: left of its line, or right of it where another name is in the way, or one row
/// lower.
std::vector<MarkName> place_mark_names(const Curve& curve, const PlotArea& plot, const TextMeasure& measure);

}  // namespace warplens
