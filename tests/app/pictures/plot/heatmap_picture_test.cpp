#include "app/pictures/plot/heatmap.h"

#include "app/experiment/heatmap_cells.h"
#include "tests/app/pictures/kit/pictures_of_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warplens::test::heatmap_picture_tests {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

Heatmap map_of(const char* id, const char* x, const char* y) {
    const Scenario& scenario = *find_scenario(id);
    State state = initial_state(scenario, 0);
    state.axis = find_knob(scenario, x);
    state.second_axis = find_knob(scenario, y);
    return all_cells(state, h200());
}

const Box* box_at(const Picture& picture, Vec2 p) {
    for (const Shape& shape : picture.shapes) {
        const auto* box = std::get_if<Box>(&shape);
        if (box != nullptr && box->rect.contains(p)) return box;
    }
    return nullptr;
}

const Style kStyle = style_of(ThemeName::dark, {900, 520});

TEST(HeatmapPicture, NamesAxesUnitsKindAndDevice) {
    const Picture picture = draw_heatmap(map_of("shared-tile", "width", "padding"), kStyle);
    EXPECT_EQ(picture.title, "Bandwidth against tile width and padding");
    const auto said = texts(picture);
    for (const char* text : {"tile width, elements", "padding, elements", "GB/s", "○ model (approximate)"})
        EXPECT_THAT(said, Contains(text));
    EXPECT_THAT(said, Contains(HasSubstr("Model of H200")));
}

TEST(HeatmapPicture, EveryCellCanBePointedAtAndSmallValuesStandBelow) {
    const Heatmap map = map_of("transpose", "tile", "variant");
    const Picture picture = draw_heatmap(map, kStyle);
    ASSERT_EQ(picture.hits.size(), map.cells.size());
    for (std::size_t i = 0; i < picture.hits.size(); ++i) {
        const Rect& r = picture.hits[i].rect;
        const Hit* hit = picture.hit_at({r.x + r.w / 2, r.y + r.h / 2});
        ASSERT_NE(hit, nullptr);
        EXPECT_EQ(hit->item, static_cast<int>(i));
    }
    EXPECT_LT(picture.hits[1].rect.x - picture.hits[0].rect.x - picture.hits[0].rect.w, 1);
    EXPECT_GT(picture.hits[0].rect.y, picture.hits.back().rect.y) << "as in any plot";
    EXPECT_THAT(picture.hits[5].tooltip, HasSubstr("tile = 32, variant = tile"));
    EXPECT_THAT(picture.hits[5].tooltip, HasSubstr("limited by"));
}

TEST(HeatmapPicture, NumbersStandInAllCellsOrInNone) {
    const auto numbers = [](const Picture& picture, std::size_t cells) {
        std::size_t found = 0;
        for (std::size_t i = 0; i < cells; ++i) {
            const Rect& r = picture.hits[i].rect;
            for (const Shape& shape : picture.shapes) {
                const auto* label = std::get_if<Label>(&shape);
                found += label != nullptr && r.contains({label->position.x, label->position.y - 3});
            }
        }
        return found;
    };
    const Heatmap few = map_of("transpose", "tile", "variant"),
                  many = map_of("global-stride", "stride", "element");
    EXPECT_EQ(numbers(draw_heatmap(few, kStyle), few.cells.size()), few.cells.size());
    EXPECT_EQ(numbers(draw_heatmap(many, kStyle), many.cells.size()), 0u);
}

TEST(HeatmapPicture, EqualValuesHaveEqualColoursAndLargerOnesAreLighter) {
    const Heatmap map = map_of("shared-tile", "padding", "walk");
    const Picture picture = draw_heatmap(map, kStyle);
    const HeatScale scale = heat_scale(map);
    for (std::size_t i = 0; i < map.cells.size(); ++i) {
        const Rect& r = picture.hits[i].rect;
        const Box* box = box_at(picture, {r.x + r.w / 2, r.y + r.h / 2});
        ASSERT_NE(box, nullptr);
        EXPECT_EQ(box->fill, scale.color(*kStyle.theme, map.cells[i].model.value));
    }
    EXPECT_TRUE(has_log_colors(map)) << "32 wavefronts against 1";
    const std::size_t by_column = map.x.size();
    EXPECT_GT(scale.position(map.cells[by_column + 1].model.value),
              scale.position(map.cells[by_column].model.value));
}

