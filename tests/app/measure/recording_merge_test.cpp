#include "app/measure/recording.h"

#include "tests/recordings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warplens::test::recording_merge_tests {
namespace {

using testing::HasSubstr;

Recording only(const char* id, const std::string& date) {
    Recording recording;
    recording.gpu = test::h200_info();
    recording.sessions.push_back(test::session(date));
    add_series(recording, *find_scenario(id), test::points_along(id, "stride", 1, 8));
    return recording;
}

// As the tasks of an array job leave them.
TEST(RecordingMerge, PartsBecomeOne) {
    const MergedRecording merged =
        merge_recordings({{"0.json", only("global-stride", "2026-11-20T23:59:00Z")},
                          {"1.json", only("shared-stride", "2026-11-21T00:01:00Z")}});
    EXPECT_EQ(merged.replaced, 0u);
    EXPECT_EQ(merged.recording.point_count(), 16u);
    ASSERT_EQ(merged.recording.sessions.size(), 2u);
    EXPECT_EQ(merged.recording.series[1].session, 1u);
    EXPECT_EQ(merged.recording.days(), "2026-11-20 to 2026-11-21");
    EXPECT_EQ(read_recording(write_recording(merged.recording)).recording.point_count(), 16u);
}

TEST(RecordingMerge, OfTheSameSettingTheLaterSessionCounts) {
    Recording older = only("global-stride", "2026-11-20T10:00:00Z"),
              newer = only("global-stride", "2026-11-21T10:00:00Z");
    older.series[0].points[7].params.stride = 64;  // only there
    for (RecordedPoint& point : newer.series[0].points) point.timing.median_us = 99;
    for (const bool newer_first : {false, true}) {
        const auto merged = newer_first ? merge_recordings({{"b", newer}, {"a", older}})
                                        : merge_recordings({{"a", older}, {"b", newer}});
        EXPECT_EQ(merged.replaced, 7u);
        EXPECT_EQ(merged.recording.point_count(), 9u);
        for (const RecordedSeries& series : merged.recording.series) {
            for (const RecordedPoint& point : series.points) {
                if (point.params.stride == 64)
                    EXPECT_EQ(merged.recording.sessions[series.session].day(), "2026-11-20");
                else
                    EXPECT_EQ(point.timing.median_us, 99);
            }
        }
    }
}

TEST(RecordingMerge, OfEqualDatesTheLaterFileCounts) {
    Recording a = only("global-stride", "2026-11-20T10:00:00Z"), b = a;
    b.series[0].points[0].timing.median_us = 70;
    const auto merged = merge_recordings({{"a", a}, {"b", b}});
    EXPECT_EQ(merged.replaced, 8u);
    ASSERT_EQ(merged.recording.series.size(), 1u);
    EXPECT_EQ(merged.recording.series[0].points[0].timing.median_us, 70);
    EXPECT_EQ(merged.recording.sessions.size(), 1u) << "the same session is there once";
}

TEST(RecordingMerge, ReplacedSessionsAreForgotten) {
    const auto merged = merge_recordings({{"a", only("global-stride", "2026-11-20T10:00:00Z")},
                                          {"b", only("global-stride", "2026-11-21T10:00:00Z")}});
    ASSERT_EQ(merged.recording.sessions.size(), 1u);
    EXPECT_EQ(merged.recording.sessions[0].day(), "2026-11-21");
    EXPECT_EQ(merged.recording.series[0].session, 0u);
}

TEST(RecordingMerge, DifferentGpusAreBothNamed) {
    Recording other = only("global-stride", "2026-11-20T10:00:00Z");
    other.gpu.name = "NVIDIA A100-SXM4-80GB";
    other.gpu.cc_major = 8;
    const auto complaint = [&] {
        try {
            merge_recordings({{"a.json", only("global-stride", "2026-11-20T10:00:00Z")}, {"b.json", other}});
        } catch (const RecordingError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    for (const char* part :
         {"'a.json'", "NVIDIA H200", "'b.json'", "NVIDIA A100-SXM4-80GB", "8.0", "side by side"})
        EXPECT_THAT(complaint(), HasSubstr(part));
    other = only("global-stride", "2026-11-20T10:00:00Z");
    other.gpu.sm_count = 66;  // half a GPU is another one
    EXPECT_THAT(complaint(), HasSubstr("66 SMs"));
}

}  // namespace
}  // namespace warplens::test::recording_merge_tests
