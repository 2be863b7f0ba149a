#include "app/measure/worker.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <iterator>
#include <mutex>
#include <thread>
#include <utility>

namespace warplens {
namespace {

bool same_job(const MeasureJob& a, const MeasureJob& b) {
    return a.scenario == b.scenario && a.params == b.params;
}

/// An exception on this thread would end the program: what went wrong becomes a reason instead.
template <class Work>
auto without_exceptions(Work work) -> decltype(work()) {
    try {
        return work();
    } catch (const std::exception& error) {
        return Unavailable{std::string("measuring failed: ") + error.what()};
    }
}

}  // namespace

struct MeasureWorker::State {
    std::function<void()> wake;

    mutable std::mutex mutex;  ///< guards everything down to the line
    std::condition_variable changed;
    bool quit = false;
    std::uint64_t generation = 0;
    StopRule rule;
    std::deque<MeasureJob> jobs;
    std::optional<MeasureJob> running;
    bool running_counts = false;  ///< the running job belongs to the present generation
    std::vector<MeasureResult> results;
    std::optional<std::variant<GpuInfo, Unavailable>> gpu;
    // ----

    std::atomic<bool> cancel = false;  ///< set under the mutex, polled by the running measurement
    std::thread thread;

    void run();
    void find_gpu();
    void measure_next(TimedKernels& kernels, std::unique_lock<std::mutex>& lock);
};

void MeasureWorker::State::find_gpu() {
    auto found = without_exceptions([] { return list_gpus(); });
    {
        const std::lock_guard lock(mutex);
        if (auto* gpus = std::get_if<std::vector<GpuInfo>>(&found)) {
            gpu.emplace(gpus->front());
        } else {
            gpu.emplace(std::get<Unavailable>(found));
        }
    }
    wake();
}

/// Called with the lock held and a job waiting; lets go of the lock while the GPU works.
void MeasureWorker::State::measure_next(TimedKernels& kernels, std::unique_lock<std::mutex>& lock) {
    running = std::move(jobs.front());
    jobs.pop_front();
    running_counts = true;
    cancel = false;
    const MeasureJob job = *running;
    const StopRule its_rule = rule;
    lock.unlock();
    auto outcome =
        without_exceptions([&] { return kernels.time(job.scenario, job.params, its_rule, &cancel); });
    lock.lock();
    running.reset();
    if (!running_counts || quit) return;
    results.push_back({generation, job, std::move(outcome)});
    lock.unlock();
    wake();
    lock.lock();
}

void MeasureWorker::State::run() {
    find_gpu();
    TimedKernels kernels;
    std::unique_lock lock(mutex);
    while (true) {
        changed.wait(lock, [this] { return quit || !jobs.empty(); });
        if (quit) return;
        measure_next(kernels, lock);
    }
}

MeasureWorker::MeasureWorker(std::function<void()> wake) : state_(std::make_unique<State>()) {
    state_->wake = wake ? std::move(wake) : [] {};
    state_->thread = std::thread([state = state_.get()] { state->run(); });
}

MeasureWorker::~MeasureWorker() {
    {
        const std::lock_guard lock(state_->mutex);
        state_->quit = true;
        state_->cancel = true;
    }
    state_->changed.notify_one();
    state_->thread.join();
}

std::optional<std::variant<GpuInfo, Unavailable>> MeasureWorker::gpu() const {
    const std::lock_guard lock(state_->mutex);
    return state_->gpu;
}

std::uint64_t MeasureWorker::submit(std::vector<MeasureJob> jobs, const StopRule& rule) {
    State& state = *state_;
    const std::lock_guard lock(state.mutex);
    const bool same = rule == state.rule;
    state.rule = rule;
    state.results.clear();
    state.jobs.assign(std::make_move_iterator(jobs.begin()), std::make_move_iterator(jobs.end()));
    if (state.running && state.running_counts) {
        const auto wanted = [&](const MeasureJob& job) { return same && same_job(job, *state.running); };
        const auto found = std::find_if(state.jobs.begin(), state.jobs.end(), wanted);
        state.running_counts = found != state.jobs.end();
        if (state.running_counts) state.jobs.erase(found);  // it goes on, and counts for the new generation
        if (!state.running_counts) state.cancel = true;
    }
    state.changed.notify_one();
    return ++state.generation;
}

std::vector<MeasureResult> MeasureWorker::take_results() {
    const std::lock_guard lock(state_->mutex);
    return std::exchange(state_->results, {});
}

std::size_t MeasureWorker::waiting() const {
    const std::lock_guard lock(state_->mutex);
    return state_->jobs.size() + (state_->running && state_->running_counts ? 1 : 0);
}

}  // namespace warplens
