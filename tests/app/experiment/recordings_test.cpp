#include "app/experiment/recordings.h"

#include "app/base/assets.h"
#include "app/experiment/devices.h"
#include "app/experiment/evidence.h"

#include "tests/devices.h"
#include "tests/recordings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace warplens::test::recordings_tests {
namespace {

RecordingView view_of(const char* device, bool gpu_here = false) {
    return {&device_table(), find_device(device_table(), device).value(), gpu_here};
}

const Scenario& strides() { return *find_scenario("global-stride"); }
const Knob& stride() { return *find_knob(strides(), "stride"); }

Recordings with_shipped() {
    Recordings recordings;
    recordings.add(write_recording(test::sample_recording()), "h200.json", "", device_table());
    return recordings;
}

TEST(Recordings, ShippedOnesAreShownForTheirGpuWhereNoneMeasures) {
    Recordings recordings = with_shipped();
    const OpenRecording& h200 = recordings.all().front();
    EXPECT_TRUE(recordings.shown(h200, view_of("H200")));
    EXPECT_FALSE(recordings.shown(h200, view_of("A100 SXM4 80 GB"))) << "another GPU's model is drawn";
    EXPECT_FALSE(recordings.shown(h200, view_of("H200", true))) << "a GPU measures";
    recordings.tick(1, true);
    EXPECT_TRUE(recordings.shown(h200, view_of("A100 SXM4 80 GB", true)));
    recordings.tick(1, false);
    EXPECT_FALSE(recordings.shown(h200, view_of("H200")));
}

TEST(Recordings, PointsOfACurveComeWithTheirGpuAndDate) {
    const Recordings recordings = with_shipped();
    const auto series = recordings.series(strides(), strides().info->defaults, stride(), view_of("H200"));
    ASSERT_EQ(series.size(), 1u);
    EXPECT_EQ(series[0].kind, Provenance::recorded);
    EXPECT_EQ(series[0].label, "NVIDIA H200, recorded 2026-11-21");
    EXPECT_TRUE(series[0].of_model);
    ASSERT_EQ(series[0].points.size(), 32u);
    EXPECT_EQ(series[0].points[7].x, 8);
    EXPECT_NEAR(series[0].points[7].value, 134217728 / (62.1 + 8 * 11.3) * 1e-3, 0.05);
    Params other = strides().info->defaults;
    other.offset = 1;
    EXPECT_TRUE(recordings.series(strides(), other, stride(), view_of("H200")).empty());
}

// 132 SMs at 1980 MHz, 128 bytes in one wavefront: the GPU that was recorded counts, not the chosen one.
TEST(Recordings, CyclesBecomeBandwidthOfTheRecordedGpu) {
    Recordings recordings;
    Recording recording = test::sample_recording();
    recording.gpu.sm_count = 66;
    recordings.add(write_recording(recording), "half.json", "/tmp/half.json", device_table());
    recordings.add(write_recording(test::sample_recording()), "whole.json", "/tmp/whole.json",
                   device_table());
    const Scenario& shared = *find_scenario("shared-stride");
    const auto series = recordings.series(shared, shared.info->defaults, *find_knob(shared, "stride"),
                                          view_of("A100 SXM4 80 GB"));
    ASSERT_EQ(series.size(), 2u);
    EXPECT_NEAR(series[1].points[0].value, 2 * series[0].points[0].value, 1e-6);
    EXPECT_FALSE(series[0].of_model) << "the A100's model is drawn";
}

TEST(Recordings, TheChosenGpusRecordingAnswersFirst) {
    Recordings recordings;
    Recording a100 = test::sample_recording("2026-01-02T03:04:05Z");
    a100.gpu.name = "NVIDIA A100-SXM4-80GB";
    a100.gpu.cc_major = 8;
    recordings.add(write_recording(a100), "a100.json", "/tmp/a100.json", device_table());
    recordings.add(write_recording(test::sample_recording()), "h200.json", "/tmp/h200.json", device_table());
    const Params& params = strides().info->defaults;
    EXPECT_EQ(recordings.find(strides(), params, view_of("H200"))->where,
              "recorded on NVIDIA H200, 2026-11-21");
    EXPECT_EQ(recordings.find(strides(), params, view_of("A100 SXM4 80 GB"))->where,
              "recorded on NVIDIA A100-SXM4-80GB, 2026-01-02");
    EXPECT_TRUE(recordings.find(strides(), params, view_of("T4")).has_value())
        << "of another GPU is better than none";
    recordings.tick(1, false);
    recordings.tick(2, false);
    EXPECT_FALSE(recordings.find(strides(), params, view_of("H200")).has_value());
}

TEST(Recordings, EachKeepsItsLookAsLongAsItIsOpen) {
    Recordings recordings;
    for (const char* path : {"/a", "/b", "/c"})
        recordings.add(write_recording(test::sample_recording()), path + 1, path, device_table());
    recordings.remove(2);
    EXPECT_EQ(recordings.all()[0].look, 1);
    EXPECT_EQ(recordings.all()[1].look, 3);
    recordings.add(write_recording(test::sample_recording()), "d", "/d", device_table());
    EXPECT_EQ(recordings.all()[2].look, 2) << "free again";
    recordings.add(write_recording(test::sample_recording()), "c", "/c", device_table());
    EXPECT_EQ(recordings.all().size(), 3u) << "the same file takes its own place";
}

TEST(Recordings, ABadFileChangesNothing) {
    const std::filesystem::path path =
        std::filesystem::path(testing::TempDir()) / "warplens_bad_recording.json";
    Recordings recordings = with_shipped();
    std::ofstream(path) << "{\"schema\":\"warplens recording\",\"version\":7}";
    EXPECT_THROW(recordings.open(path.string(), device_table()), RecordingError);
    EXPECT_EQ(recordings.all().size(), 1u);
    std::ofstream(path) << write_recording(test::sample_recording());
    EXPECT_EQ(recordings.open(path.string(), device_table()).file, "warplens_bad_recording.json");
    EXPECT_EQ(recordings.all().size(), 2u);
    std::filesystem::remove(path);
}

// Whatever comes with the program can be read by it, whole, and is small.
TEST(Recordings, ThoseThatShipAreWhole) {
    Recordings recordings;
    recordings.add_shipped();
    for (const OpenRecording& recording : recordings.all()) {
        EXPECT_EQ(recording.skipped, "") << recording.file;
        EXPECT_GT(recording.points, 0u) << recording.file;
        EXPECT_TRUE(recording.shipped());
    }
    for (const std::string_view path : asset_paths()) {
        if (!path.starts_with("assets/measurements/")) continue;
        EXPECT_LT(asset(path).size(), 2'000'000u) << path;
    }
}

}  // namespace
}  // namespace warplens::test::recordings_tests
