#include "app/experiment/measurements.h"

#include "app/experiment/plot.h"

#include <algorithm>
#include <cmath>

namespace warplens {
namespace {

/// Whether the whole grid is timed. Otherwise the pictured request is timed, repeated many times.
bool times_whole_grid(const Scenario& scenario, const Params& params) {
    if (scenario.typed != nullptr) return true;
    const Measured how = how_measured(scenario, params);
    return how != Measured::banks && how != Measured::chain;
}

}  // namespace

/// If the pictured request is timed, the knobs that choose it are part of the key as well.
Measurements::Key Measurements::setting_of(const Scenario& scenario, const Params& params) {
    const bool whole_grid = times_whole_grid(scenario, params);
    Key setting{&scenario, scenario.info->defaults};
    for (const Knob& knob : scenario.info->knobs) {
        if (!knob.picture_only || !whole_grid) setting.params.*knob.field = params.*knob.field;
    }
    return setting;
}

/// The same launch: knobs without effect at their defaults.
Measurements::Key Measurements::launch_of(const Scenario& scenario, const Params& params) {
    Key launch = setting_of(scenario, params);
    for (const Knob& knob : scenario.info->knobs)
        if (!why_idle(knob, params).empty()) launch.params.*knob.field = scenario.info->defaults.*knob.field;
    return launch;
}

bool Measurements::Key::operator==(const Key& other) const {
    return params == other.params && same_kernel(*scenario, *other.scenario);
}

std::size_t Measurements::KeyHash::operator()(const Key& setting) const {
    const TypedKernel* typed = setting.scenario->typed;
    std::size_t hash =
        typed == nullptr ? std::hash<const Scenario*>{}(setting.scenario) : typed->text().size();
    for (const Knob& knob : setting.scenario->info->knobs) {
        hash = hash * std::size_t(0x9e37'79b9'7f4a'7c15ull) + std::size_t(setting.params.*knob.field);
    }
    return hash;
}

void Measurements::add(const MeasureResult& result) {
    const Scenario* scenario = find_scenario(result.job.scenario);
    if (scenario != nullptr) add(*scenario, result.job.params, result.outcome);
}

void Measurements::add(const Scenario& scenario, const Params& params, Outcome outcome) {
    if (outcomes_.size() >= most_) {
        outcomes_.clear();
        settings_.clear();
    }
    const Key setting = setting_of(scenario, params);
    settings_.insert_or_assign(launch_of(scenario, params), setting);
    outcomes_.insert_or_assign(setting, std::move(outcome));
}

void Measurements::add(const CountResult& result) {
    const Scenario* scenario = find_scenario(result.job.setting.scenario);
    if (scenario != nullptr) add(*scenario, result);
}

void Measurements::add(const Scenario& scenario, const CountResult& result) {
    if (counts_.size() >= most_) counts_.clear();
    counts_.insert_or_assign(setting_of(scenario, result.job.setting.params), result);
}

const CountResult* Measurements::find_counts(const Scenario& scenario, const Params& params) const {
    const auto found = counts_.find(setting_of(scenario, params));
    return found == counts_.end() ? nullptr : &found->second;
}

const Measurements::Outcome* Measurements::find(const Scenario& scenario, const Params& params) const {
    if (const auto found = outcomes_.find(setting_of(scenario, params)); found != outcomes_.end())
        return &found->second;
    const auto same = settings_.find(launch_of(scenario, params));
    if (same == settings_.end()) return nullptr;
    const auto found = outcomes_.find(same->second);
    return found == outcomes_.end() ? nullptr : &found->second;
}

std::vector<MeasuredPoint> Measurements::points(const Scenario& scenario, const Params& params,
                                                const Knob& axis, const DeviceFacts& device) const {
    std::vector<MeasuredPoint> points;
    for (const int value : plot_values(axis, params)) {
        Params there = params;
        there.*axis.field = value;
        clamp_to_look_up(scenario, there);
        const auto* timing = std::get_if<Timing>(find(scenario, there));
        if (timing == nullptr) continue;
        points.push_back(measured_point(scenario, there, *timing, device));
        points.back().x = axis_position(axis, value);
    }
    return points;
}

std::vector<MeasureJob> Measurements::jobs(const Scenario& scenario, const Params& params, const Knob* axis,
                                           bool again) const {
    std::vector<Params> settings{params};
    if (axis != nullptr) {
        std::vector<int> values = plot_values(*axis, params);
        const int here = params.*axis->field;
        std::ranges::stable_sort(values, {}, [here](int value) { return std::abs(value - here); });
        for (const int value : values) {
            if (value != here) settings.push_back(with_knob(scenario, params, *axis, value));
        }
    }
    return jobs(scenario, settings, again);
}

void Measurements::for_each(const Scenario& scenario,
                            const std::function<void(const Params&, const Outcome&)>& visit) const {
    for (const auto& [setting, outcome] : outcomes_) {
        if (same_kernel(*setting.scenario, scenario)) visit(setting.params, outcome);
    }
}

std::vector<MeasureJob> Measurements::jobs(const Scenario& scenario, const std::vector<Params>& settings,
                                           bool again) const {
    std::vector<MeasureJob> jobs;
    for (const Params& setting : settings) {
        if (again || std::get_if<Timing>(find(scenario, setting)) == nullptr)
            jobs.push_back({std::string(scenario.info->id),
                            setting_of(scenario, setting).params});  // refused ones are tried again
    }
    return jobs;
}

PlottedTiming plotted_timing(const Timing& timing, SpeedUnit speed_unit) {
    if (speed_unit == SpeedUnit::cycles) {
        return {timing.cycles_per_request, timing.cycles_lower, timing.cycles_upper};
    }
    const double amount = speed_unit == SpeedUnit::gflop_per_s ? timing.flop : timing.useful_bytes;
    const auto rate = [amount](double us) { return us > 0 ? amount / us * 1e-3 : 0; };
    return {rate(timing.median_us), rate(timing.upper_us), rate(timing.lower_us)};
}

MeasuredPoint measured_point(const Scenario& scenario, const Params& params, const Timing& timing,
                             const DeviceFacts& device) {
    const SpeedUnit speed_unit = speed_unit_of(*scenario.info, params);
    if (speed_unit != SpeedUnit::gb_per_s || scenario.typed != nullptr || timing.cycles_per_request <= 0) {
        const PlottedTiming plotted = plotted_timing(timing, speed_unit);
        return {0, plotted.median, plotted.lower, plotted.upper};
    }
    const WarpPlace place = place_of_warp(scenario.launch(params), params.warp);
    const WarpAccess request = scenario.warp(params, 0, place.block, place.warp_in_block, params.step);
    const double bytes = count_bytes_used(request);
    const auto rate = [&](double cycles) {
        return cycles > 0 ? bytes / cycles * device.sm_count * device.clock_mhz * 1e-3 : 0;
    };
    return {0, rate(timing.cycles_per_request), rate(timing.cycles_upper), rate(timing.cycles_lower)};
}

}  // namespace warplens
