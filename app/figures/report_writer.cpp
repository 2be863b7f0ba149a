#include "app/figures/report_writer.h"

#include "app/base/csv.h"
#include "app/base/text.h"
#include "app/experiment/quantities.h"
#include "app/model/access/counts.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace warplens {
namespace {

using nlohmann::ordered_json;

/// The names of KnobKind.
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
    json["kind"] = kKinds[int(knob.kind)];
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

/// A number of things is written as an integer, an unknown number as null.
ordered_json amount_to_json(const Quantity& quantity) {
    if (!quantity.amount) return {};
    const bool counts = quantity.unit.empty() || quantity.unit == "bytes";
    if (counts) return std::int64_t(*quantity.amount);
    return *quantity.amount;
}

/// The instructions of one scope with their counts: first those that every file has, then others of the
/// memory space.
ordered_json scope_to_json(const Evidence& evidence, CountScope scope) {
    ordered_json rows = ordered_json::array();
    for (std::size_t k = 0; k < evidence.report.instructions.size(); ++k) {
        const InstructionReport& row = evidence.report.instructions[k];
        ordered_json json{{"label", row.instruction.label},
                          {"space", space_name(row.instruction.space)},
                          {"op", op_key(row.instruction.op)}};
        if (const TypedKernel* typed =
                evidence.setting.scenario == nullptr ? nullptr : evidence.setting.scenario->typed) {
            json["line"] = typed->line_of(evidence.setting.params, int(k));
            json["code"] = printable(row.instruction.code, kMostMessageBytes);
        }
        for (const CountKey& count : counts_of_files()) json[count.key] = count.value(row.totals(scope));
        for (const Quantity& count : evidence.counts_over(scope, k)) json[count.key] = amount_to_json(count);
        rows.push_back(json);
    }
    return rows;
}

ordered_json predicted_to_json(const Evidence& evidence) {
    const Prediction& predicted = evidence.prediction;
    ordered_json json{{"kind", provenance_name(Provenance::approximate)}};
    // 0 means "not known", so it is no prediction.
    const SpeedWords& words = speed_words(predicted.speed_unit);
    json[std::string(words.key)] = predicted.value > 0 ? ordered_json(predicted.value) : ordered_json();
    json[predicted.speed_unit == SpeedUnit::gb_per_s ? "peak_gb_per_s" : "peak"] =
        predicted.peak > 0 ? ordered_json(predicted.peak) : ordered_json();
    const auto if_known = [&](double amount) {
        return predicted.knows_bytes() ? ordered_json(amount) : ordered_json();
    };
    json["useful_bytes"] = if_known(predicted.useful_bytes);
    json["dram_bytes"] = if_known(predicted.dram_bytes);
    json["footprint_bytes"] = if_known(predicted.footprint_bytes);
    json["fits_l2"] = predicted.knows_bytes() && predicted.footprint_bytes > 0
                          ? ordered_json(predicted.fits_l2)
                          : ordered_json();
    if (predicted.flop > 0) {
        json["flop"] = predicted.flop;
        json["flop_per_byte"] = predicted.intensity > 0 ? ordered_json(predicted.intensity) : ordered_json();
        json["l2_bytes"] = predicted.l2_bytes > 0 ? ordered_json(predicted.l2_bytes) : ordered_json();
    }
    json["limiter"] = limiter_name(predicted.limiter);
    for (const auto* quantities : {&evidence.predicted, &evidence.launch}) {
        for (const Quantity& quantity : *quantities) {
            if (!json.contains(quantity.key))
                json[quantity.key] = quantity.amount ? ordered_json(*quantity.amount) : ordered_json();
        }
    }
    return json;
}

/// Keys of the counts that some instruction has in addition to those that every file has.
std::vector<std::string> further_keys(const Evidence& evidence) {
    std::vector<std::string> keys;
    for (const auto& scopes : evidence.counts) {
        for (const Quantity& count : scopes.front()) {
            const bool everywhere =
                std::ranges::find(counts_of_files(), count.key, &CountKey::key) != counts_of_files().end();
            if (!everywhere && std::ranges::find(keys, count.key) == keys.end()) keys.push_back(count.key);
        }
    }
    return keys;
}

/// A number as programs read it. Empty if there is none.
std::string amount_text(const Quantity* quantity) {
    return quantity == nullptr || !quantity->amount ? std::string() : fmt::format("{}", *quantity->amount);
}

}  // namespace

