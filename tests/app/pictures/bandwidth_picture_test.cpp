#include "tests/app/pictures/pictures_of_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace warplens::test {
namespace {

using testing::Contains;
using testing::HasSubstr;

Curve curve_of(const char* id, const char* key) {
    const Scenario& scenario = *find_scenario(id);
    Curve curve;
    curve.knob = find_knob(scenario, key);
    curve.gpu = "NVIDIA H200";
    curve.peak_source = "datasheet";
    Params params = scenario.info->defaults;
    const bool choice = curve.knob->kind == KnobKind::choice;
    const int last = choice ? static_cast<int>(curve.knob->choices.size()) - 1 : curve.knob->max;
    for (int i = choice ? 0 : curve.knob->min; i <= last; ++i) {
        const int value = choice ? curve.knob->choices[static_cast<std::size_t>(i)].value : i;
        params.*curve.knob->field = value;
        curve.x.push_back(value);
        curve.model.push_back(predict(scenario, params, h200()));
    }
    curve.here = 8;
    return curve;
}

std::vector<std::string> texts(const Picture& picture) {
    std::vector<std::string> all;
    for (const Shape& shape : picture.shapes) {
        if (const auto* label = std::get_if<Label>(&shape)) all.push_back(label->text);
    }
    return all;
}

const Style kStyle = style_of(ThemeName::dark, {900, 420});

TEST(BandwidthPicture, NamesAxesUnitsPeakSettingAndGpu) {
    const auto said = texts(draw_bandwidth(curve_of("global-stride", "stride"), kStyle));
    EXPECT_THAT(said, Contains("stride, elements"));
    EXPECT_THAT(said, Contains("GB/s"));
    EXPECT_THAT(said, Contains(HasSubstr("peak 4\u2009800 GB/s, datasheet")));
    EXPECT_THAT(said, Contains("stride 8"));
    EXPECT_THAT(said, Contains(HasSubstr("NVIDIA H200")));
    EXPECT_THAT(said, Contains("model (approximate)"));
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
    EXPECT_THAT(hit->tooltip, HasSubstr("stride 16"));
    EXPECT_THAT(hit->tooltip, HasSubstr("measured 518 GB/s, quartiles 515 to 520"));
    EXPECT_THAT(hit->tooltip, HasSubstr("limited by"));
}

TEST(BandwidthPicture, ChoicesHaveTheirNames) {
    const Picture picture = draw_bandwidth(curve_of("global-stride", "element"), kStyle);
    EXPECT_TRUE(picture.plot->x_even);
    for (const char* name : {"1 B", "2 B", "4 B", "8 B", "16 B"}) EXPECT_THAT(texts(picture), Contains(name));
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
    curve.quantity = Quantity::cycles;
    Params params = scenario.info->defaults;
    for (int log2 = 12; log2 <= 30; ++log2) {
        params.footprint_log2 = log2;
        curve.x.push_back(static_cast<double>(std::int64_t{1} << log2));
        curve.model.push_back(predict(scenario, params, h200()));
    }
    curve.here = curve.x[10];
    curve.marks = {{248 * 1024.0, "L1 248 KB"}, {60 * 1024.0 * 1024, "L2 60 MB"}};
    curve.series = {{.points = {{curve.x[10], 281.25, 280, 282}, {curve.x[2], 39.72, 39.7, 39.8}}}};
    const Picture picture = draw_bandwidth(curve, kStyle);
    EXPECT_EQ(picture.title, "Latency against footprint");
    const auto said = texts(picture);
    for (const char* text :
         {"cycles", "footprint, bytes", "footprint 4 MB", "L1 248 KB", "L2 60 MB", "4 KB", "1 GB"})
        EXPECT_THAT(said, Contains(text));
    EXPECT_THAT(said, testing::Not(Contains(HasSubstr("peak"))));
    EXPECT_THAT(said, testing::Not(Contains(HasSubstr("GB/s"))));
    const PlotArea& plot = *picture.plot;
    EXPECT_THAT(picture.hit_at({plot.x_of(curve.x[10]), plot.rect.y + 40})->tooltip,
                HasSubstr("measured 281 cycles, quartiles 280 to 282"));
    EXPECT_THAT(picture.hit_at({plot.x_of(curve.x[2]), plot.rect.y + 40})->tooltip,
                HasSubstr("predicted 39.7 cycles, approximate\n   mostly L1 latency"));
    for (const Shape& shape : picture.shapes) {  // names do not lie on each other
        const auto* label = std::get_if<Label>(&shape);
        if (label == nullptr || label->text != "L1 248 KB") continue;
        EXPECT_LT(label->position.y, plot.y_of(700));
    }
}

TEST(BandwidthPicture, AUnitThatTheNameSaysIsNotSaidTwice) {
    EXPECT_THAT(texts(draw_bandwidth(curve_of("constant-lookup", "words"), kStyle)),
                Contains("distinct words"));
    EXPECT_THAT(texts(draw_bandwidth(curve_of("local-spill", "registers"), kStyle)), Contains("registers"));
}

TEST(BandwidthPicture, SaysWhyNothingWasMeasured) {
    Curve curve = curve_of("global-stride", "stride");
    curve.no_measurement = "This build has no CUDA.";
    EXPECT_THAT(texts(draw_bandwidth(curve, kStyle)), Contains("This build has no CUDA."));
    EXPECT_FALSE(draw_bandwidth(Curve{}, kStyle).plot.has_value());
}

}  // namespace
}  // namespace warplens::test
