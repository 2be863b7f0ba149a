#include "app/pictures/plot/bandwidth.h"

#include "tests/app/pictures/kit/pictures_of_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace warplens::test::bandwidth_picture_tests {
namespace {

using testing::Contains;
using testing::HasSubstr;

/// The axis alone: nothing is predicted.
Curve axis_of(const char* id, const char* key) {
    const Scenario& scenario = *find_scenario(id);
    Curve curve;
    curve.knob = find_knob(scenario, key);
    curve.gpu = "NVIDIA H200";
    curve.peak_source = "datasheet";
    const bool choice = curve.knob->kind == KnobKind::choice;
    const int last = choice ? static_cast<int>(curve.knob->choices.size()) - 1 : curve.knob->max;
    for (int i = choice ? 0 : curve.knob->min; i <= last; ++i)
        curve.x.push_back(choice ? curve.knob->choices[static_cast<std::size_t>(i)].value : i);
    curve.here = 8;
    return curve;
}

Curve curve_of(const char* id, const char* key) {
    const Scenario& scenario = *find_scenario(id);
    Curve curve = axis_of(id, key);
    Params params = scenario.info->defaults;
    for (const double value : curve.x) {
        params.*curve.knob->field = static_cast<int>(value);
        curve.model.push_back(predict(scenario, params, h200()));
    }
    return curve;
}

const Style kStyle = style_of(ThemeName::dark, {900, 420});

TEST(BandwidthPicture, NamesAxesUnitsPeakSettingAndGpu) {
    const auto said = texts(draw_bandwidth(curve_of("global-stride", "stride"), kStyle));
    EXPECT_THAT(said, Contains("stride, elements"));
    EXPECT_THAT(said, Contains("GB/s"));
    EXPECT_THAT(said, Contains(HasSubstr("peak 4\u2009800 GB/s, datasheet")));
    EXPECT_THAT(said, Contains("stride = 8"));
    EXPECT_THAT(said, Contains(HasSubstr("NVIDIA H200")));
    EXPECT_THAT(said, Contains("model (approximate)"));
}

TEST(BandwidthPicture, TicksOverThousandsOfSettingsAreRound) {
    const Curve curve = axis_of("transpose", "matrix");
    ASSERT_EQ(curve.knob->kind, KnobKind::slider);
    ASSERT_GT(curve.x.back(), 4000);
    const FixedMeasure measure;
    for (const float width : {200.0f, 420.0f, 900.0f, 2400.0f}) {
        PlotArea plot{.rect = {0, 0, width, 200}, .x_min = curve.x.front(), .x_max = curve.x.back()};
        const std::vector<Tick> ticks = setting_ticks(curve, plot, measure);
        ASSERT_GE(ticks.size(), 2u) << width;
        const long step = std::lround(ticks[1].value - ticks[0].value);
        EXPECT_EQ(step & (step - 1), 0) << step;
        for (const Tick& tick : ticks) EXPECT_EQ(std::lround(tick.value) % step, 0) << tick.text;
    }
}

TEST(BandwidthPicture, TicksOfPercentagesAndDegreesAreRoundAsThoseAre) {
    const FixedMeasure measure;
    for (const auto& [key, round] : {std::pair{"zoom", 10l}, {"angle", 5l}}) {
        Curve curve;
        curve.knob = find_knob(*find_scenario("texture-filter"), key);
        curve.x = {double(curve.knob->min), double(curve.knob->max)};
        const PlotArea plot{.rect = {0, 0, 600, 200}, .x_min = curve.x.front(), .x_max = curve.x.back()};
        const std::vector<Tick> ticks = setting_ticks(curve, plot, measure);
        ASSERT_GE(ticks.size(), 3u) << key;
        for (const Tick& tick : ticks) EXPECT_EQ(std::lround(tick.value) % round, 0) << tick.text;
    }
}

TEST(BandwidthPicture, StartsAtZeroAndEveryPointLiesWhereItsValueIs) {
    Curve curve = curve_of("global-stride", "stride");
    curve.series = {{.points = {{8, 973, 970, 976}}}};
    const Picture picture = draw_bandwidth(curve, kStyle);
    ASSERT_TRUE(picture.plot.has_value());
    EXPECT_EQ(picture.plot->y_min, 0);
    EXPECT_EQ(picture.plot->x_key, "stride");
    EXPECT_EQ(picture.plot->x_stops, curve.x);
    bool found = false;
    for (const Shape& shape : picture.shapes) {
        const auto* mark = std::get_if<Mark>(&shape);
        if (mark == nullptr || !picture.plot->rect.contains(mark->center) ||
            mark->shape != MarkShape::diamond)
            continue;
        found = true;
        EXPECT_NEAR(mark->center.x, picture.plot->x_of(8), 0.01);
        EXPECT_NEAR(mark->center.y, picture.plot->y_of(973), 0.01);
    }
    EXPECT_TRUE(found);
}

TEST(BandwidthPicture, AClickFindsTheSettingAndItsTooltip) {
    Curve curve = curve_of("global-stride", "stride");
    curve.series = {{.points = {{16, 518, 515, 520}}}};
    const Picture picture = draw_bandwidth(curve, kStyle);
    const PlotArea& plot = *picture.plot;
    for (const double x : {0.0, 1.0, 16.0, 64.0}) {
        EXPECT_EQ(plot.nearest_stop(plot.x_of(x)), x);
    }
    const Hit* hit = picture.hit_at({plot.x_of(16), plot.rect.y + 20});
    ASSERT_NE(hit, nullptr);
    EXPECT_THAT(hit->tooltip, HasSubstr("stride = 16"));
    EXPECT_THAT(hit->tooltip, HasSubstr("measured 518 GB/s, quartiles 515 to 520"));
    EXPECT_THAT(hit->tooltip, HasSubstr("limited by"));
}

TEST(BandwidthPicture, ChoicesHaveTheirNames) {
    const Picture picture = draw_bandwidth(curve_of("global-stride", "element"), kStyle);
    EXPECT_TRUE(picture.plot->x_even);
    for (const char* name : {"1 B", "2 B", "4 B", "8 B", "16 B"}) EXPECT_THAT(texts(picture), Contains(name));
}

TEST(BandwidthPicture, ChoicesAreBarsFromZeroToTheirValues) {
    const Curve curve = curve_of("global-stride", "element");
    const Picture picture = draw_bandwidth(curve, kStyle);
    const PlotArea& plot = *picture.plot;
    std::size_t bars = 0;
    for (const Shape& shape : picture.shapes) {
        const auto* path = std::get_if<Path>(&shape);
        if (path != nullptr) {
            EXPECT_LT(path->points.size(), 3u) << "no line joins what has nothing in between";
        }
        const auto* box = std::get_if<Box>(&shape);
        if (box == nullptr || box->stroke.a == 0 || !plot.rect.contains({box->rect.x, box->rect.y + 1}))
            continue;
        EXPECT_NEAR(box->rect.x + box->rect.w / 2, plot.x_of(curve.x[bars]), 0.01);
        EXPECT_NEAR(box->rect.y, plot.y_of(curve.model[bars].value), 0.01);
        EXPECT_NEAR(box->rect.y + box->rect.h, plot.y_of(0), 0.01);
        ++bars;
    }
    EXPECT_EQ(bars, curve.x.size());
}

TEST(BandwidthPicture, TheAxisFollowsTheValuesAndNamesAPeakBeyondIt) {
    Curve curve = curve_of("global-stride", "stride");
    double largest = 0;
    for (Prediction& model : curve.model) {
        model.peak = 33000;
        largest = std::max(largest, model.value);
    }
    const Picture picture = draw_bandwidth(curve, kStyle);
    EXPECT_LT(picture.plot->y_max, 1.3 * largest);
    EXPECT_THAT(texts(picture), Contains(HasSubstr("peak 33\u2009000 GB/s, datasheet, beyond this axis")));
    for (Prediction& model : curve.model) model.peak = 1.5 * largest;
    const Picture near = draw_bandwidth(curve, kStyle);
    EXPECT_GT(near.plot->y_max, 1.5 * largest) << "a peak that is near is a line in the plot";
    EXPECT_THAT(texts(near), testing::Not(Contains(HasSubstr("beyond"))));
}

TEST(BandwidthPicture, AnAxisHasAtLeastThreeNumbers) {
    for (const double max : {0.013, 0.99, 1.0, 1.9, 2.1, 7.0, 61.0, 999.0, 4800.0, 33000.0}) {
        for (const float points : {90.0f, 110.0f, 160.0f, 420.0f}) {
            const std::vector<Tick> ticks = linear_ticks(max, points, std::clamp(points / 7, 17.0f, 80.0f));
            EXPECT_GE(ticks.size(), 3u) << max << " on " << points;
            EXPECT_LE(ticks.back().value, max * (1 + 1e-9));
        }
    }
}

TEST(BandwidthPicture, LogAxesLeaveOutZero) {
    Curve curve = curve_of("global-stride", "stride");
    curve.log_axes = true;
    curve.here = 0;
    const Picture picture = draw_bandwidth(curve, kStyle);
    EXPECT_TRUE(picture.plot->x_log);
    EXPECT_TRUE(picture.plot->y_log);
    EXPECT_EQ(picture.plot->x_min, 1);
}

TEST(BandwidthPicture, AStaircaseIsInCyclesOverSizesAndNamesTheCaches) {
    const Scenario& scenario = *find_scenario("cache-footprint");
    Curve curve;
    curve.knob = find_knob(scenario, "footprint");
    curve.speed_unit = SpeedUnit::cycles;
    Params params = scenario.info->defaults;
    for (int log2 = 12; log2 <= 30; ++log2) {
        params.footprint_log2 = log2;
        curve.x.push_back(static_cast<double>(std::int64_t{1} << log2));
        curve.model.push_back(predict(scenario, params, h200()));
    }
    curve.here = curve.x[10];
    curve.marks = {{248 * 1024.0, "L1 248 KiB"}, {60 * 1024.0 * 1024, "L2 60 MiB"}};
    curve.series = {{.points = {{curve.x[10], 281.25, 280, 282}, {curve.x[2], 39.72, 39.7, 39.8}}}};
    const Picture picture = draw_bandwidth(curve, kStyle);
    EXPECT_EQ(picture.title, "Latency against footprint");
    const auto said = texts(picture);
    for (const char* text :
         {"cycles", "footprint, bytes", "footprint = 4 MiB", "L1 248 KiB", "L2 60 MiB", "4 KiB", "1 GiB"})
        EXPECT_THAT(said, Contains(text));
    EXPECT_THAT(said, testing::Not(Contains(HasSubstr("peak"))));
    EXPECT_THAT(said, testing::Not(Contains(HasSubstr("GB/s"))));
    const PlotArea& plot = *picture.plot;
    EXPECT_THAT(picture.hit_at({plot.x_of(curve.x[10]), plot.rect.y + 40})->tooltip,
                HasSubstr("measured 281 cycles, quartiles 280 to 282"));
    EXPECT_THAT(picture.hit_at({plot.x_of(curve.x[2]), plot.rect.y + 40})->tooltip,
                HasSubstr("predicted 38.9 cycles, approximate\n   mostly L1 latency"));
    double largest = 0;
    for (const Prediction& one : curve.model) largest = std::max(largest, one.value);
    for (const Shape& shape : picture.shapes) {  // names stand above all data
        const auto* label = std::get_if<Label>(&shape);
        if (label == nullptr || label->text != "L1 248 KiB") continue;
        EXPECT_LT(label->position.y + descent(label->font), plot.y_of(largest));
    }
}

TEST(BandwidthPicture, AUnitThatTheNameSaysIsNotSaidTwice) {
    EXPECT_THAT(texts(draw_bandwidth(curve_of("constant-lookup", "words"), kStyle)),
                Contains("distinct words"));
    EXPECT_THAT(texts(draw_bandwidth(curve_of("local-spill", "registers"), kStyle)), Contains("registers"));
}

Curve with_three_gpus() {
    Curve curve = curve_of("global-stride", "stride");
    curve.series = {
        {Provenance::measured, "NVIDIA H200, here", 0, {{8, 500, 490, 510}}},
        {Provenance::recorded,
         "NVIDIA H200, recorded 2026-11-21",
         1,
         {{8, 505, 495, 515}, {9, 400, 390, 410}}},
        {Provenance::recorded, "NVIDIA A100-SXM4-80GB, recorded 2026-10-02", 2, {{8, 210, 205, 220}}, false}};
    return curve;
}

TEST(BandwidthPicture, EveryGpuHasItsOwnColourMarkerAndName) {
    for (const ThemeName name : {ThemeName::dark, ThemeName::light}) {
        const Picture picture = draw_bandwidth(with_three_gpus(), style_of(name, {900, 420}));
        const auto said = texts(picture);
        for (const MeasuredSeries& series : with_three_gpus().series) {
            EXPECT_THAT(said, Contains(series.label));
            const SeriesLook look = series_look(theme(name), series.look);
            int drawn = 0;
            for (const Shape& shape : picture.shapes) {
                const auto* mark = std::get_if<Mark>(&shape);
                drawn += mark != nullptr && mark->shape == look.shape && mark->color == look.color;
            }
            EXPECT_EQ(drawn, static_cast<int>(series.points.size()) + 1) << "and one in the legend";
        }
    }
}

TEST(BandwidthPicture, LooksDifferInColourUpToFiveAndAsAPairUpToTwentyFive) {
    const Theme& colors = theme(ThemeName::light);
    for (int a = 0; a <= 25; ++a) {
        for (int b = 0; b < a; ++b) {
            const SeriesLook x = series_look(colors, a), y = series_look(colors, b);
            EXPECT_FALSE(x.color == y.color && x.shape == y.shape) << a << " and " << b;
            if (a > 5) continue;
            EXPECT_FALSE(x.color == y.color) << a << " and " << b;
            EXPECT_NE(x.shape, y.shape) << a << " and " << b;
        }
        EXPECT_FALSE(series_look(colors, a).color == colors.series[kSeriesModel]);
    }
}

TEST(BandwidthPicture, TheTooltipNamesEachGpuWithItsKindAndHowFarTheModelIsOff) {
    Curve curve = with_three_gpus();
    for (Prediction& model : curve.model) model.value = 560;
    const Picture picture = draw_bandwidth(curve, kStyle);
    const std::string tip = picture.hit_at({picture.plot->x_of(8), picture.plot->rect.y + 20})->tooltip;
    EXPECT_THAT(tip, HasSubstr("◆ measured 500 GB/s, quartiles 490 to 510\n   NVIDIA H200, here\n   "
                               "model 12 % above the measured value"));
    EXPECT_THAT(
        tip, HasSubstr("▲ recorded 505 GB/s, quartiles 495 to 515\n   NVIDIA H200, recorded 2026-11-21\n   "
                       "model 11 % above the recorded value"));
    EXPECT_TRUE(tip.ends_with("NVIDIA A100-SXM4-80GB, recorded 2026-10-02"))
        << "another GPU's model: " << tip;
    EXPECT_THAT(texts(picture), Contains(HasSubstr("model 12 % above the measured value")));
    curve.here = 9;
    EXPECT_THAT(texts(draw_bandwidth(curve, kStyle)),
                Contains(HasSubstr("model 40 % above the recorded value")));
    curve.here = 10;
    EXPECT_THAT(texts(draw_bandwidth(curve, kStyle)),
                testing::Not(Contains(HasSubstr("the recorded value"))));
}

TEST(BandwidthPicture, HowFarOffInWords) {
    EXPECT_EQ(model_against(103.4, 100, Provenance::recorded), "model 3.4 % above the recorded value");
    EXPECT_EQ(model_against(88, 100, Provenance::measured), "model 12 % below the measured value");
    EXPECT_EQ(model_against(100.4, 100, Provenance::recorded), "model within 1 % of the recorded value");
    EXPECT_EQ(model_against(280, 100, Provenance::recorded), "model 2.8 times the recorded value");
    EXPECT_EQ(model_against(0, 100, Provenance::recorded), "") << "nothing is predicted";
}

// However narrow: a name is shortened, and none is left out.
TEST(BandwidthPicture, TheLegendHasEverySeries) {
    for (const float width : {360.0f, 500.0f, 900.0f}) {
        const Picture picture = draw_bandwidth(with_three_gpus(), style_of(ThemeName::dark, {width, 300}));
        int samples = 0;
        for (const Shape& shape : picture.shapes) {
            const auto* mark = std::get_if<Mark>(&shape);
            samples += mark != nullptr && mark->center.y < picture.plot->rect.y - 20 &&
                       mark->shape != MarkShape::ring && mark->shape != MarkShape::circle;
        }
        EXPECT_EQ(samples, 3) << width;
        EXPECT_THAT(texts(picture), Contains(testing::StartsWith("NVIDIA"))) << width;
    }
}

// As in a window of 1280 x 800, whose lower panel has room for a title row and 200 points.
TEST(BandwidthPicture, ALowPlotGivesUpItsCaptionBeforeItsTicks) {
    for (const float height : {150.0f, 190.0f, 230.0f}) {
        Curve curve = with_three_gpus();
        curve.caption = "stride=8";
        Style style = style_of(ThemeName::dark, {640, height});
        style.embedded = true;
        const Picture picture = draw_bandwidth(curve, style);
        int y_ticks = 0;
        for (const Shape& shape : picture.shapes) {
            const auto* label = std::get_if<Label>(&shape);
            y_ticks += label != nullptr && label->anchor == Anchor::end && label->text != "GB/s" &&
                       label->position.x < picture.plot->rect.x;
        }
        EXPECT_GE(y_ticks, 3) << height;
        EXPECT_GE(picture.plot->rect.h, height / 2 - 20) << height;
        EXPECT_THAT(texts(picture), Contains("stride, elements")) << height;
        EXPECT_THAT(texts(picture), testing::Not(Contains(HasSubstr("stride=8")))) << height;
    }
}

TEST(BandwidthPicture, SaysWhyNothingWasMeasured) {
    Curve curve = curve_of("global-stride", "stride");
    curve.no_measurement = "This build has no CUDA.";
    EXPECT_THAT(texts(draw_bandwidth(curve, kStyle)), Contains("This build has no CUDA."));
    EXPECT_FALSE(draw_bandwidth(Curve{}, kStyle).plot.has_value());
}

}  // namespace
}  // namespace warplens::test::bandwidth_picture_tests
