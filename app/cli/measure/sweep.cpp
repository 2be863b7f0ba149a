#include "app/cli/measure/measure.h"

#include "app/base/errors.h"
#include "app/base/parse_number.h"
#include "app/cli/text_table.h"
#include "app/experiment/evidence.h"
#include "app/experiment/measurements.h"
#include "app/experiment/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace warplens {
namespace {

struct Range {
    int first, last, step;
};

int parse_end(const Knob& knob, const Params& params, std::string_view sweep, std::string_view text) {
    if (const auto value = parse_knob(knob, params, text)) return *value;
    throw UsageError(fmt::format("--sweep {}: {} takes {}, not '{}'", sweep, knob.label,
                                 describe_range(knob, params), text));
}

/// The part behind "key=".
Range parse_range(const Knob& knob, const Params& params, std::string_view sweep, std::string_view text) {
    const std::size_t dots = text.find("..");
    if (dots == std::string_view::npos) {
        throw UsageError(fmt::format("--sweep {}: expected {}=first..last or {}=first..last:step", sweep,
                                     knob.key, knob.key));
    }
    std::string_view last = text.substr(dots + 2);
    int step = 1;
    if (const std::size_t colon = last.find(':'); colon != std::string_view::npos) {
        const std::string_view number = last.substr(colon + 1);
        step = parse_number<int>(number).value_or(0);
        if (step < 1) {
            throw UsageError(
                fmt::format("--sweep {}: expected a step of 1 or more, not '{}'", sweep, number));
        }
        last = last.substr(0, colon);
    }
    const Range range{parse_end(knob, params, sweep, text.substr(0, dots)),
                      parse_end(knob, params, sweep, last), step};
    if (range.first > range.last) {
        throw UsageError(fmt::format("--sweep {}: the first value stands above the last", sweep));
    }
    return range;
}

/// The values that the sweep met, rising.
std::set<int> values_of(const Measurement& measurement, const Knob& knob) {
    std::set<int> values;
    for (const MeasuredSetting& setting : measurement.settings) values.insert(setting.params.*knob.field);
    return values;
}

std::string value_name(const Knob& knob, int value) {
    Params params;
    params.*knob.field = value;
    return format_knob(knob, params);
}

/// The requests to shared memory are timed by themselves: then cycles say more than the loop's bytes.
bool in_cycles(const MeasuredSetting& setting) {
    const auto* timing = std::get_if<Timing>(&setting.outcome);
    return timing != nullptr && timing->cycles_per_request > 0 && setting.predicted_cycles > 0;
}

std::string cell_of(const MeasuredSetting& setting, bool cycles) {
    const auto* timing = std::get_if<Timing>(&setting.outcome);
    if (timing == nullptr) return "-";
    const double median =
        cycles ? timing->cycles_per_request : plotted_timing(*timing, setting.predicted.speed_unit).median;
    return median > 0 ? fmt::format("{:.{}f}", median, cycles ? 2 : 1) : "-";
}

}  // namespace

Sweep parse_sweep(const Scenario& scenario, const Params& params, std::string_view text) {
    if (text.empty()) return {.settings = {params}};
    const std::size_t equals = std::min(text.find('='), text.size());
    const Knob& knob = require_knob(scenario, text.substr(0, equals));
    if (knob.kind == KnobKind::mask)
        throw UsageError(fmt::format("--sweep {}: a mask has no order to go through", text));
    std::vector<int> choices;
    Range range{knob.min, std::max(knob.min, knob_limit(knob, params)), 1};
    if (knob.kind == KnobKind::choice) {
        choices = axis_values(knob, params);
        range = {choices.front(), choices.back(), 1};
    }
    if (equals < text.size()) range = parse_range(knob, params, text, text.substr(equals + 1));
    std::erase_if(choices, [&](int value) { return value < range.first || value > range.last; });

    Sweep sweep{.knob = &knob};
    const std::int64_t values =
        knob.kind == KnobKind::choice ? std::ssize(choices) : std::int64_t{range.last} - range.first + 1;
    const std::int64_t count = (values + range.step - 1) / range.step;
    if (std::cmp_greater(count, kMostSettings)) {
        throw UsageError(fmt::format("--sweep {}: {} settings, at most {}: add a step, such as {}={}..{}:{}",
                                     text, count, kMostSettings, knob.key, range.first, range.last,
                                     values / 100));
    }
    for (std::int64_t i = 0; i < values; i += range.step) {
        const std::int64_t value = choices.empty() ? range.first + i : choices[std::size_t(i)];
        sweep.settings.push_back(with_knob(scenario, params, knob, int(value)));
    }
    return sweep;
}

