#include "app/learn/learning.h"

#include <algorithm>
#include <utility>

namespace warplens {

int CourseProgress::done_count() const { return int(std::ranges::count(done, true)); }

int QuizRun::score() const {
    int right = 0;
    for (std::size_t i = 0; i < answers.size(); ++i) right += is_right(quiz.questions[i], answers[i]) ? 1 : 0;
    return right;
}

namespace {

/// Picks the guess about a setting.
auto is_about(const State& setting, int instruction) {
    return [&setting, instruction](const GuessedSetting& one) {
        return one.instruction == instruction && same_setting(one.setting, setting);
    };
}

}  // namespace

bool same_setting(const State& a, const State& b) {
    return a.scenario == b.scenario && a.params == b.params && a.device == b.device && a.cold == b.cold &&
           a.bank_mode == b.bank_mode;
}

CourseProgress Learning::progress(const Course& course) const {
    const auto found = progress_.find(&course);
    if (found != progress_.end()) return found->second;
    return {0, std::vector<bool>(course.steps.size(), false)};
}

CourseProgress& Learning::own_progress(const Course& course) {
    return progress_.try_emplace(&course, progress(course)).first->second;
}

int Learning::step_index() const { return course_ == nullptr ? 0 : progress(*course_).at; }

const CourseStep* Learning::step() const {
    return course_ == nullptr ? nullptr : &course_->steps[step_index()];
}

bool Learning::has_task() const { return step() != nullptr && step()->goal && !step_done(); }
bool Learning::step_done() const { return course_ != nullptr && progress(*course_).done[step_index()]; }

bool Learning::open_course(std::string_view id) {
    demo.end();
    const Course* found = find_course(id);
    if (found == nullptr) return false;
    course_ = found;
    finished_ = nullptr;
    leave_quiz();
    own_progress(*found);
    return true;
}

void Learning::reset_course(std::string_view id) {
    const Course* found = find_course(id);
    if (found == nullptr) return;
    progress_.erase(found);
    // The guesses in its steps are asked again.
    guessed_.clear();
}

void Learning::go_to_step(int step) {
    if (course_ == nullptr) return;
    const CourseStep& left = *this->step();
    const int last = int(course_->steps.size()) - 1, to = std::clamp(step, 0, last);
    if (to > step_index() && !left.goal && !left.asks.any()) goal_reached();
    own_progress(*course_).at = to;
}

void Learning::finish_course() {
    if (const CourseStep* left = step(); left != nullptr && !left->goal && !left->asks.any()) goal_reached();
    finished_ = std::exchange(course_, nullptr);
}

const Course* Learning::next_course() const {
    return finished_ == nullptr || finished_ == &courses().back() ? nullptr : finished_ + 1;
}

bool Learning::goal_reached() {
    if (course_ == nullptr || step_done()) return false;
    CourseProgress& now = own_progress(*course_);
    now.done[now.at] = true;
    return true;
}

void Learning::restore(std::string_view id, int at, const std::vector<int>& done) {
    const Course* found = find_course(id);
    if (found == nullptr) return;
    CourseProgress& now = own_progress(*found);
    const int count = int(found->steps.size());
    now.at = std::clamp(at, 0, count - 1);
    for (const int step : done) {
        if (step >= 0 && step < count) now.done[step] = true;
    }
}

Asks Learning::asked() const {
    if (const CourseStep* now = step(); now != nullptr && now->asks.any()) return now->asks;
    return predict_first_ ? Asks{true, true, true} : Asks{};
}

const GuessedSetting* Learning::guessed(const State& setting, int instruction) const {
    const auto found = std::ranges::find_if(guessed_, is_about(setting, instruction));
    return found == guessed_.end() ? nullptr : &*found;
}

void Learning::guess(const State& setting, int instruction, const Guess& guess) {
    std::erase_if(guessed_, is_about(setting, instruction));
    constexpr std::size_t kMost = 500;
    if (guessed_.size() >= kMost) guessed_.erase(guessed_.begin());
    guessed_.push_back({setting, instruction, guess});
    const CourseStep* now = step();
    if (now != nullptr && now->asks.any()) goal_reached();
}

bool Learning::hides(const State& setting, int instruction) const {
    if (quiz_) return !quiz_->finished() && !quiz_->answered();
    const CourseStep* now = step();
    const bool asks = now != nullptr && now->asks.any() && !step_done();
    // Courses ask where they want a prediction, and demos leave it to the lecturer. What they do not ask
    // could not be answered, because their card stands where the question would be.
    const bool guided = now != nullptr || demo.playing();
    return (asks || (predict_first_ && !guided)) && guessed(setting, instruction) == nullptr;
}

void Learning::start_quiz(Quiz quiz, QuizProgress from) {
    demo.end();
    finished_ = nullptr;
    wanted_quiz_.reset();
    // Another version of the program may ask less.
    from.answers.resize(std::min(from.answers.size(), quiz.questions.size()));
    const std::size_t given = from.answers.size();
    from.at = std::clamp(from.at, given - std::min<std::size_t>(given, 1), given);
    quiz_ = QuizRun{{std::move(from)}, std::move(quiz)};
}

void Learning::answer(const std::string& text, const std::string& why) {
    if (!quiz_ || quiz_->finished() || quiz_->answered()) return;
    quiz_->answers.push_back(text);
    quiz_->why = why;
}

void Learning::next_question() {
    if (!quiz_ || quiz_->finished() || !quiz_->answered()) return;
    ++quiz_->at;
    quiz_->why.clear();
}

}  // namespace warplens
