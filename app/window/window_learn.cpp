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

void WindowSession::carry_out_learning(const LearnWish& wish) {
    using Act = LearnWish::Act;
    if (wish.act == Act::none) return;
    window_.keep_awake(2);
    ++pictures_.generation;  // counts may be hidden or shown now
    if (wish.act == Act::predict_first) learning_.set_predict_first(wish.number != 0);
    if (wish.act == Act::guess) learning_.guess(state_, view_.focus, wish.guess);
    if (wish.act == Act::give_up) learning_.guess(state_, view_.focus, {});
    carry_out_course(wish);
    carry_out_quiz(wish);
    // Where parts take each other's place, what was begun or goes on comes to the front.
    const bool forward = wish.act == Act::open_course || wish.act == Act::go_to_step ||
                         wish.act == Act::start_quiz || wish.act == Act::next_question;
    if (forward && learning_.has_card()) turn_to(Section::words);
}

void WindowSession::carry_out_course(const LearnWish& wish) {
    using Act = LearnWish::Act;
    if (wish.act == Act::open_course && learning_.open_course(wish.text)) set_up_step();
    if (wish.act == Act::reset_course) learning_.reset_course(wish.text);
    if (wish.act == Act::leave_course) learning_.leave_course();
    if (wish.act == Act::go_to_step) go_to_course_step(wish.number);
    if (wish.act == Act::set_up) set_up_step();
    const CourseStep* step = learning_.step();
    if (wish.act == Act::show_me && step != nullptr && !step->shows.empty()) follow(step->shows);
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

/// A key's step: of the course, or of the quiz once its question is answered.
void WindowSession::step_lesson_card(int by) {
    LearnWish wish;
    if (learning_.quiz() != nullptr) {
        if (by > 0) wish.act = LearnWish::Act::next_question;
    } else if (learning_.course() != nullptr) {
        wish.act = LearnWish::Act::go_to_step;
        wish.number = std::max(0, learning_.step_index() + by);
    }
    carry_out_learning(wish);
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

void WindowSession::carry_out_quiz(const LearnWish& wish) {
    using Act = LearnWish::Act;
    if (wish.act == Act::start_quiz) {
        try {
            const std::uint32_t seed = parse_seed(wish.text);
            std::optional<Space> space;
            if (wish.space >= 0) space = static_cast<Space>(wish.space);
            const std::size_t device = find_device(devices_, kDefaultDevice).value();
            learning_.leave_course();
            learning_.start_quiz(
                make_quiz(seed, std::clamp(wish.number, 1, kMostQuestions), space, device, devices_));
            set_up_question(0);
        } catch (const UsageError& error) {
            say(error.what());
        }
    }
    const QuizRun* quiz = learning_.quiz();
    if (quiz == nullptr) return;
    if (wish.act == Act::answer && !quiz->finished() && !quiz->answered())
        learning_.answer(wish.text, why_right(quiz->question(), devices_));
    if (wish.act == Act::look_at) set_up_question(static_cast<std::size_t>(wish.number));
    if (wish.act == Act::next_question && quiz->answered()) {
        learning_.next_question();
        set_up_question(0);
    }
    if (wish.act == Act::write_answers) write_answers(wish.text);
    if (wish.act == Act::leave_quiz) learning_.leave_quiz();
}

/// The window as the open question has it.
void WindowSession::set_up_question(std::size_t setting) {
    const QuizRun* quiz = learning_.quiz();
    if (quiz->finished() || setting >= quiz->question().settings.size()) return;
    const Question& question = quiz->question();
    state_.compared.reset();
    follow(link_to(question.settings[setting], devices_));
    const int count = state_.scenario->instruction_count(state_.params);
    view_.focus = std::min(question.instruction, count - 1);
    view_.scope = 0;
}

void WindowSession::write_answers(const std::string& path) {
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
