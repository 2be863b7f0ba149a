#include "app/window/quiz_making.h"

#include "app/base/errors.h"
#include "app/experiment/evidence.h"
#include "app/window/host.h"

#include <utility>

namespace warplens {
namespace {

QuizMaking::Outcome make(const QuizMaking::Job& job, const std::vector<DeviceFacts>& devices,
                         const std::stop_token& stop) {
    try {
        Quiz quiz = make_quiz(job.seed, job.count, job.about, job.device, devices, stop);
        // What the window shows first is executed and counted here, too, and kept by the kernel.
        const bool typed = job.about.here && job.about.here->scenario->typed != nullptr;
        if (typed && !quiz.questions.empty() && !stop.stop_requested())
            gather_evidence(quiz.questions.front().settings.front(), devices);
        return quiz;
    } catch (const UsageError& error) {
        return std::string(error.what());
    }
}

}  // namespace

void QuizMaking::start(const Job& job, const std::vector<DeviceFacts>& devices) {
    cancel();
    kernel_ =
        job.about.here && job.about.here->scenario->typed != nullptr ? job.about.here->scenario : nullptr;
    if (wait_) {
        outcome_ = make(job, devices, {});
        return;
    }
    stop_ = {};
    made_ = std::async(std::launch::async, [wake = wake_, job, devices, stop = stop_.get_token()] {
        const WakeAtEnd at_end{wake};
        return make(job, devices, stop);
    });
}

void QuizMaking::cancel() {
    stop_.request_stop();
    outcome_.reset();
    kernel_ = nullptr;
    if (made_.valid()) given_up_.push_back(std::move(made_));
}

std::optional<QuizMaking::Outcome> QuizMaking::fetch() {
    std::erase_if(given_up_, [](const std::future<Outcome>& one) { return is_ready(one); });
    std::optional<Outcome> outcome = std::exchange(outcome_, std::nullopt);
    if (is_ready(made_)) outcome = made_.get();
    if (outcome) kernel_ = nullptr;
    return outcome;
}

}  // namespace warplens
