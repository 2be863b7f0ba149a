#include "app/experiment/plot.h"

#include "app/model/access/filter_sectors.h"
#include "app/model/time/bank_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace warplens {
namespace {

/// The source of the plot's peak. Empty if there is no peak.
std::string peak_source(const Scenario& scenario, const DeviceFacts& device, const Prediction& here) {
    const double sm_hz = device.sm_count * device.clock_mhz * 1e6;
    if (here.peak <= 0 || here.speed_unit == SpeedUnit::cycles) return {};
    if (here.speed_unit == SpeedUnit::gb_per_s && here.shared_memory)
        return fmt::format("SMs × clock × {:.0f} B", here.peak * 1e9 / sm_hz);
    if (here.speed_unit == SpeedUnit::gflop_per_s) return "SMs × FP32 lanes × 2 × clock";
    if (scenario.info->time == TimeModel::walk) return "datasheet, of DRAM";
    if (scenario.info->time == TimeModel::host) return "datasheet, of the link";
    return "datasheet";
}

/// "○ 411 GB/s at any zoom: limited by block launch overhead". Empty if the speed does change.
PlotNote words_on_flat_speed(const std::vector<Prediction>& speeds, const Prediction& here,
                             const Knob& knob) {
    const auto [least, most] = std::ranges::minmax(speeds, {}, &Prediction::value);
    if (!are_alike(least.value, most.value) || here.limiter == Limiter::none) return {};
    return every_setting(
        fmt::format("{} {} {} at ", provenance_mark(Provenance::approximate),
                    value_text(here.value, here.speed_unit), speed_words(here.speed_unit).unit),
        knob, here.limiter);
}

}  // namespace

bool plots_sectors(const State& state) { return state.scenario->info->plots_sectors && !state.plots_speed; }

std::vector<int> plot_values(const Knob& knob, const Params& params) {
    constexpr std::size_t kMost = 65;
    const std::vector<int> all = axis_values(knob, params);
    const std::size_t step = (all.size() - 1) / kMost + 1;
    std::vector<int> values;
    for (std::size_t i = 0; i < all.size(); i += step) values.push_back(all[i]);
    return values;
}

double axis_position(const Knob& knob, int field_value) {
    return knob.kind == KnobKind::power ? double(std::int64_t{1} << field_value) : field_value;
}

Setting along_axes(const Setting& setting, const std::vector<const Knob*>& axes) {
    Setting along = setting;
    const Params& usual = setting.scenario->info->defaults;
    for (const Knob& knob : setting.scenario->info->knobs)
        if (knob.picture_only || std::ranges::find(axes, &knob) != axes.end())
            along.params.*knob.field = usual.*knob.field;
    return along;
}

AxisQuestion axis_question(const State& state) {
    return {along_axes(state, {state.axis}), state.axis, plots_sectors(state)};
}

Params params_at(const Setting& setting, const Knob& axis, int value) {
    if (setting.scenario->typed == nullptr) return with_knob(*setting.scenario, setting.params, axis, value);
    Params there = setting.params;
    there.*axis.field = value;
    there.warp = there.step = 0;
    // These follow from the rest, but a kernel has to be executed for that.
    there.launched_warps = there.launched_steps = 1;
    return there;
}

AxisModel predict_axis(const AxisQuestion& question, const std::vector<int>& values,
                       const DeviceFacts& device) {
    const Scenario& scenario = *question.setting.scenario;
    AxisModel model{values, {}, {}};
    for (std::size_t i = 0; i < values.size(); ++i) {
        constexpr std::size_t kEachOf = 8;  // a speed that changes does so over the whole axis
        const Params there = params_at(question.setting, *question.axis, values[i]);
        if (!question.sectors || i % kEachOf == 0 || i + 1 == values.size())
            model.speeds.push_back(predict(scenario, there, device, question.setting.cold));
        if (question.sectors)
            model.points.push_back(
                {.speed_unit = SpeedUnit::sectors, .value = mean_filter_sectors(scenario, there)});
    }
    if (!question.sectors) model.points = std::exchange(model.speeds, {});
    return model;
}

std::vector<int> few_of(const std::vector<int>& values) {
    constexpr std::size_t kFew = 5;
    if (values.size() <= kFew) return values;
    std::vector<int> few;
    for (std::size_t i = 0; i < kFew; ++i) few.push_back(values[i * (values.size() - 1) / (kFew - 1)]);
    return few;
}

Curve curve_of(const State& state, const AxisModel* model, const Prediction& here,
               const DeviceFacts& device) {
    Curve curve;
    curve.speed_unit = here.speed_unit;
    curve.knob = state.axis;
    curve.log_axes = state.log_axes;
    curve.gpu = device.name;
    curve.caption = describe_settings(*state.scenario, state.params);
    const bool sectors = plots_sectors(state);
    if (sectors)
        curve.speed_unit = SpeedUnit::sectors;
    else
        curve.peak_source = peak_source(*state.scenario, device, here);
    if (state.axis == nullptr || model == nullptr) return curve;
    curve.here = axis_position(*state.axis, state.params.*state.axis->field);
    for (const int value : model->values) curve.x.push_back(axis_position(*state.axis, value));
    curve.model = model->points;
    if (sectors) curve.note = words_on_flat_speed(model->speeds, here, *state.axis);
    for (const CacheEdge& edge : cache_edges(*state.scenario, state.params, *state.axis, device)) {
        if (edge.bytes < curve.x.front() || edge.bytes > curve.x.back()) continue;
        curve.marks.push_back({edge.bytes, fmt::format("{} {}", edge.name, format_size(edge.bytes))});
    }
    return curve;
}

Curve model_curve(const State& state, const std::vector<DeviceFacts>& devices, const Prediction& here) {
    const DeviceFacts& device = devices.at(state.device);
    if (state.axis == nullptr) return curve_of(state, nullptr, here, device);
    const AxisModel model =
        predict_axis(axis_question(state), plot_values(*state.axis, state.params), device);
    return curve_of(state, &model, here, device);
}

FitPlot bank_fit(const State& state, const Measurements& measurements, const DeviceFacts& device,
                 const MeasuredOn& measured_on, const std::string& no_measurement) {
    const Scenario& scenario = *state.scenario;
    FitPlot plot{.title = std::string(scenario.info->title), .gpu = device.name};
    const Measurements::Outcome* here = measurements.find(scenario, state.params);
    measurements.for_each(scenario, [&](const Params& params, const Measurements::Outcome& outcome) {
        const auto* timing = std::get_if<Timing>(&outcome);
        if (timing == nullptr || timing->bank_cycles <= 0) return;
        const double wavefronts = wavefronts_per_request(scenario, params, device);
        if (wavefronts <= 0) return;
        plot.points.push_back({wavefronts, timing->bank_cycles, timing->bank_cycles_lower,
                               timing->bank_cycles_upper, describe_settings(scenario, params), params,
                               &outcome == here});
    });
    std::ranges::sort(plot.points, {}, [](const FitPlot::Point& point) {
        return std::tie(point.wavefronts, point.cycles, point.setting);
    });
    std::vector<FitSample> samples;
    for (const FitPlot::Point& point : plot.points) samples.push_back({point.wavefronts, point.cycles});
    plot.fit = fit_line(samples);
    if (!plot.points.empty()) {
        plot.measured_on = measured_on;
    } else {
        plot.no_measurement =
            no_measurement.empty()
                ? "No setting of this scenario has been measured yet: points appear here as "
                  "soon as one is."
                : no_measurement;
    }
    return plot;
}

}  // namespace warplens
