#pragma once

#include "app/window/frame.h"

#include <string>

namespace warplens {

/// How fast the launch is: measured if it is, else recorded, else predicted.
struct Speed {
    double value = 0;         ///< in `unit`. 0 if nothing is known.
    std::string_view unit;    ///< "GB/s"
    Provenance provenance{};  ///< of the value
    double peak = 0;          ///< in the same unit. 0 if there is none.

    bool known() const { return value > 0; }
    /// "▲ 571 of 4 800 GB/s, recorded". Empty if nothing is known.
    std::string text() const;
    /// "▲ 571 GB/s"
    std::string short_text() const;
    /// The share of the peak, 0 to 1. 0 if there is no peak.
    float share() const;
};

/// The speed of the launch that the board shows. Nothing is known of boards that show no launch.
Speed speed_of(const Frame& frame);

/// The verdict in one line for the back row; a board's first sentence if it has none that short.
std::string short_verdict(const Explanation& words);

/// How the speeds compare: "B is 32x as fast as A". Empty if nothing is compared, or if the speeds are not
/// known in one unit and of one kind.
std::string ratio_of_speeds(const Frame& frame);

}  // namespace warplens
