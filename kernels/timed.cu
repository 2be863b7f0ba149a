// TimedKernels: memory for a scenario's kernels (scenario_kernels.cuh), their launches, and the clock. The
// kernels' own stories stand where they are written; timing.cuh says how a time is taken.
#include "kernels/timed.h"

#include "kernels/cases.h"
#include "kernels/cublas.h"
#include "kernels/device_buffer.cuh"
#include "kernels/device_texture.cuh"
#include "kernels/gpu.h"
#include "kernels/loop_shape.h"
#include "kernels/replay.cuh"
#include "kernels/scenario_kernels.cuh"
#include "kernels/scenarios/matrix_multiply.h"
#include "kernels/setting.h"
#include "kernels/timing.cuh"

#include <algorithm>
#include <map>
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

/// One setting of one scenario, ready to be launched.
struct Job {
    Params params;
    Setting setting;
    ScenarioKernels kernels;
    std::string warps_and_blocks() const {
        return "grid of " + extent_text(setting.shape.grid) + " blocks of " +
               extent_text(setting.shape.block) + " threads";
    }
};

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
    DeviceBuffer buffers[kMaxBuffers];
    DeviceTexture texture;
    DeviceBuffer sink, clocks;
    std::map<int, double> cublas_us;  ///< by matrix size, 0: not here; once for each is enough
    bool prepared = false;            ///< a kernel of a scenario's own has put something into the buffers

    ~State() {
        if (dead.empty()) return;
        for (DeviceBuffer& buffer : buffers) buffer.abandon();
        for (DeviceBuffer* buffer : {&sink, &clocks}) buffer->abandon();
        texture.abandon();
    }

    void time_library(std::string_view scenario, const Params& p, const StopRule& rule, Timing& timing);
    std::optional<Unavailable> start();
    std::optional<Unavailable> reserve(const LaunchShape& shape);
    std::optional<Unavailable> prepare(std::string_view scenario, const Params& p, Job& job);
    void lose(const std::string& what);
    ReplayMemory memory() const;

    std::variant<Timing, Unavailable> time_job(const Job& job, const StopRule& rule,
                                               const std::atomic<bool>* cancel);
    template <class Launch>
    std::variant<Timing, Unavailable> time_by_events(const Job& job, const StopRule& rule,
                                                     const std::atomic<bool>* cancel, Launch launch);
    template <class Launch, class Cycles>
    std::variant<Timing, Unavailable> time_by_clock(const Job& job, const StopRule& rule,
                                                    const std::atomic<bool>* cancel, Launch launch,
                                                    Cycles cycles_per_request);
    Timing timing_of(const Job& job, const Spread& time_us, const Repeats& repeats) const;
    std::vector<ClockPair> read_clocks(std::size_t count) const;
    double bank_cycles(const Job& job) const;
    bool fits_l2(const Setting& setting) const;

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

ReplayMemory TimedKernels::State::memory() const {
    return {{buffers[0].data(), buffers[1].data(), buffers[2].data()},
            reinterpret_cast<std::uint32_t*>(sink.data()),
            reinterpret_cast<ClockPair*>(clocks.data()),
            texture.object()};
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
    for (int b = 0; b < kMaxBuffers; ++b) {
        if (shape.buffer_bytes[b] <= buffers[b].bytes()) continue;
        wanted += DeviceBuffer::rounded(shape.buffer_bytes[b]);
        given_up += buffers[b].bytes();
    }
    const std::int64_t texture_bytes = DeviceTexture::bytes_of(shape.texture);
    const bool another_texture = texture_bytes > 0 && texture_bytes != texture.bytes();
    if (another_texture) {
        wanted += texture_bytes + DeviceBuffer::rounded(texture_bytes);  // its contents, for a moment
        given_up += texture.bytes();
    }
    std::optional<Unavailable> too_large;
    if (wanted > 0) {
        std::size_t free = 0, total = 0;
        CUDA_CHECK(cudaMemGetInfo(&free, &total));
        constexpr std::int64_t kLeaveFree = std::int64_t{64} << 20;  // for the driver and the desktop
        const std::int64_t available = static_cast<std::int64_t>(free) + given_up;
        too_large = refuse_memory(shape, available);
        if (wanted + kLeaveFree > available) return too_large;
        for (int b = 0; b < kMaxBuffers; ++b) {  // first give back, then ask: both at once may not fit
            if (shape.buffer_bytes[b] > buffers[b].bytes()) buffers[b].release();
        }
        if (another_texture) texture.release();
    }
    try {
        texture.reserve(shape.texture, static_cast<Border>(shape.border), watch->stream());
        for (int b = 0; b < kMaxBuffers; ++b) buffers[b].reserve(shape.buffer_bytes[b], watch->stream());
    } catch (const CudaError& error) {
        if (error.status() != cudaErrorMemoryAllocation || !too_large) throw;
        return too_large;
    }
    return std::nullopt;
}

