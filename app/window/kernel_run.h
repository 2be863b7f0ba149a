#pragma once

#include "app/experiment/measurements.h"
#include "app/experiment/state.h"

#include <functional>
#include <future>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

namespace warplens {

/// Launches a typed kernel on the GPU when a person says so, for times and hardware counters. Another process
/// does it, which ends after a time limit: what a kernel does to the GPU or to its process harms nothing
/// here.
class KernelRun {
public:
    struct Job {
        const Scenario* scenario = nullptr;  ///< a typed kernel
        Params params;
        bool cold = false;  ///< empty the L2 before each launch
    };
    struct Outcome {
        Measurements::Outcome time;
        std::optional<CountResult> counts;                     ///< nothing if the kernel was not launched
        std::optional<KernelResources> kernel = std::nullopt;  ///< as the driver compiled it
    };
    /// Blocks until done, or soon after a stop was requested. Called on a thread of its own.
    using Launch = std::function<Outcome(const Job&, const std::stop_token&)>;

    /// @param wake    called from any thread when there is an outcome
    /// @param launch  this program's own `measure` in another process; something predictable in tests
    explicit KernelRun(std::function<void()> wake, Launch launch = launch_apart);
    ~KernelRun() { stop_.request_stop(); }
    KernelRun& operator=(KernelRun&&) = delete;

    /// Does nothing while one runs.
    void start(const Job& job);
    void stop() { stop_.request_stop(); }
    bool running() const { return outcome_.valid(); }
    /// A run that has ended, once.
    std::optional<std::pair<Job, Outcome>> advance();

    static Outcome launch_apart(const Job& job, const std::stop_token& stop);

private:
    std::function<void()> wake_;
    Launch launch_;
    Job job_;
    std::stop_source stop_;
    std::future<Outcome> outcome_;
};

/// The first setting of what `measure --counters --json` writes.
/// Errors: JsonError for anything else.
KernelRun::Outcome read_run(const std::string& json, const KernelRun::Job& job);

}  // namespace warplens
