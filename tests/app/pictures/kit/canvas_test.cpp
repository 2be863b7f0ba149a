#include "app/pictures/kit/canvas.h"

#include "app/boards/phases/knobs.h"
#include "app/boards/phases/phases_picture.h"
#include "app/experiment/evidence.h"
#include "app/experiment/heatmap_cells.h"
#include "app/pictures/plot/curve.h"

#include "tests/app/pictures/kit/legible.h"
#include "tests/app/pictures/kit/pictures_of_settings.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <type_traits>

namespace warplens::test::layout_tests {
namespace {

Rect bounds(const std::vector<Vec2>& points) {
    Vec2 low = points.front(), high = low;
    for (const Vec2 p : points) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    return {low.x, low.y, high.x - low.x, high.y - low.y};
}

Rect bounds(const Shape& shape) {
    return std::visit(
        [](const auto& s) -> Rect {
            using T = std::decay_t<decltype(s)>;
            if constexpr (std::is_same_v<T, Label>)
                return extent_of(s, FixedMeasure());
            else if constexpr (std::is_same_v<T, Path>)
                return bounds(s.points);
            else if constexpr (std::is_same_v<T, Wire>)
                return bounds(std::vector<Vec2>{s.from, s.to});
            else if constexpr (std::is_same_v<T, Mark>)
                return extent_of(s);
            else
                return s.rect;
        },
        shape);
}

/// Nothing outside, nothing turned inside out, no text over another.
/// @param lanes  that can be pointed at: lanes of a warp, or threads of a block
void expect_tidy(const Picture& picture, const Style& style, const std::string& what,
                 int lanes = kWarpLanes) {
    ASSERT_EQ(picture.size.x, style.size.x);
    ASSERT_EQ(picture.size.y, style.size.y);
    for (const Shape& shape : picture.shapes) {
        const Rect r = bounds(shape);
        const auto* label = std::get_if<Label>(&shape);
        const std::string name = label != nullptr ? label->text : "shape " + std::to_string(shape.index());
        EXPECT_GE(r.w, 0) << what << ": " << name;
        EXPECT_GE(r.h, 0) << what << ": " << name;
        EXPECT_TRUE(r.x >= 0 && r.y >= 0 && r.x + r.w <= style.size.x + 0.01f &&
                    r.y + r.h <= style.size.y + 0.01f)
            << what << ": " << name << " at " << r.x << ", " << r.y << ", " << r.w << " x " << r.h;
    }
    for (const std::string& why : misplaced_texts({{picture, {0, 0}}}, FixedMeasure()))
        ADD_FAILURE() << what << ": " << why;
    for (const Hit& hit : picture.hits) {
        EXPECT_FALSE(hit.tooltip.empty()) << what;
        EXPECT_TRUE(hit.lane >= -1 && hit.lane < lanes) << what;
    }
}

Style random_style(std::mt19937& random) {
    constexpr Vec2 kSizes[] = {{300, 200}, {340, 230},  {420, 300},   {560, 420},  {700, 480},
                               {860, 520}, {1100, 800}, {1600, 1000}, {1600, 260}, {320, 900}};
    Style style = style_of(random() % 2 == 0 ? ThemeName::dark : ThemeName::light,
                           kSizes[random() % std::size(kSizes)]);
    style.compact = random() % 3 == 0;
    style.hovered_lane = random() % 2 == 0 ? -1 : static_cast<int>(random() % kWarpLanes);
    return style;
}

std::string name_of(const Scenario& scenario, const Params& params, const Style& style) {
    std::string text(scenario.info->id);
    for (const Knob& knob : scenario.info->knobs)
        text += " " + std::string(knob.key) + "=" + format_knob(knob, params);
    return text + " " + std::to_string(static_cast<int>(style.size.x)) + "x" +
           std::to_string(static_cast<int>(style.size.y)) + (style.compact ? " compact" : "");
}

TEST(Pictures, StayInsideAndTextsNeverOverlap) {
    std::mt19937 random(20);
    for (const Scenario& scenario : all_scenarios()) {
        for (int round = 0; round < 250 && !testing::Test::HasFailure(); ++round) {
            const Params params = random_params(scenario, random);
            const DeviceFacts& device =
                round % 2 == 0 ? h200() : all_devices()[random() % all_devices().size()];
            for (const Pictured& one : pictured(scenario, params, device)) {
                const Style style = random_style(random);
                const auto by = static_cast<ColorBy>(random() % 3);
                const int only = random() % 3 == 0 ? static_cast<int>(random() % 8) : -1;
                expect_tidy(one.draw(style, by, only), style,
                            device.name + " " + name_of(scenario, params, style));
            }
        }
    }
}

TEST(Pictures, OfTheSmallSpacesStayInsideForAnyAccess) {
    std::mt19937 random(22);
    for (int round = 0; round < 4000 && !testing::Test::HasFailure(); ++round) {
        const Pictured one = random_small_space(random);
        Style style = random_style(random);
        style.embedded = random() % 2 == 0;
        expect_tidy(one.draw(style), style,
                    std::to_string(round) + " " + std::string(space_name(one.space())) + " " +
                        std::to_string(static_cast<int>(style.size.x)) + "x" +
                        std::to_string(static_cast<int>(style.size.y)) + (style.compact ? " compact" : ""));
    }
}

TEST(Pictures, OfTilePhasesStayInsideAndTextsNeverOverlap) {
    std::mt19937 random(24);
    for (int round = 0; round < 400 && !testing::Test::HasFailure(); ++round) {
        BoardValues values;
        for (const BoardKnob* knob : kPhasesKnobs)
            values.set(*knob, knob->min + static_cast<int>(random() % static_cast<unsigned>(knob->max + 1)));
        values.set(kPhasesStep, values[kPhasesStep] % 64);
        clamp_board(values);
        const TileProduct p = phases_product(values);
        const PhasesView view = view_phases(p, values[kPhasesStep], values[kPhasesThread]);
        Style style = random_style(random);
        style.compact = false;
        style.embedded = random() % 2 == 0;
        if (style.size.x > 1000) style.size = {static_cast<float>(random() % 2400) + 600, 900};
        expect_tidy(draw_phases(view, style), style,
                    fmt::format("{} / {}, step {}, thread {}, {} x {}", p.matrix, p.tile, view.step,
                                view.thread, style.size.x, style.size.y),
                    p.tile * p.tile);
    }
}

TEST(Pictures, ThePlotStaysInsideAndItsTextsNeverOverlap) {
    std::mt19937 random(21);
    for (const Scenario& scenario : all_scenarios()) {
        for (const Knob& knob : scenario.info->knobs) {
            if (!can_be_axis(scenario, knob)) continue;
            for (int round = 0; round < 6 && !testing::Test::HasFailure(); ++round) {
                const Params params = random_params(scenario, random);
                Curve curve;
                curve.knob = &knob;
                curve.gpu = "NVIDIA H200";
                curve.caption = "stride=8, offset=3, element=16, op=load, elements=2^26, mask=0x0000ffff";
                curve.peak_source = "datasheet";
                curve.log_axes = round % 2 == 1;
                if (round % 3 == 0)
                    curve.no_measurement = "This build has no CUDA, so nothing was measured here.";
                const char* names[] = {
                    "NVIDIA H200, here", "NVIDIA H200, recorded 2026-11-21",
                    "NVIDIA GeForce RTX 4090 Laptop GPU, recorded 2026-01-31 to 2026-02-01"};
                for (int look = 0; look < round && round % 3 != 0; ++look)
                    curve.series.push_back({look == 0 ? Provenance::measured : Provenance::recorded,
                                            names[std::min(look, 2)],
                                            look,
                                            {}});
                for (const int value : plot_values(knob, params)) {
                    Params there = params;
                    there.*knob.field = value;
                    clamp_knobs(scenario, there);
                    curve.x.push_back(axis_position(knob, value));
                    curve.model.push_back(predict(scenario, there, h200()));
                    const double v =
                        curve.model.back().value * (0.9 + 0.01 * static_cast<double>(random() % 20));
                    for (MeasuredSeries& series : curve.series)
                        series.points.push_back({curve.x.back(), v, 0.97 * v, 1.04 * v});
                }
                curve.here = curve.x[random() % curve.x.size()];
                const Style style = random_style(random);
                expect_tidy(draw_bandwidth(curve, style), style, name_of(scenario, params, style));
            }
        }
    }
}

TEST(Pictures, AHeatmapStaysInsideAndItsTextsNeverOverlap) {
    std::mt19937 random(23);
    for (const Scenario& scenario : all_scenarios()) {
        for (int round = 0; round < 12 && !testing::Test::HasFailure(); ++round) {
            State state = initial_state(scenario, 0);
            state.params = random_params(scenario, random);
            std::vector<const Knob*> knobs;
            for (const Knob& knob : scenario.info->knobs)
                if (can_be_axis(scenario, knob)) knobs.push_back(&knob);
            if (knobs.size() < 2) continue;
            std::shuffle(knobs.begin(), knobs.end(), random);
            state.axis = knobs[0];
            state.second_axis = knobs[1];
            state.heatmap_show = static_cast<HeatmapShow>(random() % 3);
            if (random() % 2 == 0) state.log_colors = random() % 2 == 0;
            Heatmap map = all_cells(state, h200());
            for (std::size_t i = random() % 600; i < map.cells.size(); ++i) map.cells[i] = {};
            map.caption = "stride=8, offset=3, element=16, op=load, elements=2^26, mask=0x0000ffff";
            for (HeatmapCell& cell : map.cells) {
                if (round % 3 == 0 || random() % 3 == 0) continue;
                const double v = cell.model.value * (0.5 + 0.01 * static_cast<double>(random() % 90));
                cell.measured = {0, v, 0.97 * v, 1.04 * v};
            }
            if (round % 3 == 0) map.no_measurement = "not measured: no GPU here";
            Style style = random_style(random);
            style.embedded = random() % 2 == 0;
            expect_tidy(draw_heatmap(map, style), style,
                        std::string(state.axis->key) + " and " + std::string(state.second_axis->key) + " " +
                            name_of(scenario, state.params, style));
        }
    }
}

TEST(Pictures, CyclesAgainstWavefrontsStayInsideAndTextsNeverOverlap) {
    std::mt19937 random(24);
    for (int round = 0; round < 200 && !testing::Test::HasFailure(); ++round) {
        FitPlot plot{.gpu = "NVIDIA H200"};
        std::vector<FitSample> samples;
        for (auto left = round % 4 == 0 ? 0 : random() % 60; left > 0; --left) {
            const double x = 1 + static_cast<double>(random() % 32);
            const double y = x * (0.5 + 0.01 * static_cast<double>(random() % 90));
            plot.points.push_back({x, y, 0.97 * y, 1.1 * y, "stride=8, op=store", {}, left == 1});
            samples.push_back({x, y});
        }
        plot.fit = fit_line(samples);
        if (samples.empty()) plot.no_measurement = "Nothing is measured here: this build has no CUDA.";
        if (!samples.empty()) plot.measured_on.gpu = "NVIDIA H200";
        Style style = random_style(random);
        style.embedded = random() % 2 == 0;
        expect_tidy(draw_fit(plot, style), style, std::to_string(round));
    }
}

TEST(Wrap, KeepsEveryWordAndStaysInside) {
    const FixedMeasure measure;
    const std::string text =
        "Neighbouring lanes are 32 bytes apart, a whole sector: 7 of every 8 bytes are not used.";
    for (float width = 120; width < 900; width += 37) {
        std::string joined;
        for (const std::string& line : wrap(text, FontRole::body, width, measure)) {
            EXPECT_LE(measure.width(line, FontRole::body), width);
            joined += (joined.empty() ? "" : " ") + line;
        }
        EXPECT_EQ(joined, text);
    }
}

TEST(Elide, CutsWholeCharacters) {
    const FixedMeasure measure;
    EXPECT_EQ(elide("stride", FontRole::body, 1000, measure), "stride");
    EXPECT_EQ(elide("××××", FontRole::body, 0.6f * kBaseFontPoints * 3, measure), "××…");
    EXPECT_EQ(elide("stride", FontRole::body, 1, measure), "");
}

}  // namespace
}  // namespace warplens::test::layout_tests
