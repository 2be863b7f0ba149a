// Every picture can be drawn at every size that a panel of the window can leave for it.
#include "app/boards/list.h"
#include "app/experiment/codec.h"
#include "app/experiment/devices.h"
#include "app/experiment/heatmap_cells.h"
#include "app/experiment/measurements.h"
#include "app/experiment/plot.h"
#include "app/panels/picture_panel.h"
#include "app/pictures/plot/curve.h"
#include "tests/app/pictures/kit/pictures_of_settings.h"
#include "tests/random_states.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace warplens::test::sizes_tests {
namespace {

/// More than the fullest picture has on the largest screen. What exceeds it follows from a size that is
/// wrong, and would stop the window.
constexpr std::size_t kMostShapes = 20'000;

struct Drawn {
    std::string name;
    std::function<Picture(const Style&)> draw;
};

bool is_finite(const Rect& r) {
    return std::isfinite(r.x) && std::isfinite(r.y) && std::isfinite(r.w) && std::isfinite(r.h);
}

/// Each size once: as a whole picture, in a panel or as one of several small ones, at one of the scales.
void expect_every_size(const std::vector<Drawn>& pictures) {
    constexpr float kSides[] = {1, 50, 107, 200, 320, 341, 640, 1280}, kScales[] = {0.5f, 1, 3};
    unsigned look = 0;
    for (const Drawn& one : pictures)
        for (const float width : kSides)
            for (const float height : kSides) {
                const float scale = kScales[++look % 3];
                SCOPED_TRACE(testing::Message()
                             << one.name << ", " << width << " x " << height << " at " << scale);
                Style style = style_of(ThemeName::dark, {std::max(width / scale, kLeastRoom.x),
                                                         std::max(height / scale, kLeastRoom.y)});
                style.embedded = look / 3 % 3 == 1;
                style.compact = look / 3 % 3 == 2;
                const Picture picture = one.draw(style);
                ASSERT_LT(picture.shapes.size(), kMostShapes);
                for (const Hit& hit : picture.hits) ASSERT_TRUE(is_finite(hit.rect)) << hit.tooltip;
                for (const Shape& shape : picture.shapes) {
                    if (const auto* box = std::get_if<Box>(&shape)) {
                        ASSERT_TRUE(is_finite(box->rect));
                    }
                }
            }
}

/// A scenario as it is set in the window.
struct Shown {
    std::vector<DeviceFacts> devices = device_table();
    State state;
    Evidence evidence;
    explicit Shown(const Scenario& scenario)
        : state(initial_state(scenario, find_device(devices, kDefaultDevice).value())),
          evidence(gather_evidence(state, devices)) {}
};

}  // namespace

class Sizes : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(, Sizes, testing::Range<std::size_t>(0, all_scenarios().size()),
                         [](const auto& test) {
                             std::string name(all_scenarios()[test.param].info->id);
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

TEST_P(Sizes, InstructionsBoardsAndPlotsCanBeDrawn) {
    Shown shown(all_scenarios()[GetParam()]);
    State& state = shown.state;
    std::vector<Drawn> pictures;
    for (int k = 0; k < static_cast<int>(shown.evidence.report.instructions.size()); ++k)
        pictures.push_back({fmt::format("instruction {}", k), [&, k](const Style& style) {
                                return draw_instruction(shown.evidence, k, state, style);
                            }});
    for (const BoardInfo* board : all_boards()) {
        if (board->instructions || !board->picture) continue;
        pictures.push_back({std::string(board->key), [&, board](const Style& style) {
                                state.board = board;
                                return draw_board({state, shown.devices, shown.evidence}, style);
                            }});
    }
    const Curve curve = model_curve(state, shown.devices, shown.evidence.prediction);
    pictures.push_back({"bandwidth", [&](const Style& style) { return draw_bandwidth(curve, style); }});
    const FitPlot fit = bank_fit(state, {}, shown.devices[state.device], {}, "not measured");
    pictures.push_back({"fit", [&](const Style& style) { return draw_fit(fit, style); }});
    State two_axes = state;
    two_axes.second_axis = usual_second_axis(*state.scenario, state.axis);
    std::optional<Heatmap> cells;
    if (two_axes.second_axis != nullptr && two_axes.axis != nullptr) {
        cells = all_cells(two_axes, shown.devices[state.device]);
        pictures.push_back({"heatmap", [&](const Style& style) { return draw_heatmap(*cells, style); }});
    }
    expect_every_size(pictures);
}

// Other settings have more words, lanes and rows than the defaults.
TEST_P(Sizes, AnySettingCanBeDrawnInTheLeastRoom) {
    std::mt19937 random(7);
    Shown shown(all_scenarios()[GetParam()]);
    for (int i = 0; i < 20; ++i) {
        static_cast<Subject&>(shown.state) =
            random_subject(all_scenarios()[GetParam()], shown.devices.size(), random);
        shown.evidence = gather_evidence(shown.state, shown.devices);
        SCOPED_TRACE(describe_settings(*shown.state.scenario, shown.state.params));
        for (int look = 0; look < 6; ++look) {
            // A narrow room that is high leaves place for parts that a low one leaves out.
            Style style = style_of(ThemeName::dark, {kLeastRoom.x, look < 3 ? kLeastRoom.y : 900});
            style.embedded = look % 3 > 0;
            style.compact = look % 3 > 1;
            for (int k = 0; k < static_cast<int>(shown.evidence.report.instructions.size()); ++k)
                ASSERT_LT(draw_instruction(shown.evidence, k, shown.state, style).shapes.size(), kMostShapes);
        }
    }
}

}  // namespace warplens::test::sizes_tests
