#include "app/figures/figure_command.h"

#include "app/boards/occupancy/knobs.h"
#include "app/experiment/compare.h"
#include "app/experiment/devices.h"
#include "app/experiment/typed_kernel.h"
#include "app/figures/export_job.h"
#include "app/figures/export_options.h"
#include "app/figures/figure_form.h"
#include "app/figures/formats/png.h"
#include "tests/app/figures/plans.h"
#include "tests/random_states.h"

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
    const auto again = read_export(*arguments);
    EXPECT_EQ(again.figure.title, options.title);
    EXPECT_EQ(again.output_path, "figure");
    EXPECT_EQ(again.choice.scenario, "shared-tile");
    EXPECT_EQ(written(again.choice.scenario, FigureFormat::svg, again.figure, again.choice.settings), svg);
}

TEST(FigureCommand, AFigureNamesThePageThatAPersonHasSet) {
    FigureOptions options;
    options.format = FigureFormat::svg;
    options.web_address = "https://a.org/warplens.html";
    const std::string svg = written("shared-tile", FigureFormat::svg, options, {"padding=1"});
    EXPECT_THAT(svg, testing::ContainsRegex(
                         "https://a.org/warplens.html.shared-tile&amp;[^<]*padding=1[^<]*</desc>"));
    EXPECT_EQ(read_export(*figure_arguments(svg)).figure.web_address, options.web_address);
    for (const std::string nobody : {"", "file:///home/me/warplens.html"}) {
        options.web_address = nobody;
        const std::string alone = written("shared-tile", FigureFormat::svg, options, {"padding=1"});
        EXPECT_THAT(alone.substr(0, alone.find("</desc>")),
                    testing::Not(testing::HasSubstr("warplens.html")));
    }
    EXPECT_THROW(read_export({"export", "transpose", "--web-address", "a.org", "--out", "a.png"}),
                 UsageError);
}

State opened(const std::string& line, ExportRequest* command = nullptr) {
    std::vector<std::string> words = split_command(line).value();
    words.erase(words.begin());
    auto read = read_export(words);
    read.device.cpu = true;
    const State state = make_export_experiment(read).state;
    if (command != nullptr) *command = std::move(read);
    return state;
}

/// A law: the command of a figure, read by the command line's parser, gives back the state with all looks,
/// and how the figure is composed.
TEST(FigureCommand, ASlideIsNamedByItsShape) {
    for (const SlideShape& shape : kSlides) {
        const ExportRequest request = read_export(
            {"export", "transpose", "--slide", std::string(shape.name), "--scale", "2", "--out", "a.png"});
        const FigureOptions& figure = request.figure;
        EXPECT_TRUE(figure.slide);
        const std::string line =
            export_command_line(initial_state(all_scenarios().front(), 0), device_table(), figure, "");
        EXPECT_THAT(line, testing::HasSubstr(fmt::format("--slide {} --scale 2 ", shape.name)));
        EXPECT_THAT(line, testing::Not(testing::HasSubstr("--size")));
    }
    EXPECT_THROW(
        read_export({"export", "transpose", "--slide", "16:9", "--compare", "padding=1", "--out", "a.png"}),
        UsageError);
    EXPECT_THROW(read_export({"export", "transpose", "--slide", "16:10", "--out", "a.png"}), UsageError);
}

TEST(FigureCommand, ACommandLeadsBackToItsState) {
    const std::vector<DeviceFacts> devices = device_table();
    std::mt19937 random(17);
    int figures = 0;
    for (const Scenario& scenario : all_scenarios()) {
        for (int round = 0; round < 12; ++round) {
            State state = random_state(scenario, devices.size(), random);
            if (!state.board->can_compare()) state.compared.reset();  // its figure shows one side
            const int count = scenario.instruction_count(state.params);
            const FigureSource source{
                state, static_cast<int>(random() % (count + 1u)) - 1, {ThemeName::dark, PaletteName::tol}};
            for (const FigurePart part : figure_parts(source)) {
                const FigureOptions options = figure_options({}, part, source);
                const std::string line = export_command_line(state, devices, options, "a.png");
                ExportRequest command;
                EXPECT_EQ(opened(line, &command), state) << line;
                EXPECT_EQ(command.figure.view, options.view) << line;
                EXPECT_EQ(command.figure.instruction, options.instruction) << line;
                EXPECT_EQ(command.figure.look.palette, options.look.palette) << line;
                ++figures;
            }
        }
    }
    EXPECT_GT(figures, 200);
}

// Its text is in the figure, so that no file is asked for.
TEST(FigureCommand, AKernelThatWasTypedIsInIt) {
    const std::string text =
        "// launch grid=2 block=64\n__global__ void k(float* a) { a[threadIdx.x * 2] = 0; }";
    const State state = initial_state(open_kernel(text, "my.cu"), 0);
    const FigureSource source{state, -1, {ThemeName::dark, PaletteName::tol}};
    for (const FigurePart part : figure_parts(source)) {
        const std::string line =
            export_command_line(state, device_table(), figure_options({}, part, source), "a.png");
        ExportRequest command;
        const State again = opened(line, &command);
        ASSERT_NE(again.scenario->typed, nullptr) << line;
        EXPECT_EQ(again.scenario->typed->text(), text) << line;
        EXPECT_EQ(again.scenario->typed->file(), "my.cu");
        EXPECT_EQ(again.params, state.params);
    }
}

/// What figures of older programs carry.
TEST(FigureCommand, CommandsOfOlderProgramsOpenAsBefore) {
    const State map = opened(
        "warplens export global-stride --set stride=8 --view heatmap --axis element --second-axis op "
        "--show difference --color-by words --wavefront 2 --log --cold --bank-mode 8 --no-recordings "
        "--size 1280x720 --scale 2 --theme light --device \"RTX 4090\" --out \"a.png\"");
    EXPECT_EQ(describe_settings(*map.scenario, map.params), "stride=8");
    EXPECT_EQ(map.axis->key, "element");
    EXPECT_EQ(map.second_axis->key, "op");
    EXPECT_EQ(map.heatmap_show, HeatmapShow::difference);
    EXPECT_EQ(map.color_by, ColorBy::words);
    EXPECT_EQ(map.player_step, 2);
    EXPECT_TRUE(map.log_axes && map.cold);
    EXPECT_EQ(map.bank_mode, BankMode::eight_bytes);
    const State board = opened(
        "warplens export shared-tile --set occupancy.threads=96 --view occupancy --size 1280x800 --scale 1 "
        "--theme dark --device \"H200\" --compare \"occupancy.threads=64,device=RTX 4090\" --out \"b.png\"");
    EXPECT_EQ(board.board, find_board("occupancy"));
    EXPECT_EQ(board.boards[kOccupancyThreads], 64);
    EXPECT_EQ(board.compared->boards[kOccupancyThreads], 96);
    const State both = opened(
        "warplens export shared-tile --view all --size 1280x800 --scale 1 --theme dark --device \"H200\" "
        "--compare \"transpose?variant=padded&device=RTX%204090\" --out \"c.png\"");
    EXPECT_EQ(both.scenario->info->id, "transpose");
    EXPECT_EQ(both.compared->scenario->info->id, "shared-tile");
    EXPECT_TRUE(opened("warplens export shared-tile --view fit --device \"H200\" --out \"d.png\"").fit);
}

}  // namespace
}  // namespace warplens::test::figure_command_tests
