#include "app/figures/figure.h"

#include "app/experiment/evidence.h"
#include "app/experiment/plot.h"
#include "app/figures/figure_page.h"
#include "app/figures/render.h"

#include "tests/app/figures/plans.h"
#include "tests/app/pictures/kit/legible.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <variant>
#include <vector>

namespace warplens::test::figure_tests {
namespace {

/// Every character equally wide: layouts that do not depend on a font.
struct FixedMeasure : TextMeasure {
    float width(std::string_view utf8, FontRole font) const override {
        return 0.55f * font_points(font) * static_cast<float>(utf8.size());
    }
};

DeviceFacts h200() {
    DeviceFacts device;
    device.name = "H200";
    device.cc = {9, 0};
    device.sm_count = 132;
    device.clock_mhz = 1980;
    device.peak_gb_per_s = 4800;
    device.bank_rules = bank_rules_for(device.cc);
    device.sector_rules = sector_rules_for(device.cc);
    return device;
}

TEST(Figure, PicturesLieInsideAndApartAtEverySize) {
    const FixedMeasure measure;
    for (const Scenario& scenario : all_scenarios()) {
        const State state = initial_state(scenario, 0);
        const Evidence evidence = gather_evidence(state, {h200()});
        const Curve curve = model_curve(state, {h200()}, evidence.prediction);
        FigureContent content;
        content.title = scenario.info->title;
        content.device = "H200";
        content.curve = &curve;
        for (int k = 0; k < static_cast<int>(evidence.report.instructions.size()); ++k) {
            content.instructions.push_back(
                {view_of(evidence, k), evidence.tiles[static_cast<std::size_t>(k)]});
        }
        for (const Vec2 size :
             {Vec2{320, 320}, Vec2{640, 480}, Vec2{1280, 800}, Vec2{800, 1280}, Vec2{4000, 1000}}) {
            const auto figure = compose_figure(content, theme(ThemeName::dark), measure, size);
            ASSERT_GE(figure.size(), 3u) << "a page, an instruction, the plot";
            EXPECT_LE(figure.size(), content.instructions.size() + 2);
            if (size.x >= 1280 && size.y >= 800) {
                EXPECT_EQ(figure.size(), content.instructions.size() + 2) << scenario.info->id;
            }
            std::vector<Rect> places;
            for (std::size_t i = 1; i < figure.size(); ++i) {
                const Rect place{figure[i].position.x, figure[i].position.y, figure[i].picture.size.x,
                                 figure[i].picture.size.y};
                EXPECT_GE(place.x, 0);
                EXPECT_GE(place.y, 0);
                EXPECT_LE(place.x + place.w, size.x);
                EXPECT_LE(place.y + place.h, size.y);
                for (const Rect& other : places) EXPECT_FALSE(overlap(place, other)) << scenario.info->id;
                places.push_back(place);
            }
        }
    }
}

TEST(Figure, CaptionSaysSettingsDeviceAndKinds) {
    FigureContent content;
    content.settings = "stride=8, op=load";
    content.device = "NVIDIA H200, compute capability 9.0";
    content.instructions.emplace_back();
    const Curve curve;
    content.curve = &curve;
    std::string all;
    for (const std::string& sentence : figure_caption(content)) all += sentence + '\n';
    for (const char* part : {"stride=8, op=load", "NVIDIA H200", "● exact", "○ approximate"}) {
        EXPECT_NE(all.find(part), std::string::npos) << part;
    }
    content.curve = nullptr;
    const FitPlot fit{.points = {{1, 1, 1, 1, "", {}, true}}};
    content.fit = &fit;
    all.clear();
    for (const std::string& sentence : figure_caption(content)) all += sentence + '\n';
    EXPECT_NE(all.find("◆ measured: cycles"), std::string::npos) << all;
    content.settings.clear();
    EXPECT_EQ(figure_caption(content).front(), "all parameters at their defaults");
}

// Where the counts of single requests would praise it.
TEST(Figure, AKernelThatIsJudgedAsAWholeSaysItsOwnVerdict) {
    const FixedMeasure measure;
    const auto texts_of = [&](const std::string& scenario, const std::vector<std::string>& settings) {
        std::string all;
        const Planned planned(scenario, {}, settings);
        for (const PlacedPicture& placed : planned.plan.compose(measure))
            for (const Shape& shape : placed.picture.shapes)
                if (const auto* label = std::get_if<Label>(&shape)) all += label->text + "\n";
        return all;
    };
    const std::string footprint = texts_of("cache-footprint", {});
    EXPECT_THAT(footprint, testing::HasSubstr("A footprint of 1 MiB fits in"));
    EXPECT_THAT(footprint, testing::Not(testing::HasSubstr("1 sector, ideal 1")));
    EXPECT_THAT(texts_of("local-spill", {"registers=24,live=160"}),
                testing::HasSubstr("156 of 160 live values are spilled"));
}

TEST(Figure, WhereNotAllInstructionsHaveRoomTheCostliestStay) {
    const FixedMeasure measure;
    const State state = initial_state(*find_scenario("matrix-multiply"), 0);
    const Evidence evidence = gather_evidence(state, {h200()});
    FigureContent content;
    const auto count = static_cast<int>(evidence.report.instructions.size());
    ASSERT_GE(count, 4);
    for (int k = 0; k < count; ++k)
        content.instructions.push_back({view_of(evidence, k), evidence.tiles[static_cast<std::size_t>(k)]});
    content.instructions[3].cost = 32;
    content.instructions[1].cost = 2;
    const auto shown = [&](Vec2 size) { return small_panels({0, 0, size.x, size.y}, content, measure); };
    const SmallPanels one = shown({kLeastPanel.x, 200}), two = shown({2 * kLeastPanel.x + 20, 150});
    EXPECT_EQ(one.shown, std::vector<std::size_t>{3});
    EXPECT_EQ(two.shown, (std::vector<std::size_t>{1, 3})) << "in the kernel's order";
    EXPECT_EQ(two.panels.size(), 2u);
    EXPECT_TRUE(two.words.starts_with("2 of ")) << two.words;
    EXPECT_EQ(two.words.find(evidence.report.instructions[3].instruction.label), std::string::npos)
        << two.words;
    EXPECT_EQ(shown({4000, 2000}).shown.size(), static_cast<std::size_t>(count));
}

TEST(Figure, BarsOfBothSidesOfAComparisonHaveOneScale) {
    const FixedMeasure measure;
    const std::vector<DeviceFacts> devices = {h200()};
    State b = initial_state(*find_scenario("shared-stride"), 0), a = b;
    a.params.stride = 4;
    b.params.stride = 32;
    b.compared = a;
    FigureOptions options;
    options.recordings.shipped = false;
    const FigurePlan plan(b, devices, options);
    const Color bar = theme(options.look).bad;
    std::vector<float> heights;  // of the first bar of each side: 4 words, 32 words
    for (const PlacedPicture& placed : plan.compose(measure)) {
        if (placed.picture.title != "Banks") continue;
        std::vector<Box> boxes;
        for (const Shape& shape : placed.picture.shapes)
            if (const Box* box = std::get_if<Box>(&shape)) boxes.push_back(*box);
        const auto found =
            std::ranges::find_if(boxes, [&](const Box& box) { return box.stroke.a == 0 && box.fill == bar; });
        ASSERT_NE(found, boxes.end());
        heights.push_back(found->rect.h);
    }
    ASSERT_EQ(heights.size(), 2u);
    EXPECT_NEAR(heights[0] / heights[1], 3.0 / 6, 0.01) << "1 doubled twice, and five times";
}

}  // namespace
}  // namespace warplens::test::figure_tests
