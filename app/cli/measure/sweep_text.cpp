#include "app/cli/measure/sweep_text.h"

#include "app/cli/text_table.h"
#include "app/experiment/measurements.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

namespace warplens {
namespace {

/// Values in the order in which the sweep met them first: rising.
std::vector<int> values_of(const Measurement& measurement, const Knob& knob) {
    std::map<int, bool> seen;
    for (const MeasuredSetting& setting : measurement.settings) seen[setting.params.*knob.field] = true;
    std::vector<int> values;
    for (const auto& [value, unused] : seen) values.push_back(value);
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
    const std::vector<int> columns = values_of(measurement, first);
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
