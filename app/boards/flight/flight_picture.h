#pragma once

#include "app/boards/flight/more_warps.h"
#include "app/boards/timeline/timeline_picture.h"
#include "app/model/quantity.h"
#include "app/model/time/in_flight.h"
#include "app/pictures/kit/canvas.h"

#include <optional>
#include <string>

namespace warplens {

/// The facts that the picture of Little's law is drawn from.
struct FlightView {
    const DeviceFacts* device = nullptr;
    InFlight flight;
    double gb_per_s = 0;           ///< predicted, of the memory: DRAM or the L2 [10^9 bytes/s]
    std::optional<Quantity> seen;  ///< what a GPU reached with this setting [10^9 bytes/s]
    std::string made_of;       ///< "8 warps × 32 lanes × 1 load × 4 B"; empty if it follows from the speed
    int stages = 0;            ///< tiles of a block that are on their way at once; 0 if it streams none
    TimelineMeans tile;        ///< of a block of such a kernel
    std::vector<Timeline> sm;  ///< its blocks on one SM; empty if it streams no tiles
    TimelineView timeline;     ///< of these
    MoreWarps more = MoreWarps::not_the_limit;
    std::string room = {};    ///< what makes room for more of them; empty if nothing does
    bool by_rounds = false;   ///< what a block does with a tile takes longer than the tiles take to come
    std::string more_words;   ///< the same as the end of a sentence
    std::string nothing;      ///< that there is nothing to show. Empty if there is.
    std::string because;      ///< why, in that case
    bool runs = true;         ///< whether the device can make the launch
    Tone tone = Tone::plain;  ///< of the verdict, and of the gauge

    std::string_view memory() const { return flight.from_l2 ? "the L2" : "DRAM"; }
};

/// A gauge of the bytes on their way against those that are needed, and below it the speed against these
/// bytes: rising while memory waits, level when it is busy. Both axes of the plot are logarithmic.
Picture draw_flight(const FlightView& view, const Style& style);

/// How much is on its way, how much is needed, and whether more warps would help.
Explanation explain_flight(const FlightView& view);

/// "1.0 KiB" of what is compared with 12.6 KiB: both in the unit of the larger.
std::string bytes_beside(double bytes, double other);

}  // namespace warplens
