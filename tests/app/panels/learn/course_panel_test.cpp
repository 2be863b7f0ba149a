// Courses, predictions and the quiz in the window: a whole one of each, driven from inside.
#include "app/base/assets.h"
#include "app/base/process.h"
#include "app/gl/tab_walk.h"
#include "tests/app/window/headless_fixture.h"
#include "tests/app/window/turn_knobs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace warplens::test::course_panel_tests {

namespace {

using action::Do;
constexpr int kWidth = 1280, kHeight = 720;

class CourseTest : public test::HeadlessFixture {
protected:
    void SetUp() override { open(kWidth, kHeight); }
    void act(const Action& action) {
        HeadlessFixture::act(action);
        fresh_items();
    }
    const Learning& learning() { return *session().frame().learning; }
    bool hidden() { return session().frame().counts_hidden; }
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
        act(action::OpenCourse{course.id});
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
            if (step.goal) act(Do::show_me);
            if (step.asks.any()) act(action::MakeGuess{{5, Pace::slower, 5}});
            EXPECT_FALSE(hidden());
            EXPECT_EQ(learning().step_done(), step.goal.has_value() || step.asks.any());
            act(action::GoToStep{i + 1});
        }
        EXPECT_EQ(learning().course(), nullptr) << "over";
        EXPECT_EQ(learning().progress(course).done_count(), count);
        EXPECT_NE(session().messages().last().text.find(fmt::format("{} of {} steps done", count, count)),
                  std::string::npos);
    }
    const SavedState saved = read_state(write_state(session().saved()));
    shell_ = fresh(plain_options());
    session().restore(saved, true);
    for (const Course& course : courses()) {
        EXPECT_EQ(learning().progress(course).done_count(), static_cast<int>(course.steps.size()));
        act(action::ResetCourse{course.id});
        EXPECT_EQ(learning().progress(course).done_count(), 0);
    }
}

TEST_F(CourseTest, AnOpenCourseIsOpenTheNextTime) {
    act(action::OpenCourse{"bank-conflicts"});
    act(action::GoToStep{4});
    const SavedState saved = session().saved();
    EXPECT_EQ(saved.course, "bank-conflicts");
    shell_ = fresh(plain_options());
    session().restore(saved, true);
    fresh_items();
    EXPECT_EQ(learning().step_index(), 4);
    EXPECT_EQ(session().frame().state->scenario->info->id, "shared-broadcast");
    shell_ = fresh(plain_options());
    session().restore(saved, false);
    EXPECT_EQ(learning().course(), nullptr) << "the command line says another place";
    EXPECT_EQ(learning().progress(*find_course("bank-conflicts")).at, 4);
}

TEST_F(CourseTest, AStepEndsAComparison) {
    fresh_items();
    act(Do::compare);
    ASSERT_TRUE(session().frame().state->compared);
    act(action::OpenCourse{"coalescing"});
    EXPECT_FALSE(session().frame().state->compared);
}

TEST_F(CourseTest, AGoalIsNoticedHoweverItIsReached) {
    act(action::OpenCourse{"coalescing"});
    EXPECT_FALSE(learning().step_done());
    Params params = session().frame().state->params;
    params.stride = 2;
    turn_knobs(session(), *find_scenario("global-stride"), params);
    fresh_items();
    EXPECT_TRUE(learning().step_done());
    act(Do::set_up_step);
    EXPECT_EQ(session().frame().state->params.stride, 1);
    EXPECT_TRUE(learning().step_done()) << "it stays done";
}

TEST_F(CourseTest, TheCardKeepsItsButtonsInSightAtEverySize) {
    for (const float scale : {1.0f, 2.0f}) {
        window_->set_user_scale(scale);
        for (const Course& course : courses()) {
            act(action::OpenCourse{course.id});
            for (int i = 0; i < static_cast<int>(course.steps.size()); ++i) {
                SCOPED_TRACE(fmt::format("{}, step {}, at {}", course.id, i + 1, scale));
                act(action::GoToStep{i});
                expect_inside("course.next");
                expect_inside("course.back");
                expect_inside("course.leave");
            }
        }
    }
}

TEST_F(CourseTest, OldGpusGiveWayToOneThatTheCourseSpeaksOf) {
    go("global-stride?device=GTX 480");
    act(action::OpenCourse{"coalescing"});
    const Frame now = session().frame();
    EXPECT_GE(now.devices->at(now.state->device).cc.major, 7);
}

