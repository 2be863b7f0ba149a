#include "tests/app/pictures/kit/pictures_of_settings.h"

#include <gtest/gtest.h>

namespace warplens::test::picture_tests {
namespace {

PlotArea plot(bool log, bool even) {
    PlotArea area;
    area.rect = {50, 20, 640, 200};
    area.x_min = 1;
    area.x_max = 64;
    area.y_min = log ? 1 : 0;
    area.y_max = 1000;
    area.x_log = area.y_log = log;
    area.x_even = even;
    area.x_stops = {1, 2, 4, 8, 16, 32, 64};
    return area;
}

TEST(PlotArea, PositionAndValueAreInverse) {
    for (const PlotArea& area : {plot(false, false), plot(true, false), plot(false, true)}) {
        for (const double value : {1.0, 1.5, 3.0, 8.0, 40.0, 64.0}) {
            EXPECT_NEAR(area.x_at(area.x_of(value)), value, 1e-3 * value);
        }
        for (const double stop : area.x_stops) {
            EXPECT_EQ(area.nearest_stop(area.x_of(stop) + 3), stop);
            EXPECT_EQ(area.nearest_stop(area.x_of(stop) - 3), stop);
        }
        EXPECT_GT(area.y_of(10), area.y_of(100)) << "y grows upwards";
        EXPECT_NEAR(area.y_of(1000), area.rect.y, 1e-4);
    }
}

TEST(PlotArea, HoldsValuesToTheAxis) {
    const PlotArea area = plot(false, false);
    EXPECT_EQ(area.x_at(-1000), 1);
    EXPECT_EQ(area.x_at(5000), 64);
    EXPECT_NEAR(area.y_of(-5), area.rect.y + area.rect.h, 1e-4);
    EXPECT_EQ(area.nearest_stop(-1000), 1);
}

TEST(PlotArea, ChoicesStandAtEvenSteps) {
    const PlotArea area = plot(false, true);
    const float step = area.x_of(2) - area.x_of(1);
    for (std::size_t i = 1; i < area.x_stops.size(); ++i) {
        EXPECT_NEAR(area.x_of(area.x_stops[i]) - area.x_of(area.x_stops[i - 1]), step, 1e-3);
    }
}

TEST(Picture, TheTopmostHitWins) {
    Picture picture;
    picture.hits = {{{0, 0, 10, 10}, 1, "below"}, {{5, 5, 10, 10}, 2, "above"}};
    EXPECT_EQ(picture.hit_at({7, 7})->lane, 2);
    EXPECT_EQ(picture.hit_at({2, 2})->lane, 1);
    EXPECT_EQ(picture.hit_at({20, 2}), nullptr);
}

TEST(TileShape, ComesFromTheScenariosKnobs) {
    const auto shape = [](const char* id, Params params, int instruction) {
        const Scenario& scenario = *find_scenario(id);
        return tile_shape(scenario, params, scenario.instruction(params, instruction));
    };
    Params tile = find_scenario("shared-tile")->info->defaults;
    tile.width = 24, tile.height = 10, tile.padding = 3, tile.element_bytes = 8;
    EXPECT_EQ(shape("shared-tile", tile, 0).width, 24);
    EXPECT_EQ(shape("shared-tile", tile, 0).height, 10);
    EXPECT_EQ(shape("shared-tile", tile, 0).padding, 3);
    EXPECT_EQ(shape("shared-tile", tile, 0).element_bytes, 8);

    Params transpose = find_scenario("transpose")->info->defaults;
    transpose.variant = static_cast<int>(Variant::tile);
    EXPECT_EQ(shape("transpose", transpose, 1).width, 32);
    EXPECT_EQ(shape("transpose", transpose, 1).padding, 0) << "only the padded variant pads";
    EXPECT_EQ(shape("transpose", transpose, 0).width, 0) << "global memory has no tile";
    transpose.variant = static_cast<int>(Variant::padded);
    EXPECT_EQ(shape("transpose", transpose, 2).padding, 1);
    EXPECT_EQ(shape("shared-stride", find_scenario("shared-stride")->info->defaults, 0).width, 0);
}

}  // namespace
}  // namespace warplens::test::picture_tests
