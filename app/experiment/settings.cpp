#include "app/experiment/settings.h"

#include "app/base/errors.h"
#include "app/base/nearest.h"
#include "app/experiment/link.h"

#include <fmt/format.h>

#include <map>

namespace warplens {
namespace {

struct NamedValue {
    const Knob* knob;
    std::string text;  ///< the value
};

/// "a=1,b=2" and so on, in order; one entry per knob, the last one.
std::vector<NamedValue> split_settings(const Scenario& scenario, const std::vector<std::string>& settings) {
    std::map<const Knob*, std::string> by_knob;
    for (const std::string& list : settings) {
        for (std::size_t start = 0; start <= list.size();) {
            const std::size_t end = std::min(list.find(',', start), list.size());
            const std::string item = list.substr(start, end - start);
            const std::size_t equals = item.find('=');
            if (equals == std::string::npos || equals == 0 || equals + 1 == item.size()) {
                throw UsageError(fmt::format(
                    "--set {}: expected knob=value, such as {}={}", list, scenario.info->knobs.front().key,
                    format_knob(scenario.info->knobs.front(), scenario.info->defaults)));
            }
            by_knob[&require_knob(scenario, item.substr(0, equals))] = item.substr(equals + 1);
            start = end + 1;
        }
    }
    std::vector<NamedValue> result;
    for (const auto& [knob, text] : by_knob) result.push_back({knob, text});
    return result;
}

/// The knob with its widest range, whatever the others say.
Knob without_limit(Knob knob) {
    knob.limit = nullptr;
    return knob;
}

/// Settings of boards ("occupancy.threads=128") apart from knobs of the scenario.
struct Split {
    std::vector<std::string> knobs;
    std::vector<std::pair<std::string, std::string>> boards;
};
Split split_boards(const std::vector<std::string>& settings) {
    Split split;
    for (const std::string& list : settings) {
        for (std::size_t start = 0; start <= list.size();) {
            const std::size_t end = std::min(list.find(',', start), list.size());
            const std::string item = list.substr(start, end - start);
            const std::size_t equals = item.find('='), dot = item.find('.');
            if (equals != std::string::npos && dot < equals)
                split.boards.emplace_back(item.substr(0, equals), item.substr(equals + 1));
            else
                split.knobs.push_back(item);
            start = end + 1;
        }
    }
    return split;
}

}  // namespace

const Scenario& require_scenario(std::string_view id) {
    if (const Scenario* scenario = find_scenario(id)) return *scenario;
    std::vector<std::string_view> ids;
    for (const Scenario& scenario : all_scenarios()) ids.push_back(scenario.info->id);
    throw UsageError(fmt::format("there is no scenario '{}'{} (scenarios: {})", id, did_you_mean(id, ids),
                                 join_names(ids)));
}

const Knob& require_knob(const Scenario& scenario, std::string_view key) {
    if (const Knob* knob = find_knob(scenario, key)) return *knob;
    std::vector<std::string_view> keys, all;
    for (const Knob& knob : scenario.info->knobs) {
        keys.push_back(knob.key);
        all.push_back(knob.key);
        if (!knob.alias.empty()) all.push_back(knob.alias);
    }
    throw UsageError(fmt::format("{} has no knob '{}'{} (knobs: {})", scenario.info->id, key,
                                 did_you_mean(key, all), join_names(keys)));
}

const Knob& require_axis(const Scenario& scenario, std::string_view key) {
    const Knob& knob = require_knob(scenario, key);
    if (can_be_axis(scenario, knob)) return knob;
    std::vector<std::string_view> axes;
    for (const Knob& other : scenario.info->knobs) {
        if (can_be_axis(scenario, other)) axes.push_back(other.key);
    }
    throw UsageError(
        fmt::format("{} makes no axis of a plot: expected one of {}", knob.key, join_names(axes)));
}

Params apply_settings(const Scenario& scenario, const std::vector<std::string>& settings) {
    const std::vector<NamedValue> named = split_settings(scenario, settings);
    Params wanted = scenario.info->defaults;
    const NamedValue* unreadable = nullptr;
    for (const NamedValue& setting : named) {
        const auto value = parse_knob(without_limit(*setting.knob), wanted, setting.text);
        if (value)
            wanted.*setting.knob->field = *value;
        else
            unreadable = &setting;
    }
    // Knobs that were not named give way to those that were; a named one that has to give way is out of
    // range.
    Params legal = wanted;
    clamp_knobs(scenario, legal);
    for (const NamedValue& setting : named) {
        const Knob& knob = *setting.knob;
        const bool fits = wanted.*knob.field == legal.*knob.field;
        if (&setting != unreadable && (unreadable != nullptr || fits)) continue;
        throw UsageError(fmt::format("{}={}: {} takes {}", knob.key, setting.text, knob.label,
                                     describe_range(knob, legal)));
    }
    return legal;
}

Experiment make_experiment(const ScenarioChoice& choice, const DeviceChoice& device) {
    Experiment experiment;
    // Settings come before the device: mistakes show at once, CUDA takes half a second to start.
    experiment.devices = device_table();
    const bool is_link = choice.scenario.find('?') != std::string::npos;
    const Scenario& scenario =
        choice.scenario.empty() || is_link ? all_scenarios().front() : require_scenario(choice.scenario);
    State& state = experiment.state = initial_state(scenario, 0);
    if (is_link) state = follow_link(choice.scenario, state, experiment.devices).state;
    const Split split = split_boards(choice.settings);
    if (!is_link || !split.knobs.empty()) state.params = apply_settings(*state.scenario, split.knobs);
    for (const auto& [key, value] : split.boards) apply_board_setting(state.boards, key, value);
    clamp_board(state.boards);
    if (!device.name.empty() || choice.scenario.find("device=") == std::string::npos)
        state.device = choose_device(experiment.devices, device.name, device.cpu);
    if (!device.bank_mode.empty()) state.bank_mode = bank_mode_of("--bank-mode", device.bank_mode);
    set_bank_mode(experiment.devices, state.bank_mode);
    return experiment;
}

}  // namespace warplens
