#include "app/model/device/kernel_key.h"

#include <algorithm>
#include <set>

namespace warplens {
namespace {

bool is_choice(const Knob& knob) { return knob.kind == KnobKind::choice; }

/// Advance to the next combination of all choices. False after the last one.
bool next_combination(const Scenario& scenario, Params& params) {
    for (const Knob& knob : scenario.info->knobs) {
        if (!is_choice(knob)) continue;
        const auto now = std::ranges::find(knob.choices, params.*knob.field, &Choice::value);
        const bool last = now == knob.choices.end() || now + 1 == knob.choices.end();
        params.*knob.field = last ? knob.choices.front().value : (now + 1)->value;
        if (!last) return true;
    }
    return false;
}

Params first_combination(const Scenario& scenario) {
    Params params = scenario.info->defaults;
    for (const Knob& knob : scenario.info->knobs) {
        if (is_choice(knob)) params.*knob.field = knob.choices.front().value;
    }
    return params;
}

}  // namespace

std::string kernel_key(const Scenario& scenario, const Params& params) {
    std::string key(scenario.info->id);
    for (int i = 0; i < scenario.instruction_count(params); ++i) {
        const Instruction one = scenario.instruction(params, i);
        for (const int number : {static_cast<int>(one.op), one.bytes_per_lane, static_cast<int>(one.space),
                                 one.buffer, one.phase})
            key += ' ' + std::to_string(number);
        key += ' ' + std::string(one.code);
    }
    if (scenario.info->instance != nullptr)
        return key + " #" + std::to_string(scenario.info->instance(params));
    for (const Knob& knob : scenario.info->knobs) {
        if (is_choice(knob)) key += ' ' + std::to_string(params.*knob.field);
    }
    return key;
}

std::vector<Params> kernel_settings(const Scenario& scenario) {
    std::vector<Params> settings;
    std::set<std::string> keys;
    const auto add = [&](Params params, bool always) {
        clamp_knobs(scenario, params);
        const bool is_new = keys.insert(kernel_key(scenario, params)).second;
        if (is_new || (always && std::ranges::find(settings, params) == settings.end()))
            settings.push_back(params);
    };
    add(scenario.info->defaults, true);
    for (const Preset& preset : scenario.info->presets) add(preset_params(scenario, preset), true);
    Params params = first_combination(scenario);
    do {
        add(params, false);
        for (const Knob& knob : scenario.info->knobs) {
            if (scenario.info->instance == nullptr || is_choice(knob) || knob.picture_only) continue;
            constexpr int kMostValues = 32;
            Params there = params;
            for (int value = knob.min; value <= std::min(knob.max, knob.min + kMostValues); ++value) {
                there.*knob.field = value;
                add(there, false);
            }
        }
    } while (next_combination(scenario, params));
    return settings;
}

}  // namespace warplens
