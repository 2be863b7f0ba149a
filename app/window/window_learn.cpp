// Courses, predictions and the quiz in the window: what follows from what a person does there.
#include "app/base/atomic_file.h"
#include "app/base/errors.h"
#include "app/experiment/devices.h"
#include "app/experiment/link.h"
#include "app/learn/quiz.h"
#include "app/window/window_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace warplens {

void WindowSession::put_learning_into(Frame& frame) const {
    frame.learning = &learning_;
    frame.counts_hidden = learning_.hides(state_, view_.focus);
}

/// @param forward  something was begun or goes on: where parts take each other's place it comes to the front.
void WindowSession::learning_changed(bool forward) {
    ++pictures_.generation;  // counts may be hidden or shown now
    if (forward && learning_.has_card()) turn_to(Section::words);
}

/// The step as its link says; past the last one the course is over.
void WindowSession::go_to_course_step(int step) {
    const Course* course = learning_.course();
    if (course == nullptr) return;
    if (step < static_cast<int>(course->steps.size())) {
        learning_.go_to_step(step);
        set_up_step();
        return;
    }
    learning_.finish_course();
    say(fmt::format("course '{}': {} of {} steps done", course->title,
                    learning_.progress(*course).done_count(), course->steps.size()));
}

void WindowSession::set_up_step() {
    const CourseStep* step = learning_.step();
    if (step == nullptr) return;
    view_.scope = 0;
    // Courses speak of sectors and of 32 banks; what GPUs before those did is another story.
    constexpr int kLeastMajor = 7;
    if (devices_[state_.device].cc.major < kLeastMajor)
        state_.device = find_device(devices_, kDefaultDevice).value();
    state_.compared.reset();
    follow(step->link);
    view_.hovered_lane = -1;
}

/// Whether the open step's goal holds now, looked at in every frame: it costs a few comparisons.
void WindowSession::check_goal() {
    const CourseStep* step = learning_.step();
    if (step == nullptr || !step->goal || learning_.step_done()) return;
    if (!reached(*step->goal, state_, evidence_, view_.focus)) return;
    if (learning_.goal_reached()) window_.keep_awake(2);
}

void WindowSession::start_quiz(const action::StartQuiz& wanted) {
    try {
        const std::uint32_t seed = parse_seed(wanted.seed);
        std::optional<Space> space;
        if (wanted.space >= 0) space = static_cast<Space>(wanted.space);
        const std::size_t device = find_device(devices_, kDefaultDevice).value();
        learning_.leave_course();
        learning_.start_quiz(
            make_quiz(seed, std::clamp(wanted.questions, 1, kMostQuestions), space, device, devices_));
        set_up_question(0);
    } catch (const UsageError& error) {
        say(error.what());
    }
}

void WindowSession::answer(const std::string& text) {
    const QuizRun* quiz = learning_.quiz();
    if (quiz == nullptr || quiz->finished() || quiz->answered()) return;
    learning_.answer(text, why_right(quiz->question(), devices_));
}

/// The window as the open question has it.
void WindowSession::set_up_question(std::size_t setting) {
    const QuizRun* quiz = learning_.quiz();
    if (quiz == nullptr || quiz->finished() || setting >= quiz->question().settings.size()) return;
    const Question& question = quiz->question();
    state_.compared.reset();
    follow(link_to(question.settings[setting], devices_));
    const int count = state_.scenario->instruction_count(state_.params);
    view_.focus = std::min(question.instruction, count - 1);
    view_.scope = 0;
}

void WindowSession::write_answers(const std::string& path) {
    if (learning_.quiz() == nullptr) return;
    const QuizRun& quiz = *learning_.quiz();
    try {
        if (path.empty()) throw std::runtime_error("expected the name of a file to write the answers to");
        write_file(path, quiz_csv(quiz.quiz, quiz.answers, true));
        std::error_code error;
        learning_.say_written("Written: " + std::filesystem::absolute(path, error).string());
    } catch (const std::exception& problem) {
        learning_.say_written(problem.what());
    }
}

}  // namespace warplens
