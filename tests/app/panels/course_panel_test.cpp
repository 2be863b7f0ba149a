// Courses, predictions and the quiz in the window: a whole one of each, driven from inside.
#include "tests/app/window/headless_fixture.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace warplens::test::course_panel_tests {

namespace {

using Act = LearnWish::Act;
constexpr int kWidth = 1280, kHeight = 720;

class CourseTest : public test::HeadlessFixture {
protected:
    void SetUp() override { open(kWidth, kHeight); }
    void act(Act what, const std::string& text = {}, int number = 0, const Guess& guess = {}) {
        Wishes wishes;
        wishes.learn.act = what;
        wishes.learn.text = text;
        wishes.learn.number = number;
        wishes.learn.guess = guess;
        session_->wish(wishes);
        fresh_items();
    }
    const Learning& learning() { return *session_->frame().learning; }
    bool hidden() { return session_->frame().counts_hidden; }
    /// The buttons of a card lie inside the window, whatever stands above them.
    void expect_inside(const std::string& item) {
        ASSERT_TRUE(shows(item)) << item;
        const ui::ItemRect rect = ui::items().at(item);
        EXPECT_GE(rect.x, 0) << item;
        EXPECT_GE(rect.y, 0) << item;
        EXPECT_LE(rect.x + rect.w, kWidth) << item;
        EXPECT_LE(rect.y + rect.h, kHeight) << item;
    }
};

}  // namespace

TEST_F(CourseTest, EveryStepOfEveryCourseIsDoneAndKept) {
    for (const Course& course : courses()) {
        act(Act::open_course, course.id);
        const int count = static_cast<int>(course.steps.size());
        for (int i = 0; i < count; ++i) {
            SCOPED_TRACE(fmt::format("{}, step {}", course.id, i + 1));
            ASSERT_EQ(learning().step_index(), i);
            EXPECT_FALSE(learning().step_done());
            expect_inside("course.next");
            const CourseStep& step = *learning().step();
            EXPECT_EQ(hidden(), step.asks.any());
            EXPECT_EQ(shows("course.show"), step.goal.has_value());
            EXPECT_EQ(shows("guess.check"), step.asks.any());
            if (step.goal) act(Act::show_me);
            if (step.asks.any()) act(Act::guess, {}, 0, {5, Pace::slower, 5});
            EXPECT_FALSE(hidden());
            EXPECT_EQ(learning().step_done(), step.goal.has_value() || step.asks.any());
            act(Act::go_to_step, {}, i + 1);
        }
        EXPECT_EQ(learning().course(), nullptr) << "over";
        EXPECT_EQ(learning().progress(course).done_count(), count);
        EXPECT_NE(session_->message().find(fmt::format("{} of {} steps done", count, count)),
                  std::string::npos);
    }
    const SavedState saved = read_state(write_state(session_->saved()));
    session_ = fresh();
    session_->restore(saved, true);
    for (const Course& course : courses()) {
        EXPECT_EQ(learning().progress(course).done_count(), static_cast<int>(course.steps.size()));
        act(Act::reset_course, course.id);
        EXPECT_EQ(learning().progress(course).done_count(), 0);
    }
}

TEST_F(CourseTest, AnOpenCourseIsOpenTheNextTime) {
    act(Act::open_course, "bank-conflicts");
    act(Act::go_to_step, {}, 4);
    const SavedState saved = session_->saved();
    EXPECT_EQ(saved.course, "bank-conflicts");
    session_ = fresh();
    session_->restore(saved, true);
    fresh_items();
    EXPECT_EQ(learning().step_index(), 4);
    EXPECT_EQ(session_->frame().state->scenario->info->id, "shared-broadcast");
    session_ = fresh();
    session_->restore(saved, false);
    EXPECT_EQ(learning().course(), nullptr) << "the command line says another place";
    EXPECT_EQ(learning().progress(*find_course("bank-conflicts")).at, 4);
}

TEST_F(CourseTest, AStepEndsAComparison) {
    fresh_items();
    Wishes wishes;
    wishes.figure = action::Do::compare;
    session_->wish(wishes);
    fresh_items();
    ASSERT_TRUE(session_->frame().state->compared);
    act(Act::open_course, "coalescing");
    EXPECT_FALSE(session_->frame().state->compared);
}

TEST_F(CourseTest, AGoalIsNoticedHoweverItIsReached) {
    act(Act::open_course, "coalescing");
    EXPECT_FALSE(learning().step_done());
    Params params = session_->frame().state->params;
    params.stride = 2;
    session_->turn_knobs(*find_scenario("global-stride"), params);
    fresh_items();
    EXPECT_TRUE(learning().step_done());
    act(Act::set_up);
    EXPECT_EQ(session_->frame().state->params.stride, 1);
    EXPECT_TRUE(learning().step_done()) << "it stays done";
}

