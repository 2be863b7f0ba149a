#pragma once

#include "app/model/catalogue.h"

#include <random>

namespace warplens {

/// Legal random settings of a scenario: every knob anywhere in its range, then clamped. The same seed gives
/// the same settings with every compiler.
Params random_params(const Scenario& scenario, std::mt19937& random);

/// The same for a profiler: from one block to grids that fill a GPU, in a millisecond at most.
Params random_launch(const Scenario& scenario, std::mt19937& random);

}  // namespace warplens
