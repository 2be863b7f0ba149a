#include "app/figures/figure_command.h"

#include "app/cli/options.h"
#include "app/figures/png.h"
#include "tests/app/figures/plans.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warplens::test::figure_command_tests {
namespace {

using testing::ElementsAre;

TEST(FigureCommand, WordsAreCutAsAShellDoes) {
    EXPECT_THAT(*split_command(R"(a  b "c d" 'e "f"' g\ h "i\"j" k'l'm)"),
                ElementsAre("a", "b", "c d", "e \"f\"", "g h", "i\"j", "klm"));
    EXPECT_THAT(*split_command(R"(x "" '')"), ElementsAre("x", "", ""));
    EXPECT_TRUE(split_command("")->empty());
    EXPECT_FALSE(split_command("a \"b"));
    EXPECT_FALSE(split_command("a 'b"));
}

TEST(FigureCommand, APngBringsItsCommandBack) {
    const std::vector<std::uint8_t> pixels(16, 255);
    for (const std::string command :
         {"warplens export x --out \"a.png\"", "warplens export x --title 'µ < é'"}) {
        const std::string png = encode_png(2, 2, pixels, 1, {{"Title", "no"}, {"Command", command}});
        EXPECT_EQ(figure_command(png), command);
        EXPECT_FALSE(figure_command(png.substr(0, 40))) << "cut off before it";
    }
    EXPECT_FALSE(figure_command(encode_png(2, 2, pixels, 1, {})));
}

TEST(FigureCommand, OtherFilesHaveNone) {
    for (const std::string file : {"", "hello", "<svg></svg>", "<svg><dc:source>open", "\x89PNG\r\n\x1a\n"}) {
        EXPECT_FALSE(figure_command(file)) << file;
        EXPECT_FALSE(figure_arguments(file)) << file;
    }
    EXPECT_FALSE(figure_arguments("<svg><dc:source>rm -rf x</dc:source></svg>")) << "another program's";
}

/// Read the figure's command, draw that, and get the same file.
TEST(FigureCommand, ASvgDrawsItselfAgain) {
    FigureOptions options;
    options.view = FigureView::banks;
    options.title = R"(It's "2 < 3" & $HOME `x` \ µ)";
    options.look = {ThemeName::light, PaletteName::tol};
    options.width = 700;
    options.height = 500;
    options.license = false;
    options.transparent = true;
    options.format = FigureFormat::svg;
    const std::string svg = written("shared-tile", FigureFormat::svg, options, {"padding=1"});
    const auto arguments = figure_arguments(svg);
    ASSERT_TRUE(arguments);
    const auto again = std::get<ExportCommand>(parse_command_line(*arguments));
    EXPECT_EQ(again.figure.title, options.title);
    EXPECT_EQ(again.output_path, "figure");
    EXPECT_EQ(again.choice.scenario, "shared-tile");
    EXPECT_EQ(written(again.choice.scenario, FigureFormat::svg, again.figure, again.choice.settings), svg);
}

}  // namespace
}  // namespace warplens::test::figure_command_tests
