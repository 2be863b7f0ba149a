// The map of a grid: quiet if all is alike, else where it differs is seen.
#include "app/pictures/access/grid_map_picture.h"

#include "tests/app/pictures/kit/pictures_of_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <utility>

namespace warplens::test::grid_map_picture_tests {
namespace {

using testing::HasSubstr;
using testing::Not;

GridMap map_of(const char* id, std::initializer_list<std::pair<int Params::*, int>> values,
               int instruction = 0) {
    const Scenario& scenario = *find_scenario(id);
    Params params = scenario.info->defaults;
    for (const auto& [field, value] : values) params.*field = value;
    clamp_knobs(scenario, params);
    return map_grid(scenario, params, h200(), instruction);
}
GridMap alike() { return map_of("global-stride", {{&Params::stride, 8}, {&Params::elements_log2, 25}}); }
GridMap ragged() { return map_of("transpose", {{&Params::matrix, 1000}}); }

Style look(float width, float height) {
    Style style = style_of(ThemeName::dark, {width, height});
    style.embedded = true;
    return style;
}

std::string texts(const Picture& picture) {
    std::string all;
    for (const Shape& shape : picture.shapes)
        if (const auto* label = std::get_if<Label>(&shape)) all += label->text + ' ';
    return all;
}

/// The colour of the cell with this index: of the last filled box in its middle.
Color color_of(const Picture& picture, int cell) {
    const Rect& place = picture.hits.at(cell).rect;
    const Vec2 middle{place.x + place.w / 2 - 0.6f, place.y + place.h / 2 - 0.6f};
    Color color;
    for (const Shape& shape : picture.shapes)
        if (const auto* box = std::get_if<Box>(&shape);
            box != nullptr && box->rect.contains(middle) && box->fill.a > 0)
            color = box->fill;
    return color;
}

std::size_t filled_boxes(const Picture& picture) {
    std::size_t all = 0;
    for (const Shape& shape : picture.shapes)
        if (const auto* box = std::get_if<Box>(&shape); box != nullptr && box->fill.a > 0) ++all;
    return all;
}

std::size_t marks(const Picture& picture) {
    return static_cast<std::size_t>(std::ranges::count_if(
        picture.shapes, [](const Shape& shape) { return std::holds_alternative<Mark>(shape); }));
}

TEST(GridMapPicture, AllAlikeIsOneStripAndOneSentence) {
    EXPECT_EQ(grid_map_sentence(alike()),
              format_count(1 << 20) + " warps, all alike: 32 sectors a request, ideal 4");
    const Picture picture = draw_grid_map(alike(), 0, look(560, 60));
    EXPECT_EQ(filled_boxes(picture), 1u);
    EXPECT_EQ(marks(picture), 0u);
    EXPECT_THAT(texts(picture), HasSubstr(grid_map_sentence(alike())));
}

TEST(GridMapPicture, ARaggedEdgeHasAnotherColour) {
    const GridMap map = ragged();
    const Picture picture = draw_grid_map(map, 5000, look(460, 120));
    const int last = map.columns - 1;
    EXPECT_NE(color_of(picture, 0), color_of(picture, last));
    EXPECT_EQ(color_of(picture, 1), color_of(picture, 2));
}

TEST(GridMapPicture, EveryCellCanBePointedAt) {
    const GridMap map = ragged();
    const Picture picture = draw_grid_map(map, 0, look(230, 150));
    ASSERT_EQ(picture.hits.size(), map.cells.size());
    for (std::size_t i = 0; i < picture.hits.size(); ++i) {
        const Rect& place = picture.hits[i].rect;
        const Hit* hit = picture.hit_at({place.x + place.w / 2, place.y + place.h / 2});
        ASSERT_NE(hit, nullptr);
        EXPECT_EQ(hit->item, static_cast<int>(i));
        EXPECT_THAT(hit->tooltip, HasSubstr(describe_cell(map, map.cells[i])));
    }
}

TEST(GridMapPicture, TheWorstIsFlaggedAndThePicturedWarpOutlined) {
    const GridMap map = map_of("shared-reduction", {}, -1);
    const Picture picture = draw_grid_map(map, 0, look(230, 100));
    ASSERT_GE(map.worst, 0);
    ASSERT_EQ(marks(picture), 1u);
    const auto mark = std::ranges::find_if(
        picture.shapes, [](const Shape& shape) { return std::holds_alternative<Mark>(shape); });
    const Rect& cell = picture.hits[map.worst].rect;
    EXPECT_NEAR(std::get<Mark>(*mark).center.x, cell.x + cell.w / 2, 0.01);
    EXPECT_LT(std::get<Mark>(*mark).center.y, cell.y + 0.01);
    const auto frames = [&](const Picture& one) {
        return std::ranges::count_if(one.shapes, [](const Shape& shape) {
            const auto* box = std::get_if<Box>(&shape);
            return box != nullptr && box->fill.a == 0 && box->stroke == theme(ThemeName::dark).text;
        });
    };
    EXPECT_EQ(frames(picture), 1);
}

// Nothing is drawn beyond the picture, whatever the place and the setting.
TEST(GridMapPicture, StaysInItsPlace) {
    std::mt19937 random(3);
    for (const Scenario& scenario : all_scenarios()) {
        const Params params = random_params(scenario, random);
        const GridMap map = map_grid(scenario, params, h200(), -1);
        for (const Vec2 size : {Vec2{230, 60}, {230, 150}, {600, 100}, {200, 50}}) {
            const Picture picture = draw_grid_map(map, params.warp, look(size.x, size.y));
            ASSERT_FALSE(picture.hits.empty()) << scenario.info->id;
            for (const Shape& shape : picture.shapes) {
                const auto* box = std::get_if<Box>(&shape);
                if (box == nullptr) continue;
                EXPECT_GE(box->rect.x, 0) << scenario.info->id;
                EXPECT_LE(box->rect.x + box->rect.w, size.x) << scenario.info->id;
                EXPECT_LE(box->rect.y + box->rect.h, size.y) << scenario.info->id << " in " << size.y;
            }
        }
    }
}

TEST(GridMapPicture, HiddenCountsTellNothing) {
    Style style = look(230, 150);
    style.counts_hidden = true;
    for (const GridMap& map : {ragged(), alike()}) {
        const Picture picture = draw_grid_map(map, 0, style);
        EXPECT_THAT(texts(picture), Not(HasSubstr("sector")));
        EXPECT_EQ(marks(picture), 0u);
        for (std::size_t i = 0; i < picture.hits.size(); ++i) {
            EXPECT_THAT(picture.hits[i].tooltip, Not(HasSubstr("sector")));
            EXPECT_EQ(color_of(picture, static_cast<int>(i)), theme(ThemeName::dark).cell_empty);
        }
    }
}

TEST(GridMapPicture, DescribesPlacesOfCells) {
    const GridMap map = alike();
    EXPECT_EQ(describe_cell(map, map.cells.front(), false).substr(0, 9), "blocks 0 ");
    const GridMap few = map_of("shared-tile", {{&Params::blocks_log2, 0}});
    EXPECT_EQ(describe_cell(few, few.cells.back(), false),
              "block 0, warp " + std::to_string(few.warps_per_block - 1));
    const GridMap two = ragged();
    EXPECT_THAT(describe_cell(two, two.cells.front(), false), HasSubstr("(0, 0)"));
}

}  // namespace
}  // namespace warplens::test::grid_map_picture_tests
