#include "app/window/plot_keys.h"

#include "app/experiment/compare.h"

namespace warplens {
namespace {

/// What a plot's measured values are: of the GPU that is here, even if the model shows another one; else
/// recorded.
struct MeasuredPlot {
    const Measurements* times = nullptr;
    MeasuredOn on;  ///< no GPU if there are none
    const DeviceFacts* device = nullptr;
};

RecordingView view_of(const PlotSource& source) {
    return recording_view(*source.seen.measuring, *source.devices, source.state);
}

MeasuredPlot measured_plot(const PlotSource& source) {
    const Measuring& measuring = *source.seen.measuring;
    const Devices& devices = *source.devices;
    if (const GpuInfo* gpu = measuring.gpu())
        return {&measuring.times(source.state.cold),
                {Provenance::measured, gpu->name},
                &devices.at(measuring.here())};
    if (const OpenRecording* recording = source.seen.recordings->of_device(view_of(source)))
        return {
            recording->measurements.get(), {Provenance::recorded, recording->label()}, &recording->device};
    return {&measuring.times(source.state.cold), {}, &devices.at(source.state.device)};
}

constexpr const char* kNoGpu = "not measured: no GPU here";

}  // namespace

Seen seen_by(const Measuring& measuring, const Recordings& recordings) {
    return {&measuring, &recordings, measuring.changes() + recordings.changes()};
}

Evidence answer(const SeenKey& key, Store&) {
    const Setting& setting = key.model->setting;
    Observed observed = key.seen.measuring->observed(setting, *key.devices);
    RecordingView view = recording_view(*key.seen.measuring, *key.devices, setting);
    view.cold = setting.cold;
    observed.recorded = key.seen.recordings->find(*setting.scenario, setting.params, view);
    return with_observed(*key.model, std::move(observed));
}

State plotted(State state) {
    const Look usual;
    state.board = usual.board;
    state.color_by = usual.color_by;
    state.bits = usual.bits;
    state.by_tile = usual.by_tile;
    state.player_step = usual.player_step;
    state.player_percent = usual.player_percent;
    state.boards = {};
    state.compared.reset();
    return state;
}

Curve answer(const CurveKey& key, Store&) {
    const State& state = key.source.state;
    const Devices& devices = *key.source.devices;
    const Measuring& measuring = *key.source.seen.measuring;
    Curve curve = curve_of(state, key.model.get(), key.evidence->prediction, devices.at(state.device));
    if (key.other) add_other_curve(curve, *key.other);
    if (plots_sectors(state)) return curve;  // they are counted
    if (measuring.no_gpu() != nullptr) curve.no_measurement = kNoGpu;
    if (curve.knob == nullptr) return curve;
    if (const GpuInfo* gpu = measuring.gpu()) {
        MeasuredSeries series{
            Provenance::measured,
            gpu->name + ", here",
            0,
            measuring.times(state.cold)
                .points(*state.scenario, state.params, *curve.knob, devices.at(measuring.here())),
            state.device == measuring.here(),
            gpu->name};
        if (!series.points.empty()) curve.series.push_back(std::move(series));
    }
    for (MeasuredSeries& series :
         key.source.seen.recordings->series(*state.scenario, state.params, *curve.knob, view_of(key.source)))
        curve.series.push_back(std::move(series));
    return curve;
}

Heatmap answer(const HeatmapKey& key, Store&) {
    Heatmap map = heatmap_of(key.source.state, *key.cells);
    const MeasuredPlot measured = measured_plot(key.source);
    if (!measured.on.gpu.empty())
        add_measured(map, key.source.state, *measured.times, *measured.device, measured.on);
    else if (key.source.seen.measuring->no_gpu() != nullptr)
        map.no_measurement = kNoGpu;
    return map;
}

FitPlot answer(const FitKey& key, Store&) {
    const MeasuredPlot measured = measured_plot(key.source);
    const Unavailable* none = key.source.seen.measuring->no_gpu();
    return bank_fit(key.source.state, *measured.times, *measured.device, measured.on,
                    none != nullptr ? "Nothing is measured here: " + none->reason : "");
}

}  // namespace warplens
