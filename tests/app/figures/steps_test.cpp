#include "app/figures/export_job.h"

#include "app/base/errors.h"
#include "app/boards/board.h"
#include "app/experiment/settings.h"
#include "tests/app/pictures/kit/pictures_of_settings.h"

#include <gtest/gtest.h>

#include <cmath>

namespace warplens::test::steps_tests {
namespace {

Experiment set_up(const std::string& scenario, const std::vector<std::string>& settings = {}) {
    return make_experiment({scenario, settings}, {"H200", true});
}

TEST(Steps, WavefrontsOfTheSlowestInstruction) {
    const Experiment e = set_up("shared-stride", {"stride=8"});
    const auto steps = steps_of(e.state, e.devices, StepBy::any);
    ASSERT_EQ(steps.size(), 8u);
    for (int i = 0; i < 8; ++i) EXPECT_EQ(steps[static_cast<std::size_t>(i)].player_step, i);
}

TEST(Steps, AStepOfTheScenarioOnRequestOrWhereThereIsOneWavefront) {
    const Experiment e = set_up("shared-reduction");
    const auto wavefronts = steps_of(e.state, e.devices, StepBy::any);
    EXPECT_EQ(wavefronts.back().params.step, e.state.params.step);
    const auto steps = steps_of(e.state, e.devices, StepBy::step);
    EXPECT_EQ(steps.size(), 8u) << "halvings of 256 threads";
    EXPECT_EQ(steps.back().params.step, 7);
    EXPECT_EQ(steps.back().player_step, -1);
    const Experiment walk = set_up("texture-walk");
    EXPECT_EQ(steps_of(walk.state, walk.devices, StepBy::any).back().player_step, -1);
}

TEST(Steps, WhereThereAreNoneOrTooManyItSaysSo) {
    const Experiment none = set_up("global-stride");
    EXPECT_THROW(steps_of(none.state, none.devices, StepBy::any), UsageError);
    const Experiment one = set_up("shared-stride", {"stride=1"});
    EXPECT_THROW(steps_of(one.state, one.devices, StepBy::wavefront), UsageError);
    State board = none.state;
    board.board = find_board("spaces");
    EXPECT_THROW(steps_of(board, none.devices, StepBy::any), UsageError);
}

TEST(Steps, PlayedFramesPassEveryStepEvenly) {
    const Experiment e = set_up("global-stride", {"stride=8"});
    const std::vector<AnimatedState> frames = played_frames(e.state, e.devices, std::nullopt);
    ASSERT_FALSE(frames.empty());
    EXPECT_EQ(frames.back().state.player_step, 31) << "32 sectors";
    int last = -1;
    double seconds = 0;
    for (const AnimatedState& one : frames) {
        const int place = 100 * one.state.player_step + one.state.player_percent;
        EXPECT_GT(place, last);
        last = place;
        seconds += one.seconds;
    }
    EXPECT_NEAR(seconds, 8, 0.2) << "in all";
    EXPECT_THROW(played_frames(e.state, e.devices, 60.0), UsageError) << "too many";
    const Experiment none = set_up("register-shuffle");
    EXPECT_THROW(played_frames(none.state, none.devices, std::nullopt), UsageError);
}

/// Between two steps of a board its elements are between their places, and nothing else is drawn.
TEST(Steps, ABoardsElementsGlideFromStepToStep) {
    Experiment e = set_up("matrix-multiply");
    e.state.board = find_board("phases");
    const std::vector<State> steps = steps_of(e.state, e.devices, StepBy::any);
    const std::vector<AnimatedState> frames = played_frames(e.state, e.devices, 1.0);
    EXPECT_EQ(frames.size(), 1 + 5 * (steps.size() - 1));
    double seconds = 0;
    std::vector<State> standing;
    for (const AnimatedState& one : frames) {
        seconds += one.seconds;
        if (one.state.player_percent < 0) standing.push_back(one.state);
    }
    EXPECT_EQ(standing, steps);
    EXPECT_NEAR(seconds, static_cast<double>(steps.size()), 1e-6);
    const FixedMeasure measure;
    const auto boxes_of = [&](const State& state) {
        const Evidence evidence = gather_evidence(state, e.devices);
        const Picture picture =
            draw_board({state, e.devices, evidence},
                       {.theme = &theme(ThemeName::dark), .measure = &measure, .size = {900, 600}});
        std::vector<Rect> boxes;
        for (const Shape& shape : picture.shapes)
            if (const auto* box = std::get_if<Box>(&shape)) boxes.push_back(box->rect);
        return boxes;
    };
    int moving = 0;
    for (std::size_t i = 1; i < steps.size(); ++i) {
        State way = steps[i];
        way.player_percent = 40;
        const std::vector<Rect> there = boxes_of(steps[i]), on_way = boxes_of(way);
        way.player_percent = 100;
        const std::vector<Rect> arrived = boxes_of(way);
        ASSERT_EQ(on_way.size(), there.size());
        for (std::size_t k = 0; k < there.size(); ++k) {
            moving += std::abs(on_way[k].x - there[k].x) > 1 ? 1 : 0;
            EXPECT_NEAR(arrived[k].x, there[k].x, 1e-3);
        }
    }
    EXPECT_GT(moving, 0) << "elements on their way from a matrix to shared memory";
}

}  // namespace
}  // namespace warplens::test::steps_tests
