#include "app/gl/window.h"

#include <gtest/gtest.h>

namespace warplens::test::frame_pacing_tests {
namespace {

/// Frames until the window sleeps for good, and how long they take at most.
struct Burst {
    int frames = 0;
    double seconds = 0;
};
Burst run_until_idle(FramePacing& pacing) {
    Burst burst;
    for (double wait = pacing.next_wait(false); wait < FramePacing::kIdleSeconds;
         wait = pacing.next_wait(false)) {
        ++burst.frames;
        burst.seconds += wait;
    }
    return burst;
}

TEST(FramePacing, SleepsSoonAfterTheStart) {
    FramePacing pacing;
    EXPECT_LE(run_until_idle(pacing).frames, 5);
    EXPECT_EQ(pacing.next_wait(false), FramePacing::kIdleSeconds);
}

TEST(FramePacing, AnEventGivesFramesAtOnceAndAFewForTooltips) {
    FramePacing pacing;
    run_until_idle(pacing);
    pacing.event();
    EXPECT_EQ(pacing.next_wait(false), 0);
    EXPECT_EQ(pacing.next_wait(false), 0);
    const Burst burst = run_until_idle(pacing);
    EXPECT_LE(burst.frames, 8);
    EXPECT_GE(burst.seconds, 0.4) << "tooltips come half a second after the mouse rests";
}

TEST(FramePacing, AnimationsGetTheirFrames) {
    FramePacing pacing;
    run_until_idle(pacing);
    pacing.keep_awake(10);
    pacing.keep_awake(2);
    for (int i = 0; i < 10; ++i) EXPECT_EQ(pacing.next_wait(false), 0);
    EXPECT_EQ(pacing.next_wait(false), FramePacing::kIdleSeconds);
}

TEST(FramePacing, WhatMovesByItselfWakesTheWindowOnce) {
    FramePacing pacing;
    run_until_idle(pacing);
    pacing.wake_within(0.5);
    pacing.wake_within(2);
    EXPECT_EQ(pacing.next_wait(false), 0.5) << "the sooner one counts";
    EXPECT_EQ(pacing.next_wait(false), FramePacing::kIdleSeconds) << "it has to be asked for anew";
    pacing.wake_within(-1);
    EXPECT_EQ(pacing.next_wait(false), 0);
}

TEST(FramePacing, ACaretBlinks) {
    FramePacing pacing;
    run_until_idle(pacing);
    EXPECT_LT(pacing.next_wait(true), 0.6);
}

}  // namespace
}  // namespace warplens::test::frame_pacing_tests
