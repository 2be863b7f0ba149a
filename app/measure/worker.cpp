#include "app/measure/worker.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <iterator>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

namespace warplens {
namespace {

bool same_job(const MeasureJob& a, const MeasureJob& b) {
    return a.scenario == b.scenario && a.params == b.params;
}

/// Turns an exception into a reason, because on this thread it would end the program.
template <class Work>
auto without_exceptions(Work work) -> decltype(work()) {
    try {
        return work();
    } catch (const std::exception& error) {
        return Unavailable{std::string("measuring failed: ") + error.what()};
    } catch (...) {
        return Unavailable{"measuring failed"};
    }
}

/// Does what takes long, or calls back, without the lock.
template <class Work>
auto unlocked(std::unique_lock<std::mutex>& lock, Work work) {
    struct Relock {
        std::unique_lock<std::mutex>& lock;
        explicit Relock(std::unique_lock<std::mutex>& held) : lock(held) { lock.unlock(); }
        ~Relock() { lock.lock(); }
    } const relock(lock);
    return work();
}

/// While knobs are changed, nothing is started that would delay the next change by half a second.
constexpr std::chrono::milliseconds kQuiet{700};

/// How long after a change a timing waits for the next change, if knobs are being turned: a timing that has
/// begun delays the counters of that change by 10 to 20 ms.
constexpr std::chrono::milliseconds kTurning{80};

/// How long the end of a measurement is waited for. The longest one takes less.
constexpr std::chrono::seconds kPatience{3};

std::atomic<bool> one_is_abandoned = false;

}  // namespace

struct MeasureWorker::State {
    std::mutex waking;           ///< guards the next line
    std::function<void()> wake;  ///< null after the worker is gone
    MeasureBench bench;

    mutable std::mutex mutex;  ///< guards all members above the line
    std::condition_variable changed;
    bool quit = false, ended = false;
    bool releasing = false;  ///< whether the counters are to be released
    std::uint64_t generation = 0;
    StopRule rule;
    std::deque<MeasureJob> jobs;
    std::optional<MeasureJob> running;
    bool running_counts = false;  ///< whether the running job belongs to the present generation
    std::vector<MeasureResult> results;
    std::optional<CountJob> counting;
    std::optional<CountResult> counted;                ///< the counters that wait for the later ones
    std::chrono::steady_clock::time_point quiet_from;  ///< when a person last changed something
    bool turning = false;  ///< whether the change before that one was shortly before it
    std::optional<CountResult> counts;
    MeasureProgress progress;
    std::optional<std::variant<GpuInfo, Unavailable>> gpu;
    // ----

    std::atomic<bool> cancel = false;  ///< set while the mutex is held, and polled by the running measurement
    std::optional<std::thread> thread;

    void run() {
        find_gpu();
        const auto opened =
            without_exceptions([this]() -> std::variant<TimeJob, Unavailable> { return bench.open(); });
        const auto* why = std::get_if<Unavailable>(&opened);
        const TimeJob time =
            why == nullptr ? std::get<TimeJob>(opened) : [why](const auto&...) { return *why; };
        std::unique_lock lock(mutex);
        while (!quit) {
            try {
                work(time, lock);
            } catch (const std::exception&) {  // no memory for a result, which is then missing
                if (running && running_counts) ++progress.done;
                running.reset();
            }
        }
        ended = true;
        changed.notify_all();
    }

    /// Waits for something to do, and does it.
    void work(const TimeJob& time, std::unique_lock<std::mutex>& lock) {
        const auto urgent = [this] { return quit || releasing || counting || !jobs.empty(); };
        changed.wait(lock, [&] { return urgent() || counted; });
        if (counted &&
            changed.wait_until(lock, quiet_from + kQuiet, [&] { return urgent() || !counted; }) == false)
            count_later(lock);
        if (quit) return;
        if (releasing)
            release(lock);
        else if (counting)
            count_next(lock);
        else if (!jobs.empty() && !changes_soon(lock))
            measure_next(time, lock);
    }

