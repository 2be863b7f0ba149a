#include "app/pictures/kit/palette.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <vector>

namespace warplens::test::palette_tests {
namespace {

class Themes : public testing::TestWithParam<ThemeChoice> {};
std::vector<ThemeChoice> all_looks() {
    std::vector<ThemeChoice> looks;
    for (const ThemeName theme : kThemeNames) {
        for (const PaletteName palette : kPaletteNames) looks.push_back({theme, palette});
    }
    return looks;
}
INSTANTIATE_TEST_SUITE_P(All, Themes, testing::ValuesIn(all_looks()), [](const auto& look) {
    std::string name(theme_key(look.param.theme));
    name += "_" + std::string(palette_key(look.param.palette));
    std::ranges::replace(name, '-', '_');
    return name;
});

TEST(Palette, EveryThemeAndPaletteHasAKeyOfItsOwn) {
    for (const ThemeName name : kThemeNames) EXPECT_EQ(find_theme(theme_key(name)), name);
    for (const PaletteName name : kPaletteNames) EXPECT_EQ(find_palette(palette_key(name)), name);
    EXPECT_FALSE(find_palette("rainbow"));
}

TEST(Palette, PalettesDifferButInPrint) {
    for (const ThemeName name : kThemeNames) {
        std::set<int> reds;
        for (const PaletteName palette : kPaletteNames) {
            const Theme& t = theme(ThemeChoice{name, palette});
            reds.insert(t.series[0].r * 65536 + lane_color(t, 9).r * 256 + difference_color(t, 0.2f).r);
        }
        EXPECT_EQ(reds.size(), name == ThemeName::print ? 1 : std::size(kPaletteNames));
    }
}

TEST_P(Themes, TextCanBeReadOnEverythingItStandsOn) {
    const Theme& t = theme(GetParam());
    EXPECT_EQ(t.name, GetParam().theme);
    for (const Color ground : {t.page, t.panel, t.control}) {
        for (const Color text : {t.text, t.text_weak, t.good, t.bad}) EXPECT_GE(contrast(text, ground), 4.5);
    }
    EXPECT_GE(contrast(t.accent_text, t.accent), 4.5);
}

TEST_P(Themes, MarksStandOut) {
    const Theme& t = theme(GetParam());
    for (const Color mark : t.series) {
        EXPECT_GE(contrast(mark, t.panel), 3);
    }
    for (const Color mark : {t.accent, t.outline, t.hatch, t.highlight})
        EXPECT_GE(contrast(mark, t.panel), 3);
    for (int i = 0; i <= 32; ++i) {
        const Color color = ramp_color(wavefront_ramp(t), static_cast<float>(i) / 32);
        EXPECT_GE(contrast(color, t.panel), 3) << i;
    }
}

TEST_P(Themes, OnlyHighContrastIsPureBlackAndTheGreysAreNeutral) {
    const Theme& t = theme(GetParam());
    if (t.name != ThemeName::high_contrast) {
        EXPECT_NE(t.page, (Color{0, 0, 0, 255}));
    }
    for (const Color c : {t.page, t.panel, t.cell_empty}) {
        EXPECT_LE(std::abs(c.r - c.g), 12);
        EXPECT_LE(std::abs(c.g - c.b), 12);
    }
}

/// Colours as eyes see them that lack one kind of cone: Machado, Oliveira and Fernandes, IEEE TVCG 15(6),
/// 2009, severity 1, on linear RGB; and as most eyes do.
struct Eyes {
    const char* name;
    double matrix[3][3];
};
constexpr Eyes kEyes[] = {
    {"usual", {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    {"protanopia",
     {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
    {"deuteranopia",
     {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}},
    {"tritanopia",
     {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}}};

using Vec3 = std::array<double, 3>;

Vec3 seen_by(const Eyes& eyes, Color color) {
    const auto linear = [](std::uint8_t channel) {
        const double v = channel / 255.0;
        return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
    };
    const Vec3 in{linear(color.r), linear(color.g), linear(color.b)};
    Vec3 out{};
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) out[i] += eyes.matrix[i][j] * in[j];
        out[i] = std::clamp(out[i], 0.0, 1.0);
    }
    return out;
}

/// CIE L*a*b* (1976) of linear sRGB, white D65.
Vec3 lab(const Vec3& c) {
    const auto f = [](double t) { return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116; };
    const double x = f((0.4124564 * c[0] + 0.3575761 * c[1] + 0.1804375 * c[2]) / 0.95047);
    const double y = f(0.2126729 * c[0] + 0.7151522 * c[1] + 0.0721750 * c[2]);
    const double z = f((0.0193339 * c[0] + 0.1191920 * c[1] + 0.9503041 * c[2]) / 1.08883);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double distance(const Eyes& eyes, Color a, Color b) {
    const Vec3 p = lab(seen_by(eyes, a)), q = lab(seen_by(eyes, b));
    return std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

// 2.3 units of CIE76 are just noticeable; here are nearly four times as many between any two.
TEST_P(Themes, SeriesAreToldApartByEyesOfAllKinds) {
    constexpr double kLeast = 9;
    const Theme& t = theme(GetParam());
    for (const Eyes& eyes : kEyes) {
        for (std::size_t i = 0; i < t.series.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j)
                EXPECT_GE(distance(eyes, t.series[i], t.series[j]), kLeast)
                    << eyes.name << ": " << j << ", " << i;
        }
        const double apart = distance(eyes, t.series[kSeriesModel], t.series[kSeriesMeasured]);
        EXPECT_GE(apart, t.name == ThemeName::print ? kLeast : 40) << eyes.name << ": model and measured";
    }
}

TEST_P(Themes, TheEndsOfTheRampsAreFarApartForEyesOfAllKinds) {
    const Theme& t = theme(GetParam());
    for (const Eyes& eyes : kEyes) {
        for (const Ramp ramp : {wavefront_ramp(t), word_ramp(t)})
            EXPECT_GE(distance(eyes, ramp_color(ramp, 0), ramp_color(ramp, 1)), 38) << eyes.name;
        EXPECT_GE(distance(eyes, lane_color(t, 0), lane_color(t, 31)), 40) << eyes.name;
        EXPECT_GE(distance(eyes, heat_color(t, 0), heat_color(t, 1)), 40) << eyes.name;
    }
}

/// Each side is told from no difference, and from the other side.
TEST_P(Themes, DifferencesAreToldApartByEyesOfAllKinds) {
    const Theme& t = theme(GetParam());
    const Color none = difference_color(t, 0.5f);
    for (const Eyes& eyes : kEyes) {
        for (const float far : {0.25f, 0.5f}) {
            const Color less = difference_color(t, 0.5f - far), more = difference_color(t, 0.5f + far);
            EXPECT_GE(distance(eyes, less, none), 9) << eyes.name;
            EXPECT_GE(distance(eyes, more, none), 9) << eyes.name;
            EXPECT_GE(distance(eyes, less, more), 9) << eyes.name << ", " << far;
        }
    }
}

TEST(Palette, TextOnAnyCellCanBeRead) {
    for (const PaletteName palette : kPaletteNames) {
        const Theme& t = theme(ThemeChoice{ThemeName::light, palette});
        for (int lane = 0; lane < 32; ++lane)
            EXPECT_GE(contrast(text_on(lane_color(t, lane)), lane_color(t, lane)), 4.5) << lane;
        for (int i = 0; i <= 100; ++i) {
            for (const Color c : {heat_color(t, static_cast<float>(i) / 100),
                                  difference_color(t, static_cast<float>(i) / 100)})
                EXPECT_GE(contrast(text_on(c), c), 4.5) << i;
        }
    }
    for (int ramp = 0; ramp < kRampCount; ++ramp) {
        for (int i = 0; i <= 100; ++i) {
            const Color c = ramp_color(static_cast<Ramp>(ramp), static_cast<float>(i) / 100);
            EXPECT_GE(contrast(text_on(c), c), 4.5) << i;
        }
    }
}

TEST_P(Themes, LanesAndHeatGoFromDarkToBrightWithoutTurningBack) {
    const Theme& t = theme(GetParam());
    for (int lane = 1; lane < 32; ++lane)
        EXPECT_GT(luminance(lane_color(t, lane)), luminance(lane_color(t, lane - 1))) << lane;
    for (int i = 1; i <= 32; ++i) {
        const auto at = [](int step) { return static_cast<float>(step) / 32; };
        EXPECT_GT(luminance(heat_color(t, at(i))), luminance(heat_color(t, at(i - 1)))) << i;
    }
}

TEST(Palette, WavefrontsGoFromBlueToVermilion) {
    EXPECT_EQ(ramp_color(Ramp::blue_vermilion, 0), (Color{0x00, 0x72, 0xb2, 255}));
    EXPECT_EQ(ramp_color(Ramp::blue_vermilion, 1), (Color{0xd5, 0x5e, 0x00, 255}));
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
    const Theme& dark = theme(ThemeName::dark);
    for (int lane = 0; lane < 32; ++lane)
        EXPECT_GE(contrast(distinct_from(lane_color(dark, lane), dark.panel, 3), dark.panel), 3);
    EXPECT_EQ(distinct_from(lane_color(dark, 31), dark.panel, 3), lane_color(dark, 31))
        << "what stands out stays as it is";
}

}  // namespace
}  // namespace warplens::test::palette_tests
