#include "app/pictures/kit/motion.h"

#include <gtest/gtest.h>

namespace warplens::test::motion_tests {
namespace {

/// A picture of a ground that stays, and of cells that are told apart by their keys.
Picture cells(const std::vector<std::pair<int, Rect>>& places, float side = 100) {
    Picture picture;
    picture.size = {side, side};
    picture.shapes.emplace_back(Box{.rect = {0, 0, side, side}, .fill = {9, 9, 9}});
    for (const auto& [number, rect] : places) {
        picture.moving.push_back({moving_key(MovingKind::cell, number), picture.shapes.size(), 2});
        picture.shapes.emplace_back(Box{.rect = rect, .fill = {200, 100, 0}});
        picture.shapes.emplace_back(Label{.position = {rect.x, rect.y}, .text = std::to_string(number)});
    }
    return picture;
}
Rect box(const Picture& picture, std::size_t shape) { return std::get<Box>(picture.shapes[shape]).rect; }

TEST(Between, TheSameThingIsOnItsWay) {
    const Picture from = cells({{1, {0, 0, 10, 10}}, {2, {50, 0, 10, 10}}}),
                  to = cells({{2, {50, 80, 10, 10}}, {1, {40, 20, 20, 10}}});
    const Picture half = between(from, to, 0.5f);
    ASSERT_EQ(half.shapes.size(), to.shapes.size());
    EXPECT_FLOAT_EQ(box(half, 1).y, 40) << "the second cell, which is drawn first now";
    EXPECT_FLOAT_EQ(box(half, 3).x, 20);
    EXPECT_FLOAT_EQ(box(half, 3).w, 15);
    EXPECT_FLOAT_EQ(std::get<Label>(half.shapes[4]).position.x, 20) << "its number goes along";
    EXPECT_FLOAT_EQ(box(between(from, to, 0), 3).x, 0);
    EXPECT_FLOAT_EQ(box(between(from, to, 1), 3).x, 40);
    EXPECT_FLOAT_EQ(box(half, 0).w, 100) << "what has no key stays";
}

TEST(Between, WhatIsNewBecomesVisible) {
    const Picture to = cells({{7, {5, 5, 10, 10}}});
    EXPECT_EQ(std::get<Box>(between(cells({}), to, 0).shapes[1]).fill.a, 0);
    EXPECT_EQ(std::get<Box>(between(cells({}), to, 0.5f).shapes[1]).fill.a, 128);
    EXPECT_EQ(std::get<Box>(between(cells({}), to, 1).shapes[1]).fill.a, 255);
    EXPECT_FLOAT_EQ(box(between(cells({}), to, 0), 1).x, 5) << "where it belongs";
}

TEST(PictureMotion, ArrivesAndThenNothingMoves) {
    PictureMotion motion;
    motion.show(cells({{1, {0, 0, 10, 10}}}), 10, true);
    EXPECT_FALSE(motion.is_moving()) << "the first picture";
    motion.show(cells({{1, {60, 0, 10, 10}}}), 20, true);
    EXPECT_TRUE(motion.is_moving());
    EXPECT_FLOAT_EQ(box(motion.at(20), 1).x, 0);
    float last = 0;
    for (int i = 1; i < 10; ++i) {
        const float x = box(motion.at(20 + PictureMotion::kSeconds * i / 10), 1).x;
        EXPECT_GT(x, last);
        last = x;
    }
    EXPECT_FLOAT_EQ(box(motion.at(20 + 1.01 * PictureMotion::kSeconds), 1).x, 60);
    EXPECT_FALSE(motion.is_moving());
    EXPECT_FLOAT_EQ(box(motion.at(500), 1).x, 60);
}

TEST(PictureMotion, GoesOnFromWhereItIs) {
    PictureMotion motion;
    motion.show(cells({{1, {0, 0, 10, 10}}}), 0, true);
    motion.show(cells({{1, {60, 0, 10, 10}}}), 1, true);
    const double middle = 1 + PictureMotion::kSeconds / 2;
    const float there = box(motion.at(middle), 1).x;
    motion.show(cells({{1, {10, 0, 10, 10}}}), middle, true);
    EXPECT_FLOAT_EQ(box(motion.at(middle), 1).x, there) << "it does not jump";
}

TEST(PictureMotion, NeverWhereItIsNotWantedOrTheRoomIsAnother) {
    PictureMotion motion;
    motion.show(cells({{1, {0, 0, 10, 10}}}), 0, true);
    motion.show(cells({{1, {60, 0, 10, 10}}}), 1, false);
    EXPECT_FALSE(motion.is_moving());
    EXPECT_FLOAT_EQ(box(motion.at(1), 1).x, 60);
    motion.show(cells({{1, {0, 0, 10, 10}}}, 200), 2, true);
    EXPECT_FALSE(motion.is_moving());
    EXPECT_FLOAT_EQ(box(motion.at(2), 1).x, 0);
}

}  // namespace
}  // namespace warplens::test::motion_tests