TEST_F(CourseTest, AFinishedCourseSaysWhatWasDoneAndLeadsToTheNext) {
    const Course &first = courses()[0], &second = courses()[1];
    act(action::OpenCourse{first.id});
    act(action::GoToStep{int(first.steps.size())});
    fresh_items();
    EXPECT_EQ(session().learning.course(), nullptr);
    EXPECT_TRUE(shows("course.finished"));
    click("course.next_course");
    EXPECT_EQ(session().learning.course(), &second);
    act(action::GoToStep{int(second.steps.size())});
    fresh_items();
    click("course.close");
    EXPECT_FALSE(session().learning.has_card());
}

TEST_F(CourseTest, PredictFirstHidesNumbersUntilTheGuess) {
    act(action::Show{&View::learn_menu});
    fresh_items();
    EXPECT_TRUE(shows("predict_first"));
    press(GLFW_KEY_ESCAPE);
    act(action::PredictFirst{true});
    EXPECT_TRUE(hidden());
    EXPECT_FALSE(shows("number.sectors"));
    EXPECT_FALSE(shows("plot")) << "the curve would give the speed away";
    EXPECT_TRUE(shows("guess.count"));
    act(action::MakeGuess{{4, {}, 2000}});
    EXPECT_FALSE(hidden());
    EXPECT_TRUE(shows("number.sectors"));
    EXPECT_TRUE(shows("compared.sectors"));
    EXPECT_TRUE(shows("compared.useful GB/s"));
    go("global-stride?stride=9");
    EXPECT_TRUE(hidden()) << "another setting";
    act(action::MakeGuess{});
    EXPECT_FALSE(hidden());
    EXPECT_FALSE(shows("compared.sectors")) << "nothing was guessed";
    EXPECT_TRUE(session().saved().predict_first);
    act(action::PredictFirst{false});
    EXPECT_FALSE(hidden());
}

TEST_F(CourseTest, AWholeQuizToItsTable) {
    act(action::StartQuiz{"77", 6});
    ASSERT_NE(learning().quiz(), nullptr);
    for (int i = 0; i < 6; ++i) {
        SCOPED_TRACE(i);
        const Question question = learning().quiz()->question();
        EXPECT_TRUE(hidden());
        EXPECT_TRUE(same_setting(*session().frame().state, question.settings.front()));
        EXPECT_EQ(shows("quiz.answer"), question.choices.empty());
        EXPECT_FALSE(shows("quiz.next"));
        if (question.settings.size() == 2) {
            act(action::LookAt{1});
            EXPECT_TRUE(same_setting(*session().frame().state, question.settings.back()));
            EXPECT_TRUE(hidden());
        }
        act(action::Answer{i == 2 ? "wrong" : question.right});
        EXPECT_FALSE(hidden());
        expect_inside("quiz.next");
        EXPECT_FALSE(learning().quiz()->why.empty());
        act(Do::next_question);
    }
    EXPECT_TRUE(learning().quiz()->finished());
    EXPECT_EQ(learning().quiz()->score(), 5);
    EXPECT_TRUE(shows("quiz.write"));
    const std::string path = testing::TempDir() + "warplens_quiz_window_test.csv";
    act(action::WriteAnswers{path});
    EXPECT_TRUE(learning().quiz()->written.starts_with("Written")) << learning().quiz()->written;
    EXPECT_EQ(contents_of(path), quiz_csv(learning().quiz()->quiz, learning().quiz()->answers, true));
    std::filesystem::remove(path);
    act(action::WriteAnswers{"/no/such/folder/answers.csv"});
    EXPECT_NE(learning().quiz()->written.find("/no/such/folder/answers.csv"), std::string::npos);
    act(Do::leave_quiz);
    EXPECT_EQ(learning().quiz(), nullptr);
}

