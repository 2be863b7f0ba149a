#pragma once

#include "app/model/quantity.h"
#include "app/model/time/roofline.h"
#include "app/pictures/kit/canvas.h"

#include <optional>
#include <string>
#include <vector>

namespace warplens {

/// What the picture of a roofline is drawn from.
struct RooflineView {
    const Roofline* roofline = nullptr;
    const DeviceFacts* device = nullptr;
    const FlowReport* flows = nullptr;
    SpeedUnit speed_unit = SpeedUnit::gb_per_s;  ///< the unit of the scenario's plot
    std::vector<RooflinePoint> textbook;         ///< on the roof
    std::vector<RooflinePoint> variants;         ///< predicted; empty unless the scenario is that product
    std::optional<Quantity> seen;                ///< what a GPU reached with this setting [10^9 FLOP/s]
    std::string does_not_fit;                    ///< why the device cannot run this. Empty if it can.
};

/// What a device can compute at most, by the FLOP that a kernel gets out of each byte; the launch and the
/// textbook's tiles under it. Both axes are logarithmic. A click on a tile's point sets that variant.
Picture draw_roofline(const RooflineView& view, const Style& style);

/// Bound by memory or by arithmetic, and how far from the roof.
Explanation explain_roofline(const RooflineView& view);

/// "10.2 TFLOP/s", "346 GFLOP/s"
std::string flop_text(double gflop_per_s);
/// "0.25", "13.9"
std::string intensity_text(double intensity);
/// "over the bytes of DRAM, ..." with all numbers of one of the launch's points.
std::string point_tooltip(const RooflinePoint& point, const RooflineView& view);

}  // namespace warplens