std::optional<Unavailable> TimedKernels::State::prepare(std::string_view scenario, const Params& p,
                                                        Job& job) {
    if (auto why = start()) return why;
    const auto setting = describe_setting(scenario, p);
    const auto kernels = scenario_kernels(scenario);
    if (!setting || !kernels) return no_such_scenario(scenario);
    job = {p, *setting, *kernels};
    if (auto why = refuse_gpu(*setting->info, gpu)) return why;
    if (auto why = refuse_shape(setting->shape, gpu)) return why;
    if (auto why = reserve(setting->shape)) return why;
    if (prepared) {
        for (DeviceBuffer& buffer : buffers) buffer.refill(watch->stream());
        prepared = false;
    }
    if (kernels->grid.prepare == nullptr) return std::nullopt;
    prepared = true;
    return kernels->grid.prepare(p, memory(), watch->stream());
}

/// Whether what is touched fits the L2. Private arrays count for as many threads as the SMs can hold.
bool TimedKernels::State::fits_l2(const Setting& setting) const {
    constexpr std::int64_t kMostThreads = 2048;  // of an SM, of any compute capability
    const LaunchShape& shape = setting.shape;
    const std::int64_t threads = std::int64_t{shape.grid.x} * shape.grid.y * shape.block.x * shape.block.y;
    const std::int64_t bytes = DeviceTexture::bytes_of(shape.texture) +
                               std::min(threads, gpu.sm_count * kMostThreads) * shape.local_bytes;
    return bytes + setting.grid.touched_in_all() <= gpu.l2_bytes;
}

Timing TimedKernels::State::timing_of(const Job& job, const Spread& time_us, const Repeats& repeats) const {
    Timing timing;
    timing.median_us = time_us.median;
    timing.lower_us = time_us.lower;
    timing.upper_us = time_us.upper;
    timing.repeats = static_cast<int>(repeats.samples.size());
    timing.gpu = gpu.name;
    if (job.setting.info->flop != nullptr) timing.flop = job.setting.info->flop(job.params);
    return timing;
}

template <class Launch>
std::variant<Timing, Unavailable> TimedKernels::State::time_by_events(const Job& job, const StopRule& rule,
                                                                      const std::atomic<bool>* cancel,
                                                                      Launch launch) {
    std::optional<Unavailable> refused;
    const auto checked = [&] {
        if (!refused) refused = launch();
    };
    for (int i = 0; i < rule.warm_up && !(cancel != nullptr && cancel->load()); ++i)
        watch->time_us(1, checked);
    const int launches = launches_per_interval(watch->time_us(1, checked));
    if (refused) return *refused;
    const Repeats repeats =
        repeat_until(rule, cancel, [&] { return watch->time_us(launches, checked) / launches; });
    if (refused) return *refused;
    if (repeats.stopped == Stopped::cancelled) return Unavailable{"cancelled"};

    Timing timing = timing_of(job, spread_of(repeats.samples), repeats);
    timing.useful_bytes = static_cast<double>(job.setting.grid.useful_bytes);
    timing.fits_l2 = fits_l2(job.setting);
    timing.method = job.warps_and_blocks() + "; CUDA events round " + std::to_string(launches) +
                    (launches == 1 ? " launch" : " launches") +
                    (job.kernels.grid.prepare == nullptr ? " on random data, " : " on prepared data, ") +
                    repeats_text(repeats);
    return timing;
}

std::vector<ClockPair> TimedKernels::State::read_clocks(std::size_t count) const {
    std::vector<ClockPair> pairs(count);
    CUDA_CHECK(cudaMemcpyAsync(pairs.data(), clocks.data(), count * sizeof(ClockPair), cudaMemcpyDeviceToHost,
                               watch->stream()));
    CUDA_CHECK(
        cudaStreamSynchronize(watch->stream()));  // the kernel before it has ended: this cannot take long
    return pairs;
}

/// Cycles per request of the last timed loop: each block by its slowest warp, the median over all SMs.
double TimedKernels::State::bank_cycles(const Job& job) const {
    const double requests =
        static_cast<double>(kLoopWarps) * kLoopTurns * kLoopUnroll * job.setting.instructions;
    const std::vector<ClockPair> pairs = read_clocks(static_cast<std::size_t>(kLoopWarps * gpu.sm_count));
    std::vector<double> cycles;
    for (std::size_t block = 0; block < pairs.size(); block += kLoopWarps) {
        long long begin = pairs[block].begin, end = pairs[block].end;
        for (std::size_t warp = block; warp < block + kLoopWarps; ++warp) {
            begin = std::min(begin, pairs[warp].begin);
            end = std::max(end, pairs[warp].end);
        }
        cycles.push_back(static_cast<double>(end - begin));
    }
    return spread_of(std::move(cycles)).median / requests;
}