    void release(std::unique_lock<std::mutex>& lock) {
        unlocked(lock, [this] {
            try {
                if (bench.release) bench.release();
            } catch (const std::exception&) {  // the other process will say that it cannot count
            }
        });
        releasing = false;
        changed.notify_all();
    }

    /// Whether the next change comes at once, as it does while a knob is dragged.
    bool changes_soon(std::unique_lock<std::mutex>& lock) {
        const std::uint64_t its_generation = generation;
        return turning && changed.wait_until(lock, quiet_from + kTurning, [&] {
            return quit || jobs.empty() || generation != its_generation;
        });
    }

    /// Must be called with the lock held.
    void cancel_jobs() {
        jobs.clear();
        progress.total = progress.done;
        if (!running || !running_counts) return;
        running_counts = false;
        cancel = true;
    }

    void call_wake() {
        const std::lock_guard lock(waking);
        if (wake) wake();
    }

    void find_gpu() {
        auto found = without_exceptions([this] { return bench.find_gpus(); });
        {
            const std::lock_guard lock(mutex);
            if (auto* why = std::get_if<Unavailable>(&found))
                gpu.emplace(std::move(*why));
            else if (const auto& gpus = std::get<std::vector<GpuInfo>>(found); gpus.empty())
                gpu.emplace(Unavailable{"there is no NVIDIA GPU here"});
            else
                gpu.emplace(gpus.front());
        }
        call_wake();
    }

    /// Must be called with the lock held and a job waiting. It releases the lock while the GPU works.
    void measure_next(const TimeJob& time, std::unique_lock<std::mutex>& lock) {
        running = std::move(jobs.front());
        jobs.pop_front();
        running_counts = true;
        cancel = false;
        const MeasureJob job = *running;
        const StopRule its_rule = rule;
        auto outcome =
            unlocked(lock, [&] { return without_exceptions([&] { return time(job, its_rule, &cancel); }); });
        running.reset();
        if (!running_counts || quit) return;
        results.push_back({generation, job, std::move(outcome)});
        ++progress.done;
        unlocked(lock, [this] { call_wake(); });
    }

    auto count(std::unique_lock<std::mutex>& lock, const CountJob& job) {
        return unlocked(lock, [&] { return without_exceptions([&] { return bench.count(job); }); });
    }

    /// The same for counters, which cannot be interrupted: they take some ten milliseconds.
    void count_next(std::unique_lock<std::mutex>& lock) {
        const CountJob job = std::move(*counting);
        counting.reset();
        const std::uint64_t its_generation = generation;
        auto outcome = count(lock, job);
        if (generation != its_generation || quit) return;
        counts.emplace(CountResult{job, std::move(outcome)});
        if (!job.later.empty() && std::holds_alternative<CounterReading>(counts->outcome)) counted = counts;
        unlocked(lock, [this] { call_wake(); });
    }

