#pragma once

#include "app/learn/courses.h"
#include "app/learn/learn_wish.h"
#include "app/learn/quiz.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warplens {

/// How far a person has come in a course.
struct CourseProgress {
    int at = 0;              ///< the step that is open, or was last
    std::vector<bool> done;  ///< one for each step
    int done_count() const;
};

/// A setting whose numbers were asked for, and what was guessed before.
struct GuessedSetting {
    State setting;
    int instruction = 0;  ///< the one in front; -1: all
    Guess guess;          ///< empty: given up
};

/// A quiz that is being answered.
struct QuizRun {
    Quiz quiz;
    std::vector<std::string> answers;  ///< one for each question that was answered, in order
    std::size_t at = 0;                ///< the question that is open; all answered and past the last: the end
    std::string why;                   ///< of the question that is open, once it is answered
    std::string written;               ///< what became of the file of answers; empty: nothing yet

    bool finished() const { return at >= quiz.questions.size(); }
    bool answered() const { return at < answers.size(); }
    const Question& question() const { return quiz.questions.at(at); }
    int score() const;
};

/// Where a person stands in courses, predictions and quizzes: what is asked, what was said, what stays
/// hidden. Pure: the window follows the links and makes the quiz.
class Learning {
public:
    // Courses.
    const Course* course() const { return course_; }  ///< the open one; null: none
    const CourseStep* step() const;                   ///< the open one's open step; null: none
    int step_index() const;
    /// Zero for a course that was never opened. @param course  one of courses()
    CourseProgress progress(const Course& course) const;
    bool step_done() const;

    /// Where it was left. @return  whether there is such a course.
    bool open_course(std::string_view id);
    void leave_course() { course_ = nullptr; }
    void reset_course(std::string_view id);
    /// @param step  held inside the course; a step with nothing to do is done when a later one is opened.
    void go_to_step(int step);
    /// The last step was left forwards: the course is over.
    void finish_course();
    /// What is set now fulfils the step's goal. @return  whether that is news.
    bool goal_reached();
    /// Take up what was kept; steps that the course does not have are passed over.
    void restore(std::string_view id, int at, const std::vector<int>& done);

    // Predictions.
    bool predict_first() const { return predict_first_; }
    void set_predict_first(bool on) { predict_first_ = on; }
    /// What is asked about what the window shows; none: nothing is.
    Asks asked() const;
    /// The guess about a setting; null: there was none yet.
    const GuessedSetting* guessed(const State& setting, int instruction) const;
    /// @param guess  an empty one shows the numbers all the same.
    void guess(const State& setting, int instruction, const Guess& guess);
    /// Whether what a setting costs is to stay hidden.
    bool hides(const State& setting, int instruction) const;

    // The quiz.
    const QuizRun* quiz() const { return quiz_ ? &*quiz_ : nullptr; }
    void start_quiz(Quiz quiz) { quiz_ = QuizRun{std::move(quiz), {}, 0, {}, {}}; }
    void answer(const std::string& text, const std::string& why);
    void next_question();
    void leave_quiz() { quiz_.reset(); }
    void say_written(const std::string& message) { quiz_->written = message; }

    /// Whether a card takes the place of the tabs.
    bool has_card() const { return course_ != nullptr || quiz_.has_value(); }

private:
    CourseProgress& own_progress(const Course& course);

    const Course* course_ = nullptr;
    std::map<const Course*, CourseProgress> progress_;
    bool predict_first_ = false;
    std::vector<GuessedSetting> guessed_;
    std::optional<QuizRun> quiz_;
};

/// Whether two states are the same setting as far as guesses go: what is counted and how fast it is.
bool same_setting(const State& a, const State& b);

}  // namespace warplens
