#pragma once

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
    std::string scenario;  ///< id
    Params params;
};

/// One finished job.
struct MeasureResult {
    std::uint64_t generation = 0;
    MeasureJob job;
    std::variant<Timing, Unavailable> outcome;
};

/// Hardware counters of one setting.
struct CountJob {
    MeasureJob setting;
    std::vector<std::string> metrics;  ///< by Nsight Compute's names
    /// Others, to be read once all times are taken: setting the GPU up for them, and back again, takes half a
    /// second.
    std::vector<std::string> later = {};
};
struct CountResult {
    CountJob job;
    std::variant<CounterReading, Unavailable> outcome;
};

/// How far the present generation is.
struct MeasureProgress {
    std::size_t done = 0;   ///< jobs finished, whether they could be timed or not
    std::size_t total = 0;  ///< jobs that were asked for and not cancelled
    bool running() const { return done < total; }
};

/// Times one job on the worker's thread; returns Unavailable soon after *cancel became true.
using TimeJob = std::function<std::variant<Timing, Unavailable>(const MeasureJob&, const StopRule&,
                                                                const std::atomic<bool>* cancel)>;

/// Reads the counters of one job, likewise.
using ReadCounters = std::function<std::variant<CounterReading, Unavailable>(const CountJob&)>;

/// What the worker measures with: the GPU that is here, or something predictable in tests. All functions are
/// called from the worker's thread.
struct MeasureBench {
    std::function<std::variant<std::vector<GpuInfo>, Unavailable>()> find_gpus;
    std::function<TimeJob()> open;  ///< once, before the first job
    ReadCounters count;             ///< null: there are no counters
};
MeasureBench gpu_bench();

/// Drives the timed kernels on a thread of its own, so that the window never waits for the GPU.
/// Starting CUDA (half a second) happens there too.
class MeasureWorker {
public:
    /// @param wake  called from the worker's thread after each result and once CUDA is up (or known not to
    /// be).
    explicit MeasureWorker(std::function<void()> wake, MeasureBench bench = gpu_bench());
    ~MeasureWorker();  ///< cancels and joins
    MeasureWorker(const MeasureWorker&) = delete;
    MeasureWorker& operator=(const MeasureWorker&) = delete;

    /// The GPU that measures; empty while CUDA is still starting.
    std::optional<std::variant<GpuInfo, Unavailable>> gpu() const;

    /// Replace whatever is waiting by these jobs, in order of importance; a running one is cancelled unless
    /// it is among them. Results of older generations are never delivered after this call.
    /// @param counting  counters to be read before anything is timed: they take less than most times do
    /// @return  the new generation.
    std::uint64_t submit(std::vector<MeasureJob> jobs, const StopRule& rule,
                         std::optional<CountJob> counting = std::nullopt);

    /// Finished results of the present generation, each once. Never blocks for long.
    std::vector<MeasureResult> take_results();
    /// The counters of the present generation: the first ones, later with the others behind them; each once.
    /// Empty: not read (yet).
    std::optional<CountResult> take_counts();

    /// Give up whatever is not finished: waiting jobs, and the running one, which ends soon. Results that are
    /// there already are still delivered.
    void cancel();

    MeasureProgress progress() const;
    std::size_t waiting() const;  ///< jobs not finished yet

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace warplens
