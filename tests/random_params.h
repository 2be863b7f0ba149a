#pragma once

#include "app/model/catalogue.h"

#include <algorithm>
#include <random>
#include <utility>

namespace warplens::test {

/// Legal random settings of a scenario: every knob anywhere in its range, then clamped. The same seed, the
/// same settings.
inline Params random_params(const Scenario& scenario, std::mt19937& random) {
    Params params = scenario.info->defaults;
    for (const Knob& knob : scenario.info->knobs) {
        int& field = params.*knob.field;
        if (knob.kind == KnobKind::mask) {
            field = random() % 3 == 0 ? static_cast<int>(random()) : -1;
        } else if (knob.kind == KnobKind::choice) {
            field = knob.choices[random() % knob.choices.size()].value;
        } else {
            field = std::uniform_int_distribution<int>(knob.min, knob.max)(random);
        }
    }
    clamp_knobs(scenario, params);
    for (const Knob& knob :
         scenario.info->knobs) {  // clamping gathers dependent knobs at their limits: spread them again
        if (knob.limit == nullptr || knob.kind == KnobKind::choice) continue;
        const int limit = std::max(knob.min, knob_limit(knob, params));
        params.*knob.field = std::uniform_int_distribution<int>(knob.min, limit)(random);
    }
    clamp_knobs(scenario, params);
    return params;
}

/// The same, with everything that makes a grid large held down: for what is counted or replayed thread by
/// thread.
inline Params small_random_params(const Scenario& scenario, std::mt19937& random) {
    constexpr std::pair<int Params::*, int> kMost[] = {
        {&Params::elements_log2, 14}, {&Params::matrix, 130}, {&Params::blocks_log2, 2},
        {&Params::texture_log2, 7},   {&Params::width, 200},  {&Params::height, 200},
        {&Params::footprint_log2, 16}};
    Params params = random_params(scenario, random);
    for (const auto& [field, most] : kMost) params.*field = std::min(params.*field, most);
    clamp_knobs(scenario, params);
    return params;
}

}  // namespace warplens::test
