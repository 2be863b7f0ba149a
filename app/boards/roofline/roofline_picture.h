#pragma once

#include "app/model/quantity.h"
#include "app/model/time/roofline.h"
#include "app/pictures/kit/canvas.h"

#include <optional>
#include <string>
#include <vector>

namespace warplens {

/// The facts that the picture of a roofline is drawn from.
struct RooflineView {
    const Roofline* roofline = nullptr;
    const DeviceFacts* device = nullptr;
    const FlowReport* flows = nullptr;
    /// The bytes that shared memory could move while the launch keeps it busy [bytes]; 0 if that is not
    /// known. A wavefront takes its 128 bytes' time, however few of them lanes request, so this is what its
    /// roof is about.
    double shared_room = 0;
    double shared_busy = 0;                      ///< the share of the launch's time, 0 to 1
    SpeedUnit speed_unit = SpeedUnit::gb_per_s;  ///< the unit of the scenario's plot
    std::vector<RooflinePoint> textbook;         ///< on the roof
    std::vector<RooflinePoint> variants;         ///< predicted; empty unless the scenario is that product
    std::optional<Quantity> seen;                ///< what a GPU reached with this setting [10^9 FLOP/s]
    std::string does_not_fit;                    ///< why the device cannot run this. Empty if it can.
};

/// The most that a device can compute, by the FLOP that a kernel gets out of each byte; the launch and the
/// textbook's tiles under it. Both axes are logarithmic. A click on a tile's point sets that variant.
Picture draw_roofline(const RooflineView& view, const Style& style);

/// Bound by memory or by arithmetic, and how far from the roof.
Explanation explain_roofline(const RooflineView& view);

/// "10.2 TFLOP/s", "0.346 TFLOP/s": one unit everywhere, so that numbers compare
std::string flop_text(double gflop_per_s);
/// "0.25", "13.9"
std::string intensity_text(double intensity);
/// Whether a roof is drawn against the time that wavefronts take, because bytes would say too little.
bool is_busy_with_wavefronts(Memory memory, const RooflineView& view);
/// "over the bytes of DRAM, ..." with all numbers of one of the launch's points.
std::string point_tooltip(const RooflinePoint& point, const RooflineView& view);

}  // namespace warplens
