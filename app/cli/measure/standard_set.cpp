#include "app/cli/measure/standard_set.h"

#include "app/base/errors.h"
#include "app/experiment/measurements.h"
#include "app/experiment/pipeline.h"

#include <fmt/format.h>

#include <charconv>

namespace warplens {
namespace {

/// Collects series, and leaves out what is planned already: settings that the measured kernel cannot tell
/// apart are one.
class Plan {
public:
    void add_curve(const Scenario& scenario, const Params& base, const Knob* axis) {
        PlannedSeries series{&scenario, {}};
        add(series, base);
        if (axis != nullptr) {
            for (const int value : plot_values(*axis, base)) {
                Params there = base;
                there.*axis->field = value;
                clamp_knobs(scenario, there);
                add(series, there);
            }
        }
        if (!series.settings.empty()) series_.push_back(std::move(series));
    }
    std::vector<PlannedSeries> take() { return std::move(series_); }

private:
    void add(PlannedSeries& series, const Params& params) {
        if (planned_.find(*series.scenario, params) != nullptr) return;
        planned_.add(*series.scenario, params, Unavailable{});
        series.settings.push_back(params);
    }
    Measurements planned_{1'000'000};
    std::vector<PlannedSeries> series_;
};

void plan_scenario(const Scenario& scenario, Plan& plan) {
    const ScenarioInfo& info = *scenario.info;
    const Knob* first_axis = initial_state(scenario, 0).axis;
    plan.add_curve(scenario, info.defaults, first_axis);
    for (const Knob& knob : info.knobs) {
        if (can_be_axis(scenario, knob)) plan.add_curve(scenario, info.defaults, &knob);
    }
    for (const Preset& preset : info.presets)
        plan.add_curve(scenario, preset_params(scenario, preset), first_axis);
    for (const Knob& knob : info.knobs) {
        if (knob.kind != KnobKind::choice || &knob == first_axis) continue;
        for (const int value : axis_values(knob, info.defaults)) {
            Params there = info.defaults;
            there.*knob.field = value;
            clamp_knobs(scenario, there);
            plan.add_curve(scenario, there, first_axis);
        }
    }
}

}  // namespace

std::vector<PlannedSeries> standard_set() {
    Plan plan;
    for (const Scenario& scenario : all_scenarios()) plan_scenario(scenario, plan);
    return plan.take();
}

Part parse_part(std::string_view text) {
    Part part;
    if (text.empty()) return part;
    const char* end = text.data() + text.size();
    const auto index = std::from_chars(text.data(), end, part.index);
    if (index.ec == std::errc() && index.ptr != end && *index.ptr == '/') {
        const auto count = std::from_chars(index.ptr + 1, end, part.count);
        if (count.ec == std::errc() && count.ptr == end && part.index < part.count) return part;
    }
    throw UsageError(fmt::format(
        "--part {}: expected I/N, with I from 0 to N - 1, such as 0/20 for the first of 20", text));
}

std::vector<PlannedSeries> part_of(std::vector<PlannedSeries> whole, Part part) {
    std::vector<PlannedSeries> result;
    for (std::size_t i = part.index; i < whole.size(); i += part.count) result.push_back(std::move(whole[i]));
    return result;
}

std::size_t count_settings(const std::vector<PlannedSeries>& plan) {
    std::size_t count = 0;
    for (const PlannedSeries& series : plan) count += series.settings.size();
    return count;
}

}  // namespace warplens
