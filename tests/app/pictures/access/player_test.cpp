// What is seen of a request while it is played: each lane's bytes travel once, in the step that serves the
// lane.
#include "app/experiment/evidence.h"
#include "app/experiment/settings.h"

#include "tests/app/pictures/kit/pictures_of_settings.h"
#include "tests/random_params.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace warplens::test::player_tests {
namespace {

constexpr float kTraveller = 12;  // points

/// The bytes on their way, by their middles.
std::vector<Vec2> travellers(const Picture& picture) {
    std::vector<Vec2> found;
    for (const Shape& shape : picture.shapes) {
        const Box* box = std::get_if<Box>(&shape);
        if (box != nullptr && box->rect.w == kTraveller && box->rect.h == kTraveller)
            found.push_back({box->rect.x + kTraveller / 2, box->rect.y + kTraveller / 2});
    }
    return found;
}

bool says(const Picture& picture, const std::string& text) {
    return std::ranges::any_of(picture.shapes, [&](const Shape& shape) {
        const Label* label = std::get_if<Label>(&shape);
        return label != nullptr && label->text == text;
    });
}

Style style_of(const TextMeasure& measure) {
    return {.theme = &theme({ThemeName::light, {}}), .measure = &measure, .size = {900, 700}};
}

TEST(Player, EveryActiveLaneIsServedOnce) {
    const FixedMeasure measure;
    std::mt19937 random(5);
    int played = 0;
    for (const Scenario& scenario : all_scenarios()) {
        State state = initial_state(scenario, 0);
        for (int i = 0; i < 12; ++i) {
            const Evidence evidence = gather_evidence(state, all_devices());
            for (int k = 0; k < static_cast<int>(evidence.report.instructions.size()); ++k) {
                const InstructionView view = view_of(evidence, k);
                const PlayedSteps steps = played_steps(view);
                int lanes = 0;
                for (int step = 0; step < steps.count; ++step) {
                    state.player_step = step;
                    state.player_percent = 30;
                    const Picture now = draw_instruction(evidence, k, state, style_of(measure));
                    lanes += static_cast<int>(travellers(now).size());
                    ++played;
                }
                if (steps.count == 0) continue;
                const int active = std::popcount(view.report->access.active);
                // Bytes of one lane may lie in several sectors, or in transactions that move them twice.
                if (view.space() == Space::shared)
                    EXPECT_EQ(lanes, active) << scenario.info->id << " " << k;
                else
                    EXPECT_GE(lanes, active) << scenario.info->id << " " << k;
            }
            state.params = random_params(scenario, random);
            state.player_step = state.player_percent = -1;
        }
    }
    EXPECT_GT(played, 1000);
}

TEST(Player, BytesOfALoadLeaveTheirLaneAndComeBack) {
    const FixedMeasure measure;
    const Experiment e = make_experiment({"shared-stride", {"stride=32"}}, {"H200", true});
    const Evidence evidence = gather_evidence(e.state, e.devices);
    const auto at = [&](int percent) {
        State state = e.state;
        state.player_step = 4;
        state.player_percent = percent;
        const Picture picture = draw_instruction(evidence, 0, state, style_of(measure));
        EXPECT_TRUE(says(picture, "wavefront 5 of 32"));
        const std::vector<Vec2> found = travellers(picture);
        EXPECT_EQ(found.size(), 1u) << "one lane a wavefront";
        return found.empty() ? Vec2{} : found.front();
    };
    const Vec2 start = at(0), memory = at(50), end = at(100);
    EXPECT_LT(start.y, memory.y);
    EXPECT_NEAR(start.x, end.x, 0.01f);
    EXPECT_NEAR(start.y, end.y, 0.01f);
    float last = start.y;
    for (int percent = 4; percent <= 40; percent += 4) {
        const float y = at(percent).y;
        EXPECT_GE(y, last);
        last = y;
    }
}

TEST(Player, AStoreOnlyGoesThere) {
    const FixedMeasure measure;
    const Experiment e = make_experiment({"shared-stride", {"stride=1", "op=store"}}, {"H200", true});
    const Evidence evidence = gather_evidence(e.state, e.devices);
    State state = e.state;
    state.player_step = 0;
    const auto height = [&](int percent) {
        state.player_percent = percent;
        const auto found = travellers(draw_instruction(evidence, 0, state, style_of(measure)));
        EXPECT_EQ(found.size(), 32u);
        return found.empty() ? 0.0f : found.front().y;
    };
    EXPECT_LT(height(0), height(100));
    EXPECT_FLOAT_EQ(height(80), height(100)) << "and stays";
}

TEST(Player, HiddenCountsAreNotPlayed) {
    const FixedMeasure measure;
    const Experiment e = make_experiment({"shared-stride", {"stride=32"}}, {"H200", true});
    const Evidence evidence = gather_evidence(e.state, e.devices);
    State state = e.state;
    state.player_step = state.player_percent = 3;
    Style style = style_of(measure);
    style.counts_hidden = true;
    EXPECT_TRUE(travellers(draw_instruction(evidence, 0, state, style)).empty());
}

}  // namespace
}  // namespace warplens::test::player_tests
