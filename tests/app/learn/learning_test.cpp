#include "app/learn/learning.h"
#include "app/experiment/devices.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace warplens::test::learning_tests {

namespace {

std::size_t device() {
    static const std::vector<DeviceFacts> devices = device_table();
    return find_device(devices, kDefaultDevice).value();
}
State state(int stride) {
    State now = initial_state(*find_scenario("global-stride"), device());
    now.params.stride = stride;
    return now;
}
const Course& course() { return *find_course("coalescing"); }
int step_with_asks() {
    const auto found =
        std::ranges::find_if(course().steps, [](const CourseStep& step) { return step.asks.any(); });
    return static_cast<int>(found - course().steps.begin());
}

}  // namespace

TEST(Learning, BeginsWithNothingOpen) {
    Learning learning;
    EXPECT_EQ(learning.course(), nullptr);
    EXPECT_EQ(learning.step(), nullptr);
    EXPECT_FALSE(learning.has_card());
    EXPECT_FALSE(learning.hides(state(1), 0));
    EXPECT_FALSE(learning.open_course("no-such-course"));
    EXPECT_EQ(learning.progress(course()).done_count(), 0);
}

TEST(Learning, ACourseGoesOnWhereItWasLeft) {
    Learning learning;
    ASSERT_TRUE(learning.open_course("coalescing"));
    EXPECT_EQ(learning.step_index(), 0);
    learning.go_to_step(4);
    learning.leave_course();
    EXPECT_FALSE(learning.has_card());
    learning.open_course("coalescing");
    EXPECT_EQ(learning.step_index(), 4);
    learning.go_to_step(-3);
    EXPECT_EQ(learning.step_index(), 0);
    learning.go_to_step(1000);
    EXPECT_EQ(learning.step_index(), static_cast<int>(course().steps.size()) - 1);
    learning.reset_course("coalescing");
    EXPECT_EQ(learning.step_index(), 0);
    EXPECT_EQ(learning.progress(course()).done_count(), 0);
}

TEST(Learning, AStepIsDoneByWhatItAsksFor) {
    Learning learning;
    learning.open_course("spaces");
    ASSERT_FALSE(learning.step()->goal || learning.step()->asks.any());
    learning.go_to_step(1);
    EXPECT_EQ(learning.progress(*learning.course()).done_count(), 1) << "there was nothing to do but to read";
    ASSERT_TRUE(learning.step()->goal.has_value());
    learning.go_to_step(2);
    EXPECT_EQ(learning.progress(*learning.course()).done_count(), 1) << "its goal was not reached";
    learning.go_to_step(1);
    EXPECT_TRUE(learning.goal_reached());
    EXPECT_FALSE(learning.goal_reached()) << "once";
    EXPECT_EQ(learning.progress(*learning.course()).done_count(), 2);
}

TEST(Learning, AQuestionHidesCountsUntilItIsAnswered) {
    Learning learning;
    learning.open_course("coalescing");
    learning.go_to_step(step_with_asks());
    EXPECT_TRUE(learning.hides(state(4), 0));
    learning.guess(state(4), 0, {16, {}, {}});
    EXPECT_FALSE(learning.hides(state(4), 0));
    EXPECT_TRUE(learning.step_done());
    EXPECT_EQ(learning.guessed(state(4), 0)->guess.count, 16);
    EXPECT_FALSE(learning.hides(state(5), 0)) << "the step is done";
}

TEST(Learning, WhatACourseDoesNotAskIsNotHidden) {
    Learning learning;
    learning.set_predict_first(true);
    learning.open_course(course().id);
    const int asking = step_with_asks();
    const auto count = static_cast<int>(course().steps.size());
    for (int step = 0; step < count; ++step) {
        learning.go_to_step(step);
        EXPECT_EQ(learning.hides(state(4), 0), learning.step()->asks.any()) << step;
    }
    learning.go_to_step(asking);
    learning.guess(state(4), 0, {});
    EXPECT_FALSE(learning.hides(state(4), 0));
    learning.leave_course();
    EXPECT_TRUE(learning.hides(state(5), 0)) << "outside of courses as before";
    learning.demo.open({"Talk", {{"transpose", ""}}}, "");
    learning.demo.play(0, 0);
    EXPECT_FALSE(learning.hides(state(5), 0)) << "the class predicts when the lecturer asks";
}

TEST(Learning, PredictFirstHidesEachNewSetting) {
    Learning learning;
    learning.set_predict_first(true);
    EXPECT_EQ(learning.asked(), (Asks{true, true, true}));
    EXPECT_TRUE(learning.hides(state(4), 0));
    learning.guess(state(4), 0, {});
    EXPECT_FALSE(learning.hides(state(4), 0)) << "given up";
    EXPECT_TRUE(learning.hides(state(5), 0));
    EXPECT_TRUE(learning.hides(state(4), 1)) << "another instruction";
    State looked_at = state(4);
    looked_at.log_axes = true;
    looked_at.player_step = 2;
    EXPECT_FALSE(learning.hides(looked_at, 0)) << "how it is looked at makes no other setting of it";
    learning.set_predict_first(false);
    EXPECT_FALSE(learning.hides(state(5), 0));
}

TEST(Learning, KeepsAndRestoresProgress) {
    Learning learning;
    learning.restore("coalescing", 3, {0, 2, -1, 1000});
    learning.restore("no-such-course", 3, {0});
    EXPECT_EQ(learning.course(), nullptr);
    const CourseProgress progress = learning.progress(course());
    EXPECT_EQ(progress.at, 3);
    EXPECT_EQ(progress.done_count(), 2);
    learning.restore("coalescing", 1000, {});
    EXPECT_EQ(learning.progress(course()).at, static_cast<int>(course().steps.size()) - 1);
}

TEST(Learning, AQuizIsAnsweredOnceAndInOrder) {
    const std::vector<DeviceFacts> devices = device_table();
    Learning learning;
    learning.start_quiz(make_quiz(4, 2, {}, device(), devices));
    EXPECT_TRUE(learning.has_card());
    EXPECT_TRUE(learning.hides(state(1), 0));
    learning.next_question();
    EXPECT_EQ(learning.quiz()->at, 0u) << "not answered yet";
    learning.answer(learning.quiz()->question().right, "because");
    EXPECT_FALSE(learning.hides(state(1), 0));
    learning.answer("changed my mind", "");
    EXPECT_EQ(learning.quiz()->score(), 1) << "the first answer counts";
    learning.next_question();
    EXPECT_TRUE(learning.quiz()->why.empty());
    EXPECT_TRUE(learning.hides(state(1), 0));
    learning.answer("nonsense", "because");
    learning.next_question();
    EXPECT_TRUE(learning.quiz()->finished());
    EXPECT_EQ(learning.quiz()->score(), 1);
    EXPECT_FALSE(learning.hides(state(1), 0));
    learning.leave_quiz();
    EXPECT_FALSE(learning.has_card());
}

}  // namespace warplens::test::learning_tests
