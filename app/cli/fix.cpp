#include "app/base/version.h"
#include "app/cli/command_options.h"
#include "app/cli/text_table.h"
#include "app/experiment/codec.h"
#include "app/experiment/link.h"
#include "app/experiment/settings.h"
#include "app/experiment/typed_kernel.h"
#include "app/figures/report_writer.h"
#include "app/learn/fixes.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace warplens {
namespace {

using nlohmann::ordered_json;

/// The options of `warplens fix`.
struct FixCommand {
    ScenarioChoice choice;
    DeviceChoice device;
    std::vector<std::string> knobs;       ///< that may change, as typed; empty for all remedies
    std::vector<std::string> more_knobs;  ///< further ones, by the name that the option had in version 0.1
    std::vector<std::string> also;        ///< further accesses: "walk=row,op=store"
    bool json = false;
};

std::vector<std::string_view> keys_of(const std::vector<const Knob*>& knobs) {
    std::vector<std::string_view> keys;
    for (const Knob* knob : knobs) keys.push_back(knob->key);
    return keys;
}

/// A knob that must have a role. Errors: UsageError that names those that have it.
const Knob& require_role(const Scenario& scenario, std::string_view key, KnobRole role, const char* option,
                         const char* what) {
    const Knob& knob = require_knob(scenario, key);
    if (knob.role == role) return knob;
    const std::vector<const Knob*> others = knobs_of(scenario, role);
    throw UsageError(fmt::format("{} {}: {} of {} {}; {}", option, key, knob.label, scenario.info->id, what,
                                 others.empty()
                                     ? "it has no parameter that is"
                                     : fmt::format("expected one of {}", join_names(keys_of(others)))));
}

std::vector<const Knob*> kept_knobs(const Scenario& scenario, const std::vector<std::string>& may_change) {
    if (may_change.empty()) return {};
    std::vector<const Knob*> kept = knobs_of(scenario, KnobRole::remedy);
    for (const std::string& key : may_change)
        std::erase(kept, &require_role(scenario, key, KnobRole::remedy, "--parameter",
                                       "says what is to be done, so changing it is no remedy"));
    return kept;
}

/// "walk=row,op=store". Errors: UsageError.
std::vector<KnobValue> read_access(const Scenario& scenario, const Params& params, const std::string& text) {
    std::vector<KnobValue> access;
    for (const Item& item : split_items(text, ',', fmt::format("--also {}", text))) {
        const Knob& knob = require_role(scenario, item.key, KnobRole::access, "--also",
                                        "does not tell accesses to the same data apart");
        const std::optional<int> value = parse_knob(knob, params, item.value);
        if (!value)
            throw UsageError(
                fmt::format("--also {}: {} takes {}", text, knob.label, describe_range(knob, params)));
        access.push_back({&knob, *value});
    }
    if (!with_access(scenario, params, access))
        throw UsageError(fmt::format("--also {}: the tile of {} has no such access as it is set", text,
                                     scenario.info->id));
    return access;
}

FixChoice read_choice(const FixCommand& command, const State& state) {
    std::vector<std::string> knobs = command.knobs;
    knobs.insert(knobs.end(), command.more_knobs.begin(), command.more_knobs.end());
    FixChoice choice{kept_knobs(*state.scenario, knobs), {}};
    for (const std::string& text : command.also)
        choice.also.push_back(read_access(*state.scenario, state.params, text));
    return choice;
}

/// "padding=1": what a person adds to --set.
std::string set_text(const Scenario& scenario, const Params& now, const Params& then) {
    std::string text;
    for (const Knob& knob : scenario.info->knobs)
        if (now.*knob.field != then.*knob.field && knob.role == KnobRole::remedy)
            text += fmt::format("{}{}={}", text.empty() ? "" : ",", knob.key, format_knob(knob, then));
    return text;
}

/// The change as a person adds it to --set, or does it to the text.
std::string change_text(const FixAnswer& answer, const State& state) {
    return answer.text.empty() ? set_text(*state.scenario, state.params, answer.params) : answer.change;
}

/// The setting that an answer leads to.
State state_of(const FixAnswer& answer, const State& state) {
    State there = state;
    there.params = answer.params;
    if (answer.text.empty()) return there;
    there.scenario = &open_kernel(answer.text, state.scenario->typed->file());
    there.params = params_after_typing(*there.scenario, *state.scenario, state.params);
    there.axis = there.second_axis = nullptr;
    return there;
}

/// The numbers that some answer has, in their order; one column each.
std::vector<const QuantityPair*> columns_of(const Fixes& fixes) {
    std::vector<const QuantityPair*> columns;
    for (const FixAnswer& answer : fixes.answers) {
        for (const QuantityPair& number : answer.numbers) {
            const bool known = std::ranges::any_of(columns, [&](const QuantityPair* column) {
                return column->named().key == number.named().key;
            });
            if (!known && !number.a.text.empty()) columns.push_back(&number);
        }
    }
    return columns;
}

std::string answers_table(const Fixes& fixes, const State& state) {
    const std::vector<const QuantityPair*> columns = columns_of(fixes);
    std::vector<std::string> head{"change"}, now{"as it is"};
    for (const QuantityPair* column : columns) {
        head.push_back(
            fmt::format("{} {}", provenance_mark(column->named().provenance), column->named().name));
        now.push_back(column->a.text);
    }
    TextTable table(head);
    table.add(now);
    for (const FixAnswer& answer : fixes.answers) {
        std::vector<std::string> cells{change_text(answer, state)};
        for (const QuantityPair* column : columns) {
            const QuantityPair* number = answer.number(column->named().key);
            cells.push_back(number == nullptr ? "0" : number->b.text);
        }
        table.add(cells, answer.slower ? "predicted to be slower" : "");
    }
    return table.text();
}

void print_text(const Fixes& fixes, const FixChoice& choice, const Experiment& experiment,
                std::ostream& out) {
    const State& state = experiment.state;
    const std::string settings = describe_settings(*state.scenario, state.params);
    out << fmt::format("{} ({})  {}\n{}, compute capability {}\n{}\n", state.scenario->info->title,
                       state.scenario->info->id, state.scenario->info->formula, experiment.device().name,
                       experiment.device().cc.text(),
                       settings.empty() ? "all parameters at their defaults" : settings);
    if (!fixes.knobs.empty()) out << "may change: " << join_names(keys_of(fixes.knobs)) << '\n';
    for (const auto& also : choice.also) out << "together with: " << access_text(also) << '\n';
    constexpr std::size_t kColumns = 110;
    out << '\n' << wrapped_behind(fixes.words.verdict, 0, kColumns) << '\n';
    if (!fixes.words.why.empty()) out << wrapped_behind(fixes.words.why, 0, kColumns) << '\n';
    if (fixes.answers.empty()) return;
    out << '\n' << answers_table(fixes, state) << '\n';
    for (const FixAnswer& answer : fixes.answers) {
        if (answer.lines.empty()) continue;
        out << answer.change << '\n';
        for (const FixAnswer::Line& line : answer.lines)
            out << fmt::format("{:>5} - {}\n      + {}\n", line.number,
                               printable(line.before, kMostMessageBytes),
                               printable(line.after, kMostMessageBytes));
    }
    out << fmt::format("See it: warplens '{}'\n",
                       link_to(state_of(fixes.answers.front(), state), experiment.devices));
    if (fixes.combinations == 0) return;
    out << wrapped_behind(
        fmt::format(
            "\n● exact: counted over the whole grid   ○ approximate: predicted. All {} settings that "
            "these parameters can make were tried; none is nearer to the ideal with a smaller change.",
            format_count(fixes.combinations)),
        0, kColumns);
    out << '\n';
}

ordered_json quantity_to_json(const Quantity& quantity) {
    ordered_json json{{"value", quantity.amount ? ordered_json(*quantity.amount) : ordered_json()},
                      {"text", quantity.text}};
    return json;
}

ordered_json answer_to_json(const FixAnswer& answer, const Experiment& experiment) {
    const State& state = experiment.state;
    ordered_json json{
        {"change", answer.change},
        {"set", answer.text.empty() ? set_text(*state.scenario, state.params, answer.params) : ""},
        {"gain", answer.gain},
        {"ideal", answer.ideal},
        {"predicted_slower", answer.slower},
        {"link", link_to(state_of(answer, state), experiment.devices)}};
    for (const FixAnswer::Line& line : answer.lines)
        json["lines"].push_back({{"line", line.number}, {"before", line.before}, {"after", line.after}});
    for (const QuantityPair& number : answer.numbers) {
        const Quantity& named = number.named();
        json["numbers"][named.key] = {{"name", named.name},
                                      {"unit", named.unit},
                                      {"kind", provenance_name(named.provenance)},
                                      {"now", quantity_to_json(number.a)},
                                      {"then", quantity_to_json(number.b)},
                                      {"source", named.source}};
    }
    return json;
}

void print_json(const Fixes& fixes, const FixChoice& choice, const Experiment& experiment,
                std::ostream& out) {
    const State& state = experiment.state;
    ordered_json json{{"schema", 1},
                      {"program", fmt::format("warplens {}", version())},
                      {"scenario", state.scenario->info->id},
                      {"settings", describe_settings(*state.scenario, state.params, ",")},
                      {"device", device_to_json(experiment.device())},
                      {"may_change", keys_of(fixes.knobs)},
                      {"together_with", ordered_json::array()},
                      {"verdict", fixes.words.verdict},
                      {"why", fixes.words.why},
                      {"combinations", fixes.combinations},
                      {"counted", fixes.counted},
                      {"fixes", ordered_json::array()}};
    for (const auto& also : choice.also) json["together_with"].push_back(access_text(also));
    for (const FixAnswer& answer : fixes.answers) json["fixes"].push_back(answer_to_json(answer, experiment));
    out << json.dump(2) << '\n';
}

/// Says on a terminal how far it is, where it takes longer than a second. Ctrl+C ends it.
Fixes all_steps(InSteps<Fixes> steps) {
    using namespace std::chrono_literals;
    using Clock = std::chrono::steady_clock;
    const bool terminal = ::isatty(STDERR_FILENO) != 0;
    bool any = false;
    for (auto next = Clock::now() + 1s; steps.step();) {
        if (!terminal || Clock::now() < next) continue;
        std::fputs(fmt::format("\r{:.0f} % tried; Ctrl+C ends it\x1b[K", 100 * steps.how_far()).c_str(),
                   stderr);
        std::fflush(stderr);
        next = Clock::now() + 200ms;
        any = true;
    }
    if (any) std::fputs("\r\x1b[K", stderr);
    return steps.take();
}

void run_fix(const FixCommand& command, std::ostream& out) {
    const Experiment experiment = make_experiment(command.choice, command.device);
    const FixChoice choice = read_choice(command, experiment.state);
    const Fixes fixes = all_steps(find_fixes(experiment.state, experiment.devices, choice));
    if (command.json)
        print_json(fixes, choice, experiment, out);
    else
        print_text(fixes, choice, experiment, out);
}

}  // namespace

CommandEntry fix_command() {
    const auto declare = [](CLI::App& app, FixCommand& command) {
        add_scenario(app, command.choice)->required();
        app.add_option("--parameter", command.knobs,
                       "A parameter that may change; can be repeated (default: all remedies)")
            ->type_name("KEY")
            ->delimiter(',')
            ->allow_extra_args(false);
        app.add_option("--knob", command.more_knobs)->group("")->delimiter(',')->allow_extra_args(false);
        app.add_option("--also", command.also,
                       "An access that the kernel does to the same data as well, such as walk=row,op=store; "
                       "can be repeated")
            ->type_name("K=V,...")
            ->allow_extra_args(false);
        add_device(app, command.device);
        add_json(app, command.json);
    };
    return {"fix", "Find the smallest change that makes all accesses ideal",
            "fix shared-tile --set walk=column                    the smallest change that makes it ideal",
            options_of<FixCommand>(declare, run_fix)};
}

}  // namespace warplens
