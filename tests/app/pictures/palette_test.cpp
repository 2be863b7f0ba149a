#include "app/pictures/palette.h"

#include <gtest/gtest.h>

namespace warplens::test {
namespace {

class Themes : public testing::TestWithParam<ThemeName> {};
INSTANTIATE_TEST_SUITE_P(Both, Themes, testing::Values(ThemeName::dark, ThemeName::light));

TEST_P(Themes, TextCanBeReadOnEverythingItStandsOn) {
    const Theme& t = theme(GetParam());
    EXPECT_EQ(t.name, GetParam());
    for (const Color ground : {t.page, t.panel, t.control}) {
        for (const Color text : {t.text, t.text_weak, t.good, t.bad}) EXPECT_GE(contrast(text, ground), 4.5);
    }
    EXPECT_GE(contrast(t.accent_text, t.accent), 4.5);
}

TEST_P(Themes, MarksStandOut) {
    const Theme& t = theme(GetParam());
    for (const Color mark : t.series) EXPECT_GE(contrast(mark, t.panel), 3);
    for (const Color mark : {t.accent, t.outline, t.hatch, t.highlight})
        EXPECT_GE(contrast(mark, t.panel), 3);
    for (int i = 0; i <= 32; ++i) {
        EXPECT_GE(contrast(ramp_color(Ramp::wavefront, static_cast<float>(i) / 32), t.panel), 3) << i;
    }
}

TEST_P(Themes, ThereIsNoPureBlackAndTheGreysAreNeutral) {
    const Theme& t = theme(GetParam());
    EXPECT_NE(t.page, (Color{0, 0, 0, 255}));
    for (const Color c : {t.page, t.panel, t.cell_empty}) {
        EXPECT_LE(std::abs(c.r - c.g), 12);
        EXPECT_LE(std::abs(c.g - c.b), 12);
    }
}

TEST(Palette, TextOnAnyCellCanBeRead) {
    for (int lane = 0; lane < 32; ++lane)
        EXPECT_GE(contrast(text_on(lane_color(lane)), lane_color(lane)), 4.5) << lane;
    for (const Ramp ramp : {Ramp::wavefront, Ramp::words}) {
        for (int i = 0; i <= 100; ++i) {
            const Color c = ramp_color(ramp, static_cast<float>(i) / 100);
            EXPECT_GE(contrast(text_on(c), c), 4.5) << i;
        }
    }
}

TEST(Palette, LanesGoFromDarkToBrightWithoutTurningBack) {
    for (int lane = 1; lane < 32; ++lane) {
        EXPECT_GT(contrast(lane_color(lane), Color{0, 0, 0, 255}),
                  contrast(lane_color(lane - 1), Color{0, 0, 0, 255}));
    }
}

TEST(Palette, WavefrontsGoFromBlueToVermilion) {
    EXPECT_EQ(ramp_color(Ramp::wavefront, 0), (Color{0x00, 0x72, 0xb2, 255}));
    EXPECT_EQ(ramp_color(Ramp::wavefront, 1), (Color{0xd5, 0x5e, 0x00, 255}));
}

TEST(Palette, PositionsOnARamp) {
    EXPECT_EQ(ramp_position(0, 0, 31), 0);
    EXPECT_EQ(ramp_position(31, 0, 31), 1);
    EXPECT_EQ(ramp_position(3, 1, 5), 0.5f);
    EXPECT_EQ(ramp_position(99, 0, 31), 1) << "held at the end";
    EXPECT_EQ(ramp_position(1, 1, 1), 0) << "one value only: the first colour";
}

TEST(Palette, ContrastIsWcags) {
    EXPECT_NEAR(contrast(Color{0, 0, 0, 255}, Color{255, 255, 255, 255}), 21, 1e-9);
    EXPECT_NEAR(contrast(Color{0x77, 0x77, 0x77, 255}, Color{255, 255, 255, 255}), 4.48, 0.005);
}

TEST(Palette, ColoursAreMovedUntilTheyStandOut) {
    const Color panel = theme(ThemeName::dark).panel;
    for (int lane = 0; lane < 32; ++lane)
        EXPECT_GE(contrast(distinct_from(lane_color(lane), panel, 3), panel), 3);
    EXPECT_EQ(distinct_from(lane_color(31), panel, 3), lane_color(31)) << "what stands out stays as it is";
}

}  // namespace
}  // namespace warplens::test
