#pragma once

#include "app/figures/render.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace warplens {

/// One number behind a figure, and where in the figure it stands.
struct FigureNumber {
    std::string part;    ///< warp, block, grid (counts); curve, heatmap, fit, board
    std::string series;  ///< the instruction; "model" or where it was measured; or a board's number
    std::string x_knob;  ///< the knob of x. Empty if there is no x.
    std::string x;       ///< a number, or a named choice
    std::string y_knob;  ///< only for heatmaps
    std::string y;
    Quantity quantity;                   ///< its text is the value as it is written to files
    std::optional<double> lower, upper;  ///< quartiles
};

/// Every number that the figure shows: counts of its instructions, the points of its plot, the numbers of its
/// board. In a comparison A's come first, and each series begins with "A: " or "B: ".
std::vector<FigureNumber> figure_rows(const FigurePlan& plan);

/// part,series,x_knob,x,y_knob,y,quantity,value,lower,upper,unit,kind: one row for each number.
std::string figure_to_csv(const FigurePlan& plan);

/// The same rows with the figure's metadata: {"schema":1,"program":…,"command":…,"title":…,
/// "caption":[…],"scenario":…,"device":{…},"params":{…},"rows":[{"part":…,…},…]}. Numbers are JSON numbers.
/// In a comparison, scenario, device and params are B's, and those of A are in "compared_with".
nlohmann::ordered_json figure_to_json(const FigurePlan& plan, const std::string& out);

}  // namespace warplens
