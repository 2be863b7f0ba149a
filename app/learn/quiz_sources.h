#pragma once

#include "kernels/warp_access.h"

#include <span>
#include <string_view>

namespace warplens {

/// A knob that questions turn, and the values that a person can think about; as --set takes them. A value
/// that stands twice is drawn twice as often.
struct QuizTurn {
    std::string_view key;
    std::span<const std::string_view> values;
    std::string_view only = {};  ///< "variant=padded": it means something only there; empty: always
};

/// A scenario that questions are about. Knobs that are not named stay at their defaults.
struct QuizSource {
    std::string_view scenario;
    Space space;  ///< of the requests that are counted
    std::span<const QuizTurn> turns;
    bool speed = false;  ///< two settings of it can be compared by speed
};

/// All of them. The order is part of what a seed means: new ones go to the end.
std::span<const QuizSource> quiz_sources();

}  // namespace warplens
