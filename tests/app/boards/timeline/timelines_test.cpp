#include "app/experiment/timelines.h"

#include "app/boards/timeline/timeline_picture.h"
#include "tests/app/pictures/kit/pictures_of_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warplens::test::timelines_tests {
namespace {
using ::testing::HasSubstr;

/// Tiles that take 100 cycles each: fetched for 60 after the one before was used, used for 40.
Timeline one_stage() {
    Timeline run{.stages = 1, .tiles = {}, .cycles = 1600, .right = true};
    for (long long t = 0; t < 16; ++t)
        run.tiles.push_back({100 * t, 100 * t + 60, 100 * t + 5, 100 * t + 60, 100 * t + 100});
    return run;
}

TEST(Timelines, MeansAreThoseOfTheMiddle) {
    const TimelineMeans means = means_of(one_stage());
    EXPECT_DOUBLE_EQ(means.period, 100);
    EXPECT_DOUBLE_EQ(means.latency, 60);
    EXPECT_DOUBLE_EQ(means.multiply, 40);
    EXPECT_DOUBLE_EQ(means.wait, 55);
    EXPECT_DOUBLE_EQ(means.issue, 5);
    EXPECT_DOUBLE_EQ(means.test, 0);
    EXPECT_EQ(means_of({}).period, 0);
}

TEST(Timelines, NobodyWaitsForWhatHasComeBefore) {
    EXPECT_EQ(waited({0, 60, 80, 90, 100}), 0) << "it arrived before anybody looked";
    EXPECT_EQ(waited({0, 60, 10, 60, 100}), 50);
    EXPECT_EQ(waited({0, 75, 10, 60, 100}), 50) << "the watching warp saw it later than those that wait";
}

TEST(Timelines, ExpectedOnesHaveTheirMeans) {
    const TimelineMeans means{
        .period = 100, .latency = 60, .multiply = 40, .wait = 30, .issue = 10, .test = 20};
    for (const bool early : {false, true}) {
        const auto blocks = expected_timelines(means, 2, 1000, 4, early, 10'000);
        ASSERT_EQ(blocks.size(), 4u);
        for (int b = 0; b < 4; ++b) {
            const Timeline& run = blocks[b];
            EXPECT_EQ(run.tiles[0].arrived, 60 + 25 * b);
            const TimelineMeans again = means_of(run);
            EXPECT_NEAR(again.period, 100, 1e-6);
            EXPECT_NEAR(again.wait, 30, 1e-6);
            EXPECT_NEAR(again.multiply, 40, 1e-6);
            EXPECT_NEAR(again.test, 20, 1e-6);
            EXPECT_NEAR(again.issue, 10, 1e-6);
            EXPECT_NEAR(again.latency, 2 * 100 - 20 - (early ? 0 : 40), 1e-6);
        }
    }
    EXPECT_EQ(expected_timelines(means, 1, 3, 1, false, 10'000)[0].tiles.size(), 3u)
        << "no more than there are";
}

TEST(Timelines, WhatNobodyWaitsForIsOnItsWayForItsLatency) {
    const TimelineMeans means{
        .period = 100, .latency = 60, .multiply = 70, .wait = 0, .issue = 10, .test = 20};
    const Timeline run = expected_timelines(means, 4, 100, 1, false, 10'000)[0];
    for (std::size_t t = 4; t < run.tiles.size(); ++t) {
        EXPECT_EQ(run.tiles[t].arrived - run.tiles[t].fetched, 60) << "and not for three rounds";
        EXPECT_EQ(waited(run.tiles[t]), 0);
    }
}

TEST(Timelines, AreWrittenAsTheyAreRead) {
    const std::vector<TimelineRecording> all{{"a GPU", "2026-11-24", {one_stage()}}};
    const std::string text = write_timelines(all);
    const auto again = read_timelines(text);
    ASSERT_EQ(again.size(), 1u);
    EXPECT_EQ(again[0].gpu, "a GPU");
    EXPECT_EQ(again[0].runs[0].tiles, all[0].runs[0].tiles);
    EXPECT_EQ(write_timelines(again), text);
    EXPECT_EQ(again[0].with_stages(2), nullptr);
}

TEST(Timelines, TheRecordedOnesShowThatOneStageWaitsAndTwoDoNot) {
    ASSERT_FALSE(shipped_timelines().empty());
    for (const TimelineRecording& recording : shipped_timelines()) {
        for (int stages = 1; stages <= StagedProduct::kMostStages; ++stages) {
            const Timeline* run = recording.with_stages(stages);
            ASSERT_NE(run, nullptr) << recording.gpu << ' ' << stages;
            EXPECT_EQ(run->tiles.size(), std::size_t{StagedProduct::kTiles});
            for (const TileTimes& tile : run->tiles)
                ASSERT_TRUE(tile.fetched <= tile.arrived && tile.awaited <= tile.used &&
                            tile.used <= tile.done);
            // A stage is fetched again only after it was used, and no other order is possible.
            for (std::size_t t = static_cast<std::size_t>(stages); t < run->tiles.size(); ++t)
                ASSERT_GE(run->tiles[t].fetched, run->tiles[t - static_cast<std::size_t>(stages)].done);
        }
        const TimelineMeans one = means_of(*recording.with_stages(1)),
                            two = means_of(*recording.with_stages(2));
        EXPECT_GT(one.wait, 0.3 * one.period) << recording.gpu;
        for (const TimelineMeans& means : {one, two})  // nothing of a period is left unexplained
            EXPECT_NEAR(means.multiply + means.wait + means.issue + means.test, means.period,
                        0.01 * means.period);
        EXPECT_LT(two.wait, 0.05 * two.period) << recording.gpu;
    }
    EXPECT_EQ(timeline_of("H200 SXM 141 GB")->gpu, "NVIDIA H200");
    EXPECT_NE(timeline_of("GTX 480"), nullptr) << "else the first one";
}

TEST(Timelines, ThePictureHasARowForEachStageAndOneForTheWarps) {
    for (int stages = 1; stages <= StagedProduct::kMostStages; ++stages) {
        const TimelineView view{timeline_of("H200")->with_stages(stages), 0, "recorded"};
        const Picture picture = draw_timeline(view, style_of(ThemeName::light, {900, 600}));
        int rows = 0;
        for (const Shape& shape : picture.shapes)
            if (const auto* label = std::get_if<Label>(&shape))
                rows += label->text.starts_with("stage ") || label->text == "warps" ? 1 : 0;
        EXPECT_EQ(rows, stages + 1);
        EXPECT_EQ(explain_timeline(view).good, stages > 1);
    }
    EXPECT_THAT(explain_timeline({}).verdict, HasSubstr("No timeline"));
}

}  // namespace
}  // namespace warplens::test::timelines_tests
