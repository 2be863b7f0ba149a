#include "app/window/plot_data.h"

#include "app/experiment/pipeline.h"

#include <utility>

namespace warplens {

bool PlotData::fill(const State& state, std::chrono::microseconds time) {
    if (complete(state)) return false;
    const auto end = std::chrono::steady_clock::now() + time;
    while (cells_.fill_next() && std::chrono::steady_clock::now() < end) {
    }
    return true;
}

void PlotData::refresh_measured(const State& state, const PlotSources& sources, Curve& curve) {
    const Measuring& measuring = sources.measuring;
    const std::vector<DeviceFacts>& devices = *sources.view.devices;
    const GpuInfo* gpu = measuring.gpu();
    const bool none = measuring.no_gpu() != nullptr;
    const OpenRecording* recording = gpu != nullptr ? nullptr : sources.recordings.of_device(sources.view);
    const Measurements& times = recording != nullptr ? recording->measurements : measuring.times(state.cold);
    const MeasuredOn on = gpu != nullptr         ? MeasuredOn{Provenance::measured, gpu->name}
                          : recording != nullptr ? MeasuredOn{Provenance::recorded, recording->label()}
                                                 : MeasuredOn{};
    const DeviceFacts& device = gpu != nullptr         ? devices.at(measuring.here)
                                : recording != nullptr ? recording->device
                                                       : devices.at(state.device);
    if (has_heatmap(state) && !on.gpu.empty()) cells_.set_measured(times, device, on);
    if (has_heatmap(state) && on.gpu.empty()) cells_.set_unmeasured(none ? "not measured: no GPU here" : "");
    if (state.fit)
        fit_ = bank_fit(state, times, device, on,
                        none ? "Nothing is measured here: " + measuring.no_gpu()->reason : "");

    curve.no_measurement = none ? "not measured: no GPU here" : "";
    curve.series.clear();
    if (curve.knob == nullptr) return;
    if (gpu != nullptr) {
        MeasuredSeries series{
            Provenance::measured, gpu->name + ", here", 0,
            measuring.times(state.cold)
                .points(*state.scenario, state.params, *curve.knob, devices.at(measuring.here)),
            state.device == measuring.here};
        if (!series.points.empty()) curve.series.push_back(std::move(series));
    }
    for (MeasuredSeries& series :
         sources.recordings.series(*state.scenario, state.params, *curve.knob, sources.view))
        curve.series.push_back(std::move(series));
}

}  // namespace warplens
