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

/// The scenario, as it is and as its presets set it, on every board that is about it; of the first one, the
/// other boards once.
std::vector<Drawn> figures_of(const Scenario& scenario) {
    std::vector<Drawn> all;
    State state = initial_state(scenario, find_device(device_table(), kDefaultDevice).value());
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
    return all;
}

class LegibleFigures : public testing::TestWithParam<std::size_t> {
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

    void expect_legible_at_all_sizes(FigurePlan& plan, const std::string& name) const {
        for (const auto& [width, height] : kSizes) {
            plan.set_size(width, height);
            expect_legible(plan, name);
        }
    }
    // On a slide the plot of every kernel has numbers along its axis and says whose points they are.
    void expect_ticks_and_legend_on_a_slide(FigurePlan& plan, const std::string& name) const {
        for (const auto& [width, height] : {std::pair{800, 450}, {960, 540}}) {
            SCOPED_TRACE(fmt::format("{} at {} x {}", name, width, height));
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
    // Sizes below some limit are refused; what is just not refused can be read.
    void expect_the_smallest_size_that_is_named_to_hold_the_texts(FigurePlan& plan,
                                                                  const std::string& name) const {
        for (const auto& [width, height] : {std::pair{320, 320}, {600, 320}, {320, 900}}) {
            plan.set_size(width, height);
            const Vec2 wanted = plan.size();
            const Vec2 least = legible_size(plan.content(), *fonts, wanted);
            plan.set_size(static_cast<int>(least.x), static_cast<int>(least.y));
            expect_legible(plan, name);
            if (least.x <= wanted.x && least.y <= wanted.y) continue;
            try {
                plan.set_size(width, height);
                plan.check_size(*fonts);
                ADD_FAILURE() << name << " at " << width << " x " << height;
            } catch (const UsageError& why) {
                EXPECT_THAT(why.what(), testing::EndsWith(fmt::format("{}x{}", least.x, least.y)));
            }
        }
    }
    // A line of the caption more or less, or a few points, move everything below the title.
    void expect_legible_at_heights_round_that_of_an_a4_column(FigurePlan& plan,
                                                              const std::string& name) const {
        for (int height = 460; height <= 530; height += 5) {
            plan.set_size(642, height);
            if (holds(plan)) expect_legible(plan, name);
        }
    }
    std::string texts(FigurePlan& plan, ThemeName theme) const {
        plan.set_theme(theme);
        std::string all;
        for (const PlacedPicture& part : plan.compose(*fonts)) {
            for (const Shape& shape : part.picture.shapes)
                if (const auto* label = std::get_if<Label>(&shape))
                    all += fmt::format("{} at {}, {}\n", label->text, label->position.x + part.position.x,
                                       label->position.y + part.position.y);
        }
        return all;
    }
    void expect_themes_to_change_only_colors(FigurePlan& plan, const std::string& name) const {
        plan.set_size(kSizes[1].first, kSizes[1].second);
        const std::string light = texts(plan, ThemeName::light);
        for (const ThemeName theme : kThemeNames) {
            if (theme == ThemeName::light) continue;
            EXPECT_EQ(texts(plan, theme), light) << name;
        }
    }

    const std::size_t number = GetParam();
    const std::vector<Drawn> figures = figures_of(all_scenarios()[number]);
    const std::unique_ptr<FigureFonts> fonts = open_figure_fonts();
    const std::vector<DeviceFacts>& devices = device_table();
    const Recordings recordings = open_figure_recordings({}, devices);
};

// All that is said of one figure, because to plan it takes longer than to draw it.
TEST_P(LegibleFigures, EveryPresetOnEveryBoardAtEverySize) {
    for (const Drawn& one : figures) {
        FigurePlan plan = plan_of(one, kSizes[0]);
        expect_legible_at_all_sizes(plan, one.name);
        expect_the_smallest_size_that_is_named_to_hold_the_texts(plan, one.name);
        if (one.board->instructions) {
            expect_ticks_and_legend_on_a_slide(plan, one.name);
            expect_legible_at_heights_round_that_of_an_a4_column(plan, one.name);
        }
        if (one.name.ends_with(' '))  // the presets have the same pictures
            expect_themes_to_change_only_colors(plan, one.name);
    }
}

// All that a warp touches, in type of 20 points and more on the slide.
TEST_P(LegibleFigures, EveryPresetAsASlide) {
    for (const Drawn& one : figures) {
        if (!one.board->instructions) continue;
        for (const SlideShape& shape : kSlides) {
            FigureOptions options;
            options.board = one.board;
            options.slide = true;
            options.width = shape.width;
            options.height = shape.height;
            const FigurePlan plan(one.state, devices, options, recordings);
            expect_legible(plan, one.name + " as a slide");
            const float points_on_slide = (shape.width > 600 ? 13.33f : 10.0f) * 72 / float(shape.width);
            const std::vector<PlacedPicture> parts = plan.compose(*fonts);
            ASSERT_EQ(parts.size(), 2u);
            // It says of what it is, and for which GPU.
            std::string said;
            for (const Shape& drawn : parts[0].picture.shapes)
                if (const auto* label = std::get_if<Label>(&drawn)) said += label->text + "\n";
            EXPECT_THAT(said, testing::HasSubstr(std::string(one.state.scenario->info->title)));
            EXPECT_THAT(said, testing::HasSubstr(devices[one.state.device].name));
            std::ranges::replace(said, '\n', ' ');  // long ones need several lines
            EXPECT_THAT(said, testing::HasSubstr(describe_settings(*one.state.scenario, one.state.params)));
            EXPECT_EQ(parts[1].picture.folds, 0) << one.name;
            for (const PlacedPicture& part : parts)
                for (const Shape& drawn : part.picture.shapes)
                    if (const auto* label = std::get_if<Label>(&drawn)) {
                        EXPECT_GE(font_points(label->font) * points_on_slide, 19.9f) << label->text;
                    }
        }
    }
}

// Only a board with nothing to draw is refused.
TEST_P(LegibleFigures, EveryBoardAsASlide) {
    for (const Drawn& one : figures) {
        if (one.board->instructions || !one.name.ends_with(' ')) continue;
        for (const SlideShape& shape : kSlides) {
            SCOPED_TRACE(fmt::format("{} {}", one.name, shape.name));
            FigureOptions options;
            options.board = one.board;
            options.slide = true;
            options.width = shape.width;
            options.height = shape.height;
            try {
                expect_legible(FigurePlan(one.state, devices, options, recordings), one.name + " as a slide");
            } catch (const UsageError& refused) {
                EXPECT_THAT(refused.what(), testing::HasSubstr("would be empty"));
            }
        }
    }
}

TEST_P(LegibleFigures, EveryStepOfABoard) {
    for (Drawn one : figures) {
        one.state.board = one.board;
        if (one.board->played_knob() == nullptr) continue;
        for (const State& step : steps_of(one.state, devices, StepBy::any)) {
            FigurePlan plan = plan_of({step, one.board, one.name}, kSizes[0]);
            expect_legible_at_all_sizes(plan, one.name + " step");
        }
    }
}

// Two sides need more room: what has too little of it is refused. Every one at one size each, with
// WARPLENS_ALL set at all.
TEST_P(LegibleFigures, EveryPresetBesideTheDefaults) {
    std::size_t turn = number;
    for (Drawn one : figures) {
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

INSTANTIATE_TEST_SUITE_P(, LegibleFigures, testing::Range<std::size_t>(0, all_scenarios().size()),
                         [](const auto& one) {
                             std::string name(all_scenarios()[one.param].info->id);
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

}  // namespace
}  // namespace warplens::test::legible_figures_tests
