#include "app/learn/presenting.h"

#include "app/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

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
    constexpr std::size_t kMost = 4;
    std::vector<const Knob*> knobs;
    for (std::string_view keys = scenario.info->main_knobs; !keys.empty();) {
        const auto [key, rest] = split_once(keys, ",");
        knobs.push_back(find_knob(scenario, key));
        keys = rest;
    }
    if (!knobs.empty()) return knobs;
    // A kernel that a person typed: its launch and sizes come first, as its text names them.
    for (const Knob& knob : scenario.info->knobs)
        if (!knob.picture_only && knob.kind != KnobKind::mask && knobs.size() < kMost) knobs.push_back(&knob);
    return knobs;
}

std::vector<const Knob*> main_knobs(const Scenario& scenario, const CourseStep* step) {
    std::vector<const Knob*> knobs = main_knobs(scenario);
    if (step == nullptr) return knobs;
    // By these parameters the task's solution differs from its beginning.
    const std::string begins = fmt::format("&{}&", split_once(step->link, "?").second);
    std::vector<const Knob*> first;
    for (std::string_view rest = split_once(step->shows, "?").second; !rest.empty();) {
        const auto [setting, others] = split_once(rest, "&");
        rest = others;
        if (begins.find(fmt::format("&{}&", setting)) != std::string::npos) continue;
        const Knob* knob = find_knob(scenario, split_once(setting, "=").first);
        if (knob != nullptr && !knob->picture_only) first.push_back(knob);
    }
    for (const Knob* knob : first) std::erase(knobs, knob);
    knobs.insert(knobs.begin(), first.begin(), first.end());
    return knobs;
}

}  // namespace warplens
