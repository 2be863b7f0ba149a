#pragma once

#include "app/answers/store.h"
#include "app/code/as_compiled.h"
#include "app/experiment/measurements.h"
#include "app/experiment/state.h"

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <variant>

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
        friend bool operator==(const Job&, const Job&) = default;
    };
    struct Outcome {
        Measurements::Outcome time;
        std::optional<CountResult> counts;                     ///< nothing if the kernel was not launched
        std::optional<KernelResources> kernel = std::nullopt;  ///< as the driver compiled it
    };
    /// Blocks until done, or soon after a stop was requested. Called on any thread.
    using Launch = std::function<Outcome(const Job&, const std::stop_token&)>;

    /// @param launch  this program's own `measure` in another process; something predictable in tests
    explicit KernelRun(Launch launch = launch_apart)
        : launch_(std::make_shared<const Launch>(std::move(launch))) {}

    /// Does nothing while one runs.
    void start(const Job& job);
    void stop() {
        stopped_ = wanted_.has_value();
        compiling_.reset();
    }
    bool running() const { return wanted_.has_value() || compiling_.has_value(); }
    /// If no GPU launches it: compile it with the nvcc of this machine. Does nothing while one runs.
    /// Errors: UsageError for what is not compiled.
    void compile(const Job& job, const DeviceFacts& device);
    /// Must be called once per frame. @return  what has become of it, once; else empty
    std::string advance_compiler(Store& store);
    /// The kernel as it was compiled last. Null if that was another one.
    const CompiledKernel* compiled(const Scenario& scenario, const Params& params) const;
    /// Must be called once per frame. @return  a run that has ended, once
    std::optional<std::pair<Job, Outcome>> advance(Store& store);

    static Outcome launch_apart(const Job& job, const std::stop_token& stop);

private:
    std::shared_ptr<const Launch> launch_;
    std::optional<Job> wanted_;  ///< what runs
    std::uint64_t launches_ = 0;
    bool stopped_ = false;
    struct Compiling {
        Job job;
        CompiledKey key;
        DeviceFacts device;
    };
    std::optional<Compiling> compiling_;
    std::optional<std::pair<Job, CompiledKernel>> compiled_;
};

/// A kernel as nvcc made it, to be counted.
struct CompiledCountKey {
    KernelRun::Job job;
    Ready<CompiledCode> code;
    DeviceFacts device;
    friend bool operator==(const CompiledCountKey&, const CompiledCountKey&) = default;
};
Work<CompiledKernel> answer(const CompiledCountKey& key, Store&);

/// A launch. Asked for again it is launched again.
struct RunKey {
    std::shared_ptr<const KernelRun::Launch> launch;
    KernelRun::Job job;
    std::uint64_t time = 0;
    friend bool operator==(const RunKey&, const RunKey&) = default;
};
Work<KernelRun::Outcome> answer(const RunKey& key, Store&);

/// The first setting of what `measure --counters --json` writes.
/// Errors: JsonError for anything else.
KernelRun::Outcome read_run(const std::string& json, const KernelRun::Job& job);

}  // namespace warplens
