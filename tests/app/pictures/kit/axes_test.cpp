#include "app/pictures/kit/axes.h"

#include "tests/app/pictures/kit/pictures_of_settings.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace warplens::test::axes_tests {

TEST(Axes, SizesOfMemoryHaveUnitsOf1024) {
    EXPECT_EQ(format_size(64), "64 B");
    EXPECT_EQ(format_size(2048), "2 KiB");
    EXPECT_EQ(format_size(248 << 10), "248 KiB");
    EXPECT_EQ(format_size(5767168), "5.5 MiB");
    EXPECT_EQ(format_size(double(1 << 30)), "1 GiB");
}

TEST(Axes, PowersThatCountBytesAreSizesAndOthersPowers) {
    constexpr Knob kBytes{.field = &Params::footprint_log2, .unit = "bytes", .kind = KnobKind::power};
    constexpr Knob kBlocks{.field = &Params::blocks_log2, .unit = "blocks", .kind = KnobKind::power};
    EXPECT_EQ(setting_text(kBytes, 4096), "4 KiB");
    EXPECT_EQ(setting_text(kBlocks, 4096), "2¹²");
}

// The last name is moved in from the picture's edge, where it would lie over its neighbour.
TEST(Axes, NamesOfTicksAtAnEdgeDoNotLieOverTheirNeighbours) {
    const Style style = style_of(ThemeName::light, {400, 100});
    Canvas canvas(style, "", "");
    PlotArea plot;
    plot.rect = {40, 10, 350, 60};
    plot.x_max = 100;
    draw_x_ticks(canvas, plot, {{0, "0"}, {85, "14 144"}, {100, "16 160"}});
    std::vector<std::string> names;
    for (const Shape& shape : canvas.picture.shapes)
        if (const auto* label = std::get_if<Label>(&shape)) names.push_back(label->text);
    EXPECT_EQ(names, (std::vector<std::string>{"16 160", "0"}));
}

TEST(Axes, NamesTakeTurnsOnLinesSoThatNoneTouches) {
    const NameSpot names[] = {{10, 20}, {20, 20}, {60, 20}};
    EXPECT_TRUE(lines_of_names(names, 1).empty());
    EXPECT_EQ(lines_of_names(names, 2), (std::vector<int>{0, 1, 0}));
    EXPECT_TRUE(lines_of_names({}, 1).empty());
}

}  // namespace warplens::test::axes_tests
