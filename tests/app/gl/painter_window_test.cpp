// What pictures look like, pixel by pixel. At scale 1 and whole positions every answer is known.
#include "app/gl/painter.h"

#include "app/pictures/kit/palette.h"
#include "kernels/trace/trace.h"
#include "tests/app/gl/gl_fixture.h"

#include <vector>

namespace warplens::test::painter_window_tests {
namespace {

constexpr Color kBack{30, 32, 34, 255};
constexpr Color kRed{200, 0, 0, 255}, kGreen{0, 180, 0, 255}, kBlue{0, 0, 220, 255};

class PainterTest : public GlTest {
protected:
    Image draw(std::vector<Shape> shapes, unsigned trace_texture = 0, float scale = 1) {
        Picture picture;
        picture.size = {200, 100};
        picture.shapes = std::move(shapes);
        return Offscreen(scale).draw({{&picture, {0, 0}, trace_texture}}, picture.size, kBack);
    }
};

TEST_F(PainterTest, BoxCoversItsPixelsAndNoOthers) {
    const Image image = draw({Box{.rect = {10, 20, 30, 40}, .fill = kRed}});
    EXPECT_EQ(image.width, 200);
    EXPECT_EQ(image.height, 100);
    EXPECT_EQ(pixel(image, 10, 20), kRed);
    EXPECT_EQ(pixel(image, 39, 59), kRed);
    EXPECT_EQ(pixel(image, 9, 20), kBack);
    EXPECT_EQ(pixel(image, 40, 59), kBack);
    EXPECT_EQ(pixel(image, 39, 60), kBack);
}

TEST_F(PainterTest, StrokeLiesInsideTheEdge) {
    const Image image = draw({Box{.rect = {10, 20, 30, 40}, .stroke = kGreen, .stroke_width = 2}});
    EXPECT_EQ(pixel(image, 10, 40), kGreen);
    EXPECT_EQ(pixel(image, 11, 40), kGreen);
    EXPECT_EQ(pixel(image, 12, 40), kBack);
    EXPECT_EQ(pixel(image, 9, 40), kBack);
    EXPECT_EQ(pixel(image, 39, 40), kGreen);
}

TEST_F(PainterTest, HatchIsThereAndStaysInside) {
    const Rect rect{20, 20, 60, 40};
    const Image image = draw({Box{.rect = rect, .hatch = kGreen}});
    const int hatched = count_other(image, rect, kBack);
    EXPECT_GT(hatched, 60 * 40 / 8);
    EXPECT_LT(hatched, 60 * 40 * 4 / 5);
    EXPECT_EQ(count_other(image, {0, 0, 200, 100}, kBack), hatched);
}

TEST_F(PainterTest, HatchOfNeighboursJoins) {
    const Image whole = draw({Box{.rect = {20, 20, 60, 40}, .hatch = kGreen}});
    const Image halves = draw(
        {Box{.rect = {20, 20, 31, 40}, .hatch = kGreen}, Box{.rect = {51, 20, 29, 40}, .hatch = kGreen}});
    for (int y = 25; y < 55; ++y)
        for (const int x : {25, 40, 60, 70})
            EXPECT_EQ(pixel(whole, x, y), pixel(halves, x, y)) << x << ", " << y;
}

TEST_F(PainterTest, HeatCellsHaveTheColoursOfTheRamp) {
    for (int row = 0; row < kRampCount; ++row) {
        const Ramp ramp = static_cast<Ramp>(row);
        const float first = ramp == Ramp::viridis ? 1 : 0;
        std::vector<std::uint32_t> values(34);
        std::vector<Shape> shapes;
        for (int i = 0; i < 34; ++i) {
            values[i] = static_cast<std::uint32_t>(i);
            shapes.emplace_back(HeatCell{.rect = {5.0f * static_cast<float>(i), 10, 5, 20},
                                         .value_index = i,
                                         .ramp = ramp,
                                         .first = first,
                                         .max = 32});
        }
        const TraceTexture trace(values);
        const Image image = draw(shapes, trace.name());
        for (int i = 0; i < 34; ++i) {
            const Color wanted = ramp_color(ramp, ramp_position(static_cast<float>(i), first, 32));
            EXPECT_LE(distance(pixel(image, 5 * i + 2, 20), wanted), 2)
                << "value " << i << ": " << pixel(image, 5 * i + 2, 20) << " instead of " << wanted;
        }
    }
}

TEST_F(PainterTest, ImagesStandUprightInTheirBox) {
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    const std::uint8_t texels[] = {200, 0, 0, 255, 0, 180, 0, 255, 0, 0, 220, 255, 255, 255, 255, 255};
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glBindTexture(GL_TEXTURE_2D, 0);
    Picture picture;
    picture.size = {200, 100};
    picture.shapes = {ImageBox{{20, 10, 40, 40}}, Box{.rect = {20, 10, 4, 4}, .fill = kBlue}};
    const Image image = Offscreen(1).draw({{&picture, {0, 0}, 0, texture}}, picture.size, kBack);
    EXPECT_EQ(pixel(image, 30, 20), kRed);
    EXPECT_EQ(pixel(image, 50, 20), kGreen);
    EXPECT_EQ(pixel(image, 30, 40), kBlue);
    EXPECT_EQ(pixel(image, 50, 40), (Color{255, 255, 255, 255}));
    EXPECT_EQ(pixel(image, 21, 11), kBlue) << "what comes later lies above";
    EXPECT_EQ(count_other(image, {0, 0, 200, 100}, kBack), 40 * 40);
    const Image without = Offscreen(1).draw({{&picture, {0, 0}}}, picture.size, kBack);
    EXPECT_EQ(pixel(without, 50, 40), kBack);
    glDeleteTextures(1, &texture);
}

TEST_F(PainterTest, ARampWithoutLengthGivesItsFirstColour) {
    const TraceTexture trace({7});
    const Image image = draw({HeatCell{.rect = {10, 10, 20, 20}, .first = 3, .max = 3}}, trace.name());
    EXPECT_LE(distance(pixel(image, 20, 20), ramp_color(Ramp::blue_vermilion, 0)), 2);
}

TEST_F(PainterTest, InactiveCellsAndCellsWithoutATraceLeaveTheBackground) {
    const TraceTexture trace({kTraceInactive, 1});
    const std::vector<Shape> shapes = {HeatCell{.rect = {10, 10, 20, 20}, .value_index = 0},
                                       HeatCell{.rect = {40, 10, 20, 20}, .value_index = 1}};
    const Image image = draw(shapes, trace.name());
    EXPECT_EQ(count_other(image, {0, 0, 40, 100}, kBack), 0);
    EXPECT_GT(count_other(image, {40, 10, 20, 20}, kBack), 390);
    EXPECT_EQ(count_other(draw(shapes), {0, 0, 200, 100}, kBack), 0);
}

TEST_F(PainterTest, DimmedCellsLetTheBackgroundThrough) {
    const TraceTexture trace({0});
    const Image image = draw({HeatCell{.rect = {10, 10, 20, 20}, .opacity = 0.25f}}, trace.name());
    EXPECT_LE(distance(pixel(image, 20, 20), mix(kBack, ramp_color(Ramp::blue_vermilion, 0), 0.25f)), 2);
}

TEST_F(PainterTest, LaterShapesLieAboveEarlierOnes) {
    const TraceTexture trace({0, 5});
    const Image image = draw({Box{.rect = {0, 0, 100, 100}, .fill = kRed},
                              HeatCell{.rect = {10, 10, 80, 80}, .value_index = 0, .max = 5},
                              Box{.rect = {20, 20, 60, 60}, .fill = kBlue},
                              HeatCell{.rect = {30, 30, 40, 40}, .value_index = 1, .max = 5},
                              Box{.rect = {45, 45, 10, 10}, .fill = kGreen}},
                             trace.name());
    EXPECT_EQ(pixel(image, 5, 50), kRed);
    EXPECT_LE(distance(pixel(image, 15, 50), ramp_color(Ramp::blue_vermilion, 0)), 2);
    EXPECT_EQ(pixel(image, 25, 50), kBlue);
    EXPECT_LE(distance(pixel(image, 35, 50), ramp_color(Ramp::blue_vermilion, 1)), 2);
    EXPECT_EQ(pixel(image, 50, 50), kGreen);
}

TEST_F(PainterTest, TextStandsOnItsBaselineAtItsAnchor) {
    const Image image = draw(
        {Label{.position = {100, 50}, .text = "HHHH", .color = {255, 255, 255, 255}, .anchor = Anchor::end}});
    EXPECT_GT(count_other(image, {60, 39, 40, 11}, kBack), 60);
    EXPECT_EQ(count_other(image, {0, 51, 200, 49}, kBack), 0) << "below the baseline";
    EXPECT_EQ(count_other(image, {101, 0, 99, 100}, kBack), 0) << "right of the end";
    const Image middle = draw({Label{
        .position = {100, 50}, .text = "HHHH", .color = {255, 255, 255, 255}, .anchor = Anchor::middle}});
    const int left = count_other(middle, {50, 0, 50, 100}, kBack),
              right = count_other(middle, {100, 0, 50, 100}, kBack);
    EXPECT_NEAR(left, right, 0.2 * (left + right));
}

TEST_F(PainterTest, SpikesOfAPathKeepTheirHeight) {
    const Image image = draw({Path{.points = {{50, 90}, {51, 10}, {52, 90}}, .color = kGreen, .width = 2}});
    EXPECT_GT(count_other(image, {48, 10, 8, 2}, kBack), 0);
    EXPECT_EQ(count_other(image, {0, 0, 200, 8}, kBack), 0);
}

TEST_F(PainterTest, DashesHaveGaps) {
    const Image image =
        draw({Path{.points = {{0, 50}, {200, 50}}, .color = kGreen, .width = 2, .dash = Dash::dashed}});
    const int drawn = count_other(image, {0, 50, 200, 1}, kBack);
    EXPECT_GT(drawn, 80);
    EXPECT_LT(drawn, 160);
}

TEST_F(PainterTest, MarksAndWiresAreDrawn) {
    for (const MarkShape shape : {MarkShape::circle, MarkShape::diamond, MarkShape::triangle,
                                  MarkShape::square, MarkShape::triangle_down, MarkShape::cross}) {
        const Image image = draw({Mark{.center = {50, 50}, .shape = shape, .radius = 6, .color = kRed}});
        EXPECT_EQ(pixel(image, 50, 50), kRed);
        EXPECT_EQ(count_other(image, {0, 0, 40, 100}, kBack), 0);
    }
    const Image ring = draw({Mark{.center = {50, 50}, .shape = MarkShape::ring, .radius = 6, .color = kRed}});
    EXPECT_EQ(pixel(ring, 50, 50), kBack);
    EXPECT_GT(count_other(ring, {40, 40, 20, 20}, kBack), 30);
    const Image wire = draw({Wire{.from = {20, 10}, .to = {180, 90}, .color = kGreen, .width = 2}});
    EXPECT_GT(distance(pixel(wire, 100, 50), kBack), 50) << "the middle of an S is halfway";
}

TEST_F(PainterTest, MoreThan64KVerticesAreDrawnRight) {
    std::vector<Shape> shapes;
    for (int i = 0; i < 20000; ++i)
        shapes.emplace_back(Box{.rect = {static_cast<float>(i % 200), static_cast<float>(i / 200), 1, 1},
                                .fill = i % 2 ? kRed : kBlue});
    const Image image = draw(shapes);
    int wrong = 0;
    for (int i = 0; i < 20000; ++i) wrong += pixel(image, i % 200, i / 200) != (i % 2 ? kRed : kBlue);
    EXPECT_EQ(wrong, 0);
}

TEST_F(PainterTest, ScaleEnlargesEverything) {
    const TraceTexture trace({0});
    for (const float scale : {0.5f, 2.0f, 3.5f}) {
        const Image image =
            draw({Box{.rect = {20, 20, 40, 40}, .fill = kRed}, HeatCell{.rect = {100, 20, 40, 40}}},
                 trace.name(), scale);
        EXPECT_EQ(image.width, static_cast<int>(200 * scale));
        const auto at = [scale](float v) { return static_cast<int>(v * scale); };
        EXPECT_EQ(pixel(image, at(22), at(58)), kRed);
        EXPECT_EQ(pixel(image, at(62), at(58)), kBack);
        EXPECT_LE(distance(pixel(image, at(120), at(40)), ramp_color(Ramp::blue_vermilion, 0)), 2);
        EXPECT_EQ(pixel(image, at(142), at(40)), kBack);
    }
}

}  // namespace
}  // namespace warplens::test::painter_window_tests
