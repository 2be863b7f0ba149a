#include "app/experiment/recordings.h"

#include "app/base/assets.h"
#include "app/base/text.h"
#include "app/experiment/devices.h"
#include "app/experiment/typed_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>

namespace warplens {
namespace {

bool of_model(const OpenRecording& recording, const RecordingView& view) {
    return is_model(*view.devices, view.device, recording.gpu);
}

DeviceFacts facts_of(const GpuInfo& gpu, std::vector<DeviceFacts> devices) {
    DeviceFacts facts = devices[add_gpu_here(devices, gpu)];
    facts.here = false;
    return facts;
}

std::vector<const Scenario*> typed_kernels(const std::vector<RecordedSeries>& series) {
    std::vector<const Scenario*> kernels;
    for (const RecordedSeries& one : series)
        if (one.scenario->typed != nullptr && std::ranges::find(kernels, one.scenario) == kernels.end())
            kernels.push_back(one.scenario);
    return kernels;
}

/// The recording must live as long.
InSteps<std::shared_ptr<const Measurements>> measurements_of(const Recording& recording) {
    auto all = std::make_shared<Measurements>(recording.point_count() + 1);
    StepClock clock;
    for (const RecordedSeries& one : recording.series) {
        for (const RecordedPoint& point : one.points) all->add(*one.scenario, point.params, point.timing);
        if (clock.is_up()) co_yield 0;
    }
    co_return std::move(all);
}

std::string times_as_fast(double ratio, std::string_view than) {
    if (ratio > 0.98 && ratio < 1.02) return fmt::format("As fast as {}", than);
    return ratio > 1 ? fmt::format("{:.3g} times as fast as {}", ratio, than)
                     : fmt::format("{:.3g} times slower than {}", 1 / ratio, than);
}

/// Observation::gain, for a launch that finds a warm L2.
std::string gain_of(const OpenRecording& recording, const Scenario& scenario, const Params& params,
                    const Timing& now) {
    if (now.cold || now.median_us <= 0) return {};
    const auto& knobs = scenario.info->knobs;
    const auto knob = std::ranges::find(knobs, &Params::variant, &Knob::field);
    const Choice* before = nullptr;
    if (knob != knobs.end()) {
        for (const Choice& choice : knob->choices) {
            if (choice.value == params.variant) break;
            before = &choice;
        }
    }
    std::string gain;
    if (before != nullptr) {
        Params previous = params;
        previous.variant = before->value;
        const Timing* then = find_timing(recording, scenario, previous);
        const bool cycles = speed_unit_of(*scenario.info, params) == SpeedUnit::cycles;
        if (then != nullptr) {
            const double a = cycles ? now.cycles_per_request : now.median_us;
            const double b = cycles ? then->cycles_per_request : then->median_us;
            if (a > 0 && b > 0) gain = times_as_fast(b / a, before->name);
        }
    }
    if (!now.library.empty() && now.library_us > 0)
        gain += (gain.empty() ? "" : ", ") + times_as_fast(now.library_us / now.median_us, now.library);
    return gain.empty() ? gain : fmt::format("{} (recorded, {}).", gain, recording.gpu.name);
}

}  // namespace

const OpenRecording* Recordings::with_look(int look) const {
    const auto found = std::ranges::find(all_, look, &OpenRecording::look);
    return found == all_.end() ? nullptr : &*found;
}

void Recordings::tick(int look, bool shown) {
    ++changes_;
    const auto found = std::ranges::find(all_, look, &OpenRecording::look);
    if (found != all_.end()) found->tick = shown;
}

void Recordings::remove(int look) {
    ++changes_;
    std::erase_if(all_, [&](const auto& one) { return one.look == look; });
}

int Recordings::free_look() const {
    for (int look = 1;; ++look) {
        if (with_look(look) == nullptr) return look;
    }
}

OpenRecording& Recordings::insert(ReadRecording&& read, std::string file, std::string path,
                                  const std::vector<DeviceFacts>& devices,
                                  std::shared_ptr<const Measurements> measurements) {
    ++changes_;
    Recording& recording = read.recording;
    const std::size_t points = recording.point_count();
    std::vector<const Scenario*> kernels = typed_kernels(recording.series);
    OpenRecording open{std::move(file),
                       std::move(path),
                       recording.gpu,
                       recording.sessions,
                       recording.days(),
                       points,
                       std::move(read.skipped),
                       facts_of(recording.gpu, devices),
                       measurements ? std::move(measurements) : measurements_of(recording).done(),
                       std::move(kernels),
                       free_look(),
                       {}};
    const auto same = open.shipped() ? all_.end() : std::ranges::find(all_, open.path, &OpenRecording::path);
    if (same == all_.end()) return all_.emplace_back(std::move(open));
    open.look = same->look;
    *same = std::move(open);
    return *same;
}

Recordings Recordings::of(const std::vector<const OpenRecording*>& picked) {
    Recordings some;
    for (const OpenRecording* one : picked) {
        const int look = some.free_look();
        OpenRecording& copy = some.all_.emplace_back(*one);
        copy.look = look;
        copy.tick.reset();
    }
    return some;
}

OpenRecording& Recordings::add(std::string_view text, std::string file, std::string path,
                               const std::vector<DeviceFacts>& devices) {
    return insert(read_recording(text, open_kernel), std::move(file), std::move(path), devices);
}

OpenRecording& Recordings::open(const std::string& path, const std::vector<DeviceFacts>& devices) {
    return put(open_recording(path, open_kernel), path, devices);
}

OpenRecording& Recordings::put(ReadRecording&& read, const std::string& path,
                               const std::vector<DeviceFacts>& devices) {
    std::error_code error;
    const std::filesystem::path whole = std::filesystem::weakly_canonical(path, error);
    return insert(std::move(read), printable(std::filesystem::path(path).filename().string()),
                  error || whole.empty() ? path : whole.string(), devices);
}

void Recordings::add_shipped() {
    ++changes_;
    for (const OpenRecording& one : shipped_recordings().all_) {
        const int look = free_look();
        all_.emplace_back(one).look = look;
    }
}

bool Recordings::shown(const OpenRecording& recording, const RecordingView& view) const {
    if (recording.tick) return *recording.tick;
    return !recording.shipped() || (!view.gpu_here && of_model(recording, view));
}

std::vector<MeasuredSeries> Recordings::series(const Scenario& scenario, const Params& params,
                                               const Knob& axis, const RecordingView& view) const {
    std::vector<MeasuredSeries> result;
    for (const OpenRecording& recording : all_) {
        if (!shown(recording, view)) continue;
        MeasuredSeries series{Provenance::recorded,
                              recording.label(),
                              recording.look,
                              recording.measurements->points(scenario, params, axis, recording.device),
                              of_model(recording, view),
                              recording.gpu.name};
        if (!series.points.empty()) result.push_back(std::move(series));
    }
    return result;
}

const OpenRecording* Recordings::of_device(const RecordingView& view) const {
    for (const OpenRecording& recording : all_) {
        if (of_model(recording, view) && shown(recording, view)) return &recording;
    }
    return nullptr;
}

std::optional<Observation> Recordings::find(const Scenario& scenario, const Params& params,
                                            const RecordingView& view) const {
    std::optional<Observation> found;
    for (const OpenRecording& recording : all_) {
        const bool best = of_model(recording, view);
        if (!shown(recording, view) || (found && !best)) continue;
        const auto* timing = std::get_if<Timing>(recording.measurements->find(scenario, params));
        if (timing == nullptr || timing->cold != view.cold) continue;
        found = Observation{*timing, measured_point(scenario, params, *timing, recording.device),
                            "recorded on " + recording.gpu.name + ", " + recording.days, Provenance::recorded,
                            best ? gain_of(recording, scenario, params, *timing) : std::string()};
        if (best) break;
    }
    return found;
}

InSteps<const ShippedRecording*> shipped_recording_in_steps(std::string_view path) {
    static std::mutex mutex;
    static std::map<std::string_view, ShippedRecording> all;
    {
        const std::scoped_lock lock(mutex);
        if (const auto known = all.find(path); known != all.end()) co_return &known->second;
    }
    auto reading = recording_in_steps(asset(path), open_kernel);
    while (reading.step()) co_yield 0;
    ShippedRecording one{reading.take(), nullptr};
    auto measuring = measurements_of(one.read.recording);
    while (measuring.step()) co_yield 0;
    one.measurements = measuring.take();
    const std::scoped_lock lock(mutex);
    co_return &all.emplace(path, std::move(one)).first->second;  // of two threads the first one keeps it
}

const ShippedRecording& shipped_recording(std::string_view path) {
    return *shipped_recording_in_steps(path).done();
}

const Recordings& shipped_recordings() {
    static const Recordings shipped = [] {
        const std::vector<DeviceFacts> devices = device_table();
        Recordings all;
        for (const std::string_view path : asset_paths(kShippedFolder)) {
            const ShippedRecording& one = shipped_recording(path);
            all.insert(ReadRecording(one.read), std::string(path.substr(kShippedFolder.size())), "", devices,
                       one.measurements);
        }
        return all;
    }();
    return shipped;
}

const Timing* find_timing(const OpenRecording& recording, const Scenario& scenario, const Params& params) {
    const Measurements::Outcome* outcome = recording.measurements->find(scenario, params);
    return outcome == nullptr ? nullptr : std::get_if<Timing>(outcome);
}

}  // namespace warplens