TEST_F(CourseTest, AQuizIsAnsweredByTheKeyboardAlone) {
    int chosen = 0, typed = 0;
    act(action::StartQuiz{"2026", 8});
    for (std::size_t i = 0; i < 8; ++i) {
        SCOPED_TRACE(i);
        frame();
        const Question question = learning().quiz()->question();
        if (!question.choices.empty()) {
            EXPECT_EQ(ui::walked_to(), "quiz.choice." + question.choices.front());
            ++chosen;
        } else {
            type("12");
            frame();
            press(GLFW_KEY_TAB);
            EXPECT_EQ(ui::walked_to(), "quiz.send") << "a field lets Tab go";
            ++typed;
        }
        press(GLFW_KEY_ENTER);
        ASSERT_TRUE(learning().quiz()->answered());
        frame();
        EXPECT_EQ(ui::walked_to(), "quiz.next");
        press(GLFW_KEY_ENTER);
        frame();
        ASSERT_EQ(learning().quiz()->at, i + 1);
    }
    EXPECT_GT(chosen * typed, 0);
    act(Do::leave_quiz);
    session().view.learn_menu = true;
    fresh_items();
    for (int i = 0; i < 60 && ui::walked_to() != "quiz.seed"; ++i) press(GLFW_KEY_TAB);
    for (int i = 0; i < 3; ++i) frame();
    EXPECT_TRUE(ImGui::GetIO().WantTextInput) << "digits are no shortcuts there";
}

TEST_F(CourseTest, NothingHiddenIsCopied) {
    act(action::StartQuiz{"7", 2});
    ASSERT_TRUE(hidden());
    for (const Do copy : {Do::copy_picture, Do::copy_data, Do::open_export}) {
        act(copy);
        EXPECT_TRUE(session().messages().last().text.starts_with("the numbers are hidden"));
        EXPECT_EQ(session().frame().exporting, nullptr);
    }
}

// Of the eight lines of a kernel that a question is about, all are read in the middle.
TEST_F(CourseTest, TheCodeOfAQuestionStandsWhereItsPictureWillBe) {
    act(action::StartQuiz{"31", 20});
    for (int asked = 0; !learning().quiz()->finished(); act(Do::next_question)) {
        const Question question = learning().quiz()->question();
        if (question.kind == QuestionKind::machine && !question.code.empty()) {
            const ui::ItemRect code = ui::items().at("quiz.code"), board = ui::items().at("panel.board");
            EXPECT_GE(code.x, board.x);
            EXPECT_LE(code.x + code.w, board.x + board.w);
            ++asked;
        }
        act(action::Answer{question.right});
        if (learning().quiz()->at == 19) {
            EXPECT_GT(asked, 0);
        }
    }
}

TEST_F(CourseTest, AQuizAboutTheKernelThatIsOpen) {
    const std::string text(asset("assets/typed/own-stride.cu"));
    act(action::OpenKernel{text + "// mine\n", "mine.cu"});
    frames_until([this] { return state().scenario->typed != nullptr; });
    session().view.learn_menu = true;
    fresh_items();
    click("quiz.here");
    ASSERT_NE(learning().quiz(), nullptr) << session().messages().last().text;
    const std::size_t count = learning().quiz()->quiz.questions.size();
    ASSERT_GE(count, 5u);
    for (std::size_t i = 0; i < count; ++i) {
        SCOPED_TRACE(i);
        const Question question = learning().quiz()->question();
        EXPECT_EQ(state().scenario->typed->text(), text + "// mine\n");
        EXPECT_TRUE(hidden());
        EXPECT_TRUE(shows("quiz.code"));
        EXPECT_TRUE(same_setting(*session().frame().state, question.settings.front()));
        if (question.settings.size() == 2) {
            act(action::LookAt{1});
            EXPECT_TRUE(same_setting(*session().frame().state, question.settings.back()));
        }
        act(action::Answer{question.right});
        EXPECT_FALSE(hidden());
        EXPECT_FALSE(learning().quiz()->why.empty());
        act(Do::next_question);
    }
    EXPECT_EQ(learning().quiz()->score(), static_cast<int>(count));
    act(Do::leave_quiz);
}

TEST_F(CourseTest, AQuizThatHasNoQuestionsSaysSo) {
    go("latency-hiding");
    session().view.learn_menu = true;
    fresh_items();
    EXPECT_TRUE(shows("quiz.start"));
    EXPECT_FALSE(shows("quiz.here")) << "there are no questions about it";
    act(action::StartQuiz{"1", 5, -1, {}, true});
    EXPECT_EQ(learning().quiz(), nullptr);
    EXPECT_TRUE(session().messages().last().text.starts_with("there are no questions about latency-hiding"))
        << session().messages().last().text;
}

TEST_F(CourseTest, ASeedThatIsNoneIsRefused) {
    act(action::StartQuiz{"four", 3});
    EXPECT_EQ(learning().quiz(), nullptr);
    EXPECT_NE(session().messages().last().text.find("'four'"), std::string::npos)
        << session().messages().last().text;
}

}  // namespace warplens::test::course_panel_tests
