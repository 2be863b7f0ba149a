// Every figure that `warplens export` writes can be read: whatever the scenario, its presets, the board and
// the size; what is too small for its texts is refused. The law is in tests/app/pictures/kit/legible.h.
#include "app/base/errors.h"
#include "app/boards/board.h"
#include "app/experiment/devices.h"
#include "app/figures/export_job.h"
#include "app/figures/figure_writer.h"
#include "app/figures/render.h"

#include "tests/app/pictures/kit/legible.h"
#include "tests/sample.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace warplens::test::legible_figures_tests {
namespace {

/// Two slides, the default, "a4", and the whole text of an upright A4 page [points].
constexpr std::pair<int, int> kSizes[] = {{800, 450}, {960, 600}, {1280, 800}, {642, 480}, {642, 971}};

struct Drawn {
    State state;
    const BoardInfo* board;
    std::string name;
};

/// Every scenario, as it is and as its presets set it, on every board that is about it; the other boards
/// once.
std::vector<Drawn> all_figures() {
    const std::size_t device = find_device(device_table(), kDefaultDevice).value();
    std::vector<Drawn> all;
    for (const Scenario& scenario : all_scenarios()) {
        State state = initial_state(scenario, device);
        const auto add = [&](std::string_view preset) {
            for (const BoardInfo* board : all_boards()) {
                const bool first = &scenario == &all_scenarios().front() && preset.empty();
                if (board->picture && (board->about_scenario || first))
                    all.push_back({state, board, fmt::format("{} {}", scenario.info->id, preset)});
            }
        };
        add("");
        for (const Preset& preset : scenario.info->presets) {
            state.params = preset_params(scenario, preset);
            add(preset.name);
        }
    }
    return all;
}

class LegibleFigures : public testing::Test {
protected:
    void SetUp() override {
        if (fonts->faces() == 0) GTEST_SKIP() << "this program was built without fonts";
    }

    FigurePlan plan_of(const Drawn& one, std::pair<int, int> size) const {
        FigureOptions options;
        options.board = one.board;
        std::tie(options.width, options.height) = size;
        return {one.state, devices, options, recordings};
    }
    bool holds(const FigurePlan& plan) const {
        try {
            plan.check_size(*fonts);
            return true;
        } catch (const UsageError&) {
            return false;
        }
    }
    void expect_legible(const FigurePlan& plan, const std::string& name) const {
        const std::string what = fmt::format("{}, {}, {} x {}", name, view_name(plan.options()),
                                             plan.options().width, plan.options().height);
        EXPECT_TRUE(holds(plan)) << what;
        for (const std::string& why : illegible_texts(plan.compose(*fonts), *fonts))
            ADD_FAILURE() << what << ": " << why;
    }

    void expect_legible_at_all_sizes(const Drawn& one, const std::string& name) const {
        FigurePlan plan = plan_of(one, kSizes[0]);
        for (const auto& [width, height] : kSizes) {
            plan.set_size(width, height);
            expect_legible(plan, name);
        }
    }