TEST_F(CourseTest, TheCardKeepsItsButtonsInSightAtEverySize) {
    for (const float scale : {1.0f, 2.0f}) {
        window_->set_user_scale(scale);
        for (const Course& course : courses()) {
            act(Act::open_course, course.id);
            for (int i = 0; i < static_cast<int>(course.steps.size()); ++i) {
                SCOPED_TRACE(fmt::format("{}, step {}, at {}", course.id, i + 1, scale));
                act(Act::go_to_step, {}, i);
                expect_inside("course.next");
                expect_inside("course.back");
                expect_inside("course.leave");
            }
        }
    }
}

TEST_F(CourseTest, OldGpusGiveWayToOneThatTheCourseSpeaksOf) {
    Wishes wishes;
    wishes.link = "global-stride?device=GTX 480";
    session_->wish(wishes);
    fresh_items();
    act(Act::open_course, "coalescing");
    const Frame now = session_->frame();
    EXPECT_GE(now.devices->at(now.state->device).cc.major, 7);
}

TEST_F(CourseTest, PredictFirstHidesNumbersUntilTheGuess) {
    EXPECT_TRUE(shows("predict_first") || (fresh_items(), shows("predict_first")));
    act(Act::predict_first, {}, 1);
    EXPECT_TRUE(hidden());
    EXPECT_FALSE(shows("number.sectors"));
    EXPECT_FALSE(shows("plot")) << "the curve would give the speed away";
    EXPECT_TRUE(shows("guess.count"));
    act(Act::guess, {}, 0, {4, {}, 2000});
    EXPECT_FALSE(hidden());
    EXPECT_TRUE(shows("number.sectors"));
    EXPECT_TRUE(shows("compared.sectors"));
    EXPECT_TRUE(shows("compared.useful GB/s"));
    Wishes wishes;
    wishes.link = "global-stride?stride=9";
    session_->wish(wishes);
    fresh_items();
    EXPECT_TRUE(hidden()) << "another setting";
    act(Act::give_up);
    EXPECT_FALSE(hidden());
    EXPECT_FALSE(shows("compared.sectors")) << "nothing was guessed";
    EXPECT_TRUE(session_->saved().predict_first);
    act(Act::predict_first, {}, 0);
    EXPECT_FALSE(hidden());
}

TEST_F(CourseTest, AWholeQuizToItsTable) {
    act(Act::start_quiz, "77", 6);
    ASSERT_NE(learning().quiz(), nullptr);
    for (int i = 0; i < 6; ++i) {
        SCOPED_TRACE(i);
        const Question question = learning().quiz()->question();
        EXPECT_TRUE(hidden());
        EXPECT_TRUE(same_setting(*session_->frame().state, question.settings.front()));
        EXPECT_EQ(shows("quiz.answer"), question.choices.empty());
        EXPECT_FALSE(shows("quiz.next"));
        if (question.settings.size() == 2) {
            act(Act::look_at, {}, 1);
            EXPECT_TRUE(same_setting(*session_->frame().state, question.settings.back()));
            EXPECT_TRUE(hidden());
        }
        act(Act::answer, i == 2 ? "wrong" : question.right);
        EXPECT_FALSE(hidden());
        expect_inside("quiz.next");
        EXPECT_FALSE(learning().quiz()->why.empty());
        act(Act::next_question);
    }
    EXPECT_TRUE(learning().quiz()->finished());
    EXPECT_EQ(learning().quiz()->score(), 5);
    EXPECT_TRUE(shows("quiz.write"));
    const std::string path = testing::TempDir() + "warplens_quiz_window_test.csv";
    act(Act::write_answers, path);
    EXPECT_TRUE(learning().quiz()->written.starts_with("Written")) << learning().quiz()->written;
    std::ostringstream written;
    written << std::ifstream(path).rdbuf();
    EXPECT_EQ(written.str(), quiz_csv(learning().quiz()->quiz, learning().quiz()->answers, true));
    std::filesystem::remove(path);
    act(Act::write_answers, "/no/such/folder/answers.csv");
    EXPECT_NE(learning().quiz()->written.find("/no/such/folder/answers.csv"), std::string::npos);
    act(Act::leave_quiz);
    EXPECT_EQ(learning().quiz(), nullptr);
}

TEST_F(CourseTest, ASeedThatIsNoneIsRefused) {
    act(Act::start_quiz, "four", 3);
    EXPECT_EQ(learning().quiz(), nullptr);
    EXPECT_NE(session_->message().find("'four'"), std::string::npos) << session_->message();
}

}  // namespace warplens::test::course_panel_tests
