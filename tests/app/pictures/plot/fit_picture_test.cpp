#include "app/pictures/plot/curve.h"

#include "tests/app/pictures/kit/pictures_of_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warplens::test::fit_picture_tests {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

FitPlot three_points() {
    FitPlot plot{.gpu = "NVIDIA H200", .measured_on = {Provenance::measured, "NVIDIA H200"}};
    std::vector<FitSample> samples;
    for (const double x : {1.0, 2.0, 32.0}) {
        const double y = 1.01 * x + 0.2;
        plot.points.push_back({x, y, 0.98 * y, 1.02 * y, "stride=" + std::to_string(int(x)), {}, x == 2});
        samples.push_back({x, y});
    }
    plot.fit = fit_line(samples);
    return plot;
}

const Style kStyle = style_of(ThemeName::light, {800, 480});

TEST(FitPicture, WritesTheLineAndNamesTheAxes) {
    const auto said = texts(draw_fit(three_points(), kStyle));
    for (const char* text :
         {"cycles = 1.010 × wavefronts + 0.20", "R² 1.0000, 3 points", "cycles per request",
          "predicted wavefronts per request", "ideal: one wavefront a cycle"})
        EXPECT_THAT(said, Contains(text));
    EXPECT_THAT(said, Contains(HasSubstr("measured on NVIDIA H200")));
    EXPECT_EQ(line_text({.slope = 0.9, .intercept = -0.5}), "cycles = 0.900 × wavefronts − 0.50");
}

TEST(FitPicture, PointsLieWhereTheirValuesAreAndNameTheirSetting) {
    const FitPlot plot = three_points();
    const Picture picture = draw_fit(plot, kStyle);
    ASSERT_TRUE(picture.plot);
    for (std::size_t i = 0; i < plot.points.size(); ++i) {
        const Vec2 at{picture.plot->x_of(plot.points[i].wavefronts),
                      picture.plot->y_of(plot.points[i].cycles)};
        const Hit* hit = picture.hit_at(at);
        ASSERT_NE(hit, nullptr);
        EXPECT_EQ(hit->item, static_cast<int>(i));
        EXPECT_THAT(hit->tooltip, HasSubstr(plot.points[i].setting));
        EXPECT_THAT(hit->tooltip, HasSubstr("wavefronts per request"));
    }
}

TEST(FitPicture, TheIdealLineIsDashedAndGoesUpByOneForOne) {
    for (const FitPlot& plot : {three_points(), FitPlot{.no_measurement = "no GPU"}}) {
        const Picture picture = draw_fit(plot, kStyle);
        const PlotArea& area = *picture.plot;
        int ideal = 0;
        for (const Shape& shape : picture.shapes) {
            const auto* path = std::get_if<Path>(&shape);
            if (path == nullptr || path->dash != Dash::dashed || path->points[0].y == path->points[1].y)
                continue;
            ++ideal;
            EXPECT_NEAR(path->points[0].y, area.y_of(0), 0.01);
            EXPECT_NEAR(path->points[1].y, area.y_of(area.x_at(path->points[1].x)), 0.01);
        }
        EXPECT_EQ(ideal, 1);
    }
}

TEST(FitPicture, WithoutPointsItSaysWhy) {
    const auto said = texts(draw_fit({.no_measurement = "No GPU is here."}, kStyle));
    EXPECT_THAT(said, Contains("No GPU is here."));
    EXPECT_THAT(said, Not(Contains(HasSubstr("R²"))));
}

}  // namespace
}  // namespace warplens::test::fit_picture_tests
