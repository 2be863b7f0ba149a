#pragma once

#include "kernels/scenario.h"

#include <string_view>

namespace warplens {

/// Which of two values of a number is the better one, where that is known.
enum class Better { neither, less, more };

/// Of a count (app/model/access/counts.h), by its name: what travels and what has to wait should be little;
/// what lanes want is neither.
Better better_of(std::string_view count);

/// Of a predicted quantity.
Better better_of(SpeedUnit speed_unit);

}  // namespace warplens
