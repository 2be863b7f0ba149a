#include "app/measure/recording_columns.h"

#include "app/model/time/prediction.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace warplens {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

/// The value on one line. Bytes that are not UTF-8 (perhaps in a note) are replaced.
std::string line_of(const ordered_json& value) {
    return value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

template <class T>
void put_if(ordered_json& object, const char* key, const T& value) {
    if (value != T()) object[key] = value;
}

ordered_json gpu_json(const GpuInfo& gpu) {
    ordered_json object{{"name", gpu.name}, {"cc", fmt::format("{}.{}", gpu.cc_major, gpu.cc_minor)}};
    put_if(object, "sm_count", gpu.sm_count);
    object["clock_mhz"] = whole_if_possible(gpu.clock_mhz);
    object["peak_gb_per_s"] = whole_if_possible(gpu.peak_gb_per_s);
    put_if(object, "memory_bytes", gpu.memory_bytes);
    put_if(object, "l2_bytes", gpu.l2_bytes);
    put_if(object, "shared_per_block_optin_bytes", gpu.shared_per_block_optin_bytes);
    put_if(object, "max_threads_per_block", gpu.max_threads_per_block);
    put_if(object, "l2_fetch_granularity_bytes", gpu.l2_fetch_granularity_bytes);
    return object;
}

ordered_json conditions_json(const GpuConditions& conditions) {
    ordered_json object = ordered_json::object();
    put_if(object, "sm_clock_mhz", conditions.sm_clock_mhz);
    put_if(object, "memory_clock_mhz", conditions.memory_clock_mhz);
    if (conditions.power_state >= 0) object["power_state"] = conditions.power_state;
    put_if(object, "power_watt", conditions.power_watt);
    put_if(object, "temperature_celsius", conditions.temperature_celsius);
    put_if(object, "driver", conditions.driver);
    return object;
}

ordered_json session_json(const RecordedSession& session) {
    ordered_json object{{"date", session.date}, {"program", session.program}};
    put_if(object, "cuda_driver", cuda_version_text(session.versions.driver));
    put_if(object, "cuda_runtime", cuda_version_text(session.versions.runtime));
    const ordered_json conditions = conditions_json(session.conditions);
    if (!conditions.empty()) object["conditions"] = conditions;
    put_if(object, "note", session.note);
    const StopRule& rule = session.rule;
    object["stop_rule"] = {{"warm_up", rule.warm_up},         {"min_repeats", rule.min_repeats},
                           {"max_repeats", rule.max_repeats}, {"relative_error", rule.relative_error},
                           {"max_seconds", rule.max_seconds}, {kColdKey, rule.cold}};
    return object;
}

/// All knobs of a scenario with their defaults, so that a later program with other defaults still knows the
/// settings.
std::string all_knobs(const Scenario& scenario) {
    std::string text;
    for (const Knob& knob : scenario.info->knobs) {
        text += fmt::format("{}{}={}", text.empty() ? "" : ",", knob.key,
                            format_knob(knob, scenario.info->defaults));
    }
    return text;
}

/// The value as --set takes it; an integer becomes a number.
json knob_value(const Knob& knob, const Params& params) {
    std::string text = format_knob(knob, params);
    const int value = params.*knob.field;
    if (text == std::to_string(value)) return value;
    return text;
}

/// The texts that points refer to by their index.
class Methods {
public:
    json number_of(const Timing& timing) {
        if (timing.method.empty()) return {};
        const auto [at, is_new] = numbers_.try_emplace(method_pattern(timing), list_.size());
        if (is_new) list_.push_back(at->first);
        return at->second;
    }
    const json& list() const { return list_; }

private:
    std::map<std::string, std::size_t> numbers_;
    json list_ = json::array();
};

/// The kernels that persons typed, to which series refer by their index.
class Kernels {
public:
    std::size_t number_of(const Scenario& scenario) {
        const auto [at, is_new] = numbers_.try_emplace(scenario.typed->text(), list_.size());
        if (!is_new) return at->second;
        ordered_json kernel = ordered_json::object();
        const std::string_view title = scenario.info->title;
        if (title.ends_with(".cu")) kernel["name"] = title;
        kernel["text"] = scenario.typed->text();
        list_.push_back(std::move(kernel));
        return at->second;
    }
    /// The line of the file. Empty if there is none, so that old programs' recordings stay as they were.
    std::string line() const {
        return list_.empty() ? std::string() : fmt::format("\"kernels\":{},\n", line_of(list_));
    }

private:
    std::map<std::string_view, std::size_t> numbers_;
    ordered_json list_ = ordered_json::array();
};

/// One column of a series, with a value for each point.
struct Column {
    std::string name;
    std::vector<json> values;
    bool each;
};

std::vector<Column> columns_of(const RecordedSeries& series, Methods& methods) {
    std::vector<Column> columns;
    for (const RecordingColumn& column : recording_columns()) {
        columns.push_back({std::string(column.name), {}, column.each});
        for (const RecordedPoint& point : series.points) columns.back().values.push_back(column.write(point));
    }
    columns.push_back({std::string(kMethodColumn), {}, false});
    for (const RecordedPoint& point : series.points)
        columns.back().values.push_back(methods.number_of(point.timing));
    std::set<std::string> counters;
    for (const RecordedPoint& point : series.points) {
        for (const auto& [metric, count] : point.counters) counters.insert(metric);
    }
    for (const std::string& metric : counters) {
        columns.push_back({std::string(kCounterPrefix) + metric, {}, true});
        for (const RecordedPoint& point : series.points) {
            const auto found = point.counters.find(metric);
            columns.back().values.push_back(found == point.counters.end() ? json()
                                                                          : whole_if_possible(found->second));
        }
    }
    std::erase_if(columns,
                  [](const Column& column) { return std::ranges::all_of(column.values, &json::is_null); });
    return columns;
}

ordered_json series_json(const RecordedSeries& series, Methods& methods, Kernels& kernels) {
    const Scenario& scenario = *series.scenario;
    ordered_json object{{"scenario", scenario.info->id}};
    if (scenario.typed != nullptr) object["kernel"] = kernels.number_of(scenario);
    object["session"] = series.session;
    std::vector<const Knob*> swept;
    Params held = series.points.front().params;  // what varies is at its defaults
    for (const Knob& knob : scenario.info->knobs) {
        const bool varies = std::ranges::any_of(series.points, [&](const RecordedPoint& point) {
            return point.params.*knob.field != held.*knob.field;
        });
        if (!varies) continue;
        swept.push_back(&knob);
        held.*knob.field = scenario.info->defaults.*knob.field;
    }
    put_if(object, "set", describe_settings(scenario, held, ","));
    for (const Knob* knob : swept) object["swept"].push_back(knob->key);

    std::vector<Column> columns = columns_of(series, methods);
    for (const Column& column : columns) {
        const bool same =
            std::ranges::count(column.values, column.values.front()) == std::ssize(column.values);
        if (!column.each && same) object["same"][column.name] = column.values.front();
    }
    if (object.contains("same"))
        std::erase_if(columns, [&](const Column& column) { return object["same"].contains(column.name); });
    for (const Column& column : columns) object["columns"].push_back(column.name);
    for (std::size_t i = 0; i < series.points.size(); ++i) {
        ordered_json row = ordered_json::array();
        for (const Knob* knob : swept) row.emplace_back(knob_value(*knob, series.points[i].params));
        for (const Column& column : columns) row.emplace_back(column.values[i]);
        object["points"].push_back(std::move(row));
    }
    return object;
}

}  // namespace

std::string write_recording(const Recording& recording) {
    ordered_json defaults = ordered_json::object(), sessions = ordered_json::array();
    for (const RecordedSession& session : recording.sessions) sessions.push_back(session_json(session));
    Methods methods;
    Kernels kernels;
    std::string series_lines;
    for (const RecordedSeries& series : recording.series) {
        if (series.scenario->typed == nullptr)  // else its text says them
            defaults[std::string(series.scenario->info->id)] = all_knobs(*series.scenario);
        series_lines += (series_lines.empty() ? "" : ",\n") + line_of(series_json(series, methods, kernels));
    }
    return fmt::format(
        "{{\"schema\":\"{}\",\"version\":{},\"digits\":{},\n\"gpu\":{},\n\"sessions\":{},\n\"defaults\":{},\n"
        "\"methods\":{},\n{}\"series\":[\n{}\n]}}\n",
        kRecordingSchema, kRecordingVersion, kRecordedDigits, line_of(gpu_json(recording.gpu)),
        line_of(sessions), line_of(defaults), line_of(methods.list()), kernels.line(), series_lines);
}

}  // namespace warplens
