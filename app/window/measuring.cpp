#include "app/window/measuring.h"

#include <fmt/format.h>
#include "app/base/assets.h"
#include "app/base/text.h"
#include "app/experiment/typed_kernel.h"

namespace warplens {
namespace {

InSteps<bool> read_shipped() {
    for (const std::string_view path : asset_paths(kShippedFolder)) {
        auto read = shipped_recording_in_steps(path);
        while (read.step()) co_yield 0;
    }
    shipped_recordings();
    co_return true;
}

}  // namespace

Measuring::Measuring(MeasureBench bench, std::optional<Unavailable> none)
    : run([this](const KernelRun::Job& job, const std::stop_token& stop) {
          release();
          return KernelRun::launch_apart(job, stop);
      }),
      bench_(std::move(bench)) {
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
        if (news.gpu) ++changes_;
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
    if (news.results) ++changes_;
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
    ++changes_;
}

Observed Measuring::observed(const Setting& setting, const std::vector<DeviceFacts>& devices) const {
    const Scenario& scenario = *setting.scenario;
    Observed result;
    if (const CountResult* counted = warm_.find_counts(scenario, setting.params)) result.counted = *counted;
    const auto* outcome = times(setting.cold).find(scenario, setting.params);
    if (outcome == nullptr) return result;
    if (const auto* timing = std::get_if<Timing>(outcome))
        result.measured =
            Observation{*timing, measured_point(scenario, setting.params, *timing, devices.at(here_)),
                        "Measured on " + timing->gpu, Provenance::measured};
    else
        result.not_measured = std::get<Unavailable>(*outcome).reason;
    return result;
}

RecordingView recording_view(const Measuring& measuring, const std::vector<DeviceFacts>& devices,
                             const Setting& setting) {
    // While it is not known whether there is a GPU, assume one. Otherwise recordings would appear and vanish
    // again.
    return {&devices, setting.device, measuring.no_gpu() == nullptr};
}

Work<AnyFile> answer(const AnyFileKey& key, Store&) {
    return in_one_piece<AnyFile>(
        [path = key.file.path](const std::stop_token& unwanted) -> std::optional<AnyFile> {
            const auto found = [](auto&& file) {
                return AnyFile(std::in_place_type<FoundFile>, std::forward<decltype(file)>(file));
            };
            OpenedFile file = recognize_file(path, unwanted);
            if (auto* saved = std::get_if<SavedState>(&file)) return found(std::move(*saved));
            if (auto* figure = std::get_if<ExportRequest>(&file)) return found(std::move(*figure));
            if (auto* demo = std::get_if<Demo>(&file)) return found(std::move(*demo));
            if (auto* kernel = std::get_if<KernelFile>(&file)) return found(std::move(*kernel));
            if (std::holds_alternative<RequestFile>(file)) return found(RequestFile{});
            if (std::holds_alternative<CountersFile>(file)) return found(CountersFile{});
            return open_recording(path, open_kernel, unwanted);
        });
}

std::size_t bytes_of(const AnyFile&) {
    return std::size_t{1} << 20;  // about what a full set of all scenarios takes
}

Work<bool> answer(const ShippedKey&, Store&) { return in_steps(read_shipped()); }

std::vector<RecordingShelf::Outcome> RecordingShelf::advance(Store& store,
                                                             const std::vector<DeviceFacts>& devices) {
    std::vector<Outcome> outcomes;
    if (reads_shipped_) {
        if (const Answer<bool> read = store.get(ShippedKey{}); !is_pending(read))
            outcomes.push_back(finish_shipped(read));
    }
    while (!to_read_.empty()) {
        const AnyFileKey key = to_read_.front();
        const Answer<AnyFile> read = store.get(key);
        if (is_pending(read)) break;
        to_read_.pop_front();
        outcomes.push_back(finish(key.file.path, read, devices));
        message = outcomes.back().message;
    }
    return outcomes;
}

RecordingShelf::Outcome RecordingShelf::finish_shipped(const Answer<bool>& read) {
    reads_shipped_ = false;
    if (const auto* why = std::get_if<Unavailable>(&read)) {
        message = fmt::format("a recording of the program cannot be read: {}", why->reason);
        return {"", message, false, {}};
    }
    recordings.add_shipped();
    return {"", "", true, {}};
}

RecordingShelf::Outcome RecordingShelf::finish(const std::string& path, const Answer<AnyFile>& read,
                                               const std::vector<DeviceFacts>& devices) {
    if (const auto* why = std::get_if<Unavailable>(&read)) return {path, why->reason, false, {}};
    try {
        const AnyFile& file = *known_of(read);
        if (const auto* found = std::get_if<FoundFile>(&file)) return {path, "", true, *found};
        const OpenRecording& open =
            recordings.put(ReadRecording(std::get<ReadRecording>(file)), path, devices);
        std::string said = fmt::format("opened {}: {}, {} points", open.file, open.label(),
                                       format_count(std::int64_t(open.points)));
        for (const Scenario* kernel : open.kernels)
            said += fmt::format("{}{}",
                                kernel == open.kernels.front() ? "; shown beside the typed kernel " : ", ",
                                kernel->info->title);
        if (!open.skipped.empty()) said += "; " + open.skipped;
        remember(std::filesystem::absolute(path).string());
        return {path, said, true, {}};
    } catch (const std::exception& error) {  // also if there is no memory
        return {path, error.what(), false, {}};
    }
}

std::string RecordingShelf::cancel() {
    message = fmt::format("did not open '{}': cancelled", printable(reading()));
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
