// TimedKernels: memory for the kernels of stream.cu and shared_time.cu, their launches, and the clock. The
// kernels' own stories stand there; timing.cuh says how a time is taken.
#include "kernels/timed.h"

#include "kernels/device_buffer.cuh"
#include "kernels/dispatch.h"
#include "kernels/gpu.h"
#include "kernels/replay.cuh"
#include "kernels/setting.h"
#include "kernels/shared_time.cuh"
#include "kernels/timing.cuh"

#include <algorithm>
#include <utility>
#include <vector>

namespace warplens {
namespace {

const char* why_stopped(Stopped stopped) {
    switch (stopped) {
        case Stopped::precise:
            return "until the median was known well enough";
        case Stopped::repeats:
            return "the most repeats allowed";
        case Stopped::seconds:
            return "until time was up";
        case Stopped::cancelled:
            return "cancelled";
    }
    return "";
}

std::string extent_text(Extent extent) {
    return extent.y == 1 ? std::to_string(extent.x)
                         : std::to_string(extent.x) + " x " + std::to_string(extent.y);
}

Timing timing_of(const Spread& time_us, const Repeats& repeats, const GpuInfo& gpu) {
    Timing timing;
    timing.median_us = time_us.median;
    timing.lower_us = time_us.lower;
    timing.upper_us = time_us.upper;
    timing.repeats = static_cast<int>(repeats.samples.size());
    timing.gpu = gpu.name;
    return timing;
}

/// "12 repeats (until the median was known well enough), median and quartiles"
std::string repeats_text(const Repeats& repeats) {
    return std::to_string(repeats.samples.size()) + " repeats (" + why_stopped(repeats.stopped) +
           "), median and quartiles";
}

}  // namespace

struct TimedKernels::State {
    bool started = false;
    std::string dead;  ///< why nothing works any more; empty: it does
    GpuInfo gpu;
    std::unique_ptr<Stopwatch> watch;
    DeviceBuffer buffers[2];  ///< in, out
    DeviceBuffer sink, clocks;

    ~State() {
        if (dead.empty()) return;
        for (DeviceBuffer* buffer : {&buffers[0], &buffers[1], &sink, &clocks}) buffer->abandon();
    }

    std::optional<Unavailable> start();
    std::optional<Unavailable> reserve(const LaunchShape& shape);
    std::optional<Unavailable> prepare(std::string_view scenario, const Params& p, Setting& setting);
    void lose(const std::string& what);
    ReplayMemory memory() const {
        return {{buffers[0].data(), buffers[1].data()}, reinterpret_cast<std::uint32_t*>(sink.data())};
    }

    std::variant<Timing, Unavailable> time_replay(std::string_view scenario, const Params& p,
                                                  const Setting& setting, const StopRule& rule,
                                                  const std::atomic<bool>* cancel);
    std::variant<Timing, Unavailable> time_loop(std::string_view scenario, const Params& p,
                                                const Setting& setting, const StopRule& rule,
                                                const std::atomic<bool>* cancel);
    double loop_cycles(std::vector<ClockPair>& host) const;

