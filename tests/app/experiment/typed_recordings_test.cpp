// Recordings of kernels that a person typed: the text goes with the times, and the times stand beside any
// kernel with the same text.
#include "app/base/errors.h"
#include "app/base/process.h"
#include "app/cli/measure/measure.h"
#include "app/cli/run.h"
#include "app/experiment/devices.h"
#include "app/experiment/recordings.h"
#include "app/experiment/typed_kernel.h"

#include "tests/app/typed/typed_examples.h"
#include "tests/app/window/headless_fixture.h"
#include "tests/damaged.h"
#include "tests/devices.h"
#include "tests/recordings.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <sstream>

namespace warplens::test::typed_recordings_tests {
namespace {

using nlohmann::json;
using testing::HasSubstr;

std::string strided() { return shipped_kernels().at("own-stride"); }

/// A kernel for each number, all different.
const Scenario& numbered(int i) {
    return open_kernel(fmt::format("// {}\n__global__ void k(float* a) {{ a[threadIdx.x] = 1.0f; }}", i), "");
}

std::vector<RecordedPoint> points_of(const Scenario& scenario, int first, int last) {
    const Knob& knob = *find_knob(scenario, "stride");
    std::vector<RecordedPoint> points;
    for (int value = first; value <= last; ++value)
        points.push_back({with_knob(scenario, scenario.info->defaults, knob, value),
                          test::timing(10.0 * value, 65536 * 8)});
    return points;
}

/// Strides 1 to 4 of a typed kernel, beside those of a scenario.
Recording sample(const Scenario& kernel) {
    Recording recording = test::sample_recording();
    add_series(recording, kernel, points_of(kernel, 1, 4));
    return recording;
}

Recording sample() { return sample(open_kernel(strided(), "mine.cu")); }

std::string changed(const std::function<void(json&)>& change) {
    json file = json::parse(write_recording(sample()));
    change(file);
    return file.dump();
}

std::string complaint(const std::string& text) {
    try {
        read_recording(text, open_kernel);
    } catch (const RecordingError& error) {
        return error.what();
    }
    return "(none)";
}

TEST(TypedRecordings, WhatIsWrittenIsReadAgain) {
    const Recording written = sample();
    const ReadRecording read = read_recording(write_recording(written), open_kernel);
    EXPECT_EQ(read.skipped, "");
    ASSERT_EQ(read.recording.series.size(), 3u);
    const RecordedSeries &before = written.series[2], &after = read.recording.series[2];
    EXPECT_EQ(after.scenario, before.scenario) << "the same text and name are the same kernel";
    ASSERT_EQ(after.points.size(), 4u);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(recorded_setting(*after.scenario, after.points[i].params),
                  recorded_setting(*before.scenario, before.points[i].params));
        EXPECT_EQ(after.points[i].timing.median_us, before.points[i].timing.median_us);
        EXPECT_EQ(after.points[i].timing.method, before.points[i].timing.method);
    }
    EXPECT_EQ(write_recording(read.recording), write_recording(written));
}

TEST(TypedRecordings, StandInTheFileAsIsDescribed) {
    Recording recording = sample();
    add_series(recording, open_kernel(strided(), "other.cu"), points_of(*recording.series[2].scenario, 5, 5));
    const json file = json::parse(write_recording(recording));
    EXPECT_EQ(file["version"], 1) << "older programs leave the kernel out and read the rest";
    ASSERT_EQ(file["kernels"].size(), 1u) << "a text stands there once";
    EXPECT_EQ(file["kernels"][0]["name"], "mine.cu");
    EXPECT_EQ(file["kernels"][0]["text"], strided());
    EXPECT_EQ(file["series"][2]["scenario"], "kernel");
    EXPECT_EQ(file["series"][2]["kernel"], 0);
    EXPECT_EQ(file["series"][3]["kernel"], 0);
    EXPECT_FALSE(file["defaults"].contains("kernel")) << "the text says them";
    EXPECT_FALSE(json::parse(write_recording(test::sample_recording())).contains("kernels"));
}

TEST(TypedRecordings, AKernelWithTheSameTextHasThePoints) {
    Recordings recordings;
    recordings.add(write_recording(sample()), "r.json", "/r.json", device_table());
    const RecordingView view{&device_table(), find_device(device_table(), "H200").value(), false};
    const auto points = [&](const Scenario& kernel) {
        const auto series =
            recordings.series(kernel, kernel.info->defaults, *find_knob(kernel, "stride"), view);
        return series.empty() ? 0 : series[0].points.size();
    };
    const Scenario& renamed = open_kernel(strided(), "renamed.cu");
    EXPECT_EQ(points(renamed), 4u);
    EXPECT_EQ(points(open_kernel(strided() + "// another one\n", "mine.cu")), 0u);
    const auto found = recordings.find(renamed, renamed.info->defaults, view);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->timing.median_us, 20) << "stride 2";
    EXPECT_EQ(found->where, "recorded on NVIDIA H200, 2026-11-21");
    EXPECT_EQ(found->provenance, Provenance::recorded);
    Params next_warp = renamed.info->defaults;
    next_warp.warp = 1;
    EXPECT_TRUE(recordings.find(renamed, next_warp, view).has_value()) << "the whole grid was timed";
    ASSERT_EQ(recordings.all()[0].kernels.size(), 1u);
    EXPECT_EQ(recordings.all()[0].kernels[0]->info->title, "mine.cu");
}

