#include "app/window/apply_parts.h"

#include "app/base/errors.h"
#include "app/base/output.h"
#include "app/experiment/devices.h"
#include "app/learn/quiz.h"
#include "app/window/sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

namespace warplens {

void learning_changed(Session& s, bool forward) {
    s.look_changed();  // counts may be hidden or shown now
    if (forward && s.learning.has_card()) show_section(s.view, Section::words);
}

void go_to_course_step(Session& s, int step) {
    const Course* course = s.learning.course();
    if (course == nullptr) return;
    if (step < static_cast<int>(course->steps.size())) {
        s.learning.go_to_step(step);
        set_up_step(s);
        return learning_changed(s, true);
    }
    s.learning.finish_course();
    s.say(fmt::format("course '{}': {} of {} steps done", course->title,
                      s.learning.progress(*course).done_count(), course->steps.size()));
    learning_changed(s, true);
}

void set_up_step(Session& s) {
    const CourseStep* step = s.learning.step();
    if (step == nullptr) return;
    s.view.scope = 0;
    // Courses are about sectors and 32 banks, which do not apply to older GPUs.
    constexpr int kLeastMajor = 7;
    if (s.device().cc.major < kLeastMajor)
        s.state().device = find_device(s.b.devices, kDefaultDevice).value();
    s.state().compared.reset();
    follow(s, step->link);
    s.view.hovered_lane = -1;
}

void start_quiz(Session& s, const action::StartQuiz& wanted) {
    try {
        const std::uint32_t seed = parse_seed(wanted.seed);
        std::optional<Space> space;
        if (wanted.space >= 0) space = static_cast<Space>(wanted.space);
        const std::size_t device = find_device(s.b.devices, kDefaultDevice).value();
        s.learning.leave_course();
        s.learning.start_quiz(
            make_quiz(seed, std::clamp(wanted.questions, 1, kMostQuestions), space, device, s.b.devices));
        set_up_question(s, 0);
        learning_changed(s, true);
    } catch (const UsageError& error) {
        s.say(error.what());
    }
}

void answer(Session& s, const std::string& text) {
    const QuizRun* quiz = s.learning.quiz();
    if (quiz == nullptr || quiz->finished() || quiz->answered()) return;
    s.learning.answer(text, why_right(quiz->question(), s.b.devices));
    learning_changed(s, false);
}

void set_up_question(Session& s, std::size_t setting) {
    const QuizRun* quiz = s.learning.quiz();
    if (quiz == nullptr || quiz->finished() || setting >= quiz->question().settings.size()) return;
    const Question& question = quiz->question();
    s.state().compared.reset();
    follow(s, link_to(question.settings[setting], s.b.devices));
    const int count = s.state().scenario->instruction_count(s.state().params);
    s.view.focus = std::min(question.instruction, count - 1);
    s.view.scope = 0;
}

void write_answers(Session& s, const std::string& path) {
    if (s.learning.quiz() == nullptr) return;
    const QuizRun& quiz = *s.learning.quiz();
    try {
        if (path.empty()) throw std::runtime_error("expected the name of a file to write the answers to");
        write_output(path, quiz_csv(quiz.quiz, quiz.answers, true));
        std::error_code error;
        s.learning.say_written("Written: " + std::filesystem::absolute(path, error).string());
    } catch (const std::exception& problem) {
        s.learning.say_written(problem.what());
    }
    learning_changed(s, false);
}

}  // namespace warplens
