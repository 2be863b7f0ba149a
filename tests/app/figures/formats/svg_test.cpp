#include "app/figures/formats/svg.h"

#include "app/model/catalogue.h"
#include "tests/app/figures/plans.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace warplens::test::svg_tests {
namespace {

using testing::HasSubstr;
using testing::Not;

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++found;
    return found;
}

/// Every tag is closed, by itself or by its partner.
testing::AssertionResult is_balanced(const std::string& xml) {
    std::vector<std::string> open;
    for (std::size_t at = 0; (at = xml.find('<', at)) != std::string::npos;) {
        const std::size_t end = xml.find('>', at);
        if (end == std::string::npos) return testing::AssertionFailure() << "a tag is not finished";
        const std::string tag = xml.substr(at + 1, end - at - 1);
        const std::string name =
            tag.substr(tag[0] == '/' ? 1 : 0, tag.find_first_of(" \n/", 1) - (tag[0] == '/'));
        at = end;
        if (tag[0] == '?' || tag.back() == '/') continue;
        if (tag[0] != '/') {
            open.push_back(name);
        } else if (open.empty() || open.back() != tag.substr(1)) {
            return testing::AssertionFailure() << "</" << tag.substr(1) << "> closes nothing";
        } else {
            open.pop_back();
        }
    }
    if (!open.empty()) return testing::AssertionFailure() << "<" << open.back() << "> stays open";
    return testing::AssertionSuccess();
}

template <class T>
std::size_t count(const Drawing& drawing) {
    std::size_t found = 0;
    for (const DrawnGroup& group : drawing.groups) {
        found += static_cast<std::size_t>(std::ranges::count_if(
            group.shapes, [](const Drawn& shape) { return std::holds_alternative<T>(shape); }));
    }
    return found;
}

// Production [2] of XML 1.0, and the five characters that have a meaning of their own.
TEST(Svg, TextIsXml) {
    EXPECT_EQ(xml_text("a < b && \"c\" > d"), "a &lt; b &amp;&amp; &quot;c&quot; &gt; d");
    EXPECT_EQ(xml_text("two\n\tlines"), "two\n\tlines");
    EXPECT_EQ(xml_text(std::string_view("a\0\x01\x1b"
                                        "b\x7f",
                                        6)),
              "ab\x7f");
    EXPECT_EQ(xml_text("a\uffffb\ufffec\ufffd"), "abc\ufffd");
    EXPECT_EQ(xml_text("f\xff.svg \xed\xa0\x80"), "f?.svg ???") << "a byte that is no UTF-8, and a surrogate";
    EXPECT_EQ(xml_text("µ 字 😀"), "µ 字 😀");
}

TEST(Svg, EveryShapeAndEveryWordIsThereForEveryScenario) {
    const auto fonts = open_figure_fonts();
    for (const Scenario& scenario : all_scenarios()) {
        const Planned planned{std::string(scenario.info->id)};
        const Drawing drawing = planned.drawing(*fonts);
        const std::string svg = written(std::string(scenario.info->id), FigureFormat::svg);
        SCOPED_TRACE(scenario.info->id);
        EXPECT_TRUE(is_balanced(svg));
        EXPECT_EQ(count(svg, "<rect "), count<DrawnBox>(drawing) + 1) << "and the page";
        EXPECT_EQ(count(svg, "<circle "), count<DrawnDisk>(drawing));
        EXPECT_EQ(count(svg, "<polygon "), count<DrawnPolygon>(drawing));
        EXPECT_EQ(count(svg, "<path "), count<DrawnLines>(drawing) + count<DrawnCurve>(drawing));
        EXPECT_EQ(count(svg, "<image "), count<DrawnImage>(drawing));
        EXPECT_EQ(count(svg, "<text "), count<Label>(drawing));
        EXPECT_GT(count<Label>(drawing), 10u);
        for (const PlacedPicture& part : planned.plan.compose(*fonts)) {
            for (const Shape& shape : part.picture.shapes) {
                const auto* label = std::get_if<Label>(&shape);
                if (label != nullptr && !label->text.empty()) {
                    EXPECT_THAT(svg, HasSubstr(">" + xml_text(label->text) + "</text>"));
                }
            }
        }
    }
}

TEST(Svg, NothingThatSlideProgramsDoNotTake) {
    for (const char* scenario : {"global-stride", "texture-filter", "register-shuffle"}) {
        const std::string svg = written(scenario, FigureFormat::svg);
        for (const char* unwanted : {"style=", "class=", "<style", "<script", "transform=", "<pattern",
                                     "<use", "clip-path", "url(", "nan", "inf\"", "-0\"", "e-0"}) {
            EXPECT_THAT(svg, Not(HasSubstr(unwanted))) << scenario;
        }
    }
}

TEST(Svg, TheSameFigureIsTheSameText) {
    EXPECT_EQ(written("transpose", FigureFormat::svg), written("transpose", FigureFormat::svg));
}

TEST(Svg, TextBecomesShapesOnRequest) {
    const auto fonts = open_figure_fonts();
    if (fonts->faces() == 0) GTEST_SKIP() << "no font file is installed";
    FigureOptions options;
    options.outlines = true;
    const std::string text = written("shared-tile", FigureFormat::svg),
                      outlines = written("shared-tile", FigureFormat::svg, options);
    EXPECT_THAT(outlines, Not(HasSubstr("<text")));
    EXPECT_EQ(count(outlines, "<path "), count(text, "<path ") + count(text, "<text "));
    EXPECT_THAT(outlines, HasSubstr("<title>"));
}

