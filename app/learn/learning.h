#pragma once

// The folder app/learn/ contains what teaches: lessons, courses, predictions before the numbers are
// shown, the quiz, the glossary, the tour, the stops of a talk, and demos. Texts are in assets/. It draws
// nothing and opens no links: panels show these things, and the window follows their links.

#include "app/learn/courses.h"
#include "app/learn/demo.h"
#include "app/learn/guess.h"
#include "app/learn/learn_keys.h"
#include "app/learn/quiz.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warplens {

/// The progress of a person in a course.
struct CourseProgress {
    int at = 0;              ///< the step that is open, or was open last
    std::vector<bool> done;  ///< one for each step
    int done_count() const;
};

/// A setting whose numbers were shown, and the guess before that.
struct GuessedSetting {
    State setting;
    int instruction = 0;  ///< the selected instruction; -1 for all
    Guess guess;          ///< empty if the person did not guess
};

/// How far a person has come in a quiz.
struct QuizProgress {
    std::vector<std::string> answers = {};  ///< the answers given so far, in the order of the questions
    std::size_t at = 0;  ///< the open question; after the last one when the quiz is finished
    friend bool operator==(const QuizProgress&, const QuizProgress&) = default;
};

/// A quiz that is being answered.
struct QuizRun : QuizProgress {
    Quiz quiz;
    std::string why = {};      ///< the explanation of the open question, after it was answered
    std::string written = {};  ///< the result of writing the file of answers; empty before that

    bool finished() const { return at >= quiz.questions.size(); }
    bool answered() const { return at < answers.size(); }
    const Question& question() const { return quiz.questions.at(at); }
    int score() const;
};

/// The state of a person in courses, predictions and quizzes: what is asked, what was answered, and what
/// stays hidden. It opens no links and makes no quiz; the window does.
class Learning {
public:
    // Courses.
    const Course* course() const { return course_; }  ///< the open course; null if there is none
    const CourseStep* step() const;  ///< the open step of the open course; null if there is none
    int step_index() const;
    /// @param course  one of courses()
    /// @return  no progress for a course that was never opened.
    CourseProgress progress(const Course& course) const;
    bool step_done() const;
    bool has_task() const;  ///< whether the open step has a task that is not done yet

    /// Open a course at the step where it was left.
    /// @return  whether there is such a course.
    bool open_course(std::string_view id);
    /// The course that was finished last, whose card says so until it is closed. Null if there is none.
    const Course* finished() const { return finished_; }
    /// The course after the finished one. Null if there is none.
    const Course* next_course() const;
    void leave_course() { course_ = finished_ = nullptr; }
    void reset_course(std::string_view id);
    /// @param step  is clamped to the course. A step without a task counts as done when a later one is
    /// opened.
    void go_to_step(int step);
    /// The course is finished, because the person went on from its last step.
    void finish_course();
    /// The present setting fulfils the step's goal.
    /// @return  whether it did not before.
    bool goal_reached();
    /// Restore saved progress. Steps that the course does not have are ignored.
    void restore(std::string_view id, int at, const std::vector<int>& done);

    // Predictions.
    bool predict_first() const { return predict_first_; }
    void set_predict_first(bool on) { predict_first_ = on; }
    /// The questions about the present setting; none if there are none.
    Asks asked() const;
    /// The guess about a setting. Null if there was none yet.
    const GuessedSetting* guessed(const State& setting, int instruction) const;
    /// @param guess  if it is empty, the numbers are shown without a guess.
    void guess(const State& setting, int instruction, const Guess& guess);
    /// Whether the costs of a setting have to stay hidden.
    bool hides(const State& setting, int instruction) const;

    // The quiz.
    const QuizRun* quiz() const { return quiz_ ? &*quiz_ : nullptr; }
    /// Whether one is being made, which will take the place of what is open.
    bool making_quiz() const { return wanted_quiz_.has_value(); }
    const QuizKey* wanted_quiz() const { return wanted_quiz_ ? &*wanted_quiz_ : nullptr; }
    /// @param from  of an earlier run of the program
    void await_quiz(const QuizKey& key, QuizProgress from = {}) {
        wanted_quiz_ = key;
        wanted_from_ = std::move(from);
    }
    const QuizProgress& wanted_from() const { return wanted_from_; }
    void give_up_quiz() { wanted_quiz_.reset(); }
    void start_quiz(Quiz quiz, QuizProgress from = {});
    void answer(const std::string& text, const std::string& why);
    void say_why(const std::string& why) { quiz_->why = why; }
    void next_question();
    void leave_quiz() {
        quiz_.reset();
        wanted_quiz_.reset();
    }
    void say_written(const std::string& message) { quiz_->written = message; }

    /// The demo that is open, being made or played.
    DemoRun demo;

    /// Whether a card replaces the tabs: of a course, of a quiz, or with the note of a demo's stop.
    bool has_card() const {
        return making_quiz() || course_ != nullptr || finished_ != nullptr || quiz_.has_value() ||
               (demo.playing() && demo.note_shown());
    }

private:
    CourseProgress& own_progress(const Course& course);

    const Course* course_ = nullptr;
    const Course* finished_ = nullptr;
    std::map<const Course*, CourseProgress> progress_;
    bool predict_first_ = false;
    std::vector<GuessedSetting> guessed_;
    std::optional<QuizRun> quiz_;
    std::optional<QuizKey> wanted_quiz_;  ///< the quiz that is being made
    QuizProgress wanted_from_;            ///< and where it goes on
};

/// Whether two states have the same setting with regard to guesses: what is counted and how fast it is.
bool same_setting(const State& a, const State& b);

}  // namespace warplens
