#include "app/model/device/kernel_key.h"

#include <algorithm>
#include <set>

namespace warplens {
namespace {

/// Kernels that replay addresses come in two kinds: for one step, and with a loop over steps.
bool one_step(const Scenario& scenario, const Params& params) {
    const LaunchShape shape = scenario.launch(params);
    for (int i = 0; i < scenario.instruction_count(params); ++i) {
        if (steps_of(shape, scenario.instruction(params, i)) > 1) return false;
    }
    return true;
}

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

/// The defaults, and every value of each choice with the others at their defaults.
std::vector<Params> one_choice_each(const Scenario& scenario) {
    std::vector<Params> settings{scenario.info->defaults};
    for (const Knob& knob : scenario.info->knobs) {
        for (const Choice& choice : is_choice(knob) ? knob.choices : std::span<const Choice>{}) {
            settings.push_back(scenario.info->defaults);
            settings.back().*knob.field = choice.value;
        }
    }
    return settings;
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
    if (scenario.info->kernel == Kernel::replay)
        return key + (one_step(scenario, params) ? " once" : " loop");
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
    do add(params, false);
    while (next_combination(scenario, params));
    // Other knobs may matter as well: their smallest and largest values are tried, with every choice on its
    // own.
    for (const Params& one : one_choice_each(scenario)) {
        for (const Knob& knob : scenario.info->knobs) {
            if (is_choice(knob) || knob.kind == KnobKind::mask || knob.picture_only) continue;
            for (const int end : {knob.min, knob.max}) {
                Params there = one;
                there.*knob.field = end;
                add(there, scenario.info->kernel != Kernel::replay);
            }
        }
    }
    return settings;
}

}  // namespace warplens
