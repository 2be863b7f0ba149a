#include "app/pictures/kit/palette.h"

#include "tests/app/figures/plans.h"

#include <gtest/gtest.h>

#include <set>

namespace warplens::test::print_look_tests {
namespace {

bool is_grey(Color c) { return c.r == c.g && c.g == c.b; }

TEST(PrintLook, GreysAreAsLightAsTheColours) {
    for (int lane = 0; lane < 32; ++lane) {
        const Color color = lane_color(theme(ThemeName::print), lane), grey = grey_of(color);
        EXPECT_TRUE(is_grey(grey));
        EXPECT_NEAR(luminance(grey), luminance(color), 0.01) << lane;
        EXPECT_EQ(grey_of(grey), grey);
    }
    EXPECT_EQ(grey_of({10, 20, 30, 77}).a, 77);
}

TEST(PrintLook, OtherThemesStayAsTheyAre) {
    Picture picture{.shapes = {Box{.rect = {0, 0, 9, 9}, .fill = {200, 10, 10, 255}}}};
    const Picture after = in_look_of(theme(ThemeName::light), std::move(picture));
    EXPECT_EQ(std::get<Box>(after.shapes[0]).fill, (Color{200, 10, 10, 255}));
}

TEST(PrintLook, SeriesGetAPatternEach) {
    const Theme& print = theme(ThemeName::print);
    std::set<std::pair<bool, Hatch>> looks;
    for (const Color color : print.series) {
        Picture picture{.shapes = {Box{.rect = {0, 0, 20, 20}, .fill = color}}};
        const Picture after = in_look_of(print, std::move(picture));
        const auto& box = std::get<Box>(after.shapes[0]);
        EXPECT_EQ(box.fill, color);
        looks.insert({box.hatch.a > 0, box.pattern});
    }
    EXPECT_EQ(looks.size(), print.series.size());
}

// A step of a ramp may have the grey of a series.
TEST(PrintLook, PlainAreasGetNoPattern) {
    const Theme& print = theme(ThemeName::print);
    for (const Color color : print.series) {
        Picture picture{.shapes = {Box{.rect = {0, 0, 20, 20}, .fill = color, .plain = true}}};
        const Picture after = in_look_of(print, std::move(picture));
        EXPECT_EQ(std::get<Box>(after.shapes[0]).hatch.a, 0);
    }
}

/// No colour is left in any scenario's figure, nor on any heatmap.
TEST(PrintLook, FiguresAreGrey) {
    const auto fonts = open_figure_fonts();
    const auto check = [&](const std::string& scenario, FigureView view) {
        FigureOptions options;
        options.look = {ThemeName::print, PaletteName::plasma};
        options.view = view;
        for (const DrawnGroup& group : Planned(scenario, options).drawing(*fonts).groups) {
            for (const Drawn& shape : group.shapes) {
                std::visit(
                    [&]<class T>(const T& one) {
                        if constexpr (std::is_same_v<T, DrawnBox>) {
                            EXPECT_TRUE(is_grey(one.fill) && is_grey(one.stroke)) << scenario;
                        } else if constexpr (!std::is_same_v<T, DrawnImage>) {
                            EXPECT_TRUE(is_grey(one.color)) << scenario;
                        }
                    },
                    shape);
            }
        }
    };
    for (const Scenario& scenario : all_scenarios()) check(std::string(scenario.info->id), FigureView::all);
    check("global-stride", FigureView::heatmap);
    check("shared-tile", FigureView::fit);
}

}  // namespace
}  // namespace warplens::test::print_look_tests
