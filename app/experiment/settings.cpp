#include "app/experiment/settings.h"

#include "app/base/errors.h"
#include "app/base/text.h"
#include "app/experiment/link.h"
#include "app/experiment/typed_kernel.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

std::vector<Item> split_settings(const std::vector<std::string>& settings) {
    std::vector<Item> items;
    for (const std::string& list : settings) {
        for (Item& item : split_items(list, ',', "--set " + list)) items.push_back(std::move(item));
    }
    return items;
}

}  // namespace

const Scenario& require_scenario(std::string_view id) {
    if (const Scenario* scenario = find_scenario(id)) return *scenario;
    if (is_kernel_file(id))
        throw UsageError(fmt::format(
            "{} is a kernel of your own: report, export, fix, code, measure, quiz and the window take it, this command takes a "
            "scenario",
            in_quotes(id)));
    const auto ids = names_of(all_scenarios(), [](const Scenario& scenario) { return scenario.info->id; });
    throw UsageError(fmt::format("there is no scenario '{}'{} (scenarios: {})", id, did_you_mean(id, ids),
                                 join_names(ids)));
}

const Scenario& require_kernel(std::string_view id_or_file, std::string_view kernel) {
    if (!kernel.empty() && !is_kernel_file(id_or_file))
        throw UsageError(fmt::format("--kernel {}: expected a file that ends in .cu, not {}", kernel,
                                     in_quotes(id_or_file)));
    return is_kernel_file(id_or_file) ? open_kernel_file(std::string(id_or_file), kernel)
                                      : require_scenario(id_or_file);
}

std::string no_such_knob(const Scenario& scenario, std::string_view key, std::vector<std::string_view> more) {
    std::vector<std::string_view> keys;
    for (const Knob& knob : scenario.info->knobs) {
        keys.push_back(knob.key);
        more.push_back(knob.key);
        if (!knob.alias.empty()) more.push_back(knob.alias);
    }
    return fmt::format("{} has no parameter '{}'{} (parameters: {})", scenario.info->id, key,
                       did_you_mean(key, more), join_names(keys));
}

const Knob& require_knob(const Scenario& scenario, std::string_view key) {
    if (const Knob* knob = find_knob(scenario, key)) return *knob;
    throw UsageError(no_such_knob(scenario, key));
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
    return apply_knobs(scenario, split_settings(settings));
}

Params apply_knobs(const Scenario& scenario, const std::vector<Item>& knobs) {
    std::map<const Knob*, std::string> named;
    for (const Item& item : knobs) {
        const Knob* knob = find_knob(scenario, item.key);
        if (knob == nullptr)
            throw UsageError(
                fmt::format("{}={}: {}", item.key, item.value, no_such_knob(scenario, item.key)));
        named[knob] = item.value;
    }
    Params wanted = scenario.info->defaults;
    const Knob* unreadable = nullptr;
    for (const auto& [knob, text] : named) {
        if (const auto value = parse_knob(without_limit(*knob), wanted, text))
            wanted.*knob->field = *value;
        else
            unreadable = knob;
    }
    // Knobs that were not named are clamped. A named one that would have to be clamped is an error.
    Params legal = wanted;
    clamp_knobs(scenario, legal);
    for (const auto& [knob, text] : named) {
        const bool fits = wanted.*knob->field == legal.*knob->field;
        if (knob != unreadable && (unreadable != nullptr || fits)) continue;
        throw UsageError(
            fmt::format("{}={}: {} takes {}", knob->key, text, knob->label, describe_range(*knob, legal)));
    }
    return legal;
}

Experiment make_experiment(const ScenarioChoice& choice, const DeviceChoice& device) {
    Experiment experiment;
    // Settings are read before the device, so that mistakes are reported at once: CUDA takes half a second to
    // start.
    experiment.devices = device_table();
    LinkParts parts = parts_of_link(choice.scenario);
    require_values(parts.items, fmt::format("link '{}'", choice.scenario));
    for (Item& item : split_settings(choice.settings)) {
        const Field* field = find_field(item.key);
        if (field != nullptr && field->of == FieldOf::place)
            throw UsageError(fmt::format("--set {}={}: expected a setting; only links say what is in front",
                                         item.key, item.value));
        parts.items.push_back(std::move(item));
    }
    if (!device.bank_mode.empty()) parts.items.push_back({"bank-mode", device.bank_mode});
    const bool of_file = !choice.kernel.empty() || is_kernel_file(parts.scenario);
    const Scenario& scenario = of_file                  ? require_kernel(parts.scenario, choice.kernel)
                               : parts.scenario.empty() ? all_scenarios().front()
                                                        : take_scenario(parts);
    State& state = experiment.state = initial_state(scenario, 0);
    state = read_items({state, {}, {}, {}}, parts.items, experiment.devices).state;
    const bool named = std::ranges::find(parts.items, "device", &Item::key) != parts.items.end();
    if (!device.name.empty() || !named)
        state.device = choose_device(experiment.devices, device.name, device.cpu);
    set_bank_mode(experiment.devices, state.bank_mode);
    if (scenario.typed != nullptr)
        scenario.typed->count_all(state.params, experiment.device()).done();  // a command may take its time
    return experiment;
}

}  // namespace warplens
