#pragma once

#include "app/learn/courses.h"
#include "app/model/catalogue.h"

#include <string_view>
#include <vector>

namespace warplens {

/// A setting of a scenario at which a talk stops.
struct Stop {
    std::string_view name;  ///< "defaults", or the name of the preset
    Params params;
};

/// The stops of a scenario in order: its defaults, unless a preset equals them, then its presets.
std::vector<Stop> stops_of(const Scenario& scenario);

/// The next stop of a talk.
struct Talk {
    const Scenario* scenario = nullptr;  ///< null if there is no further stop in this direction
    Params params;
};
/// @param direction  1 for the next stop, where the last one is followed by the first of the next scenario;
/// -1 for the previous stop.
Talk next_stop(const Scenario& scenario, const Params& params, int direction);

/// The index of the present stop, from 0. -1 if the setting is none.
int stop_at(const std::vector<Stop>& stops, const Params& params);

/// The next (1) or previous (-1) scenario in the list. Null if there is none.
const Scenario* neighbour(const Scenario& scenario, int direction);

/// The knobs that matter most, as the scenario's header names them; the first ones of a kernel that a person
/// typed. At most four, and none that only chooses what is shown.
std::vector<const Knob*> main_knobs(const Scenario& scenario);

/// The same, behind those that a course's task is about.
/// @param step  may be null
std::vector<const Knob*> main_knobs(const Scenario& scenario, const CourseStep* step);

}  // namespace warplens
