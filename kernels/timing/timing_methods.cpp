// How the time of one setting is taken: by events around launches of the whole grid, or by the clock of the
// SM around consecutive requests. timing.cuh contains the stopwatch, statistics.h the stop rule.
#include "kernels/cuda/gpu.h"
#include "kernels/loop_shape.h"
#include "kernels/timing/cublas.h"
#include "kernels/timing/event_times.cuh"
#include "kernels/timing/microbenchmarks.cuh"
#include "kernels/timing/output_check.cuh"
#include "kernels/timing/timed_state.cuh"

#include <algorithm>
#include <utility>

namespace warplens {
namespace {

std::string extent_text(Extent extent) {
    return extent.y == 1 ? std::to_string(extent.x)
                         : std::to_string(extent.x) + " x " + std::to_string(extent.y);
}

std::string warps_and_blocks(const LaunchShape& shape) {
    return "grid of " + extent_text(shape.grid) + " blocks of " + extent_text(shape.block) + " threads";
}

/// A launch that is not tried again after it was refused once.
struct Refusable {
    std::optional<Unavailable> refused;
    template <class Launch>
    auto wrap(Launch launch) {
        return [this, launch] {
            if (!refused) refused = launch();
        };
    }
};

/// The bytes that a scenario copies from one buffer to another, for the comparison with cudaMemcpy. 0 if it
/// does not copy.
std::int64_t copied_bytes(const LaunchSetting& setting) {
    const std::int64_t out = setting.grid.count[1];
    const bool copies = out > 0 && setting.grid.count[0] == out && setting.grid.count[2] == 0 &&
                        setting.how == Measured::grid && setting.info->flop == nullptr;
    const std::int64_t bytes = copies ? setting.grid.useful_bytes / 2 : 0;
    const bool fits = bytes <= setting.shape.buffer_bytes[0] && bytes <= setting.shape.buffer_bytes[1];
    return fits ? bytes : 0;
}

}  // namespace

/// Whether the accessed bytes fit into the L2. Per-thread arrays count for as many threads as the SMs can
/// hold.
bool TimedKernels::State::fits_l2(const LaunchSetting& setting) const {
    constexpr std::int64_t kMostThreads = 2048;  // of an SM, for any compute capability
    const LaunchShape& shape = setting.shape;
    if (shape.host != HostKind::none) return false;
    const std::int64_t threads = std::int64_t{shape.grid.x} * shape.grid.y * shape.block.x * shape.block.y;
    const std::int64_t bytes = DeviceTexture::bytes_of(shape.texture) +
                               std::min(threads, gpu.sm_count * kMostThreads) * shape.local_bytes;
    return bytes + setting.grid.touched_in_all() <= gpu.l2_bytes;
}

Timing TimedKernels::State::timing_of(const TimedLaunch& job, const Spread& time_us,
                                      const Repeats& repeats) const {
    Timing timing;
    timing.median_us = time_us.median;
    timing.lower_us = time_us.lower;
    timing.upper_us = time_us.upper;
    timing.repeats = int(repeats.samples.size());
    timing.sm_clock_mhz = sm_clock_mhz();
    timing.gpu = gpu.name;
    if (job.setting.info->flop != nullptr) timing.flop = job.setting.info->flop(job.params);
    return timing;
}

std::variant<Timing, Unavailable> TimedKernels::State::time_by_events(const TimedLaunch& job,
                                                                      const StopRule& rule,
                                                                      const std::atomic<bool>* cancel) {
    Refusable refusable;
    const auto launch = refusable.wrap([&] { return launch_grid(job); });
    const auto rewind = [&] {
        return job.kernel.rewind != nullptr && job.kernel.rewind(job.params, memory(), watch->stream());
    };
    const auto before = [&] {
        rewind();
        if (rule.cold)
            flush.queue(gpu.l2_bytes, reinterpret_cast<std::uint32_t*>(sink.data()), watch->stream());
    };
    const EventTimes times = time_launches(*watch, rule, cancel, rewind(), before, launch,
                                           [&] { return refusable.refused.has_value(); });
    if (refusable.refused) return *refusable.refused;
    const Repeats& repeats = times.repeats;
    if (repeats.stopped == Stopped::cancelled) return Unavailable{"cancelled"};

    Timing timing = timing_of(job, spread_of(repeats.samples), repeats);
    timing.useful_bytes = double(job.setting.grid.useful_bytes);
    timing.fits_l2 = fits_l2(job.setting);
    timing.cold = rule.cold;
    timing.method = warps_and_blocks(job.setting.shape) + "; " + how_timed(times, rule) +
                    (job.kernel.prepare == nullptr ? "; random data, " : "; prepared data, ") +
                    repeats_text(repeats);
    return timing;
}

std::vector<ClockPair> TimedKernels::State::read_clocks(std::size_t count) const {
    std::vector<ClockPair> pairs(count);
    CUDA_CHECK(cudaMemcpyAsync(pairs.data(), clocks.data(), count * sizeof(ClockPair), cudaMemcpyDeviceToHost,
                               watch->stream()));
    CUDA_CHECK(
        cudaStreamSynchronize(watch->stream()));  // the kernel before it has ended, so this cannot take long
    return pairs;
}

/// Cycles per request of the loops that ran last, one for each request to shared memory: the slowest warp of
/// each block, the median over all SMs, and the mean over the requests.
double TimedKernels::State::bank_cycles(std::size_t requests) const {
    constexpr double kOfLoop = double{kLoopWarps} * kLoopTurns * kLoopUnroll;
    const std::size_t of_request = kLoopWarps * gpu.sm_count;
    const std::vector<ClockPair> pairs = read_clocks(requests * of_request);
    double sum = 0;
    for (std::size_t first = 0; first < pairs.size(); first += of_request) {
        std::vector<double> cycles;
        for (std::size_t block = first; block < first + of_request; block += kLoopWarps) {
            long long begin = pairs[block].begin, end = pairs[block].end;
            for (std::size_t warp = block; warp < block + kLoopWarps; ++warp) {
                begin = std::min(begin, pairs[warp].begin);
                end = std::max(end, pairs[warp].end);
            }
            cycles.push_back(double(end - begin));
        }
        sum += spread_of(std::move(cycles)).median / kOfLoop;
    }
    return sum / double(requests);
}

/// @param cycles_per_request  gives the cycles of the last launch, which has ended
template <class Launch, class Cycles>
std::variant<Timing, Unavailable> TimedKernels::State::time_by_clock(const TimedLaunch& job,
                                                                     const StopRule& rule,
                                                                     const std::atomic<bool>* cancel,
                                                                     Launch launch,
                                                                     Cycles cycles_per_request) {
    std::vector<double> times_us;
    Refusable refusable;
    const auto checked = refusable.wrap(launch);
    for (int i = 0; i < std::max(rule.warm_up, 1) && !(cancel != nullptr && cancel->load()); ++i)
        watch->time_us(1, checked);
    if (refusable.refused) return *refusable.refused;
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

/// Times the loop of bank_loop.cu, once for each request to shared memory.
std::variant<Timing, Unavailable> TimedKernels::State::time_banks(const TimedLaunch& job,
                                                                  const StopRule& rule,
                                                                  const std::atomic<bool>* cancel) {
    const std::vector<PicturedRequest> requests = job.setting.bank_requests();
    const auto launch = [&]() -> std::optional<Unavailable> {
        KernelMemory at = memory();
        for (const PicturedRequest& request : requests) {
            if (auto why = launch_bank_loop(request, job.setting.shape, gpu.sm_count, at, watch->stream()))
                return why;
            at.clocks += kLoopWarps * gpu.sm_count;
        }
        return std::nullopt;
    };
    auto outcome = time_by_clock(job, rule, cancel, launch, [&] { return bank_cycles(requests.size()); });
    if (auto* timing = std::get_if<Timing>(&outcome)) {
        timing->method =
            "microbenchmark: one block of " + std::to_string(kLoopWarps) +
            " warps per SM, each repeating the pictured warp's request " +
            std::to_string(kLoopTurns * kLoopUnroll) +
            " times; SM clock from the first warp's start to the last one's end / requests, loop "
            "included, median over SMs; " +
            timing->method;
    }
    return outcome;
}

/// Times what reads the clock of the SM before the first and after the last of its requests: chain.cu, or the
/// kernel of a scenario that follows a chain through memory.
std::variant<Timing, Unavailable> TimedKernels::State::time_chain(const TimedLaunch& job,
                                                                  const StopRule& rule,
                                                                  const std::atomic<bool>* cancel) {
    const bool walk = job.setting.how == Measured::walk;
    const double requests = walk ? job.kernel.requests(job.params) : double{kChainTurns} * kChainUnroll;
    const auto launch = [&] {
        return walk ? launch_grid(job) : launch_chain(job.setting, memory(), watch->stream());
    };
    auto outcome = time_by_clock(job, rule, cancel, launch, [&] {
        const ClockPair pair = read_clocks(1).front();
        return double(pair.end - pair.begin) / requests;
    });
    if (auto* timing = std::get_if<Timing>(&outcome)) {
        const std::string count = std::to_string(static_cast<long long>(requests));
        timing->method =
            (walk ? warps_and_blocks(job.setting.shape) + ", " + count + " requests of one lane after another"
                  : "microbenchmark: the pictured warp alone, its instructions " + count +
                        " times over, each load waiting for the one before") +
            "; SM clock / " + count + "; " + timing->method;
    }
    return outcome;
}

std::variant<Timing, Unavailable> TimedKernels::State::time_job(const TimedLaunch& job, const StopRule& rule,
                                                                const std::atomic<bool>* cancel) {
    const auto add_banks = [](Timing& timing, const Timing& loop) {
        timing.bank_cycles = loop.cycles_per_request;
        timing.bank_cycles_lower = loop.cycles_lower;
        timing.bank_cycles_upper = loop.cycles_upper;
    };
    auto outcome = job.setting.how == Measured::banks  ? time_banks(job, rule, cancel)
                   : job.setting.how == Measured::grid ? time_by_events(job, rule, cancel)
                                                       : time_chain(job, rule, cancel);
    auto* timing = std::get_if<Timing>(&outcome);
    if (timing == nullptr || (cancel != nullptr && cancel->load())) return outcome;
    if (job.setting.how == Measured::banks) {
        add_banks(*timing, *timing);
    } else if (!job.setting.bank_requests().empty()) {
        const auto banks = time_banks(job, rule, cancel);
        if (const auto* loop = std::get_if<Timing>(&banks)) add_banks(*timing, *loop);
    }
    return outcome;
}

/// Compares the output with the expected values: the time of a kernel that writes wrong results is worth
/// nothing.
std::optional<Unavailable> TimedKernels::State::check_output(const TimedLaunch& job, Timing& timing) {
    const bool ran = job.setting.how == Measured::grid;
    if (!ran || job.kernel.expected == nullptr) return std::nullopt;
    const ExpectedBytes expected = job.kernel.expected(job.params);
    timing.checked_bytes = int(expected.bytes.size());
    if (job.kernel.accumulates != nullptr && job.kernel.accumulates(job.params) && timing.checked_bytes > 0) {
        if (auto why = job.kernel.prepare(job.params, memory(), watch->stream())) return why;
        if (auto why = job.kernel.launch(job.params, memory(), watch->stream())) return why;
    }
    const auto wrong = find_difference(expected, buffers[1].data(), watch->stream());
    if (!wrong) return std::nullopt;
    return Unavailable{"the kernel left a wrong value at byte " +
                       std::to_string(expected.addresses.at(*wrong)) +
                       " of its output, so its time is not shown; is this GPU sound?"};
}

/// @return  the median time of copies from the first buffer to the second [microseconds]
double TimedKernels::State::time_memcpy(std::int64_t bytes, const StopRule& rule) {
    const auto copy = [&] {
        CUDA_CHECK(cudaMemcpyAsync(buffers[1].data(), buffers[0].data(), static_cast<std::size_t>(bytes),
                                   cudaMemcpyDeviceToDevice, watch->stream()));
    };
    for (int i = 0; i < rule.warm_up; ++i) watch->time_us(1, copy);
    const int copies = rule.cold ? 1 : launches_per_interval(watch->time_us(1, copy));
    const Repeats repeats = repeat_until(rule, nullptr, [&] {
        if (rule.cold)
            flush.queue(gpu.l2_bytes, reinterpret_cast<std::uint32_t*>(sink.data()), watch->stream());
        return watch->time_us(copies, copy) / copies;
    });
    return spread_of(repeats.samples).median;
}

/// Times NVIDIA's own code for the same task: a matrix product or a copy.
void TimedKernels::State::time_library(const TimedLaunch& job, const StopRule& rule, Timing& timing) {
    if (job.setting.info->multiplies) {
        auto [known, is_new] = cublas_us.try_emplace(job.params.matrix, 0);
        if (is_new) {
            const auto outcome = time_cublas(job.params.matrix, rule);
            if (const auto* library = std::get_if<Timing>(&outcome)) known->second = library->median_us;
        }
        if (known->second <= 0) return;
        timing.library = "cuBLAS";
        timing.library_us = known->second;
    } else if (const std::int64_t bytes = copied_bytes(job.setting); bytes > 0) {
        auto [known, is_new] = memcpy_us.try_emplace(rule.cold ? -bytes : bytes, 0);
        if (is_new) known->second = time_memcpy(bytes, rule);
        timing.library = "cudaMemcpy";
        timing.library_us = known->second;
    }
}

}  // namespace warplens
