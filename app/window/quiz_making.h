#pragma once

#include "app/learn/quiz.h"

#include <cstdint>
#include <functional>
#include <future>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

namespace warplens {

/// Makes a quiz on a thread of its own. That of a typed kernel executes it at up to 16 settings, which may
/// take half a second.
class QuizMaking {
public:
    struct Job {
        std::uint32_t seed = 0;
        int count = 1;
        QuizAbout about;
        std::size_t device = 0;  ///< whose rules apply: an index into the devices
    };
    /// A quiz, or in a sentence why there is none.
    using Outcome = std::variant<Quiz, std::string>;

    /// @param wake  called from any thread when a quiz was made
    /// @param wait  make it within start(), so that every run of a test shows the same
    QuizMaking(std::function<void()> wake, bool wait) : wake_(std::move(wake)), wait_(wait) {}
    ~QuizMaking() { cancel(); }  // the futures wait for their threads
    QuizMaking& operator=(QuizMaking&&) = delete;

    /// What is being made is given up.
    void start(const Job& job, const std::vector<DeviceFacts>& devices);
    void cancel();
    bool making() const { return made_.valid() || outcome_.has_value(); }
    /// The kernel that the quiz is about; null if it is about other things as well, or none is being made.
    const Scenario* kernel() const { return kernel_; }
    /// What has become of the quiz, once.
    std::optional<Outcome> fetch();

private:
    std::function<void()> wake_;
    bool wait_;
    const Scenario* kernel_ = nullptr;
    std::optional<Outcome> outcome_;  ///< of a quiz that was made within start()
    std::stop_source stop_;
    std::future<Outcome> made_;
    std::vector<std::future<Outcome>> given_up_;  ///< kept until their threads have ended, which is soon
};

}  // namespace warplens
