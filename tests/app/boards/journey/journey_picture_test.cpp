#include "app/boards/journey/journey_picture.h"

#include "app/boards/board.h"
#include "app/boards/journey/knobs.h"
#include "app/experiment/link.h"

#include "tests/app/pictures/kit/pictures_of_settings.h"

#include <gtest/gtest.h>

#include <set>

namespace warplens::test::journey_picture_tests {
namespace {

// By hand: 640 cycles from DRAM, 30 from shared memory, 4 for a multiply-add; a tile of 16.
TEST(Journey, CostsAreSumsOfLatencies) {
    Latencies latencies;
    latencies.dram = 640, latencies.shared = 30, latencies.multiply_add = 4;
    const JourneyCost straight = journey_cost({false, 16}, latencies),
                      tiled = journey_cost({true, 16}, latencies);
    EXPECT_EQ(straight.all(), 644);
    EXPECT_EQ(tiled.far, 40);
    EXPECT_EQ(tiled.all(), 40 + 30 + 4);
    EXPECT_TRUE(straight.known && tiled.known);
    latencies.shared = 0;
    EXPECT_TRUE(journey_cost({false, 16}, latencies).known);
    EXPECT_FALSE(journey_cost({true, 16}, latencies).known);
}

// 1000 GB/s are 1000 bytes per nanosecond; 500 cycles at 1 GHz are 500 ns; 10 SMs: 50 000 bytes each.
TEST(Journey, LittlesLaw) {
    DeviceFacts device;
    device.peak_gb_per_s = 1000, device.clock_mhz = 1000, device.sm_count = 10;
    device.latencies.dram = 500;
    EXPECT_DOUBLE_EQ(bytes_under_way(device), 50000);
    EXPECT_EQ(bytes_under_way(DeviceFacts{}), 0);
}

TEST(Journey, MoreWarpsMayBeNeededThanFit) {
    const DeviceFacts& h200 = all_devices()[find_device(all_devices(), "H200").value()];
    EXPECT_EQ(warps_that_fit(h200), 64);
    EXPECT_GT(warps_that_hide_dram(h200), warps_that_fit(h200));
    EXPECT_EQ(latency_digits(663), "663");
    EXPECT_EQ(latency_digits(38.9), "38.9");
}

TEST(Journey, ATileAddsThreeSteps) {
    EXPECT_EQ(journey_steps({true, 32}).size(), journey_steps({false, 32}).size() + 3);
    EXPECT_EQ(journey_step({false, 32}, 99), JourneyStep::finish);
    for (const bool tiled : {false, true}) {
        const auto& steps = journey_steps({tiled, 32});
        EXPECT_EQ(steps.front(), JourneyStep::ask);
        EXPECT_EQ(steps.back(), JourneyStep::finish);
    }
    EXPECT_EQ(loads_per_multiply_add({false, 32}), 2);
    EXPECT_EQ(loads_per_multiply_add({true, 8}), 0.25);
}

TEST(JourneyPicture, AClickOnABarChoosesIt) {
    const std::size_t device = find_device(all_devices(), "H200").value();
    State state = initial_state(all_scenarios().front(), device);
    std::set<int> ways;
    const JourneyView view{{false, 32}, JourneyStep::in_dram, all_devices()[device]};
    for (const Hit& hit : draw_journey(view, style_of(ThemeName::light, {1280, 800})).hits) {
        if (hit.link.empty() || hit.link == kHidingLink) continue;
        const Place place = follow_link(hit.link, state, all_devices());
        EXPECT_EQ(place.state.board, find_board("journey"));
        ways.insert(place.state.boards[kJourneyTiled]);
    }
    EXPECT_EQ(ways.size(), 2u);
}

// At every size and step, because the bars show a single warp that waits.
TEST(JourneyPicture, LeadsToTheWarpsThatHideTheWaits) {
    const std::size_t device = find_device(all_devices(), "H200").value();
    const State state = initial_state(all_scenarios().front(), device);
    for (const Vec2 size : {Vec2{360, 420}, Vec2{640, 480}, Vec2{1280, 800}}) {
        for (const JourneyStep step : journey_steps({true, 32})) {
            const Picture picture =
                draw_journey({{true, 32}, step, all_devices()[device]}, style_of(ThemeName::light, size));
            const auto hit = std::ranges::find(picture.hits, kHidingLink, &Hit::link);
            ASSERT_NE(hit, picture.hits.end()) << size.x;
            EXPECT_GE(hit->rect.x, 0);
            EXPECT_LE(hit->rect.x + hit->rect.w, size.x);
            const Place place = follow_link(hit->link, state, all_devices());
            EXPECT_EQ(place.state.scenario->info->id, "latency-hiding");
            EXPECT_EQ(place.state.board, find_board("flight"));
        }
    }
    EXPECT_EQ(warps_that_hide_dram(DeviceFacts{}), 0);
}

TEST(JourneyPicture, StandsStillWhileStepsGoBy) {
    const DeviceFacts& device = all_devices()[find_device(all_devices(), "H200").value()];
    const auto places = [&](JourneyStep step) {
        std::vector<std::pair<int, int>> all;
        for (const Hit& hit :
             draw_journey({{true, 32}, step, device}, style_of(ThemeName::light, {900, 600})).hits)
            all.emplace_back(static_cast<int>(hit.rect.x), static_cast<int>(hit.rect.y));
        return all;
    };
    for (const JourneyStep step : journey_steps({true, 32}))
        EXPECT_EQ(places(step), places(JourneyStep::ask));
}

// What is not known of a GPU is said and not drawn as 0.
TEST(JourneyBoard, OfEveryGpuAtEveryStep) {
    for (const DeviceFacts& device : all_devices()) {
        for (const bool tiled : {false, true}) {
            for (const JourneyStep step : journey_steps({tiled, 32})) {
                const JourneyView view{{tiled, 32}, step, device};
                const Explanation words = explain_journey(view);
                EXPECT_FALSE(words.verdict.empty() || words.why.empty()) << device.name;
                EXPECT_EQ((words.verdict + words.why).find(" 0 cycles"), std::string::npos)
                    << device.name << ": " << words.verdict << words.why;
                EXPECT_FALSE(draw_journey(view, style_of(ThemeName::dark, {640, 480})).shapes.empty());
            }
        }
    }
}

}  // namespace
}  // namespace warplens::test::journey_picture_tests
