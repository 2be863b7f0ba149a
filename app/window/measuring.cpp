#include "app/window/measuring.h"

#include "app/base/text.h"
#include "app/experiment/typed_kernel.h"
#include "app/window/host.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

namespace warplens {

Measuring::Measuring(MeasureBench bench, std::optional<Unavailable> none) : bench_(std::move(bench)) {
    if (none) gpu_ = std::move(*none);
}

void Measuring::start(const std::function<void()>& wake) {
    if (!worker_ && !gpu_) worker_ = std::make_unique<MeasureWorker>(wake, bench_);
}

Measuring::News Measuring::fetch() {
    News news;
    if (!worker_) return news;
    if (!gpu_) {
        gpu_ = worker_->gpu();
        news.gpu = gpu_.has_value();
    }
    for (const MeasureResult& result : worker_->take_results()) {
        const auto* timing = std::get_if<Timing>(&result.outcome);
        (timing != nullptr && timing->cold ? cold_ : warm_).add(result);
        news.results = true;
    }
    if (const std::optional<CountResult> counts = worker_->take_counts()) {
        warm_.add(*counts);
        news.results = true;
    }
    return news;
}

const GpuInfo* Measuring::gpu() const { return gpu_ ? std::get_if<GpuInfo>(&*gpu_) : nullptr; }

const Unavailable* Measuring::no_gpu() const { return gpu_ ? std::get_if<Unavailable>(&*gpu_) : nullptr; }

void Measuring::submit(std::vector<MeasureJob> jobs, const StopRule& rule, std::optional<CountJob> counting) {
    if (gpu() == nullptr) return;
    stopped_ = false;
    worker_->submit(std::move(jobs), rule, std::move(counting));
}

bool Measuring::stop() {
    if (!progress().running()) return false;
    worker_->cancel();
    return stopped_ = true;
}

std::optional<CountJob> Measuring::count_job(const Evidence& evidence) const {
    const Setting& setting = evidence.setting;
    if (warm_.find_counts(*setting.scenario, setting.params) != nullptr) return std::nullopt;
    std::vector<std::string> metrics = metrics_of(evidence.expected, CounterSet::first);
    if (metrics.empty()) return std::nullopt;
    return CountJob{{std::string(setting.scenario->info->id), setting.params},
                    std::move(metrics),
                    metrics_of(evidence.expected, CounterSet::later)};
}

void Measuring::add(const Scenario& scenario, const Params& params, bool cold,
                    const Measurements::Outcome& outcome, const std::optional<CountResult>& counts) {
    (cold ? cold_ : warm_).add(scenario, params, outcome);
    if (counts) warm_.add(scenario, *counts);
}

Observed Measuring::observed(const Setting& setting, const std::vector<DeviceFacts>& devices) const {
    const Scenario& scenario = *setting.scenario;
    Observed result;
    if (const CountResult* counted = warm_.find_counts(scenario, setting.params)) result.counted = *counted;
    const auto* outcome = times(setting.cold).find(scenario, setting.params);
    if (outcome == nullptr) return result;
    if (const auto* timing = std::get_if<Timing>(outcome))
        result.measured =
            Observation{*timing, measured_point(scenario, setting.params, *timing, devices.at(here)),
                        "Measured on " + timing->gpu, Provenance::measured};
    else
        result.not_measured = std::get<Unavailable>(*outcome).reason;
    return result;
}

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
    const Measurements& times = recording != nullptr ? *recording->measurements : measuring.times(state.cold);
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

