#include "app/experiment/state.h"

#include "app/boards/phases/knobs.h"

#include <gtest/gtest.h>

namespace warplens::test::history_tests {

namespace {

State with_stride(int stride) {
    State state = initial_state(*find_scenario("global-stride"), 0);
    state.params.stride = stride;
    return state;
}

}  // namespace

TEST(History, TakesStepsBackAndDoesThemAgain) {
    History history(with_stride(1));
    EXPECT_FALSE(history.can_undo());
    EXPECT_FALSE(history.undo().has_value());
    history.record(with_stride(2));
    history.record(with_stride(2));  // nothing new
    history.record(with_stride(3));
    EXPECT_EQ(history.undo()->params.stride, 2);
    EXPECT_EQ(history.undo()->params.stride, 1);
    EXPECT_FALSE(history.can_undo());
    EXPECT_EQ(history.redo()->params.stride, 2);
    history.record(with_stride(9));  // from here on another way
    EXPECT_FALSE(history.can_redo());
    EXPECT_EQ(history.undo()->params.stride, 2);
}

TEST(History, APlayersPositionIsNoStepButIsKept) {
    History history(with_stride(1));
    State later = with_stride(1);
    later.player_step = 3;
    later.boards.set(kPhasesStep, 5);
    history.record(later);
    EXPECT_FALSE(history.can_undo());
    history.record(with_stride(2));
    EXPECT_EQ(history.undo()->player_step, 3);
}

TEST(History, ForgetsTheOldest) {
    History history(with_stride(0));
    for (int stride = 1; stride <= static_cast<int>(History::kMostSteps) + 10; ++stride)
        history.record(with_stride(stride));
    int steps = 0;
    while (history.undo()) ++steps;
    EXPECT_EQ(steps, static_cast<int>(History::kMostSteps));
}

TEST(History, AnotherDeviceIsNotAStep) {
    History history(with_stride(1));
    history.record(with_stride(2));
    history.change_all([](State& state) { state.device = 5; });
    State now = with_stride(2);
    now.device = 5;
    history.record(now);
    const auto before = history.undo();
    EXPECT_EQ(before->params.stride, 1);
    EXPECT_EQ(before->device, 5u);
}

}  // namespace warplens::test::history_tests
