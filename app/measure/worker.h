#pragma once

// The folder app/measure/ contains the thread that measures for the window, and recordings: files of
// times that were measured earlier, their reader and writer. How a single time is taken is in
// kernels/timing/; which settings are measured, and how results are shown, is decided by its callers.

#include "kernels/cuda/gpu.h"
#include "kernels/timing/timed.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace warplens {

/// One setting to be timed.
struct MeasureJob {
    std::string scenario;  ///< the scenario's id
    Params params;
};

/// The result of one job.
struct MeasureResult {
    std::uint64_t generation = 0;
    MeasureJob job;
    std::variant<Timing, Unavailable> outcome;
};

/// Hardware counters of one setting.
struct CountJob {
    MeasureJob setting;
    std::vector<std::string> metrics;  ///< by the names of Nsight Compute
    /// Further counters, to be read after all times: setting the GPU up for them, and back again, takes half
    /// a second.
    std::vector<std::string> later = {};
};
struct CountResult {
    CountJob job;
    std::variant<CounterReading, Unavailable> outcome;
};

/// The progress of the present generation.
struct MeasureProgress {
    std::size_t done = 0;   ///< finished jobs, whether they could be timed or not
    std::size_t total = 0;  ///< jobs that were submitted and not cancelled
    bool running() const { return done < total; }
};

/// Times one job on the worker's thread. Returns Unavailable soon after *cancel has become true.
using TimeJob = std::function<std::variant<Timing, Unavailable>(const MeasureJob&, const StopRule&,
                                                                const std::atomic<bool>* cancel)>;

/// Reads the counters of one job on the worker's thread.
using ReadCounters = std::function<std::variant<CounterReading, Unavailable>(const CountJob&)>;

/// The means to measure: the GPU of this machine, or something predictable in tests. All functions
/// are called on the worker's thread.
struct MeasureBench {
    std::function<std::variant<std::vector<GpuInfo>, Unavailable>()> find_gpus;
    std::function<TimeJob()> open;  ///< called once, before the first job
    ReadCounters count;             ///< null if there are no counters
    /// Lets other processes use the hardware counters. Null if there is nothing to release.
    std::function<void()> release = {};
};
MeasureBench gpu_bench();

/// Runs the timed kernels on a separate thread, so that the window never waits for the GPU. CUDA is
/// initialised there too, which takes half a second.
class MeasureWorker {
public:
    /// @param wake  called on the worker's thread after each result, and when it is known whether CUDA can be
    /// used.
    explicit MeasureWorker(std::function<void()> wake, MeasureBench bench = gpu_bench());
    /// Cancels, and waits for the thread. If it does not end within a few seconds, because the driver hangs,
    /// it is left behind.
    ~MeasureWorker();
    /// Whether a thread was left behind. Then the program must end without waiting for the driver.
    static bool any_abandoned();
    MeasureWorker(const MeasureWorker&) = delete;
    MeasureWorker& operator=(const MeasureWorker&) = delete;

    /// The GPU that measures. Empty while CUDA is being initialised.
    std::optional<std::variant<GpuInfo, Unavailable>> gpu() const;

    /// Replace all waiting jobs by these, in order of importance. A running job is cancelled unless it is
    /// among them. Results of older generations are never delivered after this call.
    /// @param counting  counters to be read before anything is timed, because they take less time
    /// @return  the new generation.
    std::uint64_t submit(std::vector<MeasureJob> jobs, const StopRule& rule,
                         std::optional<CountJob> counting = std::nullopt);

    /// The finished results of the present generation, each once. Never blocks for long.
    std::vector<MeasureResult> take_results();
    /// The counters of the present generation, each once: the first ones, later also the others. Empty if
    /// they have not been read (yet).
    std::optional<CountResult> take_counts();

    /// Cancel all unfinished jobs: the waiting ones, and the running one, which ends soon. Finished results
    /// are still delivered.
    void cancel();

    /// Leave the GPU to another process, times and counters: cancel all, and wait until the counters are
    /// released, or for some seconds. May be called on any thread.
    void release();

    MeasureProgress progress() const;
    std::size_t waiting() const;  ///< jobs that are not finished yet

private:
    struct State;
    std::shared_ptr<State> state_;  ///< the thread has a share
};

}  // namespace warplens
