// The window's plot: what its clicks bring about, what is measured for it, and the cells of a heatmap, which
// are computed a few at a time.
#include "app/window/window_session.h"

#include <chrono>

namespace warplens {
namespace {

/// A frame spends at most so long on cells, so that a change of a knob is on screen within 16 ms with all
/// panels; what is left is computed in the frames that follow.
constexpr std::chrono::microseconds kCellTime{6000};

}  // namespace

/// @param again  also what has been measured; old values stay on screen until new ones take their place
void WindowSession::submit_jobs(bool again) {
    if (!has_gpu()) return;
    sweep_stopped_ = false;
    const Scenario& scenario = *state_.scenario;
    worker_->submit(has_heatmap() ? measured().jobs(scenario, heatmap_.settings(), again)
                                  : measured().jobs(scenario, state_.params, state_.axis, again),
                    StopRule{.cold = state_.cold}, count_job());
    window_.keep_awake(2);
}

void WindowSession::stop_measuring() {
    if (!worker_ || !worker_->progress().running()) return;
    worker_->cancel();
    sweep_stopped_ = true;
    window_.keep_awake(2);
}

void WindowSession::refresh_plot() {
    const bool gpu = has_gpu();
    const OpenRecording* recording = gpu ? nullptr : recordings_.of_device(recording_view());
    const Measurements& measurements = recording != nullptr ? recording->measurements : measured();
    const MeasuredOn on = gpu ? MeasuredOn{Provenance::measured, std::get<GpuInfo>(*gpu_).name}
                          : recording != nullptr ? MeasuredOn{Provenance::recorded, recording->label()}
                                                 : MeasuredOn{};
    const std::string why =
        gpu_ && !gpu ? "Nothing is measured here: " + std::get<Unavailable>(*gpu_).reason : "";
    const DeviceFacts& device = gpu                    ? devices_[here_]
                                : recording != nullptr ? recording->device
                                                       : devices_[state_.device];
    if (has_heatmap() && !on.gpu.empty()) heatmap_.set_measured(measurements, device, on);
    if (has_heatmap() && on.gpu.empty()) heatmap_.set_unmeasured(gpu_ ? "not measured: no GPU here" : "");
    if (state_.fit) fit_ = bank_fit(state_, measurements, device, on, why);
}

void WindowSession::continue_heatmap() {
    if (!has_heatmap() || heatmap_.complete()) return;
    const auto end = std::chrono::steady_clock::now() + kCellTime;
    while (heatmap_.fill_next() && std::chrono::steady_clock::now() < end) {
    }
    ++pictures_.generation;
    if (!heatmap_.complete()) window_.keep_awake(2);
}

}  // namespace warplens