ordered_json device_to_json(const DeviceFacts& device) {
    return {{"name", device.name}, {"cc", device.cc.text()}, {"here", device.here}};
}

ordered_json report_to_json(const Evidence& evidence, const DeviceFacts& device, std::string_view program) {
    const Report& report = evidence.report;
    const Setting& setting = evidence.setting;
    ordered_json json{{"schema", 1}, {"program", program}, {"scenario", setting.scenario->info->id}};
    json["device"] = device_to_json(device);
    json["params"] = params_to_json(*setting.scenario, setting.params);
    json["launch"] = {{"grid", {report.shape.grid.x, report.shape.grid.y}},
                      {"block", {report.shape.block.x, report.shape.block.y}},
                      {"steps", report.shape.steps},
                      {"shared_bytes", report.shape.shared_bytes}};
    json["pictured"] = {{"block", {report.place.block.x, report.place.block.y}},
                        {"warp_in_block", report.place.warp_in_block},
                        {"step", report.step}};
    json["kind"] = provenance_name(report.kind);
    json["does_not_fit"] = report.does_not_fit.empty() ? ordered_json() : ordered_json(report.does_not_fit);
    if (setting.scenario->typed != nullptr) {
        json["name"] = setting.scenario->info->title;
        const bool outside = report.fault == Fault::out_of_bounds,
                   races = report.fault != Fault::none && !outside;
        json["out_of_bounds"] = outside ? ordered_json(report.fault_words) : ordered_json();
        json["race"] = races ? ordered_json(report.fault_words) : ordered_json();
        json["assumed"] = report.warnings;
    }
    json["predicted"] = predicted_to_json(evidence);
    if (const std::optional<Observation>& recorded = evidence.observed.recorded) {
        json["recorded"]["where"] = recorded->where;
        for (const Quantity& one : evidence.seen) json["recorded"][one.key] = amount_to_json(one);
    }
    for (const CountScope scope : kCountScopes)
        json[std::string(scope_name(scope))] = scope_to_json(evidence, scope);
    return json;
}

std::string report_to_csv(const Evidence& evidence) {
    const auto& instructions = evidence.report.instructions;
    const std::vector<std::string> more = further_keys(evidence);
    std::string text = "scope,label,space,op", predicted;
    for (const CountKey& count : counts_of_files()) text += fmt::format(",{}", count.key);
    for (const std::string& key : more) text += fmt::format(",{}", key);
    for (const auto* quantities : {&evidence.predicted, &evidence.launch}) {
        for (const Quantity& quantity : *quantities) {
            text += fmt::format(",{}", quantity.key);
            predicted += fmt::format(",{}", amount_text(&quantity));
        }
    }
    for (const Quantity& one : evidence.seen) {
        text += fmt::format(",recorded_{}", one.key);
        predicted += fmt::format(",{}", amount_text(&one));
    }
    text += '\n';
    for (const CountScope scope : kCountScopes) {
        for (std::size_t k = 0; k < instructions.size(); ++k) {
            const InstructionReport& row = instructions[k];
            text += fmt::format("{},{},{},{}", scope_name(scope), csv_field(row.instruction.label),
                                space_name(row.instruction.space), op_key(row.instruction.op));
            for (const CountKey& count : counts_of_files())
                text += fmt::format(",{}", count.value(row.totals(scope)));
            for (const std::string& key : more)
                text += fmt::format(",{}", amount_text(find_quantity(evidence.counts_over(scope, k), key)));
            text += predicted + '\n';
        }
    }
    return text;
}

std::string_view op_key(Op op) {
    constexpr std::string_view kKeys[] = {"load", "store", "ldmatrix", "atomic", "reduction", "increment"};
    return kKeys[int(op)];
}

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
            if (scenario.in(Space(space))) row["spaces"].push_back(space_name(Space(space)));
        }
        for (const Knob& knob : info.knobs) row["knobs"].push_back(describe_knob(knob, info.defaults));
        json["scenarios"].push_back(row);
    }
    return json;
}

}  // namespace warplens