/// @param cycles_per_request  of the last launch, which has ended
template <class Launch, class Cycles>
std::variant<Timing, Unavailable> TimedKernels::State::time_by_clock(const Job& job, const StopRule& rule,
                                                                     const std::atomic<bool>* cancel,
                                                                     Launch launch,
                                                                     Cycles cycles_per_request) {
    std::vector<double> times_us;
    std::optional<Unavailable> refused;
    const auto checked = [&] {
        if (!refused) refused = launch();
    };
    for (int i = 0; i < std::max(rule.warm_up, 1) && !(cancel != nullptr && cancel->load()); ++i)
        watch->time_us(1, checked);
    if (refused) return *refused;
    const Repeats repeats = repeat_until(rule, cancel, [&] {
        times_us.push_back(watch->time_us(1, checked));
        return cycles_per_request();
    });
    if (repeats.stopped == Stopped::cancelled) return Unavailable{"cancelled"};

    const Spread cycles = spread_of(repeats.samples);
    Timing timing = timing_of(job, spread_of(times_us), repeats);
    timing.cycles_per_request = cycles.median;
    timing.cycles_lower = cycles.lower;
    timing.cycles_upper = cycles.upper;
    timing.method = repeats_text(repeats);
    return timing;
}

std::variant<Timing, Unavailable> TimedKernels::State::time_job(const Job& job, const StopRule& rule,
                                                                const std::atomic<bool>* cancel) {
    const Params& p = job.params;
    const auto with_method = [](std::variant<Timing, Unavailable> outcome, const std::string& text) {
        if (auto* timing = std::get_if<Timing>(&outcome)) timing->method = text + "; " + timing->method;
        return outcome;
    };
    if (job.setting.how == Measured::banks) {
        const auto launch = [&] { return job.kernels.banks(p, gpu.sm_count, memory(), watch->stream()); };
        return with_method(time_by_clock(job, rule, cancel, launch, [&] { return bank_cycles(job); }),
                           "one block of " + std::to_string(kLoopWarps) +
                               " warps per SM, each repeating the pictured warp's request " +
                               std::to_string(kLoopTurns * kLoopUnroll) +
                               " times; SM clock from the first warp's start to the last one's end / "
                               "requests, loop included, median over SMs");
    }
    const bool chain = job.setting.how == Measured::chain;
    const OwnKernel& kernel = chain ? job.kernels.chain : job.kernels.grid;
    const auto launch = [&] { return kernel.launch(p, memory(), watch->stream()); };
    const double requests = kernel.requests == nullptr ? 0 : kernel.requests(p);
    if (requests <= 0) return time_by_events(job, rule, cancel, launch);
    const auto cycles = [&] {
        const ClockPair pair = read_clocks(1).front();
        return static_cast<double>(pair.end - pair.begin) / requests;
    };
    const std::string count = std::to_string(static_cast<long long>(requests));
    return with_method(
        time_by_clock(job, rule, cancel, launch, cycles),
        (chain ? "the pictured warp alone, its instructions " + count +
                     " times over, each load waiting for the one before"
               : job.warps_and_blocks() + ", " + count + " requests of one lane after another") +
            "; SM clock / " + count);
}

TimedKernels::TimedKernels() : state_(std::make_unique<State>()) {}
TimedKernels::~TimedKernels() = default;

/// The product by cuBLAS, beside a matrix multiply of ours.
void TimedKernels::State::time_library(std::string_view scenario, const Params& p, const StopRule& rule,
                                       Timing& timing) {
    if (scenario != MatrixMultiply::info.id) return;
    auto [known, is_new] = cublas_us.try_emplace(p.matrix, 0);
    if (is_new) {
        const auto outcome = time_cublas(p.matrix, rule);
        if (const auto* library = std::get_if<Timing>(&outcome)) known->second = library->median_us;
    }
    if (known->second <= 0) return;
    timing.library = "cuBLAS";
    timing.library_us = known->second;
}

std::variant<Timing, Unavailable> TimedKernels::time(std::string_view scenario, const Params& params,
                                                     const StopRule& rule, const std::atomic<bool>* cancel) {
    return state_->guarded<Timing>([&]() -> std::variant<Timing, Unavailable> {
        Job job;
        if (auto why = state_->prepare(scenario, params, job)) return *why;
        if (!job.setting.any_lane)
            return Unavailable{"no lane is active, so there is nothing to time: switch a lane on"};
        auto outcome = state_->time_job(job, rule, cancel);
        if (auto* timing = std::get_if<Timing>(&outcome))
            state_->time_library(scenario, params, rule, *timing);
        return outcome;
    });
}

std::variant<std::monostate, Unavailable> TimedKernels::launch_once(std::string_view scenario,
                                                                    const Params& params) {
    return state_->guarded<std::monostate>([&]() -> std::variant<std::monostate, Unavailable> {
        Job job;
        if (auto why = state_->prepare(scenario, params, job)) return *why;
        if (auto why = job.kernels.grid.launch(params, state_->memory(), state_->watch->stream()))
            return *why;
        state_->watch->wait();
        return std::monostate{};
    });
}

}  // namespace warplens