    /// Run `action` and turn what it throws into a reason.
    template <class Result, class Action>
    std::variant<Result, Unavailable> guarded(Action action) {
        try {
            return action();
        } catch (const CudaError& error) {
            // An error that a harmless call still sees is sticky: this process's CUDA is gone.
            const bool sticky = cudaFree(nullptr) != cudaSuccess;
            cudaGetLastError();
            if (sticky) lose(error.what());
            return Unavailable{error.what()};
        } catch (const GpuStuck& error) {
            lose(error.what());
            return Unavailable{error.what()};
        }
    }
};

void TimedKernels::State::lose(const std::string& what) {
    dead = "the GPU cannot be used until the program is started again, because of this: " + what;
}

std::optional<Unavailable> TimedKernels::State::start() {
    if (!dead.empty()) return Unavailable{dead};
    if (started) return std::nullopt;
    auto gpus = list_gpus();
    if (const auto* why = std::get_if<Unavailable>(&gpus)) return *why;
    int current = 0;
    CUDA_CHECK(cudaGetDevice(&current));
    gpu = std::get<0>(gpus).at(static_cast<std::size_t>(current));
    watch = std::make_unique<Stopwatch>();
    sink.reserve(sizeof(std::uint32_t), watch->stream());
    clocks.reserve(static_cast<std::int64_t>(sizeof(ClockPair)) * kLoopWarps * gpu.sm_count, watch->stream());
    started = true;
    return std::nullopt;
}

std::optional<Unavailable> TimedKernels::State::reserve(const LaunchShape& shape) {
    std::int64_t wanted = 0, given_up = 0;
    for (int b = 0; b < 2; ++b) {
        if (shape.buffer_bytes[b] <= buffers[b].bytes()) continue;
        wanted += DeviceBuffer::rounded(shape.buffer_bytes[b]);
        given_up += buffers[b].bytes();
    }
    if (wanted == 0) return std::nullopt;
    std::size_t free = 0, total = 0;
    CUDA_CHECK(cudaMemGetInfo(&free, &total));
    constexpr std::int64_t kLeaveFree = std::int64_t{64} << 20;  // for the driver and the desktop
    const std::int64_t available = static_cast<std::int64_t>(free) + given_up;
    const Unavailable too_large = refuse_memory(shape, available);
    if (wanted + kLeaveFree > available) return too_large;
    for (int b = 0; b < 2; ++b) {  // first give back, then ask: both at once may not fit
        if (shape.buffer_bytes[b] > buffers[b].bytes()) buffers[b].release();
    }
    try {
        for (int b = 0; b < 2; ++b) buffers[b].reserve(shape.buffer_bytes[b], watch->stream());
    } catch (const CudaError& error) {
        if (error.status() != cudaErrorMemoryAllocation) throw;
        return too_large;
    }
    return std::nullopt;
}

std::optional<Unavailable> TimedKernels::State::prepare(std::string_view scenario, const Params& p,
                                                        Setting& setting) {
    if (auto why = start()) return why;
    const auto described = describe_setting(scenario, p);
    if (!described) return no_such_scenario(scenario);
    setting = *described;
    if (auto why = refuse_shape(setting.shape, gpu)) return why;
    return reserve(setting.shape);
}

std::variant<Timing, Unavailable> TimedKernels::State::time_replay(std::string_view scenario, const Params& p,
                                                                   const Setting& setting,
                                                                   const StopRule& rule,
                                                                   const std::atomic<bool>* cancel) {
    std::optional<Unavailable> refused;
    const auto launch = [&] { refused = launch_replay(scenario, p, memory(), watch->stream()); };
    for (int i = 0; i < rule.warm_up && !(cancel != nullptr && cancel->load()); ++i)
        watch->time_us(1, launch);
    if (refused) return *refused;
    const int launches = launches_per_interval(watch->time_us(1, launch));
    const Repeats repeats =
        repeat_until(rule, cancel, [&] { return watch->time_us(launches, launch) / launches; });
    if (refused) return *refused;
    if (repeats.stopped == Stopped::cancelled) return Unavailable{"cancelled"};

    Timing timing = timing_of(spread_of(repeats.samples), repeats, gpu);
    timing.useful_bytes = static_cast<double>(setting.global.useful_bytes);
    timing.fits_l2 = setting.global.touched_in_all() <= gpu.l2_bytes;
    timing.method = "grid of " + extent_text(setting.shape.grid) + " blocks of " +
                    extent_text(setting.shape.block) + " threads; CUDA events round " +
                    std::to_string(launches) + (launches == 1 ? " launch" : " launches") +
                    " on random data, " + repeats_text(repeats);
    return timing;
}

/// Cycles per request of the last launch: each block by its slowest warp, the median over all SMs.
double TimedKernels::State::loop_cycles(std::vector<ClockPair>& host) const {
    CUDA_CHECK(cudaMemcpyAsync(host.data(), clocks.data(), host.size() * sizeof(ClockPair),
                               cudaMemcpyDeviceToHost, watch->stream()));
    CUDA_CHECK(
        cudaStreamSynchronize(watch->stream()));  // the kernel before it has ended: this cannot take long
    std::vector<double> cycles;
    for (std::size_t block = 0; block < host.size(); block += kLoopWarps) {
        long long begin = host[block].begin, end = host[block].end;
        for (std::size_t warp = block; warp < block + kLoopWarps; ++warp) {
            begin = std::min(begin, host[warp].begin);
            end = std::max(end, host[warp].end);
        }
        cycles.push_back(static_cast<double>(end - begin));
    }
    return spread_of(std::move(cycles)).median;
}

std::variant<Timing, Unavailable> TimedKernels::State::time_loop(std::string_view scenario, const Params& p,
                                                                 const Setting& setting, const StopRule& rule,
                                                                 const std::atomic<bool>* cancel) {
    const double requests = static_cast<double>(kLoopWarps) * kLoopTurns * kLoopUnroll * setting.instructions;
    std::vector<ClockPair> host(static_cast<std::size_t>(kLoopWarps * gpu.sm_count));
    std::vector<double> times_us;
    std::optional<Unavailable> refused;
    const auto launch = [&] {
        refused = launch_shared_loop(scenario, p, gpu.sm_count, reinterpret_cast<ClockPair*>(clocks.data()),
                                     reinterpret_cast<std::uint32_t*>(sink.data()), watch->stream());
    };
    for (int i = 0; i < rule.warm_up && !(cancel != nullptr && cancel->load()); ++i)
        watch->time_us(1, launch);
    if (refused) return *refused;
    const Repeats repeats = repeat_until(rule, cancel, [&] {
        times_us.push_back(watch->time_us(1, launch));
        return loop_cycles(host) / requests;
    });
    if (repeats.stopped == Stopped::cancelled) return Unavailable{"cancelled"};

    const Spread cycles = spread_of(repeats.samples);
    Timing timing = timing_of(spread_of(times_us), repeats, gpu);
    timing.cycles_per_request = cycles.median;
    timing.cycles_lower = cycles.lower;
    timing.cycles_upper = cycles.upper;
    timing.method = "one block of " + std::to_string(kLoopWarps) +
                    " warps per SM, each repeating the pictured warp's request " +
                    std::to_string(kLoopTurns * kLoopUnroll) +
                    " times; SM clock from the first warp's start to the last " +
                    "one's end / requests, loop included, median over SMs; " + repeats_text(repeats);
    return timing;
}

TimedKernels::TimedKernels() : state_(std::make_unique<State>()) {}
TimedKernels::~TimedKernels() = default;

std::variant<Timing, Unavailable> TimedKernels::time(std::string_view scenario, const Params& params,
                                                     const StopRule& rule, const std::atomic<bool>* cancel) {
    return state_->guarded<Timing>([&]() -> std::variant<Timing, Unavailable> {
        Setting setting;
        if (auto why = state_->prepare(scenario, params, setting)) return *why;
        if (!setting.any_lane)
            return Unavailable{"no lane is active, so there is nothing to time: switch a lane on"};
        if (setting.only_shared) return state_->time_loop(scenario, params, setting, rule, cancel);
        return state_->time_replay(scenario, params, setting, rule, cancel);
    });
}

std::variant<std::monostate, Unavailable> TimedKernels::launch_once(std::string_view scenario,
                                                                    const Params& params) {
    return state_->guarded<std::monostate>([&]() -> std::variant<std::monostate, Unavailable> {
        Setting setting;
        if (auto why = state_->prepare(scenario, params, setting)) return *why;
        if (auto why = launch_replay(scenario, params, state_->memory(), state_->watch->stream()))
            return *why;
        state_->watch->wait();
        return std::monostate{};
    });
}

}  // namespace warplens
