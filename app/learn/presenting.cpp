#include "app/learn/presenting.h"

#include <algorithm>

namespace warplens {

std::vector<Stop> stops_of(const Scenario& scenario) {
    std::vector<Stop> stops;
    for (const Preset& preset : scenario.info->presets)
        stops.push_back({preset.name, preset_params(scenario, preset)});
    const Params& defaults = scenario.info->defaults;
    if (stop_at(stops, defaults) < 0) stops.insert(stops.begin(), {"defaults", defaults});
    return stops;
}

int stop_at(const std::vector<Stop>& stops, const Params& params) {
    const auto found = std::ranges::find(stops, params, &Stop::params);
    return found == stops.end() ? -1 : int(found - stops.begin());
}

const Scenario* neighbour(const Scenario& scenario, int direction) {
    const auto all = all_scenarios();
    const auto here = index_of(scenario);
    if (!here) return direction > 0 ? &all.front() : nullptr;  // a typed kernel stands before the list
    const auto at = static_cast<std::ptrdiff_t>(*here) + direction;
    return at < 0 || at >= std::ssize(all) ? nullptr : &all[at];
}

Talk next_stop(const Scenario& scenario, const Params& params, int direction) {
    const std::vector<Stop> stops = stops_of(scenario);
    const int now = stop_at(stops, params), count = int(stops.size());
    // From a setting that is no stop, both directions lead to the first stop.
    const int there = now < 0 ? 0 : now + direction;
    if (there >= 0 && there < count) return {&scenario, stops[there].params};
    const Scenario* other = neighbour(scenario, direction);
    if (other == nullptr) return {};
    const std::vector<Stop> its = stops_of(*other);
    return {other, direction > 0 ? its.front().params : its.back().params};
}

std::vector<const Knob*> main_knobs(const Scenario& scenario) {
    const std::vector<Stop> stops = stops_of(scenario);
    std::vector<const Knob*> knobs;
    for (const bool told : {true, false}) {
        for (const Knob& knob : scenario.info->knobs) {
            const bool differs = std::ranges::any_of(stops, [&](const Stop& stop) {
                return stop.params.*knob.field != stops.front().params.*knob.field;
            });
            const bool plain = !knob.picture_only && knob.kind != KnobKind::mask;
            if (plain && differs == told && (told || knob.axis)) knobs.push_back(&knob);
        }
    }
    return knobs;
}

}  // namespace warplens
