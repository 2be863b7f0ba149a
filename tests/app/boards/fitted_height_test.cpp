// A picture takes the height that it is given: it is not higher, and it leaves little of it empty unless its
// width is what limits it.
#include "app/boards/list.h"
#include "app/experiment/devices.h"
#include "app/experiment/evidence.h"
#include "tests/app/pictures/kit/legible.h"
#include "tests/app/pictures/kit/pictures_of_settings.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace warplens::test::fitted_height_tests {
namespace {

struct Span {
    float top = 0, bottom = 0;  ///< [points]
};

/// Which heights the shapes of a picture cover. An empty frame covers its edges only.
std::vector<Span> spans_of(const Picture& picture, const Style& style) {
    std::vector<Span> spans;
    const auto add = [&](float top, float bottom) {
        const bool again = !spans.empty() && spans.back().top == top && spans.back().bottom == bottom;
        if (!again) spans.push_back({top, bottom});  // cells of a row follow each other
    };
    for (const Shape& shape : picture.shapes) {
        if (const auto* box = std::get_if<Box>(&shape)) {
            const bool filled = (box->fill.a > 0 && box->fill != style.theme->panel) || box->hatch.a > 0;
            const float top = box->rect.y, bottom = box->rect.y + box->rect.h;
            if (filled) add(top, bottom);
            if (!filled && box->stroke.a > 0) add(top, top + 1), add(bottom - 1, bottom);
        } else if (const auto* heat = std::get_if<HeatCell>(&shape)) {
            add(heat->rect.y, heat->rect.y + heat->rect.h);
        } else if (const auto* image = std::get_if<ImageBox>(&shape)) {
            add(image->rect.y, image->rect.y + image->rect.h);
        } else if (const auto* label = std::get_if<Label>(&shape)) {
            const Rect rect = extent_of(*label, *style.measure);
            add(rect.y, rect.y + rect.h);
        } else if (const auto* mark = std::get_if<Mark>(&shape)) {
            add(mark->center.y - mark->radius, mark->center.y + mark->radius);
        } else if (const auto* wire = std::get_if<Wire>(&shape)) {
            add(std::min(wire->from.y, wire->to.y), std::max(wire->from.y, wire->to.y));
        } else if (const auto* path = std::get_if<Path>(&shape)) {
            const auto [low, high] = std::ranges::minmax(path->points, {}, &Vec2::y);
            add(low.y, high.y);
        }
    }
    std::ranges::sort(spans, {}, &Span::top);
    return spans;
}

struct Filling {
    float bottom = 0;  ///< of the lowest shape [points]
    float empty = 0;   ///< the highest stripe across the picture in which nothing is drawn [points]
    float empty_from = 0;
};

Filling filling_of(const Picture& picture, const Style& style) {
    Filling filling;
    float covered = 0;
    const auto reach = [&](float top) {
        if (top - covered > filling.empty) filling.empty = top - covered, filling.empty_from = covered;
    };
    for (const Span& span : spans_of(picture, style)) {
        reach(span.top);
        covered = std::max(covered, span.bottom);
    }
    filling.bottom = covered;
    reach(style.size.y);
    return filling;
}

struct Room {
    Vec2 size;
    bool embedded;
};
/// Panels of windows of 1024x768 to 1920x1080, and a slide.
constexpr Room kRooms[] = {{{376, 165}, true},  {{376, 260}, true},  {{632, 300}, true}, {{632, 600}, true},
                           {{1248, 440}, true}, {{1248, 860}, true}, {{960, 540}, false}};

/// Whether its cells are about squares, or higher, so that only a wider picture could be higher.
bool limited_by_width(const Picture& picture) {
    const auto is_square = [](const Rect& rect) { return rect.h >= 8 && rect.h >= 0.8f * rect.w; };
    return std::ranges::any_of(picture.shapes, [&](const Shape& shape) {
        if (const auto* heat = std::get_if<HeatCell>(&shape)) return is_square(heat->rect);
        const auto* box = std::get_if<Box>(&shape);
        return box != nullptr && box->fill.a > 0 && is_square(box->rect);
    });
}

/// Whether it says in words that there is nothing to draw.
bool has_words_only(const Picture& picture) {
    const auto is_drawn = [](const Shape& shape) {
        return !std::holds_alternative<Label>(shape) && !std::holds_alternative<Box>(shape);
    };
    return std::ranges::none_of(picture.shapes, is_drawn);
}

struct Drawn {
    std::string name;
    std::function<Picture(const Style&)> draw;
};

/// Each instruction in each of its pictures, and each board.
std::vector<Drawn> pictures_of(const State& state, const Evidence& evidence) {
    std::vector<Drawn> pictures;
    for (int k = 0; k < static_cast<int>(evidence.report.instructions.size()); ++k)
        for (const bool bits : {false, true})
            for (const bool by_tile : {false, true}) {
                State looked = state;
                looked.by_tile = by_tile;
                looked.bits = bits;
                if (bits && by_tile) continue;
                pictures.push_back(
                    {fmt::format("instruction {}{}{}", k, bits ? ", bits" : "", by_tile ? ", tile" : ""),
                     [&evidence, looked, k](const Style& style) {
                         return draw_instruction(evidence, k, looked, style);
                     }});
            }
    for (const BoardInfo* board : all_boards()) {
        if (board->instructions || !board->picture) continue;
        State there = state;
        there.board = board;
        pictures.push_back({std::string(board->key), [&evidence, there](const Style& style) {
                                return draw_board({there, all_devices(), evidence}, style);
                            }});
    }
    return pictures;
}

class FittedHeight : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(, FittedHeight, testing::Range<std::size_t>(0, all_scenarios().size()),
                         [](const auto& test) {
                             std::string name(all_scenarios()[test.param].info->id);
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

TEST_P(FittedHeight, IsNotExceededAndLittleOfItIsEmpty) {
    // Of the height, and of a low picture [points]. Bits of all lanes have room, or they have none.
    constexpr float kMostEmpty = 0.2f, kMostPoints = 55, kBitsOfLanes = 90;
    const Scenario& scenario = all_scenarios()[GetParam()];
    State state = initial_state(scenario, find_device(all_devices(), kDefaultDevice).value());
    const auto check = [&](std::string_view name) {
        const Evidence evidence = gather_evidence(state, all_devices());
        for (const Drawn& one : pictures_of(state, evidence))
            for (const Room& room : kRooms) {
                const bool instruction = one.name.starts_with("instruction");
                if (!instruction && room.size.y < 300) continue;  // no board gets so little: BoardInfo
                SCOPED_TRACE(fmt::format("{} {}, {} x {}", name, one.name, room.size.x, room.size.y));
                Style style = style_of(ThemeName::light, room.size);
                style.embedded = room.embedded;
                const Picture picture = one.draw(style);
                const Filling filling = filling_of(picture, style);
                EXPECT_LE(filling.bottom, room.size.y + 0.5f);
                if (has_words_only(picture) || limited_by_width(picture)) continue;
                const bool bits = one.name.ends_with(", bits");
                EXPECT_LE(filling.empty,
                          std::max(bits ? kBitsOfLanes : kMostPoints, kMostEmpty * room.size.y))
                    << "from " << filling.empty_from << " on";
            }
    };
    check("");
    for (const Preset& preset : scenario.info->presets) {
        state.params = preset_params(scenario, preset);
        check(preset.name);
    }
}

// What the law looks at.
TEST(FittedHeightMeasure, TellsWhatIsCoveredFromWhatIsNot) {
    const Style style = style_of(ThemeName::light, {100, 100});
    Picture picture;
    picture.shapes.emplace_back(Box{.rect = {0, 0, 10, 20}, .fill = {1, 2, 3}});
    picture.shapes.emplace_back(Box{.rect = {0, 10, 90, 80}, .stroke = {1, 2, 3}});  // an empty frame
    const Filling filling = filling_of(picture, style);
    EXPECT_EQ(filling.bottom, 90);
    EXPECT_EQ(filling.empty_from, 20);
    EXPECT_EQ(filling.empty, 69);
    EXPECT_TRUE(has_words_only(picture));
    EXPECT_TRUE(limited_by_width(picture));
}

}  // namespace
}  // namespace warplens::test::fitted_height_tests
