#include "app/gl/offscreen.h"

#include "tests/app/gl/gl_fixture.h"

#include <stdexcept>

namespace warplens::test::offscreen_window_tests {
namespace {

Picture a_picture() {
    Picture picture;
    picture.size = {60, 40};
    picture.shapes = {Box{.rect = {10, 10, 20, 20}, .fill = {200, 100, 0, 255}, .rounding = 6},
                      Label{.position = {32, 26}, .text = "Ab", .color = {255, 255, 255, 255}}};
    return picture;
}

using OffscreenTest = GlTest;

TEST_F(OffscreenTest, SeveralScalesWorkOneAfterTheOther) {
    const Picture picture = a_picture();
    for (const float scale : {1.0f, 4.0f, 0.5f, 1.0f}) {
        Offscreen offscreen(scale);
        const Image image = offscreen.draw({{&picture, {0, 0}}}, picture.size, {0, 0, 0, 255});
        EXPECT_EQ(image.width, static_cast<int>(60 * scale));
        EXPECT_EQ(image.rgba.size(), static_cast<std::size_t>(image.width) * image.height * 4);
        EXPECT_EQ(pixel(image, static_cast<int>(20 * scale), static_cast<int>(20 * scale)),
                  (Color{200, 100, 0, 255}));
    }
}

TEST_F(OffscreenTest, TwoAtOnceDoNotDisturbEachOther) {
    const Picture picture = a_picture();
    Offscreen small(1), large(3);
    const Image before = small.draw({{&picture, {0, 0}}}, picture.size, {0, 0, 0, 255});
    large.draw({{&picture, {0, 0}}}, picture.size, {0, 0, 0, 255});
    const Image after = small.draw({{&picture, {0, 0}}}, picture.size, {0, 0, 0, 255});
    EXPECT_EQ(before.rgba, after.rgba) << "the same input gives the same bytes";
}

TEST_F(OffscreenTest, ATransparentBackgroundKeepsPureColours) {
    const Picture picture = a_picture();
    const Image image = Offscreen(2).draw({{&picture, {0, 0}}}, picture.size, {0, 0, 0, 0});
    EXPECT_EQ(pixel(image, 0, 0).a, 0);
    EXPECT_EQ(pixel(image, 40, 40), (Color{200, 100, 0, 255}));
    int soft = 0;
    for (int x = 20; x < 60; ++x) {
        for (int y = 20; y < 30; ++y) {
            const Color c = pixel(image, x, y);
            if (c.a < 40 || c.a == 255) continue;
            ++soft;
            EXPECT_LE(distance({c.r, c.g, c.b, 255}, {200, 100, 0, 255}), 6)
                << "a dark fringe at " << x << ", " << y;
        }
    }
    EXPECT_GT(soft, 0) << "rounded corners have soft edges";
}

TEST_F(OffscreenTest, PicturesStandAtTheirPlaces) {
    Picture dot;
    dot.size = {10, 10};
    dot.shapes = {Box{.rect = {0, 0, 10, 10}, .fill = {0, 200, 0, 255}}};
    const Image image = Offscreen(1).draw({{&dot, {0, 0}}, {&dot, {30, 20}}}, {60, 40}, {0, 0, 0, 255});
    EXPECT_EQ(pixel(image, 5, 5).g, 200);
    EXPECT_EQ(pixel(image, 35, 25).g, 200);
    EXPECT_EQ(pixel(image, 20, 10).g, 0);
}

/// Larger images are drawn in pieces: what crosses their edges looks as if it did not.
TEST_F(OffscreenTest, PiecesJoinWithoutSeams) {
    constexpr float kWidth = 2100, kHeight = 1100, kNear = 80;
    Picture picture;
    picture.size = {kWidth, kHeight};
    for (float y = 4; y < kHeight; y += 20) {
        for (float x = 4; x < kWidth; x += 30)
            picture.shapes.emplace_back(
                Box{.rect = {x, y, 27, 17}, .fill = {200, 100, 0, 255}, .rounding = 6});
        for (float x = 900; x < kWidth; x += 1000)
            picture.shapes.emplace_back(Label{
                .position = {x + 90, y + 14}, .text = "across the edge", .color = {255, 255, 255, 255}});
    }
    Offscreen offscreen(1);
    const Image whole = offscreen.draw({{&picture, {0, 0}}}, picture.size, {0, 0, 0, 255});
    for (const Vec2 edge : {Vec2{1024, 40}, Vec2{2048, 500}, Vec2{300, 1024}, Vec2{1024, 1024}}) {
        const Vec2 corner{edge.x - kNear / 2, std::max(0.0f, edge.y - kNear / 2)};
        const Image part =
            offscreen.draw({{&picture, {-corner.x, -corner.y}}}, {kNear, kNear}, {0, 0, 0, 255});
        int off = 0;
        for (int y = 0; y < part.height; ++y) {
            for (int x = 0; x < part.width; ++x) {
                const Color of_whole =
                    pixel(whole, x + static_cast<int>(corner.x), y + static_cast<int>(corner.y));
                off += distance(pixel(part, x, y), of_whole) > 8 ? 1 : 0;
            }
        }
        EXPECT_EQ(off, 0) << "at " << edge.x << ", " << edge.y;
    }
}

TEST_F(OffscreenTest, ImpossibleSizesAreRefusedInWords) {
    Offscreen offscreen(8);
    EXPECT_THROW(offscreen.draw({}, {1e6f, 10}, {}), std::runtime_error);
    EXPECT_THROW(offscreen.draw({}, {0, 10}, {}), std::runtime_error);
}

TEST_F(OffscreenTest, TheContextSaysHowItWasFound) {
    EXPECT_FALSE(context_->info().renderer.empty());
    EXPECT_FALSE(context_->info().how.empty());
}

}  // namespace
}  // namespace warplens::test::offscreen_window_tests