TEST(TypedRecordings, AKernelThatThisProgramDoesNotUnderstandIsLeftOutAndSaid) {
    const std::string text = changed([](json& file) {
        file["kernels"][0]["text"] = "__global__ void k(float* a) {\n  cudaMalloc(a);\n}";
    });
    const ReadRecording read = read_recording(text, open_kernel);
    EXPECT_EQ(read.recording.point_count(), 48u);
    EXPECT_THAT(read.skipped, HasSubstr("left out 4 points that this version does not know: kernel mine.cu, "
                                        "line 2, column 3: "));
    EXPECT_THAT(read.skipped, HasSubstr("cudaMalloc"));
    EXPECT_EQ(read_recording(write_recording(sample())).skipped,
              "left out 4 points that this version does not know: kernel mine.cu (4)")
        << "nothing opens it";
    const std::string other = changed([](json& file) { file["series"][2]["set"] = "wobble=3"; });
    EXPECT_THAT(read_recording(other, open_kernel).skipped, HasSubstr("parameter \"wobble\" of kernel (4)"));
    const std::string far = changed([](json& file) { file["series"][2]["points"][0][0] = 4711; });
    EXPECT_THAT(read_recording(far, open_kernel).skipped, HasSubstr("stride=4711 of kernel (1)"));
}

TEST(TypedRecordings, WhatNoProgramWritesIsRefused) {
    EXPECT_EQ(complaint(write_recording(sample())), "(none)");
    EXPECT_EQ(complaint(changed([](json& file) { file["series"][2]["kernel"] = 1; })),
              "series[2].kernel: expected one of 1 kernels, found 1");
    EXPECT_THAT(complaint(changed([](json& file) { file["series"][2]["kernel"] = "mine.cu"; })),
                HasSubstr("series[2].kernel: expected "));
    EXPECT_THAT(complaint(changed([](json& file) { file["kernels"][0].erase("text"); })),
                HasSubstr("kernels[0].text"));
    EXPECT_EQ(complaint(changed([](json& file) {
                  file["kernels"][0]["text"] = std::string(kMostRecordedKernelBytes + 1, ' ');
              })),
              "kernels[0].text: expected at most 262144 bytes of text, found 262145");
    EXPECT_EQ(complaint(changed([](json& file) {
                  for (std::size_t i = 0; i < kMostRecordedKernels; ++i)
                      file["kernels"].push_back(file["kernels"][0]);
              })),
              "kernels: expected at most 16 kernels, found 17");
}

/// Also damage inside the text of the kernel, always the same.
TEST(TypedRecordings, DamagedOnesAreReadOrRefusedWithOneLine) {
    std::mt19937 random(26);
    const std::string text = write_recording(sample());
    int refused = 0, left_out = 0;
    constexpr int kFiles = 1500;
    for (int i = 0; i < kFiles; ++i) {
        const std::string file = damaged(text, "\"{}[]:,0129stride*\\n/", random);
        try {
            const ReadRecording read = read_recording(file, open_kernel);
            EXPECT_EQ(read.skipped.find('\n'), std::string::npos) << read.skipped;
            left_out += read.skipped.empty() ? 0 : 1;
            EXPECT_EQ(read_recording(write_recording(read.recording), open_kernel).recording.point_count(),
                      read.recording.point_count());
        } catch (const RecordingError& error) {
            EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
            ++refused;
        }
    }
    EXPECT_GT(refused, kFiles / 4);
    EXPECT_GT(left_out, 10);
}

TEST(TypedRecordings, NothingIsOpenedThatNoSeriesNeeds) {
    const std::string text = changed([](json& file) { file["series"].erase(2); });
    read_recording(text, [](const std::string&, const std::string&) -> const Scenario& {
        ADD_FAILURE() << "a kernel was opened";
        return all_scenarios().front();
    });
}

