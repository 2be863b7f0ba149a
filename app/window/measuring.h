#pragma once

#include "app/experiment/evidence.h"
#include "app/measure/worker.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warplens {

/// What the window measures: the thread that does it, the GPU it found, and all times and counters of this
/// run.
class Measuring {
public:
    /// @param bench  what measures: the GPU that is here, or something predictable in tests
    /// @param none   why nothing is measured; empty: a GPU is looked for after start()
    Measuring(MeasureBench bench, std::optional<Unavailable> none);

    /// Start the thread; again: nothing happens.
    /// @param wake  called from that thread whenever there is news
    void start(const std::function<void()>& wake);

    /// What fetch() found new.
    struct News {
        bool gpu = false;      ///< it is known now whether there is one
        bool results = false;  ///< times or counters arrived
    };
    News fetch();

    const GpuInfo* gpu() const;         ///< the GPU that measures; null while it is looked for, and if none
    const Unavailable* no_gpu() const;  ///< why there is none; null while it is looked for, and if there is
    /// The GPU's index in the window's table of devices; meaningful once gpu() is not null.
    std::size_t here = 0;

    /// Measure these, in order of importance, in place of what still waits.
    void submit(std::vector<MeasureJob> jobs, const StopRule& rule, std::optional<CountJob> counting);
    /// Cancel what is under way. @return  whether something was
    bool stop();
    bool stopped() const { return stopped_; }  ///< by stop(), since the last submit()
    MeasureProgress progress() const { return worker_ ? worker_->progress() : MeasureProgress{}; }
    std::size_t waiting() const { return worker_ ? worker_->waiting() : 0; }

    /// Launches after each other, or each from an empty L2.
    const Measurements& times(bool cold) const { return cold ? cold_ : warm_; }
    /// The counters to read of a setting; empty: they are known, or there is nothing to compare them with.
    std::optional<CountJob> count_job(const Evidence& evidence) const;
    /// What is known of a setting from the GPU that is here.
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
