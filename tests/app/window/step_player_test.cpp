#include "app/window/session.h"

#include <gtest/gtest.h>

namespace warplens::test::step_player_tests {
namespace {

constexpr double kStep = StepPlayer::kSecondsPerStep;

TEST(StepPlayer, StepsWhenTheTimeHasCome) {
    StepPlayer player;
    EXPECT_EQ(player.advance(100, 3, 9), 3) << "it does not play yet";
    player.play(100);
    EXPECT_EQ(player.advance(100 + 0.9 * kStep, 3, 9), 3);
    EXPECT_NEAR(player.seconds_left(100 + 0.9 * kStep), 0.1 * kStep, 1e-9);
    EXPECT_EQ(player.advance(100 + kStep, 3, 9), 4);
    EXPECT_EQ(player.advance(100 + kStep, 4, 9), 4);
    EXPECT_NEAR(player.seconds_left(100 + kStep), kStep, 1e-9);
}

TEST(StepPlayer, StopsAtTheEnd) {
    StepPlayer player;
    player.play(0);
    EXPECT_EQ(player.advance(kStep, 8, 9), 9);
    EXPECT_FALSE(player.playing());
    EXPECT_EQ(player.advance(50, 9, 9), 9);
    player.play(50);
    EXPECT_EQ(player.advance(60, 9, 9), 9) << "there is nothing after the end";
    EXPECT_FALSE(player.playing());
}

TEST(StepPlayer, DoesNotRushAfterALongSleep) {
    StepPlayer player;
    player.play(0);
    EXPECT_EQ(player.advance(1000, 0, 9), 1);
    EXPECT_EQ(player.advance(1000.001, 1, 9), 2) << "one step is made up for";
    EXPECT_EQ(player.advance(1000.002, 2, 9), 2);
}

TEST(StepPlayer, StopsWhenAsked) {
    StepPlayer player;
    player.play(0);
    player.stop();
    EXPECT_EQ(player.advance(1000, 4, 9), 4);
}

}  // namespace
}  // namespace warplens::test::step_player_tests
