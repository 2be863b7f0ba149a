#pragma once

#include "app/experiment/evidence.h"
#include "app/measure/worker.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace warplens {

/// What the window measures: the thread that measures, the GPU that it found, and all times and counters of
/// this run.
class Measuring {
public:
    /// @param bench  what measures: the GPU of this machine, or something predictable in tests
    /// @param none   why nothing is measured. Empty to look for a GPU after start().
    Measuring(MeasureBench bench, std::optional<Unavailable> none);

    /// Start the thread. Further calls do nothing.
    /// @param wake  called on that thread whenever there is something to fetch
    void start(const std::function<void()>& wake);

    /// What fetch() found new.
    struct News {
        bool gpu = false;      ///< it is now known whether there is a GPU
        bool results = false;  ///< times or counters arrived
    };
    News fetch();

    const GpuInfo* gpu() const;  ///< the GPU that measures. Null if there is none, or if it is not known yet.
    const Unavailable* no_gpu() const;  ///< why there is none. Null if there is one or it is not known yet.
    /// The GPU's index in the window's table of devices. Only valid if gpu() is not null.
    std::size_t here = 0;

    /// Replace all waiting jobs by these, in order of importance. Does nothing without a GPU.
    void submit(std::vector<MeasureJob> jobs, const StopRule& rule, std::optional<CountJob> counting);
    /// Cancel all unfinished jobs. @return  whether there were any.
    bool stop();
    bool stopped() const { return stopped_; }  ///< whether stop() has cancelled jobs since the last submit()
    MeasureProgress progress() const { return worker_ ? worker_->progress() : MeasureProgress{}; }
    std::size_t waiting() const { return worker_ ? worker_->waiting() : 0; }

    /// The times of launches that find the L2 as the one before left it, or empty if `cold`.
    const Measurements& times(bool cold) const { return cold ? cold_ : warm_; }
    /// The counters that should be read for a setting. Empty if they are known already, or if none are
    /// predicted.
    std::optional<CountJob> count_job(const Evidence& evidence) const;
    /// What the GPU of this machine has shown for a setting.
    /// @param devices  the window's table
    Observed observed(const Setting& setting, const std::vector<DeviceFacts>& devices) const;

private:
    MeasureBench bench_;
    std::unique_ptr<MeasureWorker> worker_;  ///< null before start()
    std::optional<std::variant<GpuInfo, Unavailable>> gpu_;
    Measurements warm_, cold_;
    bool stopped_ = false;
};

}  // namespace warplens
