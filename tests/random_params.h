#pragma once

#include "app/model/catalogue.h"

#include <random>

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

}  // namespace warplens::test
