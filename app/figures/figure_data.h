#pragma once

#include "app/figures/render.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace warplens {

/// One number behind a figure, and where in the figure it stands.
struct FigureNumber {
    std::string part;    ///< warp, block, grid (counts); curve, heatmap, fit, board
    std::string series;  ///< the instruction; "model" or where it was measured; of a board: the number's name
    std::string x_knob;  ///< what x is; empty: there is no x
    std::string x;       ///< a number, or a named choice
    std::string y_knob;  ///< of a heatmap
    std::string y;
    Quantity quantity;                   ///< its text is the value as files have it
    std::optional<double> lower, upper;  ///< quartiles
};

/// Every number that the figure shows: counts of its instructions, the points of its plot, the numbers of its
/// board. Of a comparison A's first; each series begins with "A: " or "B: ".
std::vector<FigureNumber> figure_rows(const FigurePlan& plan);

/// part,series,x_knob,x,y_knob,y,quantity,value,lower,upper,unit,kind: one row for each number.
std::string figure_to_csv(const FigurePlan& plan);

/// The same rows, and what the figure says of itself: {"schema":1,"program":…,"command":…,"title":…,
/// "caption":[…],"scenario":…,"device":{…},"params":{…},"rows":[{"part":…,…},…]}. Numbers are numbers. Of a
/// comparison scenario, device and params are B's, and those of A stand in "compared_with".
nlohmann::ordered_json figure_to_json(const FigurePlan& plan, const std::string& out);

}  // namespace warplens
