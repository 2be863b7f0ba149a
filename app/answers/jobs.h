#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace warplens {

/// Work that is done in short pieces, by one thread at a time.
class Job {
public:
    virtual ~Job() = default;
    /// Do the next piece. @return  whether there is more to do
    virtual bool step() = 0;
    /// Nobody wants the result any more: no piece is begun, and a long one sees it at its stop token.
    void drop() { stop_.request_stop(); }
    bool dropped() const { return stop_.stop_requested(); }
    std::stop_token stop_token() const { return stop_.get_token(); }

private:
    std::stop_source stop_;
};

/// The place where jobs are done.
enum class JobsRun {
    on_workers,  ///< threads that leave one processor to the window; in_frames where there are none (a
                 ///< browser)
    in_frames,   ///< slices of the frame loop
    at_once,     ///< before the answer is given: commands, and windows that show a counted number of frames
};

/// Does jobs, the oldest first. Ends without waiting for more than the pieces that are being worked on.
class Jobs {
public:
    /// @param wake  called from any thread when there is something new, once until news_taken() is called
    Jobs(JobsRun run, std::function<void()> wake);
    ~Jobs();
    Jobs& operator=(Jobs&&) = delete;

    void add(std::shared_ptr<Job> job);
    /// What was new has been looked at: the next piece that is done wakes again.
    void news_taken() { woken_ = false; }
    /// Without workers, do pieces for about this time. @return  whether jobs are left
    bool run_for(std::chrono::microseconds time);

private:
    void work(const std::stop_token& stop);
    void tell();

    JobsRun run_;
    const std::function<void()> wake_;
    std::atomic<bool> woken_ = false;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::deque<std::shared_ptr<Job>> waiting_;
    std::vector<std::shared_ptr<Job>> running_;
    std::vector<std::jthread> workers_;  ///< last, because they use the others
};

}  // namespace warplens