    /// Reads the remaining counters. Afterwards the GPU is set up for the first ones again, so that they are
    /// available at once after the next change.
    void count_later(std::unique_lock<std::mutex>& lock) {
        CountResult result = std::move(*counted);
        counted.reset();
        const CountJob first = result.job;
        const std::uint64_t its_generation = generation;
        auto outcome = count(lock, {first.setting, first.later});
        const auto* more = std::get_if<CounterReading>(&outcome);
        if (more != nullptr && generation == its_generation && !quit) {
            auto& reading = std::get<CounterReading>(result.outcome);
            reading.values.insert(reading.values.end(), more->values.begin(), more->values.end());
            reading.passes += more->passes;
            reading.elapsed_ms += more->elapsed_ms;
            result.job.metrics.insert(result.job.metrics.end(), first.later.begin(), first.later.end());
            result.job.later.clear();
            counts.emplace(std::move(result));
            unlocked(lock, [this] { call_wake(); });
        }
        if (!quit && !counting && !releasing) count(lock, {first.setting, first.metrics});
    }
};

MeasureBench gpu_bench() {
    const auto kernels = std::make_shared<TimedKernels>();  // does nothing before it is first used
    const auto time = [kernels](const MeasureJob& job, const StopRule& rule,
                                const std::atomic<bool>* cancel) {
        return kernels->time(job.scenario, job.params, rule, cancel);
    };
    const auto count = [kernels](const CountJob& job) {
        return kernels->count(job.setting.scenario, job.setting.params, job.metrics);
    };
    return {&list_gpus, [time] { return TimeJob(time); }, count, [kernels] { kernels->release_counters(); }};
}

MeasureWorker::MeasureWorker(std::function<void()> wake, MeasureBench bench)
    : state_(std::make_shared<State>()) {
    state_->bench = std::move(bench);
    state_->wake = std::move(wake);
    try {
        state_->thread.emplace([state = state_] { state->run(); });
    } catch (const std::system_error& error) {
        state_->gpu.emplace(Unavailable{std::string("measuring cannot start: ") + error.what()});
    }
}

MeasureWorker::~MeasureWorker() {
    {
        const std::lock_guard lock(state_->waking);
        state_->wake = nullptr;
    }
    if (!state_->thread) return;
    std::unique_lock lock(state_->mutex);
    state_->quit = true;
    state_->cancel = true;
    state_->changed.notify_all();
    const bool ended = state_->changed.wait_for(lock, kPatience, [this] { return state_->ended; });
    lock.unlock();
    if (ended) {
        state_->thread->join();
    } else {
        state_->thread->detach();  // with its share of the state
        one_is_abandoned = true;
    }
}

bool MeasureWorker::any_abandoned() { return one_is_abandoned; }

std::optional<std::variant<GpuInfo, Unavailable>> MeasureWorker::gpu() const {
    const std::lock_guard lock(state_->mutex);
    return state_->gpu;
}

std::uint64_t MeasureWorker::submit(std::vector<MeasureJob> jobs, const StopRule& rule,
                                    std::optional<CountJob> counting) {
    State& state = *state_;
    const std::lock_guard lock(state.mutex);
    const bool same = rule == state.rule;
    state.rule = rule;
    state.results.clear();
    state.counts.reset();
    state.counted.reset();
    const auto now = std::chrono::steady_clock::now();
    state.turning = now - std::exchange(state.quiet_from, now) < kQuiet;
    state.counting = state.bench.count ? std::move(counting) : std::nullopt;
    state.progress = {0, jobs.size()};
    state.jobs.assign(std::make_move_iterator(jobs.begin()), std::make_move_iterator(jobs.end()));
    if (state.running && state.running_counts) {
        const auto wanted = [&](const MeasureJob& job) { return same && same_job(job, *state.running); };
        const auto found = std::find_if(state.jobs.begin(), state.jobs.end(), wanted);
        state.running_counts = found != state.jobs.end();
        if (state.running_counts) state.jobs.erase(found);  // it continues, and counts for the new generation
        if (!state.running_counts) state.cancel = true;
    }
    state.changed.notify_one();
    return ++state.generation;
}

std::vector<MeasureResult> MeasureWorker::take_results() {
    const std::lock_guard lock(state_->mutex);
    return std::exchange(state_->results, {});
}

std::optional<CountResult> MeasureWorker::take_counts() {
    const std::lock_guard lock(state_->mutex);
    return std::exchange(state_->counts, std::nullopt);
}

void MeasureWorker::cancel() {
    const std::lock_guard lock(state_->mutex);
    state_->cancel_jobs();
}

void MeasureWorker::release() {
    State& state = *state_;
    if (!state.thread) return;
    std::unique_lock lock(state.mutex);
    state.cancel_jobs();
    state.counting.reset();
    state.counted.reset();
    state.releasing = true;
    state.changed.notify_all();
    state.changed.wait_for(lock, kPatience, [&] { return !state.releasing || state.ended; });
}

MeasureProgress MeasureWorker::progress() const {
    const std::lock_guard lock(state_->mutex);
    return state_->progress;
}

std::size_t MeasureWorker::waiting() const {
    const std::lock_guard lock(state_->mutex);
    return state_->jobs.size() + (state_->running && state_->running_counts ? 1 : 0);
}

}  // namespace warplens
