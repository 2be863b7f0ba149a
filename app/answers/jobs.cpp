#include "app/answers/jobs.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace warplens {

Jobs::Jobs(JobsRun run, std::function<void()> wake) : run_(run), wake_(std::move(wake)) {
    if (run != JobsRun::on_workers) return;
    const int most = std::clamp(int(std::thread::hardware_concurrency()) - 1, 2, 4);
    try {
        for (int i = 0; i < most; ++i)
            workers_.emplace_back([this](const std::stop_token& stop) { work(stop); });
    } catch (const std::system_error&) {  // as many as the system gives
        if (workers_.empty()) run_ = JobsRun::in_frames;
    }
}

Jobs::~Jobs() {
    const std::scoped_lock lock(mutex_);
    for (const auto& job : running_) job->drop();
    for (auto& worker : workers_) worker.request_stop();
}

void Jobs::add(std::shared_ptr<Job> job) {
    if (run_ == JobsRun::at_once) {
        while (job->step()) {
        }
        return;
    }
    {
        const std::scoped_lock lock(mutex_);
        waiting_.push_back(std::move(job));
    }
    changed_.notify_one();
}

bool Jobs::run_for(std::chrono::microseconds time) {
    if (run_ != JobsRun::in_frames) return false;
    const auto end = std::chrono::steady_clock::now() + time;
    while (!waiting_.empty()) {
        if (waiting_.front()->dropped() || !waiting_.front()->step()) waiting_.pop_front();
        if (std::chrono::steady_clock::now() >= end) break;
    }
    return !waiting_.empty();
}

void Jobs::work(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (changed_.wait(lock, stop, [this] { return !waiting_.empty(); }) && !stop.stop_requested()) {
        const std::shared_ptr<Job> job = std::move(waiting_.front());
        waiting_.pop_front();
        running_.push_back(job);
        lock.unlock();
        while (!job->dropped() && job->step()) tell();
        tell();
        lock.lock();
        std::erase(running_, job);
    }
}

void Jobs::tell() {
    if (!woken_.exchange(true)) wake_();
}

}  // namespace warplens
