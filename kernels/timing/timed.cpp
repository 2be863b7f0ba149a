// TimedKernels: allocates the memory for a scenario's kernel (kernels/scenarios/cuda/scenario_kernel.cuh) and
// launches it. timing_methods.cpp says how a time is taken.
#include "kernels/timing/timed.h"

#include "kernels/loop_shape.h"
#include "kernels/scenarios/dispatch.h"
#include "kernels/timing/timed_state.cuh"

namespace warplens {
namespace {

/// Run `action` and turn exceptions into a reason.
template <class Result, class State, class Action>
std::variant<Result, Unavailable> guarded(State& state, Action action) {
    try {
        return action();
    } catch (const CudaError& error) {
        // If a harmless call still reports an error, the error is sticky: CUDA is unusable in this process.
        const bool sticky = cudaFree(nullptr) != cudaSuccess;
        cudaGetLastError();
        if (sticky) state.lose(error.what());
        return Unavailable{error.what()};
    } catch (const GpuStuck& error) {
        state.lose(error.what());
        return Unavailable{error.what()};
    }
}

}  // namespace

TimedKernels::State::~State() {
    if (dead.empty()) return;
    for (DeviceBuffer& buffer : buffers) buffer.abandon();
    for (DeviceBuffer* buffer : {&sink, &clocks}) buffer->abandon();
    texture.abandon();
    flush.abandon();
    host.abandon();
}

void TimedKernels::State::lose(const std::string& what) {
    dead = "the GPU cannot be used until the program is started again, because of this: " + what;
}

KernelMemory TimedKernels::State::memory() const {
    const bool in_place = host.kind() >= HostKind::mapped;
    return {{in_place ? host.data() : buffers[0].data(), buffers[1].data(), buffers[2].data()},
            reinterpret_cast<std::uint32_t*>(sink.data()),
            reinterpret_cast<ClockPair*>(clocks.data()),
            texture.object(),
            host.data()};
}

std::optional<Unavailable> TimedKernels::State::start() {
    if (!dead.empty()) return Unavailable{dead};
    if (started) return std::nullopt;
    auto gpus = list_gpus();
    if (const auto* why = std::get_if<Unavailable>(&gpus)) return *why;
    int current = 0;
    CUDA_CHECK(cudaGetDevice(&current));
    gpu = std::get<0>(gpus).at(current);
    watch = std::make_unique<Stopwatch>();
    for (int b = 0; b < kMaxBuffers; ++b) buffers[b].start_at(first_word_of(b));
    sink.reserve(sizeof(std::uint32_t), watch->stream());
    clocks.reserve(
        static_cast<std::int64_t>(sizeof(ClockPair)) * kMaxInstructions * kLoopWarps * gpu.sm_count,
        watch->stream());
    started = true;
    return std::nullopt;
}

std::optional<Unavailable> TimedKernels::State::reserve(const LaunchShape& shape) {
    std::int64_t wanted = 0, given_up = 0;
    for (int b = 0; b < kMaxBuffers; ++b) {
        if (shape.device_bytes(b) <= buffers[b].bytes()) continue;
        wanted += DeviceBuffer::rounded(shape.device_bytes(b));
        given_up += buffers[b].bytes();
    }
    const std::int64_t texture_bytes = DeviceTexture::bytes_of(shape.texture);
    const bool another_texture = texture_bytes > 0 && texture_bytes != texture.bytes();
    if (another_texture) {
        wanted +=
            texture_bytes + DeviceBuffer::rounded(texture_bytes);  // memory for its contents, for a moment
        given_up += texture.bytes();
    }
    host.release_unless(shape.host, shape.buffer_bytes[0], shape.left_free);
    std::optional<Unavailable> too_large;
    if (wanted > 0) {
        std::size_t free = 0, total = 0;
        CUDA_CHECK(cudaMemGetInfo(&free, &total));
        constexpr std::int64_t kLeaveFree = std::int64_t{64}
                                            << 20;  // left free for the driver and the desktop
        const std::int64_t available = static_cast<std::int64_t>(free) + given_up;
        too_large = refuse_memory(shape, available);
        if (wanted + kLeaveFree > available) return too_large;
        for (int b = 0; b < kMaxBuffers; ++b) {  // Free first, then allocate: both at once may not fit.
            if (shape.device_bytes(b) > buffers[b].bytes()) buffers[b].release();
        }
        if (another_texture) texture.release();
    }
    try {
        texture.reserve(shape.texture, static_cast<Border>(shape.border), watch->stream());
        for (int b = 0; b < kMaxBuffers; ++b) buffers[b].reserve(shape.device_bytes(b), watch->stream());
        host.reserve(shape.host, shape.buffer_bytes[0], shape.left_free);
    } catch (const CudaError& error) {
        if (error.status() != cudaErrorMemoryAllocation || !too_large) throw;
        return too_large;
    }
    return std::nullopt;
}

std::optional<Unavailable> TimedKernels::State::allocate(std::string_view scenario, const Params& p,
                                                         TimedLaunch& job) {
    if (auto why = start()) return why;
    const auto setting = describe_setting(scenario, p);
    if (!setting) return no_such_scenario(scenario);
    job = {p, *setting, {}};
    with_scenario(scenario, [&]<class S>() { job.kernel = kernel_of<S>(); });
    if (auto why = refuse_gpu(*setting->info, gpu)) return why;
    if (auto why = refuse_launch(*setting->info, p, setting->shape, limits_of(gpu))) return why;
    return reserve(setting->shape);
}

std::optional<Unavailable> TimedKernels::State::prepare(std::string_view scenario, const Params& p,
                                                        TimedLaunch& job) {
    if (auto why = allocate(scenario, p, job)) return why;
    if (prepared) {
        for (DeviceBuffer& buffer : buffers) buffer.refill(watch->stream());
        prepared = false;
    }
    if (job.kernel.prepare == nullptr) return std::nullopt;
    prepared = true;
    return job.kernel.prepare(p, memory(), watch->stream());
}

std::optional<Unavailable> TimedKernels::State::launch_grid(const TimedLaunch& job) {
    if (job.kernel.transfer != nullptr) job.kernel.transfer(job.params, memory(), watch->stream());
    return job.kernel.launch(job.params, memory(), watch->stream());
}

TimedKernels::TimedKernels() : state_(std::make_unique<State>()) {}
TimedKernels::~TimedKernels() = default;

std::variant<Timing, Unavailable> TimedKernels::time(std::string_view scenario, const Params& params,
                                                     const StopRule& rule, const std::atomic<bool>* cancel) {
    return guarded<Timing>(*state_, [&]() -> std::variant<Timing, Unavailable> {
        TimedLaunch job;
        if (auto why = state_->prepare(scenario, params, job)) return *why;
        if (!job.setting.any_lane)
            return Unavailable{"no lane is active, so there is nothing to time: switch a lane on"};
        auto outcome = state_->time_job(job, rule, cancel);
        auto* timing = std::get_if<Timing>(&outcome);
        if (timing == nullptr) return outcome;
        if (cancel != nullptr && cancel->load()) return Unavailable{"cancelled"};
        if (auto why = state_->check_output(job, *timing)) return *why;
        if (cancel != nullptr && cancel->load()) return Unavailable{"cancelled"};
        state_->time_library(job, rule, *timing);
        return outcome;
    });
}

std::variant<std::monostate, Unavailable> TimedKernels::launch_once(std::string_view scenario,
                                                                    const Params& params) {
    return guarded<std::monostate>(*state_, [&]() -> std::variant<std::monostate, Unavailable> {
        TimedLaunch job;
        if (auto why = state_->prepare(scenario, params, job)) return *why;
        if (auto why = state_->launch_grid(job)) return *why;
        state_->watch->wait();
        return std::monostate{};
    });
}

std::variant<CounterReading, Unavailable> TimedKernels::count(std::string_view scenario, const Params& params,
                                                              const std::vector<std::string>& metrics) {
    return guarded<CounterReading>(*state_, [&]() -> std::variant<CounterReading, Unavailable> {
        TimedLaunch job;
        if (auto why = state_->prepare(scenario, params, job)) return *why;
        State& state = *state_;
        std::optional<Unavailable> refused;
        auto reading = state.counters.count(
            metrics,
            [&] {
                state.flush.queue(state.gpu.l2_bytes, reinterpret_cast<std::uint32_t*>(state.sink.data()),
                                  state.watch->stream());
                state.watch->wait();
            },
            [&] {
                if (!refused) refused = state.launch_grid(job);
                state.watch->wait();
            });
        if (refused) return *refused;
        return reading;
    });
}

std::variant<CounterReading, Unavailable> TimedKernels::count_addresses(
    std::string_view scenario, const Params& params, const std::vector<std::string>& metrics) {
    return guarded<CounterReading>(*state_, [&]() -> std::variant<CounterReading, Unavailable> {
        TimedLaunch job;
        if (auto why = state_->allocate(scenario, params, job)) return *why;
        if (job.kernel.follows_memory) {
            if (auto why = state_->prepare(scenario, params, job)) return *why;
        }
        std::optional<Unavailable> refused;
        auto reading = state_->counters.count_addresses(metrics, [&] {
            refused = state_->launch_grid(job);
            state_->watch->wait();
        });
        if (refused) return *refused;
        return reading;
    });
}

void TimedKernels::release_counters() { state_->counters.release(); }

std::variant<std::vector<KernelResources>, Unavailable> TimedKernels::resources(std::string_view scenario,
                                                                                const Params& params) {
    using Resources = std::vector<KernelResources>;
    return guarded<Resources>(*state_, [&]() -> std::variant<Resources, Unavailable> {
        TimedLaunch job;
        if (auto why = state_->prepare(scenario, params, job)) return *why;
        return state_->resources_of(job);
    });
}

}  // namespace warplens
