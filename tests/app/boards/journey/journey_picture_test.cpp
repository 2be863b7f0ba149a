#include "app/boards/journey/journey.h"

#include "app/boards/board.h"
#include "app/experiment/link.h"

#include "tests/app/pictures/kit/pictures_of_settings.h"

#include <gtest/gtest.h>

#include <set>

namespace warplens::test::journey_picture_tests {
namespace {

std::size_t h200() { return find_device(all_devices(), "H200").value(); }

Picture picture_of(const Story& story, Vec2 size) {
    return draw_journey(story, style_of(ThemeName::light, size));
}

// By hand: 640 cycles from DRAM, 30 from shared memory, 4 for a multiply-add; a tile of 16.
TEST(Journey, CostsAreSumsOfLatencies) {
    DeviceFacts device;
    device.latencies.dram = 640, device.latencies.shared = 30, device.latencies.multiply_add = 4;
    const Story story = journey_story({true, 16}, device, 0);
    EXPECT_EQ(story.value("straight").amount, 644);
    EXPECT_EQ(story.value("share").amount, 40);
    EXPECT_EQ(story.value("with_tile").amount, 40 + 30 + 4);
    device.latencies.shared = 0;
    EXPECT_EQ(journey_story({true, 16}, device, 0).value("straight").text, "644");
    EXPECT_EQ(journey_story({true, 16}, device, 0).value("with_tile").text, "");
    device.latencies.shared = 38.9;
    EXPECT_EQ(journey_story({true, 16}, device, 0).value("shared").text, "38.9");
}

// 1000 GB/s are 1000 bytes per nanosecond; 500 cycles at 1 GHz are 500 ns; 10 SMs: 50 000 bytes each.
TEST(Journey, LittlesLaw) {
    DeviceFacts device;
    device.peak_gb_per_s = 1000, device.clock_mhz = 1000, device.sm_count = 10;
    device.latencies.dram = 500;
    EXPECT_DOUBLE_EQ(journey_story({}, device, 0).value("bytes").amount.value(), 50000);
    EXPECT_EQ(journey_story({}, {}, 0).value("bytes").text, "");
    const Story story = journey_story({}, all_devices()[h200()], 0);
    EXPECT_EQ(story.value("fit").text, "64");
    EXPECT_GT(story.value("warps").amount, story.value("fit").amount);
}

// Its latencies were not verified (confidence low), and its blocks have at most 512 threads.
TEST(Journey, OldGpusAreSaidToBeUncertainAndTooSmall) {
    const DeviceFacts& old = all_devices()[find_device(all_devices(), "GTX 280").value()];
    const auto number = [&](int tile, const DeviceFacts& device, std::string_view name) {
        for (const Quantity& one : journey_story({true, tile}, device, 0).all().numbers("numbers"))
            if (one.name == name) return one;
        return Quantity{};
    };
    EXPECT_EQ(number(32, old, "from DRAM").provenance, Provenance::approximate);
    EXPECT_EQ(number(32, all_devices()[h200()], "from DRAM").provenance, Provenance::recorded);
    EXPECT_EQ(number(32, old, "multiply-add, tiled").text, "cannot be launched");
    EXPECT_TRUE(number(16, old, "multiply-add, tiled").text.ends_with(" cycles"));
}

TEST(Journey, ATileAddsThreeSteps) {
    EXPECT_EQ(journey_story({true, 32}, {}, 0).count(), journey_story({false, 32}, {}, 0).count() + 3);
    EXPECT_EQ(journey_story({false, 32}, {}, 99).now().text("name"), "write the sum");
    EXPECT_EQ(journey_story({false, 32}, {}, 0).value("loads").amount, 2);
    EXPECT_EQ(journey_story({true, 8}, {}, 0).value("loads").amount, 0.25);
}

TEST(JourneyPicture, AClickOnABarChoosesIt) {
    const State state = initial_state(all_scenarios().front(), h200());
    std::set<int> ways;
    for (const Hit& hit :
         picture_of(journey_story({false, 32}, all_devices()[h200()], 3), {1280, 800}).hits) {
        if (!hit.link.starts_with("?")) continue;
        const Place place = follow_link(hit.link, state, all_devices());
        EXPECT_EQ(place.state.board, find_board("journey"));
        ways.insert(place.state.boards[kJourneyTiled]);
    }
    EXPECT_EQ(ways.size(), 2u);
}

// At every size and step, because the bars show a single warp that waits.
TEST(JourneyPicture, LeadsToTheWarpsThatHideTheWaits) {
    const State state = initial_state(all_scenarios().front(), h200());
    for (const Vec2 size : {Vec2{360, 420}, Vec2{640, 480}, Vec2{1280, 800}}) {
        for (int step = 0; step < 11; ++step) {
            const Picture picture = picture_of(journey_story({true, 32}, all_devices()[h200()], step), size);
            const auto hit = std::ranges::find_if(
                picture.hits, [](const Hit& one) { return one.link.starts_with("latency-hiding"); });
            ASSERT_NE(hit, picture.hits.end()) << size.x;
            EXPECT_GE(hit->rect.x, 0);
            EXPECT_LE(hit->rect.x + hit->rect.w, size.x);
            EXPECT_EQ(follow_link(hit->link, state, all_devices()).state.board, find_board("flight"));
        }
    }
}

TEST(JourneyPicture, StandsStillWhileStepsGoBy) {
    const auto places = [&](int step) {
        std::vector<std::pair<int, int>> all;
        for (const Hit& hit :
             picture_of(journey_story({true, 32}, all_devices()[h200()], step), {900, 600}).hits)
            all.emplace_back(int(hit.rect.x), int(hit.rect.y));
        return all;
    };
    for (int step = 1; step < 11; ++step) EXPECT_EQ(places(step), places(0));
}

// What is not known of a GPU is said and not drawn as 0. All words of the story are read here.
TEST(JourneyBoard, EveryGpuAtEveryStep) {
    for (const DeviceFacts& device : all_devices()) {
        for (const bool tiled : {false, true}) {
            for (int step = 0; step < 11; ++step) {
                const Story story = journey_story({tiled, 32}, device, step);
                const Explanation words = story.now().explanation();
                EXPECT_FALSE(words.verdict.empty() || words.why.empty()) << device.name;
                EXPECT_EQ((words.verdict + words.why).find(" 0 cycles"), std::string::npos)
                    << device.name << ": " << words.verdict << words.why;
                EXPECT_FALSE(picture_of(story, {640, 480}).shapes.empty());
                EXPECT_EQ(story.all().lines("caption").size(), 3u);
            }
        }
    }
}

}  // namespace
}  // namespace warplens::test::journey_picture_tests