TEST(TypedRecordings, AreMergedByTheirTexts) {
    const Recording later = [] {
        Recording recording = sample(open_kernel(strided(), "later.cu"));
        recording.sessions[0].date = "2026-12-24T20:15:50Z";
        return recording;
    }();
    const MergedRecording same = merge_recordings({{"a", sample()}, {"b", later}});
    EXPECT_EQ(same.replaced, 52u) << "48 of scenarios and 4 of the kernel";
    EXPECT_EQ(same.recording.point_count(), 52u);
    const MergedRecording others =
        merge_recordings({{"a", sample()}, {"b", sample(open_kernel(strided() + "// b\n", "mine.cu"))}});
    EXPECT_EQ(others.replaced, 48u);
    EXPECT_EQ(others.recording.point_count(), 56u);

    EXPECT_EQ(read_recording(write_recording(others.recording), open_kernel).recording.point_count(), 56u);

    Recording many = test::sample_recording();
    for (int i = 0; i <= static_cast<int>(kMostRecordedKernels); ++i)
        add_series(many, numbered(i), {{numbered(i).info->defaults, test::timing(1, 1)}});
    try {
        merge_recordings({{"a", many}});
        FAIL();
    } catch (const RecordingError& error) {
        EXPECT_STREQ(error.what(),
                     "together they have 17 kernels that were typed, and a recording holds at most 16: merge "
                     "fewer of them");
    }
}

TEST(TypedRecordings, OnlyTextThatJsonCanHoldIsRecorded) {
    EXPECT_NO_THROW(require_recordable(open_kernel(strided() + "// größer\n", "mine.cu")));
    try {
        require_recordable(
            open_kernel("// Lesson: x\n// gr\xf6\xdf"
                        "er\n" +
                            strided(),
                        "latin.cu"));
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_STREQ(
            error.what(),
            "--record: latin.cu, line 2: expected text in UTF-8, as recordings are: save the file so");
    }
}

TEST(TypedRecordings, ASweepBecomesOneSeries) {
    const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "swept.cu";
    std::ofstream(path) << strided();
    MeasureCommand command;
    command.choice = {path.string(), {}};
    command.sweep = "stride=1..8";
    const Measurement measurement = measure_settings(command, test::h200_info(), [](const Params& params) {
        return test::timing(5 + params.own1, 65536 * 8);
    });
    const Recording recording = recording_of(measurement, begin_session(StopRule{}, {}, "a note"));
    const ReadRecording read = read_recording(write_recording(recording), open_kernel);
    ASSERT_EQ(read.recording.point_count(), 8u);
    EXPECT_EQ(read.recording.series[0].scenario->info->title, "swept.cu");
    EXPECT_EQ(read.recording.series[0].points[6].timing.median_us, 12);
}

class TypedRecordingFile : public HeadlessFixture {
protected:
    std::string file(const char* name, const std::string& text) {
        const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / name;
        std::ofstream(path) << text;
        return path.string();
    }
};

TEST_F(TypedRecordingFile, IsShownBesideTheKernelInTheWindow) {
    act(action::OpenFile{file("typed.json", write_recording(sample()))});
    frames_until_read();
    ASSERT_EQ(session().files.shelf.recordings.all().size(), 1u) << session().files.shelf.message;
    EXPECT_THAT(session().files.shelf.message, HasSubstr("; shown beside the typed kernel mine.cu"));
    EXPECT_EQ(state().scenario->typed, nullptr) << "a recording changes no setting";
    session().view.recordings = true;
    fresh_items();
    click("recordings.kernel.mine.cu");
    frames_until([this] { return state().scenario->typed != nullptr; });
    EXPECT_EQ(state().scenario->typed->text(), strided());
    const Frame& now = session().frame();
    ASSERT_TRUE(now.evidence->observed.recorded.has_value());
    EXPECT_EQ(now.evidence->observed.recorded->timing.median_us, 20);
}

TEST_F(TypedRecordingFile, IsMergedByCommand) {
    const std::string good = file("good.json", write_recording(sample()));
    const std::string bad = file("bad.json", changed([](json& all) {
                                     all["kernels"][0]["text"] = "__global__ void k(float* a) { goto x; }";
                                     all["series"].erase(0);
                                     all["series"].erase(0);
                                 }));
    const std::string merged = file("merged.json", "");
    std::istringstream none;
    std::ostringstream out;
    run_command_line({"merge", good, good, "--out", merged}, none, out);
    EXPECT_THAT(out.str(), HasSubstr("merged.json: 52 settings of NVIDIA H200"));
    EXPECT_EQ(open_recording(merged, open_kernel).recording.point_count(), 52u);
    try {
        run_command_line({"merge", bad, "--out", merged}, none, out);
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_THAT(error.what(), HasSubstr("there is nothing in these recordings to merge: "));
        EXPECT_THAT(error.what(), HasSubstr("kernel mine.cu, line 1, column 31: not in the subset: 'goto'"));
    }
}

TEST_F(TypedRecordingFile, IsDrawnByExport) {
    const std::string kernel = file("drawn.cu", strided()),
                      recording = file("drawn.json", write_recording(sample()));
    const std::string figure = file("drawn.csv", "");
    std::istringstream none;
    std::ostringstream out;
    run_command_line({"export", kernel, "--recording", recording, "--axis", "stride", "--out", figure}, none,
                     out);
    EXPECT_THAT(contents_of(figure), HasSubstr("NVIDIA H200, recorded 2026-11-21"));
}

}  // namespace
}  // namespace warplens::test::typed_recordings_tests