    const std::unique_ptr<FigureFonts> fonts = open_figure_fonts();
    const std::vector<DeviceFacts>& devices = device_table();
    const Recordings recordings = open_figure_recordings({}, devices);
};

TEST_F(LegibleFigures, EveryPresetOnEveryBoardAtEverySize) {
    for (const Drawn& one : all_figures()) expect_legible_at_all_sizes(one, one.name);
}

// On a slide the plot of every kernel has numbers along its axis and says whose points they are.
TEST_F(LegibleFigures, PlotsOnASlideHaveThreeTicksAndALegend) {
    for (const Drawn& one : all_figures()) {
        if (!one.board->instructions) continue;
        FigurePlan plan = plan_of(one, kSizes[0]);
        for (const auto& [width, height] : {std::pair{800, 450}, {960, 540}}) {
            SCOPED_TRACE(fmt::format("{} at {} x {}", one.name, width, height));
            plan.set_size(width, height);
            const std::vector<PlacedPicture> parts = plan.compose(*fonts);
            const auto found = std::ranges::find_if(
                parts, [](const PlacedPicture& part) { return part.picture.plot.has_value(); });
            if (found == parts.end()) continue;  // the kernel has no parameter to plot against
            const Rect& rect = found->picture.plot->rect;
            int ticks = 0;
            bool legend = false;
            for (const Shape& shape : found->picture.shapes) {
                const auto* label = std::get_if<Label>(&shape);
                if (label == nullptr) continue;
                const bool beside =
                    label->anchor == Anchor::end && label->position.x <= rect.x && label->position.y > rect.y;
                ticks += beside ? 1 : 0;
                legend = legend || label->text.starts_with("model") || label->text.starts_with("counted");
            }
            EXPECT_GE(ticks, 3);
            EXPECT_TRUE(legend);
        }
    }
}

TEST_F(LegibleFigures, EveryStepOfABoard) {
    for (Drawn one : all_figures()) {
        one.state.board = one.board;
        if (one.board->played_knob() == nullptr) continue;
        for (const State& step : steps_of(one.state, devices, StepBy::any))
            expect_legible_at_all_sizes({step, one.board, one.name}, one.name + " step");
    }
}

// Two sides need more room: what has too little of it is refused. Every one at one size each, with
// WARPLENS_ALL set at all.
TEST_F(LegibleFigures, EveryPresetBesideTheDefaults) {
    std::size_t turn = 0;
    for (Drawn& one : all_figures()) {
        if (!one.board->can_compare()) continue;
        ++turn;
        one.state.board = one.board;
        State a = one.state;
        a.params = a.scenario->info->defaults;
        one.state.compared = a;
        FigurePlan plan = plan_of(one, kSizes[0]);
        for (std::size_t s = 0; s < std::size(kSizes); ++s) {
            const auto& [width, height] = kSizes[s];
            if (!all_cases() && turn % std::size(kSizes) != s) continue;
            plan.set_size(width, height);
            if (width >= 1280 || holds(plan)) expect_legible(plan, one.name + " beside the defaults");
        }
    }
}

// Sizes below some limit are refused; what is just not refused can be read.
TEST_F(LegibleFigures, TheSmallestSizeThatIsNamedHoldsTheTexts) {
    for (const Drawn& one : all_figures()) {
        FigurePlan plan = plan_of(one, kSizes[0]);
        for (const auto& [width, height] : {std::pair{320, 320}, {600, 320}, {320, 900}}) {
            plan.set_size(width, height);
            const Vec2 wanted = plan.size();
            const Vec2 least = legible_size(plan.content(), *fonts, wanted);
            plan.set_size(static_cast<int>(least.x), static_cast<int>(least.y));
            expect_legible(plan, one.name);
            if (least.x <= wanted.x && least.y <= wanted.y) continue;
            try {
                plan.set_size(width, height);
                plan.check_size(*fonts);
                ADD_FAILURE() << one.name << " at " << width << " x " << height;
            } catch (const UsageError& why) {
                const std::string named = fmt::format("{}x{}", least.x, least.y);
                EXPECT_THAT(why.what(), testing::EndsWith(named));
            }
        }
    }
}

// A line of the caption more or less, or a few points, move everything below the title.
TEST_F(LegibleFigures, EveryHeightRoundThatOfAnA4Column) {
    for (const Drawn& one : all_figures()) {
        if (!one.board->instructions) continue;
        FigurePlan plan = plan_of(one, kSizes[0]);
        for (int height = 460; height <= 530; height += 5) {
            plan.set_size(642, height);
            if (holds(plan)) expect_legible(plan, one.name);
        }
    }
}

TEST_F(LegibleFigures, ThemesChangeOnlyColors) {
    const auto texts = [&](FigurePlan& plan, ThemeName theme) {
        plan.set_theme(theme);
        std::string all;
        for (const PlacedPicture& part : plan.compose(*fonts)) {
            for (const Shape& shape : part.picture.shapes)
                if (const auto* label = std::get_if<Label>(&shape))
                    all += fmt::format("{} at {}, {}\n", label->text, label->position.x + part.position.x,
                                       label->position.y + part.position.y);
        }
        return all;
    };
    for (const Drawn& one : all_figures()) {
        if (!one.name.ends_with(' ')) continue;  // the presets have the same pictures
        FigureOptions options;
        options.board = one.board;
        FigurePlan plan(one.state, devices, options, recordings);
        const std::string light = texts(plan, ThemeName::light);
        for (const ThemeName theme : kThemeNames)
            if (theme != ThemeName::light) EXPECT_EQ(texts(plan, theme), light) << one.name;
    }
}

}  // namespace
}  // namespace warplens::test::legible_figures_tests
