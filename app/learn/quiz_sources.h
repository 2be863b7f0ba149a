#pragma once

#include "kernels/warp_access.h"

#include <span>
#include <string_view>

namespace warplens {

/// A knob that questions change, and values that a person can think about, as --set takes them. A value that
/// is listed twice is drawn twice as often.
struct QuizTurn {
    std::string_view key;
    std::span<const std::string_view> values;
    /// a condition for it to matter, for example "variant=padded"; empty if it always does
    std::string_view only = {};
};

/// A scenario that questions are about. Knobs that are not named keep their defaults.
struct QuizSource {
    std::string_view scenario;
    Space space;  ///< the space of the requests that are counted
    std::span<const QuizTurn> turns;
    bool speed = false;  ///< whether two of its settings can be compared by speed
};

/// All sources. A seed depends on their order, so new ones must be added at the end.
std::span<const QuizSource> quiz_sources();

}  // namespace warplens
