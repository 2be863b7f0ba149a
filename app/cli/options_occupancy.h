#pragma once

#include "app/cli/options.h"

namespace CLI {
class App;
}

namespace warplens {

/// The options of `warplens occupancy`.
void add_occupancy(CLI::App& app, OccupancyCommand& command);

/// Errors: UsageError for values out of range and for options that do not go together.
void check_occupancy(OccupancyCommand& command);

}  // namespace warplens