Sweep parse_sweeps(const Scenario& scenario, const Params& params, std::string_view first,
                   std::string_view second) {
    Sweep columns = parse_sweep(scenario, params, first);
    if (second.empty()) return columns;
    const Sweep rows = parse_sweep(scenario, params, second);
    if (rows.knob == columns.knob)
        throw UsageError(
            fmt::format("--sweep {} --sweep {}: expected two different parameters", first, second));
    const std::size_t count = rows.settings.size() * columns.settings.size();
    if (count > kMostSettings) {
        throw UsageError(
            fmt::format("--sweep {} --sweep {}: {} x {} = {} settings, at most {}: shorten a "
                        "range or add a step",
                        first, second, columns.settings.size(), rows.settings.size(), count, kMostSettings));
    }
    Sweep both{.knob = columns.knob, .second = rows.knob};
    for (const Params& row : rows.settings) {
        for (const Params& column : columns.settings) {
            Params there = params;
            there.*both.second->field = row.*both.second->field;
            there.*both.knob->field = column.*both.knob->field;
            const Params wanted = there;
            clamp_knobs(scenario, there);
            const bool possible = there.*both.knob->field == wanted.*both.knob->field &&
                                  there.*both.second->field == wanted.*both.second->field;
            if (possible) both.settings.push_back(there);
        }
    }
    return both;
}

std::string swept_keys(const Measurement& measurement) {
    if (measurement.swept == nullptr) return "";
    if (measurement.swept_second == nullptr) return std::string(measurement.swept->key);
    return fmt::format("{}, {}", measurement.swept->key, measurement.swept_second->key);
}

std::string setting_name(const Measurement& measurement, const Params& params) {
    if (measurement.swept == nullptr) return "this setting";
    const std::string first = format_knob(*measurement.swept, params);
    if (measurement.swept_second == nullptr) return first;
    return fmt::format("{}, {}", first, format_knob(*measurement.swept_second, params));
}

std::string sweep_matrix(const Measurement& measurement) {
    if (measurement.swept_second == nullptr || measurement.settings.empty()) return "";
    const Knob &first = *measurement.swept, &second = *measurement.swept_second;
    const bool cycles = std::ranges::any_of(measurement.settings, in_cycles);
    std::map<std::pair<int, int>, std::string> cells;
    for (const MeasuredSetting& setting : measurement.settings)
        cells[{setting.params.*second.field, setting.params.*first.field}] = cell_of(setting, cycles);
    const std::set<int> columns = values_of(measurement, first);
    std::vector<std::string> header{fmt::format("{} \\ {}", second.key, first.key)};
    for (const int column : columns) header.push_back(value_name(first, column));
    TextTable table(header);
    for (const int row : values_of(measurement, second)) {
        std::vector<std::string> line{value_name(second, row)};
        for (const int column : columns) {
            const auto found = cells.find({row, column});
            line.push_back(found == cells.end() ? "-" : found->second);
        }
        table.add(std::move(line));
    }
    return fmt::format(
        "{} {}, median; rows: {}, columns: {}\n{}\n", provenance_mark(Provenance::measured),
        cycles ? "cycles/request" : speed_words(measurement.settings.front().predicted.speed_unit).row,
        second.key, first.key, table.text());
}

std::string fit_sentence(const Measurement& measurement) {
    const auto fit = fit_of(measurement);
    if (!fit) return "";
    return fmt::format("fit: cycles = {:.3f} x wavefronts {} {:.2f}, R² {:.4f}, {} points\n", fit->slope,
                       fit->intercept < 0 ? "-" : "+", std::abs(fit->intercept), fit->r_squared, fit->points);
}

}  // namespace warplens
