// The commands that draw: they need OpenGL, but no display.
#include "app/base/errors.h"
#include "app/base/process.h"
#include "app/cli/export.h"
#include "app/experiment/heatmap_cells.h"
#include "app/experiment/settings.h"
#include "app/figures/formats/gif.h"
#include "app/figures/gallery.h"
#include "app/figures/render.h"
#include "app/model/time/bank_loop.h"

#include "app/figures/export_options.h"
#include "app/figures/figure_command.h"
#include "app/figures/formats/pdf.h"
#include "tests/app/figures/read_png.h"
#include "tests/with_folder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <set>
#include <span>
#include <sstream>

namespace warplens::test::export_window_tests {
namespace {

namespace fs = std::filesystem;

/// A folder of its own, gone afterwards. What makes many figures draws them in one context, as --all does.
class ExportTest : public testing::Test, protected WithFolder {
protected:
    void SetUp() override {
        static const std::string kMissing = [] {
            const auto made = HeadlessContext::create();
            const auto* none = std::get_if<Unavailable>(&made);
            return none == nullptr ? "" : none->reason;
        }();
        if (!kMissing.empty()) GTEST_SKIP() << kMissing;
    }
};

/// How many colours a picture has. More than `enough` are not counted.
std::size_t colors(const std::string& path, std::size_t enough = 21) {
    const Image image = test::read_png(path);
    const std::span<const unsigned char> bytes = image.rgba;
    std::set<std::uint32_t> found;
    for (std::size_t i = 0; i + 3 < bytes.size() && found.size() < enough; i += 4)
        found.insert(bytes[i] | bytes[i + 1] << 8 | static_cast<std::uint32_t>(bytes[i + 2]) << 16);
    return found.size();
}

ExportCommand export_to(const std::string& scenario, const std::string& out) {
    ExportCommand command;
    command.choice.scenario = scenario;
    command.device.cpu = true;
    command.output_path = out;
    return command;
}

/// Whether an instruction of the default setting passes the banks, or moves sectors.
bool any_instruction(const Scenario& scenario, bool banks) {
    const Params& p = scenario.info->defaults;
    for (int k = 0; k < scenario.instruction_count(p); ++k) {
        const Space space = scenario.instruction(p, k).space;
        if (banks ? has_banks(space) : has_sectors(space) || space == Space::texture) return true;
    }
    return false;
}

TEST_F(ExportTest, PixelsAreSizeTimesScale) {
    ExportCommand command = export_to("global-stride", path("a.png"));
    command.figure.width = 700;
    command.figure.height = 500;
    for (const float scale : {1.0f, 1.5f, 2.0f}) {
        command.figure.scale = scale;
        std::ostringstream out;
        run_export(command, out);
        const Image image = test::read_png(path("a.png"));
        EXPECT_EQ(image.width, static_cast<int>(700 * scale));
        EXPECT_EQ(image.height, static_cast<int>(500 * scale));
        EXPECT_GT(colors(path("a.png")), 20u) << "an empty picture";
    }
    EXPECT_EQ(files(), 1u);
}

TEST_F(ExportTest, EveryScenarioAndViewThatFits) {
    FigureWriter writer(true);
    for (const Scenario& scenario : all_scenarios()) {
        for (const FigureView view : {FigureView::all, FigureView::access, FigureView::banks,
                                      FigureView::sectors, FigureView::bandwidth}) {
            ExportCommand command = export_to(std::string(scenario.info->id), path("b.png"));
            command.figure.view = view;
            command.figure.look.theme = ThemeName::light;
            std::ostringstream out;
            const bool fits = view == FigureView::all || view == FigureView::access ||
                              view == FigureView::bandwidth ||
                              any_instruction(scenario, view == FigureView::banks);
            if (!fits) {
                EXPECT_THROW(export_with(writer, command, out), UsageError);
                EXPECT_EQ(files(), 0u);
                continue;
            }
            export_with(writer, command, out);
            EXPECT_GT(colors(path("b.png")), 20u) << scenario.info->id << " " << view_name(view);
            fs::remove(path("b.png"));
        }
    }
}

TEST_F(ExportTest, HeatmapsOfEveryScenarioAndFitsWhereThereAreAny) {
    std::ostringstream out;
    FigureWriter writer(true);
    for (const Scenario& scenario : all_scenarios()) {
        ExportCommand command = export_to(std::string(scenario.info->id), path("e.png"));
        command.figure.view = FigureView::heatmap;
        const Knob* first = initial_state(scenario, 0).axis;
        if (usual_second_axis(scenario, first) == nullptr) {
            EXPECT_THROW(export_with(writer, command, out), UsageError) << scenario.info->id;
        } else {
            export_with(writer, command, out);
            EXPECT_GT(colors(path("e.png")), 20u) << scenario.info->id;
            fs::remove(path("e.png"));
        }
        command.figure.view = FigureView::fit;
        if (has_bank_loop(scenario, scenario.info->defaults)) {
            export_with(writer, command, out);
            EXPECT_GT(colors(path("e.png")), 20u) << scenario.info->id;
            fs::remove(path("e.png"));
        } else {
            EXPECT_THROW(export_with(writer, command, out), UsageError) << scenario.info->id;
        }
    }
    EXPECT_EQ(files(), 0u);
}

TEST_F(ExportTest, AHeatmapSaysHowItWasMade) {
    std::ostringstream out;
    ExportCommand command = export_to("global-stride", path("f.png"));
    command.figure.view = FigureView::heatmap;
    command.choice.settings = {"axis=element,second-axis=op"};
    run_export(command, out);
    const std::string bytes = contents_of(path("f.png"));
    EXPECT_NE(bytes.find("--view heatmap --axis element --second-axis op"), std::string::npos);
    command.choice.settings.push_back("second-axis=element");
    EXPECT_THROW(run_export(command, out), UsageError) << "the same twice";
    command.choice.settings.push_back("second-axis=warp");
    EXPECT_THROW(run_export(command, out), UsageError) << "chooses the picture only";
}

TEST_F(ExportTest, NothingIsLeftWhenItFails) {
    std::ostringstream out;
    ExportCommand command = export_to("transpose", path("no/such/folder.png"));
    EXPECT_THROW(run_export(command, out), UsageError);
    command = export_to("transpose", path(""));
    EXPECT_THROW(run_export(command, out), UsageError) << "a folder";
    command = export_to("transpose", path("c.png"));
    command.figure.instruction = 9;
    EXPECT_THROW(run_export(command, out), UsageError);
    command.figure.instruction = 1;  // shared memory
    command.figure.view = FigureView::sectors;
    EXPECT_THROW(run_export(command, out), UsageError);
    EXPECT_EQ(files(), 0u);
    EXPECT_EQ(out.str(), "");
}

TEST_F(ExportTest, TheSameCommandGivesTheSameBytes) {
    std::ostringstream out;
    std::string bytes[2];
    for (std::string& one : bytes) {
        ExportCommand command = export_to("shared-tile", path("d.png"));
        command.choice.settings = {"axis=width"};
        run_export(command, out);
        one = contents_of(path("d.png"));
    }
    EXPECT_EQ(bytes[0], bytes[1]);
    EXPECT_NE(bytes[0].find("warplens export shared-tile"), std::string::npos);
    EXPECT_NE(bytes[0].find("--axis width"), std::string::npos);
}

TEST_F(ExportTest, TheNameSaysTheFormat) {
    std::ostringstream out;
    const std::pair<const char*, const char*> kStarts[] = {
        {"g.svg", "<?xml"}, {"g.SVG", "<?xml"}, {"g.csv", "part,series"}, {"g.json", "{"}, {"g", "\x89PNG"}};
    for (const auto& [name, start] : kStarts) {
        run_export(export_to("global-stride", path(name)), out);
        EXPECT_TRUE(contents_of(path(name)).starts_with(start)) << name;
    }
    ExportCommand command = export_to("global-stride", path("picture.data"));
    EXPECT_THROW(run_export(command, out), UsageError);
    command.figure.format = FigureFormat::svg;
    run_export(command, out);
    EXPECT_TRUE(contents_of(path("picture.data")).starts_with("<?xml"));
    command = export_to("global-stride", path("g.pdf"));
    if (pdf_unavailable()) {
        EXPECT_THROW(run_export(command, out), UsageError);
    } else {
        run_export(command, out);
        EXPECT_TRUE(contents_of(path("g.pdf")).starts_with("%PDF"));
    }
    EXPECT_EQ(files(), pdf_unavailable() ? 6u : 7u);
}

TEST_F(ExportTest, CsvAndJsonHaveTheSameNumbers) {
    std::ostringstream out;
    for (const FigureView view : {FigureView::all, FigureView::heatmap, FigureView::fit}) {
        ExportCommand command = export_to("shared-stride", path("h.csv"));
        command.figure.view = view;
        run_export(command, out);
        command.output_path = path("h.json");
        run_export(command, out);
        const auto json = nlohmann::json::parse(contents_of(path("h.json")));
        const std::string csv = contents_of(path("h.csv"));
        const auto lines = static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n'));
        EXPECT_EQ(lines, json["rows"].size() + 1) << view_name(view);
        EXPECT_GT(json["rows"].size(), 10u);
        for (const auto& row : json["rows"]) {
            EXPECT_TRUE(row["value"].is_number()) << row;
            EXPECT_FALSE(row["kind"].get<std::string>().empty());
        }
        EXPECT_EQ(json["scenario"], "shared-stride");
    }
}

TEST_F(ExportTest, ATransparentPngHasNoPage) {
    std::ostringstream out;
    ExportCommand command = export_to("global-stride", path("i.png"));
    run_export(command, out);
    const Image solid = test::read_png(path("i.png"));
    EXPECT_EQ(solid.rgba[3], 255);
    command.figure.transparent = true;
    run_export(command, out);
    const Image clear = test::read_png(path("i.png"));
    EXPECT_EQ(clear.rgba[3], 0) << "the corner";
    const std::size_t in_panel = 100 * static_cast<std::size_t>(clear.width) + 30;
    EXPECT_EQ(clear.rgba[4 * in_panel + 3], 255);
}

TEST_F(ExportTest, APngDrawsItselfAgain) {
    std::ostringstream out;
    ExportCommand command = export_to("shared-tile", path("j.png"));
    command.choice.settings = {"walk=column,padding=1", "wavefront=1"};
    command.figure.title = "A \"title\" of 5 µs";
    command.figure.caption = false;
    run_export(command, out);
    const std::string first = contents_of(path("j.png"));
    const auto arguments = figure_arguments(first);
    ASSERT_TRUE(arguments);
    ExportCommand again{read_export(*arguments)};
    EXPECT_EQ(again.output_path, "j.png");
    again.output_path = path("j.png");
    again.device.cpu = true;
    run_export(again, out);
    EXPECT_EQ(contents_of(path("j.png")), first);
}

TEST_F(ExportTest, StepsAreNumberedAndAnimated) {
    std::ostringstream out;
    ExportCommand command = export_to("shared-stride", path("k.png"));
    command.choice.settings = {"stride=4"};
    command.figure.width = 640;
    command.figure.height = 400;
    command.figure.view = FigureView::banks;
    command.steps = true;
    run_export(command, out);
    EXPECT_EQ(files(), 5u) << "4 wavefronts and the animation";
    std::set<std::string> pictures;
    for (const char* name : {"k-1.png", "k-2.png", "k-3.png", "k-4.png"}) {
        const Image image = test::read_png(path(name));
        pictures.insert(std::string(image.rgba.begin(), image.rgba.end()));
    }
    EXPECT_EQ(pictures.size(), 4u) << "all look different";
    EXPECT_EQ(test::read_png(path("k.png")).rgba, test::read_png(path("k-1.png")).rgba);
    EXPECT_NE(figure_command(contents_of(path("k-3.png")))->find("--wavefront 2"), std::string::npos);
    const auto arguments = figure_arguments(contents_of(path("k.png")));
    ASSERT_TRUE(arguments);
    EXPECT_TRUE(read_export(*arguments).steps);
}

TEST_F(ExportTest, WhatIsPlayedIsOneFile) {
    if (gif_unavailable()) GTEST_SKIP() << gif_unavailable()->reason;
    std::ostringstream out;
    ExportCommand command = export_to("shared-stride", path("p.gif"));
    command.choice.settings = {"stride=2"};
    command.figure.width = 640;
    command.figure.height = 400;
    command.figure.view = FigureView::banks;
    command.steps = command.play = true;
    command.seconds = 0.4;
    run_export(command, out);
    EXPECT_EQ(files(), 1u) << "no pictures of what glides between two steps";
    EXPECT_TRUE(contents_of(path("p.gif")).starts_with("GIF89a"));
    EXPECT_NE(contents_of(path("p.gif")).find("export shared-stride"), std::string::npos) << "its command";
    EXPECT_NE(out.str().find("p.gif: 10 frames"), std::string::npos) << "2 wavefronts of 5: " << out.str();
    command.output_path = path("p.png");
    run_export(command, out);
    EXPECT_EQ(files(), 2u);
    const Image first = test::read_png(path("p.png"));
    EXPECT_EQ(first.width, 640);
    EXPECT_TRUE(read_export(*figure_arguments(contents_of(path("p.png")))).play) << "its command";
    EXPECT_THROW(read_export({"export", "shared-stride", "--out", "p.gif"}), UsageError);
}

TEST_F(ExportTest, GalleryHasEveryScenario) {
    const std::string folder = path("gallery/deep");
    FigureOptions options;
    options.width = 640;
    options.height = 480;
    std::ostringstream out;
    write_gallery({.cpu = true}, options, folder, out);
    for (const Scenario& scenario : all_scenarios()) {
        EXPECT_TRUE(fs::exists(fs::path(folder) / (std::string(scenario.info->id) + ".png")));
    }
    EXPECT_NE(out.str().find("gallery/deep"), std::string::npos);
    std::string page = contents_of(path("gallery/deep/index.html"));
    for (const GalleryItem& item : gallery_items())
        EXPECT_NE(page.find("<img src=\"" + item.name + ".png\""), std::string::npos) << item.name;
    EXPECT_NE(page.find("warplens export"), std::string::npos);
    const std::string name_space = "xmlns=\"http://www.w3.org/1999/xhtml\"";  // a name, which nothing fetches
    if (const std::size_t at = page.find(name_space); at != std::string::npos)
        page.erase(at, name_space.size());
    EXPECT_EQ(page.find("http://"), std::string::npos) << "nothing from elsewhere";
}

TEST(Gallery, NamesAreDifferentAndMakeGoodFileNames) {
    std::set<std::string> names;
    for (const GalleryItem& item : gallery_items()) {
        EXPECT_TRUE(names.insert(item.name).second) << item.name;
        EXPECT_EQ(item.name.find_first_of(" /\\"), std::string::npos) << item.name;
    }
}

}  // namespace
}  // namespace warplens::test::export_window_tests
