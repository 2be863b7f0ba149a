#pragma once

// The state that TimedKernels keeps between calls. timed.cu prepares and launches, timing_methods.cu takes
// times.
#include "kernels/cuda/device_buffer.cuh"
#include "kernels/cuda/device_texture.cuh"
#include "kernels/cuda/gpu.h"
#include "kernels/cuda/host_buffer.cuh"
#include "kernels/launch_setting.h"
#include "kernels/scenarios/cuda/scenario_kernel.cuh"
#include "kernels/timing/l2_flush.cuh"
#include "kernels/timing/launch_graph.cuh"
#include "kernels/timing/statistics.h"
#include "kernels/timing/timed.h"
#include "kernels/timing/timing.cuh"

#include <map>
#include <memory>
#include <vector>

namespace warplens {

/// One setting of one scenario, ready to be launched.
struct TimedLaunch {
    Params params;
    LaunchSetting setting;
    ScenarioKernel kernel;
};

struct TimedKernels::State {
    bool started = false;
    std::string dead;  ///< Why nothing works any more; empty as long as it does.
    GpuInfo gpu;
    std::unique_ptr<Stopwatch> watch;
    DeviceBuffer buffers[kMaxBuffers];
    DeviceTexture texture;
    HostBuffer host;
    DeviceBuffer sink, clocks;
    L2Flush flush;
    HardwareCounters counters;
    /// By matrix size; measured once for each. 0 if there is no cuBLAS.
    std::map<int, double> cublas_us;
    std::map<std::int64_t, double> memcpy_us;  ///< by number of bytes
    /// A kernel has filled the buffers with its own data.
    bool prepared = false;

    ~State();

    std::optional<Unavailable> start();
    std::optional<Unavailable> reserve(const LaunchShape& shape);
    /// Memory for the setting; what is in it is not the setting's.
    std::optional<Unavailable> allocate(std::string_view scenario, const Params& p, TimedLaunch& job);
    std::optional<Unavailable> prepare(std::string_view scenario, const Params& p, TimedLaunch& job);
    void lose(const std::string& what);
    KernelMemory memory() const;
    std::optional<Unavailable> launch_grid(const TimedLaunch& job);

    // kernel_resources.cu
    std::variant<std::vector<KernelResources>, Unavailable> resources_of(const TimedLaunch& job);

    // timing_methods.cu
    std::variant<Timing, Unavailable> time_job(const TimedLaunch& job, const StopRule& rule,
                                               const std::atomic<bool>* cancel);
    std::optional<Unavailable> check_output(const TimedLaunch& job, Timing& timing);
    void time_library(const TimedLaunch& job, const StopRule& rule, Timing& timing);

private:
    std::variant<Timing, Unavailable> time_by_events(const TimedLaunch& job, const StopRule& rule,
                                                     const std::atomic<bool>* cancel);
    template <class Launch, class Cycles>
    std::variant<Timing, Unavailable> time_by_clock(const TimedLaunch& job, const StopRule& rule,
                                                    const std::atomic<bool>* cancel, Launch launch,
                                                    Cycles cycles_per_request);
    std::variant<Timing, Unavailable> time_banks(const TimedLaunch& job, const StopRule& rule,
                                                 const std::atomic<bool>* cancel);
    std::variant<Timing, Unavailable> time_chain(const TimedLaunch& job, const StopRule& rule,
                                                 const std::atomic<bool>* cancel);
    double time_memcpy(std::int64_t bytes, const StopRule& rule);
    Timing timing_of(const TimedLaunch& job, const Spread& time_us, const Repeats& repeats) const;
    std::vector<ClockPair> read_clocks(std::size_t count) const;
    double bank_cycles(std::size_t requests) const;
    bool fits_l2(const LaunchSetting& setting) const;
};

}  // namespace warplens