TEST(Svg, PageAndMetadata) {
    FigureOptions options;
    options.title = "a < b & \"c\"";
    const std::string solid = written("global-stride", FigureFormat::svg, options);
    EXPECT_THAT(solid, HasSubstr("<title>a &lt; b &amp; &quot;c&quot;</title>"));
    EXPECT_THAT(solid, HasSubstr("width=\"1280\" height=\"800\" fill=\"#15181b\"/>"));
    EXPECT_THAT(solid, HasSubstr("licenses/by/4.0"));
    EXPECT_THAT(solid, HasSubstr("CC BY 4.0"));
    options.transparent = true;
    options.license = false;
    const std::string clear = written("global-stride", FigureFormat::svg, options);
    EXPECT_THAT(clear, Not(HasSubstr("width=\"1280\" height=\"800\" fill")));
    EXPECT_THAT(clear, Not(HasSubstr("licenses/by")));
    EXPECT_THAT(clear, Not(HasSubstr("CC BY")));
}

TEST(Svg, NumbersAreShort) {
    EXPECT_EQ(svg_number(0), "0");
    EXPECT_EQ(svg_number(-0.001f), "0");
    EXPECT_EQ(svg_number(12), "12");
    EXPECT_EQ(svg_number(1.5f), "1.5");
    EXPECT_EQ(svg_number(-3.14159f), "-3.14");
    EXPECT_EQ(svg_number(100), "100");
}

TEST(Drawing, HeatCellsHaveTheColourOfTheirValue) {
    const auto fonts = open_figure_fonts();
    const Planned planned("shared-stride", {}, {"stride=4"});
    const std::vector<std::uint32_t> words = planned.trace_words();
    int cells = 0;
    for (const PlacedPicture& part : planned.plan.compose(*fonts)) {
        for (const Shape& shape : part.picture.shapes) {
            const auto* cell = std::get_if<HeatCell>(&shape);
            if (cell == nullptr) continue;
            const PlacedPicture one{{.shapes = {*cell}}, part.position};
            const Drawing drawing = lower_figure({one}, {100, 100}, words, false);
            const std::uint32_t value = words.at(static_cast<std::size_t>(cell->value_index));
            ASSERT_EQ(drawing.groups[0].shapes.size(), value == kTraceInactive ? 0u : 1u);
            const auto& box = std::get<DrawnBox>(drawing.groups[0].shapes[0]);
            EXPECT_EQ(box.fill, ramp_color(cell->ramp,
                                           ramp_position(static_cast<float>(value), cell->first, cell->max)));
            ++cells;
        }
    }
    EXPECT_EQ(cells, 32);
}

TEST(Drawing, HatchesStayInTheirRectangleAndJoinThoseOfTheirNeighbours) {
    for (const Hatch pattern :
         {Hatch::rising, Hatch::falling, Hatch::level, Hatch::upright, Hatch::crossed, Hatch::squared}) {
        const Box box{.rect = {11, 7, 40, 23}, .hatch = {1, 2, 3, 255}, .pattern = pattern};
        const Drawing drawing = lower_figure({{{.shapes = {box}}, {100, 200}}}, {300, 300}, {}, false);
        ASSERT_EQ(drawing.groups[0].shapes.size(), 1u);
        const auto& lines = std::get<DrawnLines>(drawing.groups[0].shapes[0]);
        EXPECT_GT(lines.lines.size(), 2u);
        std::set<int> through;
        for (const auto& line : lines.lines) {
            ASSERT_EQ(line.size(), 2u);
            for (const Vec2 p : line) {
                EXPECT_GE(p.x, 111);
                EXPECT_LE(p.x, 151);
                EXPECT_GE(p.y, 207);
                EXPECT_LE(p.y, 230);
            }
            if (pattern == Hatch::rising) {
                const float sum = line[0].x + line[0].y - 300;
                EXPECT_NEAR(sum / 6, std::round(sum / 6), 1e-3) << "counted from the picture's corner";
                EXPECT_NEAR(line[1].x + line[1].y - 300, sum, 1e-3) << "it rises to the right";
            }
        }
    }
}

TEST(Drawing, WiresMarksAndDashes) {
    const Wire wire{{10, 20}, {30, 60}, {9, 9, 9, 255}, 2};
    const Path path{{{0, 0}, {5, 0}}, {9, 9, 9, 255}, 2, Dash::dashed};
    const Mark cross{{50, 50}, MarkShape::cross, 10, {9, 9, 9, 255}};
    const Mark diamond{{50, 50}, MarkShape::diamond, 10, {9, 9, 9, 255}};
    const auto shapes =
        lower_figure({{{.shapes = {wire, path, cross, diamond}}, {0, 0}}}, {99, 99}, {}, false)
            .groups[0]
            .shapes;
    const auto& curve = std::get<DrawnCurve>(shapes.at(0)).points;
    EXPECT_EQ(curve[1].x, 10);
    EXPECT_EQ(curve[1].y, 40);
    EXPECT_EQ(curve[2].x, 30);
    EXPECT_EQ(curve[2].y, 40);
    EXPECT_EQ(std::get<DrawnLines>(shapes.at(1)).dash_on, 8);
    EXPECT_EQ(std::get<DrawnLines>(shapes.at(1)).dash_off, 6);
    EXPECT_EQ(std::get<DrawnLines>(shapes.at(2)).lines.size(), 2u);
    EXPECT_EQ(std::get<DrawnPolygon>(shapes.at(3)).corners.size(), 4u);
}

}  // namespace
}  // namespace warplens::test::svg_tests
