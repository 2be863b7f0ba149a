// Motion and the player in a window: what moves comes to rest, and then the window sleeps.
#include "tests/app/window/headless_fixture.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace warplens::test::player_window_tests {
namespace {

class PlayerTest : public HeadlessFixture {
protected:
    /// Frames until nothing moves. @return  how many
    int frames_until_asleep() {
        constexpr int kMost = 2000;
        for (int i = 0; i < kMost; ++i) {
            window_->run_frame([this] { shell_->show_frame(); });
            if (window_->next_wait() > 0) return i;
        }
        return kMost;
    }
    /// What is drawn until the window sleeps for good, where each frame comes as late as it may.
    struct Drawn {
        int frames = 0;
        double seconds = 0;  ///< until the last one
    };
    Drawn draw_until_asleep() {
        Drawn drawn;
        for (; drawn.frames < 2000; ++drawn.frames) {
            window_->run_frame([this] { shell_->show_frame(); });
            if (window_->next_wait() >= FramePacing::kIdleSeconds) return drawn;
            const double next = std::max(window_->next_wait(), HeadlessWindow::kFrameSeconds);
            window_->pass(next);
            drawn.seconds += next;
        }
        return drawn;
    }
};

// The window has to wake for each shade, and then never again.
TEST_F(PlayerTest, NumbersThatChangedAreMarkedAndThenTheWindowSleeps) {
    go("global-stride?stride=2");
    draw_until_asleep();
    follow("global-stride?stride=9");
    const Drawn fading = draw_until_asleep();
    EXPECT_GT(fading.seconds, ChangeMarks::kSeconds - ChangeMarks::kStep / 2)
        << "shades are drawn while it fades";
    EXPECT_LT(fading.seconds, ChangeMarks::kSeconds + 2 * ChangeMarks::kStep) << "and then it sleeps";
    EXPECT_GT(fading.frames, ChangeMarks::kSeconds / ChangeMarks::kStep);
    EXPECT_LT(fading.frames, 60);
    EXPECT_EQ(draw_until_asleep().frames, 0);
}

TEST_F(PlayerTest, PlaysEveryWavefrontAndEndsWithAllOfThem) {
    go("shared-tile?padding=0");
    press(GLFW_KEY_SPACE);
    ASSERT_TRUE(session().frame().playing);
    int last = 0;
    bool seen[32] = {};
    for (int i = 0; i < 5000 && session().frame().playing; ++i) {
        const int step = state().player_step;
        ASSERT_GE(step, last);
        ASSERT_LT(step, 32);
        seen[step] = true;
        last = step;
        frame();
    }
    EXPECT_FALSE(session().frame().playing);
    for (const bool one : seen) EXPECT_TRUE(one);
    EXPECT_EQ(state().player_step, -1);
    EXPECT_EQ(state().player_percent, -1);
    EXPECT_LT(frames_until_asleep(), 60);
}

TEST_F(PlayerTest, PausesGoesOnAndStepsEndIt) {
    go("global-stride?stride=8");
    press(GLFW_KEY_SPACE);
    for (int i = 0; i < 20; ++i) frame();
    press(GLFW_KEY_SPACE);
    EXPECT_FALSE(session().frame().playing);
    const int step = state().player_step, percent = state().player_percent;
    ASSERT_GE(percent, 0);
    for (int i = 0; i < 50; ++i) frame();
    EXPECT_EQ(state().player_step, step);
    EXPECT_EQ(state().player_percent, percent);
    press(GLFW_KEY_SPACE);
    for (int i = 0; i < 20; ++i) frame();
    EXPECT_GT(100 * state().player_step + state().player_percent, 100 * step + percent);
    press(GLFW_KEY_PERIOD);
    EXPECT_FALSE(session().frame().playing);
    EXPECT_EQ(state().player_percent, -1) << "a single step stands still";
    EXPECT_GE(state().player_step, step);
}

TEST_F(PlayerTest, GoesOnWithAnotherSettingWithinItsSteps) {
    go("shared-stride?stride=32");
    press(GLFW_KEY_SPACE);
    for (int i = 0; i < 100; ++i) frame();
    ASSERT_GT(state().player_step, 2);
    Params params = state().params;
    params.stride = 2;
    set(&State::params, params);
    EXPECT_LT(state().player_step, 2);
}

TEST_F(PlayerTest, WhereNothingCanBePlayedItSaysSo) {
    go("register-shuffle");
    press(GLFW_KEY_SPACE);
    EXPECT_FALSE(session().frame().playing);
    EXPECT_NE(session().messages().last().text.find("to play"), std::string::npos);
}

TEST_F(PlayerTest, PicturesGlideAndComeToRest) {
    go("shared-tile?padding=0");
    const auto moving = [this] { return shell_->memory().b.instructions.front().motion.is_moving(); };
    EXPECT_LT(frames_until_asleep(), 60);
    Params params = state().params;
    params.padding = 1;
    set(&State::params, params);
    EXPECT_TRUE(moving());
    const int frames = frames_until_asleep();
    EXPECT_GT(frames, 5) << "about a fifth of a second";
    EXPECT_LT(frames, 300);
    EXPECT_FALSE(moving());
}

TEST_F(PlayerTest, NotWhereMotionIsOff) {
    go("shared-tile?padding=0");
    session().view.motion = false;
    Params params = state().params;
    params.padding = 1;
    set(&State::params, params);
    EXPECT_FALSE(shell_->memory().b.instructions.front().motion.is_moving());
}

}  // namespace
}  // namespace warplens::test::player_window_tests
