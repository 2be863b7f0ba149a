#include "app/figures/scenario_json.h"

namespace warplens {
namespace {

using nlohmann::ordered_json;

/// Of KnobKind.
constexpr std::string_view kKinds[] = {"whole number", "choice", "power of two", "mask"};

/// A knob's value for programs: a number (2^k as its value), or a text for named choices and masks.
ordered_json knob_to_json(const Knob& knob, const Params& params) {
    const int value = params.*knob.field;
    if (knob.kind == KnobKind::power) return std::int64_t{1} << value;
    if (knob.kind == KnobKind::slider) return value;
    const std::string text = format_knob(knob, params);
    if (knob.kind == KnobKind::choice && text == std::to_string(value)) return value;
    return text;
}

ordered_json describe_knob(const Knob& knob, const Params& defaults) {
    ordered_json json{{"key", knob.key}};
    if (!knob.alias.empty()) json["alias"] = knob.alias;
    json["label"] = knob.label;
    json["unit"] = knob.unit;
    json["kind"] = kKinds[static_cast<int>(knob.kind)];
    if (knob.kind == KnobKind::choice) {
        for (const Choice& choice : knob.choices) {
            Params params = defaults;
            params.*knob.field = choice.value;
            json["choices"].push_back(knob_to_json(knob, params));
        }
    } else if (knob.kind != KnobKind::mask) {
        const bool power = knob.kind == KnobKind::power;
        json["min"] = power ? std::int64_t{1} << knob.min : knob.min;
        json["max"] = power ? std::int64_t{1} << knob.max : knob.max;
    }
    json["range"] = describe_range(knob, defaults);
    json["limited_by_others"] = knob.limit != nullptr;
    json["default"] = knob_to_json(knob, defaults);
    json["picture_only"] = knob.picture_only;
    json["axis"] = knob.axis;
    json["tooltip"] = knob.tooltip;
    return json;
}

}  // namespace

std::string_view op_key(Op op) { return op == Op::load ? "load" : op == Op::store ? "store" : "ldmatrix"; }

ordered_json params_to_json(const Scenario& scenario, const Params& params) {
    ordered_json json = ordered_json::object();
    for (const Knob& knob : scenario.info->knobs) json[std::string(knob.key)] = knob_to_json(knob, params);
    return json;
}

ordered_json scenarios_to_json(std::span<const Scenario> scenarios) {
    ordered_json json{{"schema", 1}, {"scenarios", ordered_json::array()}};
    for (const Scenario& scenario : scenarios) {
        const ScenarioInfo& info = *scenario.info;
        ordered_json row{
            {"id", info.id}, {"title", info.title}, {"summary", info.summary}, {"formula", info.formula}};
        for (int space = 0; space < kSpaceCount; ++space) {
            if (scenario.in(static_cast<Space>(space)))
                row["spaces"].push_back(space_name(static_cast<Space>(space)));
        }
        for (const Knob& knob : info.knobs) row["knobs"].push_back(describe_knob(knob, info.defaults));
        json["scenarios"].push_back(row);
    }
    return json;
}

}  // namespace warplens
