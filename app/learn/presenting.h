#pragma once

#include "app/model/catalogue.h"

#include <string_view>
#include <vector>

namespace warplens {

/// Where a talk stops: a setting of a scenario worth looking at.
struct Stop {
    std::string_view name;  ///< "defaults", or the preset's
    Params params;
};

/// The stops of a scenario in order: its defaults, unless a preset is the same, then its presets.
std::vector<Stop> stops_of(const Scenario& scenario);

/// Where a talk goes from here.
struct Talk {
    const Scenario* scenario = nullptr;  ///< null: there is nothing further in this direction
    Params params;
};
/// @param direction  1: the next stop, behind the last one the first of the next scenario; -1: backwards.
Talk next_stop(const Scenario& scenario, const Params& params, int direction);

/// The stop that is set, from 0; -1: none is.
int stop_at(const std::vector<Stop>& stops, const Params& params);

/// The scenario after or before it in the list, or null.
const Scenario* neighbour(const Scenario& scenario, int direction);

}  // namespace warplens
