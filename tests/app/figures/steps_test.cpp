#include "app/figures/export_job.h"

#include "app/base/errors.h"
#include "app/experiment/settings.h"

#include <gtest/gtest.h>

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
    const PlayedFrames frames = played_frames(e.state, e.devices, std::nullopt);
    ASSERT_FALSE(frames.states.empty());
    EXPECT_EQ(frames.states.back().player_step, 31) << "32 sectors";
    int last = -1;
    for (const State& one : frames.states) {
        const int place = 100 * one.player_step + one.player_percent;
        EXPECT_GT(place, last);
        last = place;
    }
    EXPECT_NEAR(frames.seconds_each * static_cast<double>(frames.states.size()), 8, 0.2) << "about 8 seconds";
    EXPECT_THROW(played_frames(e.state, e.devices, 60.0), UsageError) << "too many";
    const Experiment none = set_up("register-shuffle");
    EXPECT_THROW(played_frames(none.state, none.devices, std::nullopt), UsageError);
}

}  // namespace
}  // namespace warplens::test::steps_tests
