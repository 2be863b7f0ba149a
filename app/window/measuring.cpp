#include "app/window/measuring.h"

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

}  // namespace warplens
