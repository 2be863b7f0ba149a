#include "app/panels/change_marks.h"

#include <gtest/gtest.h>

namespace warplens::test::change_marks_tests {

TEST(ChangeMarks, WhatChangedIsMarkedForAMomentAndFades) {
    ChangeMarks marks;
    marks.begin("transpose");
    EXPECT_EQ(marks.strength("sectors", "4", 10), 0) << "it was not there before";
    EXPECT_EQ(marks.strength("sectors", "4", 11), 0);
    EXPECT_EQ(marks.due(11), 0);
    EXPECT_EQ(marks.strength("sectors", "32", 12), 1);
    EXPECT_EQ(marks.strength("lines", "8", 12), 0);
    float before = 1;
    for (double now = 12.1; now < 12 + ChangeMarks::kSeconds; now += 0.1) {
        EXPECT_GT(marks.due(now), 0);
        const float strength = marks.strength("sectors", "32", now);
        EXPECT_LT(strength, before) << "it only fades: nothing blinks";
        before = strength;
    }
    const double past = 12.01 + ChangeMarks::kSeconds;
    EXPECT_EQ(marks.strength("sectors", "32", past), 0);
    EXPECT_EQ(marks.due(past), 0) << "and the window sleeps";
}

TEST(ChangeMarks, AnotherPlaceHasNoMarks) {
    ChangeMarks marks;
    marks.begin("transpose");
    marks.strength("sectors", "4", 1);
    marks.strength("sectors", "8", 2);
    marks.begin("shared-tile");
    EXPECT_EQ(marks.due(2), 0);
    EXPECT_EQ(marks.strength("sectors", "1", 2), 0);
    marks.begin("shared-tile");
    EXPECT_EQ(marks.strength("sectors", "2", 3), 1) << "the same place goes on";
}

}  // namespace warplens::test::change_marks_tests
