#pragma once

#include "kernels/scenario.h"

#include <string_view>

namespace warplens {

/// Which of two values of a number is better, if that is known.
enum class Better { neither, less, more };

/// For a count (app/model/access/counts.h), by its name: less is better for what is transferred and for what
/// waits; for what lanes request it is neither.
Better better_of(std::string_view count);

/// For a predicted quantity.
Better better_of(SpeedUnit speed_unit);

}  // namespace warplens