    curve.series.clear();
    curve.no_measurement.clear();
    if (plots_sectors(state)) return;  // they are counted
    if (none) curve.no_measurement = "not measured: no GPU here";
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

namespace {

using Read = std::variant<ReadRecording, FoundFile>;

Read read_any(const std::string& path, const std::stop_token& stop) {
    const auto found = [](auto&& file) {
        return Read(std::in_place_type<FoundFile>, std::forward<decltype(file)>(file));
    };
    OpenedFile file = recognize_file(path, stop);
    if (auto* saved = std::get_if<SavedState>(&file)) return found(std::move(*saved));
    if (auto* figure = std::get_if<ExportRequest>(&file)) return found(std::move(*figure));
    if (auto* demo = std::get_if<Demo>(&file)) return found(std::move(*demo));
    if (auto* kernel = std::get_if<KernelFile>(&file)) return found(std::move(*kernel));
    if (std::holds_alternative<RequestFile>(file)) return found(RequestFile{});
    if (std::holds_alternative<CountersFile>(file)) return found(CountersFile{});
    return open_recording(path, open_kernel, stop);
}

}  // namespace

std::vector<RecordingShelf::Outcome> RecordingShelf::advance(const std::vector<DeviceFacts>& devices) {
    constexpr std::chrono::milliseconds kNobodyNotices{80};  // small files appear in the same frame
    std::vector<Outcome> outcomes;
    if (shipped_.valid() && (wait_for_shipped_ || is_ready(shipped_))) outcomes.push_back(finish_shipped());
    while (reading_ || !to_read_.empty()) {
        const bool fresh = !reading_;
        if (fresh) {
            const std::stop_source stop;
            reading_ = Reading{to_read_.front(), stop,
                               std::async(std::launch::async,
                                          [wake = wake_, path = to_read_.front(), stop = stop.get_token()] {
                                              const WakeAtEnd at_end{wake};
                                              return read_any(path, stop);
                                          })};
            to_read_.pop_front();
        }
        if (reading_->read.wait_for(fresh ? kNobodyNotices : std::chrono::milliseconds{0}) !=
            std::future_status::ready)
            break;
        Reading done = std::move(*reading_);
        reading_.reset();
        outcomes.push_back(finish(std::move(done), devices));
        message = outcomes.back().message;
    }
    return outcomes;
}

void RecordingShelf::read_shipped(bool wait) {
    wait_for_shipped_ = wait;
    shipped_ = std::async(std::launch::async, [wake = wake_] {
        const WakeAtEnd at_end{wake};
        shipped_recordings();
    });
}

RecordingShelf::Outcome RecordingShelf::finish_shipped() {
    try {
        shipped_.get();
        recordings.add_shipped();
        return {"", "", true, {}};
    } catch (const std::exception& error) {
        message = fmt::format("a recording of the program cannot be read: {}", error.what());
        return {"", message, false, {}};
    }
}

RecordingShelf::Outcome RecordingShelf::finish(Reading done, const std::vector<DeviceFacts>& devices) {
    try {
        Read read = done.read.get();
        if (const auto* found = std::get_if<FoundFile>(&read)) return {done.path, "", true, *found};
        const OpenRecording& open =
            recordings.put(std::get<ReadRecording>(std::move(read)), done.path, devices);
        std::string said = fmt::format("opened {}: {}, {} points", open.file, open.label(),
                                       format_count(std::int64_t(open.points)));
        for (const Scenario* kernel : open.kernels)
            said += fmt::format("{}{}",
                                kernel == open.kernels.front() ? "; shown beside the typed kernel " : ", ",
                                kernel->info->title);
        if (!open.skipped.empty()) said += "; " + open.skipped;
        remember(std::filesystem::absolute(done.path).string());
        return {done.path, said, true, {}};
    } catch (const std::exception& error) {  // also if there is no memory or no thread for it
        return {done.path, error.what(), false, {}};
    }
}

std::string RecordingShelf::cancel() {
    message = fmt::format("did not open '{}': cancelled", printable(reading_->path));
    reading_->stop.request_stop();
    abandoned_.push_back(std::move(reading_->read));
    reading_.reset();
    to_read_.clear();
    return message;
}

void RecordingShelf::remember(const std::string& path) {
    std::erase(recent, path);
    recent.insert(recent.begin(), path);
    constexpr std::size_t kMost = 8;
    if (recent.size() > kMost) recent.resize(kMost);
}

}  // namespace warplens
