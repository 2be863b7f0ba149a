#include "app/model/random_settings.h"

#include <algorithm>

namespace warplens {
namespace {

/// Any whole number from least to most. The standard library's distributions differ between compilers.
int any_between(int least, int most, std::mt19937& random) {
    const auto count = static_cast<std::uint32_t>(most - least) + 1;
    return least + int(count == 0 ? random() : random() % count);
}

}  // namespace

Params random_params(const Scenario& scenario, std::mt19937& random) {
    Params params = scenario.info->defaults;
    for (const Knob& knob : scenario.info->knobs) {
        int& field = params.*knob.field;
        if (knob.kind == KnobKind::mask) {
            field = random() % 3 == 0 ? int(random()) : -1;
        } else if (knob.kind == KnobKind::choice) {
            field = knob.choices[random() % knob.choices.size()].value;
        } else {
            field = any_between(knob.min, knob.max, random);
        }
    }
    clamp_knobs(scenario, params);
    for (const Knob& knob :
         scenario.info->knobs) {  // clamping gathers dependent knobs at their limits: spread them again
        if (knob.limit == nullptr || knob.kind == KnobKind::choice) continue;
        const int limit = std::max(knob.min, knob_limit(knob, params));
        params.*knob.field = any_between(knob.min, limit, random);
    }
    clamp_knobs(scenario, params);
    return params;
}

Params random_launch(const Scenario& scenario, std::mt19937& random) {
    Params params = random_params(scenario, random);
    params.elements_log2 = any_between(10, 17, random);
    params.blocks_log2 = random() % 2 == 0 ? 0 : any_between(1, 6, random);
    const auto matrix = std::ranges::find(scenario.info->knobs, &Params::matrix, &Knob::field);
    const bool any_size = matrix != scenario.info->knobs.end() && matrix->kind == KnobKind::slider;
    params.matrix = any_size ? any_between(32, 450, random) : any_between(1, 2, random) * 128;
    params.width = std::min(params.width, 512);
    params.height = std::min(params.height, 512);
    params.texture_log2 = any_between(6, 10, random);
    clamp_knobs(scenario, params);
    return params;
}

}  // namespace warplens