TEST(HeatmapPicture, DifferencesHaveOneInTheMiddle) {
    Heatmap map = map_of("transpose", "tile", "variant");
    map.show = HeatmapShow::difference;
    for (std::size_t i = 0; i < map.cells.size(); ++i) {
        const double v = map.cells[i].model.value * (i == 0 ? 0.5 : i == 1 ? 1.0 : 1.2);
        if (i < 3) map.cells[i].measured = {0, v, v, v};
    }
    map.measured_on.gpu = "NVIDIA H200";
    const HeatScale scale = heat_scale(map);
    EXPECT_FLOAT_EQ(scale.position(1), 0.5f);
    EXPECT_FLOAT_EQ(scale.position(2) + scale.position(0.5), 1) << "as far below as above";
    EXPECT_FLOAT_EQ(scale.position(0.5), 0) << "the farthest one is at the end";
    const auto said = texts(draw_heatmap(map, kStyle));
    for (const char* text : {"0.50", "1.00", "1.20", "ratio"}) EXPECT_THAT(said, Contains(text));
    EXPECT_THAT(said, Contains(HasSubstr("measured on NVIDIA H200 / ○ model")));
    EXPECT_EQ(shown_value(map, map.cells[5]), std::nullopt) << "not measured";
}

// A recorded value was called measured once.
TEST(HeatmapPicture, SaysOfEachCellWhetherItWasMeasuredOrRecorded) {
    Heatmap map = map_of("transpose", "tile", "variant");
    map.cells[0].measured = {0, 100, 99, 101};
    for (const Provenance kind : {Provenance::measured, Provenance::recorded}) {
        map.measured_on = {kind, "NVIDIA H200"};
        const std::string tooltip = draw_heatmap(map, kStyle).hits.at(0).tooltip;
        EXPECT_NE(tooltip.find(std::string(provenance_mark(kind)) + " " + std::string(provenance_name(kind))),
                  std::string::npos)
            << tooltip;
    }
}

TEST(HeatmapPicture, WhatCannotBeIsHatchedWithItsReason) {
    const Heatmap map = map_of("transpose", "tile", "block_rows");
    const Picture picture = draw_heatmap(map, kStyle);
    for (std::size_t i = 0; i < map.cells.size(); ++i) {
        const Rect& r = picture.hits[i].rect;
        const Box* box = box_at(picture, {r.x + r.w / 2, r.y + r.h / 2});
        EXPECT_EQ(box->hatch.a > 0, !map.cells[i].refused.empty()) << i;
        EXPECT_THAT(picture.hits[i].tooltip, HasSubstr(map.cells[i].refused));
    }
}

TEST(HeatmapPicture, SaysWhyNothingWasMeasured) {
    Heatmap map = map_of("transpose", "tile", "variant");
    map.no_measurement = "not measured: no GPU here";
    EXPECT_THAT(texts(draw_heatmap(map, kStyle)), Contains(HasSubstr("no GPU here")));
    map.show = HeatmapShow::measured;
    EXPECT_THAT(texts(draw_heatmap(map, kStyle)), Contains("not measured: no GPU here"));
    EXPECT_TRUE(draw_heatmap(Heatmap{}, kStyle).hits.empty());
}

TEST(HeatmapScale, TicksLieOnTheBarAndApart) {
    for (const double high : {0.3, 1.0, 7.0, 42.0, 4800.0, 33'500.0}) {
        for (const double share : {0.9, 0.5, 0.03, 0.0005}) {
            for (const bool log : {false, true}) {
                const HeatScale scale{.low = log ? share * high : 0, .high = high, .log = log};
                for (const float points : {40.0f, 120.0f, 500.0f}) {
                    const auto ticks = scale.ticks(points);
                    EXPECT_FALSE(ticks.empty());
                    std::vector<float> places;
                    for (const Tick& tick : ticks) {
                        EXPECT_GE(tick.value, scale.low * 0.999);
                        EXPECT_LE(tick.value, scale.high * 1.001);
                        places.push_back(scale.position(tick.value) * points);
                    }
                    std::ranges::sort(places);
                    for (std::size_t i = 1; i < places.size(); ++i)
                        EXPECT_GE(places[i] - places[i - 1], 16) << high;
                }
            }
        }
    }
}

}  // namespace
}  // namespace warplens::test::heatmap_picture_tests
