// What is recorded, with a clock of our own in place of a GPU.

#include "app/base/errors.h"
#include "app/cli/measure/measure.h"
#include "app/cli/run.h"
#include "app/experiment/devices.h"
#include "app/experiment/evidence.h"
#include "app/experiment/plot.h"
#include "app/experiment/recordings.h"

#include "tests/recordings.h"
#include "tests/with_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace warplens::test::record_tests {
namespace {

using testing::HasSubstr;

std::variant<Timing, Unavailable> pretend(const Scenario& scenario, const Params& params) {
    if (params.stride == 3) return Unavailable{"this setting touches 9.7 GB, the GPU has 4.0 GB free"};
    Timing timing = test::timing(100 + params.stride, 1e8);
    if (speed_unit_of(*scenario.info, params) == SpeedUnit::cycles) timing.cycles_per_request = 30;
    if (timing.cycles_per_request > 0) timing.cycles_lower = timing.cycles_upper = timing.cycles_per_request;
    if (speed_unit_of(*scenario.info, params) == SpeedUnit::gflop_per_s) timing.flop = 1e9;
    return timing;
}

TEST(Record, ASweepBecomesOneSeries) {
    MeasureCommand command;
    command.choice = {"global-stride", {"op=load"}};
    command.sweep = "stride=1..8";
    const Scenario& scenario = *find_scenario("global-stride");
    const Measurement measurement = measure_settings(
        command, test::h200_info(), [&](const Params& params) { return pretend(scenario, params); });
    const Recording recording = recording_of(measurement, begin_session(StopRule{}, {}, "a note"));
    ASSERT_EQ(recording.series.size(), 1u);
    EXPECT_EQ(recording.series[0].points.size(), 7u) << "stride 3 could not be timed";
    EXPECT_EQ(recording.sessions.at(0).note, "a note");
    const ReadRecording read = read_recording(write_recording(recording));
    EXPECT_EQ(read.recording.point_count(), 7u) << "its date, too, is read";
    EXPECT_EQ(read.recording.series[0].points[6].params.stride, 8);
    EXPECT_EQ(read.recording.series[0].points[6].params.operation, static_cast<int>(Operation::load));
}

TEST(StandardSet, HasEveryScenarioAndNoSettingTwice) {
    std::set<const Scenario*> scenarios;
    std::set<std::string> settings;
    for (const PlannedSeries& series : standard_set()) {
        scenarios.insert(series.scenario);
        EXPECT_FALSE(series.settings.empty());
        for (const Params& params : series.settings) {
            Params legal = params;
            clamp_knobs(*series.scenario, legal);
            EXPECT_EQ(legal, params);
            EXPECT_TRUE(settings.insert(recorded_setting(*series.scenario, params)).second);
        }
    }
    EXPECT_EQ(scenarios.size(), all_scenarios().size());
    EXPECT_LT(settings.size(), 6000u) << "6 minutes at 60 ms each";
}

TEST(StandardSet, PartsAreTheWhole) {
    const std::size_t all = count_settings(standard_set());
    for (const std::size_t count : {1u, 3u, 20u}) {
        std::size_t sum = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t part = count_settings(part_of(standard_set(), {i, count}));
            sum += part;
            EXPECT_GT(part, all / count / 5) << i << " of " << count;
            EXPECT_LT(part, 4 * all / count) << i << " of " << count;
        }
        EXPECT_EQ(sum, all);
    }
}

TEST(StandardSet, PartsAreNumberedFromZero) {
    EXPECT_EQ(parse_part("").count, 1u);
    EXPECT_EQ(parse_part("19/20").index, 19u);
    for (const char* text : {"20/20", "1", "1/", "/2", "-1/2", "1/2/3", "a/b", "1/0", "0/0", " 0/2"})
        EXPECT_THROW(parse_part(text), UsageError) << text;
}

/// The whole standard set, as a GPU would leave it.
const RecordedSet& recorded_set() {
    static const RecordedSet set = record_plan(standard_set(), test::h200_info(), test::session(), pretend,
                                               [](const RecordProgress&) { return true; });
    return set;
}

TEST(RecordPlan, SaysWhatWasLeftOut) {
    EXPECT_THAT(skipped_text(recorded_set()),
                HasSubstr("settings were left out of global-stride: this setting touches 9.7 GB"));
}

TEST(RecordPlan, TellsHowFarItIs) {
    const auto plan = part_of(standard_set(), {0, 20});
    std::vector<std::size_t> done;
    record_plan(plan, test::h200_info(), test::session(), pretend, [&](const RecordProgress& now) {
        done.push_back(now.done);
        EXPECT_EQ(now.all, count_settings(plan));
        EXPECT_NE(now.scenario, nullptr);
        return true;
    });
    for (std::size_t i = 0; i < done.size(); ++i) EXPECT_EQ(done[i], i);
}

TEST(RecordPlan, KeepsWhatWasTimedUntilItIsStopped) {
    const auto plan = part_of(standard_set(), {0, 20});
    for (const std::size_t most : {std::size_t{0}, std::size_t{1}, plan[0].settings.size() + 1}) {
        const RecordedSet set = record_plan(plan, test::h200_info(), test::session(), pretend,
                                            [&](const RecordProgress& now) { return now.done < most; });
        EXPECT_EQ(set.done, most);
        std::size_t skipped = 0;
        for (const auto& [reason, count] : set.skipped) skipped += count;
        EXPECT_EQ(set.recording.point_count() + skipped, most);
        EXPECT_EQ(set.recording.series.empty(), most == 0);
        if (most == 0) continue;
        const ReadRecording read = read_recording(write_recording(set.recording));
        EXPECT_EQ(read.recording.point_count(), set.recording.point_count());
    }
}

TEST(RecordPlan, TheFullSetIsSmall) {
    const std::string text = write_recording(recorded_set().recording);
    EXPECT_LT(text.size(), 1'000'000u);
    EXPECT_EQ(read_recording(text).recording.point_count(), recorded_set().recording.point_count());
}

// What the shipped file is for: whichever scenario, axis or preset a person looks at, points are there.
TEST(RecordPlan, EveryLikelyCurveHasAllItsPoints) {
    const std::vector<DeviceFacts> devices = device_table();
    Recordings recordings;
    recordings.add(write_recording(recorded_set().recording), "h200.json", "", devices);
    const RecordingView view{&devices, find_device(devices, kDefaultDevice).value(), false};
    const auto complete = [&](const Scenario& scenario, const Params& params, const Knob& axis) {
        std::size_t expected = 0;
        for (const int value : plot_values(axis, params)) {
            Params there = params;
            there.*axis.field = value;
            clamp_knobs(scenario, there);
            // Where the stride has no effect, what was taken at another one is the same launch.
            const Knob* stride = find_knob(scenario, "stride");
            expected += there.stride != 3 || (stride != nullptr && !why_idle(*stride, there).empty());
        }
        const auto series = recordings.series(scenario, params, axis, view);
        ASSERT_EQ(series.size(), expected > 0)
            << recorded_setting(scenario, params) << " against " << axis.key;
        if (series.empty()) return;
        EXPECT_EQ(series[0].points.size(), expected)
            << recorded_setting(scenario, params) << " against " << axis.key;
    };
    for (const Scenario& scenario : all_scenarios()) {
        for (const Knob& knob : scenario.info->knobs) {
            if (can_be_axis(scenario, knob)) complete(scenario, scenario.info->defaults, knob);
        }
        const Knob* first = initial_state(scenario, 0).axis;
        if (first == nullptr) continue;
        for (const Preset& preset : scenario.info->presets)
            complete(scenario, preset_params(scenario, preset), *first);
    }
}

void run_merge(std::vector<std::string> paths, const std::string& to, std::ostream& out) {
    paths.insert(paths.begin(), "merge");
    paths.insert(paths.end(), {"--out", to});
    std::istringstream none;
    run_command_line(paths, none, out);
}

class MergeTest : public testing::Test, protected WithFolder {
protected:
    void write(const char* name, const Recording& recording) const {
        std::ofstream(path(name)) << write_recording(recording);
    }
    std::string complaint(const std::vector<std::string>& paths) const {
        try {
            std::ostringstream out;
            run_merge(paths, path("all.json"), out);
        } catch (const UsageError& error) {
            return error.what();
        }
        return "";
    }
};

// The array job of the manual (assets/manual/recordings.md).
TEST_F(MergeTest, PartsOfAnArrayJobBecomeTheWholeSet) {
    std::vector<std::string> paths;
    for (std::size_t i = 0; i < 20; ++i) {
        paths.push_back(path(("part-" + std::to_string(i) + ".json").c_str()));
        const auto part = record_plan(part_of(standard_set(), {i, 20}), test::h200_info(), test::session(),
                                      pretend, [](const RecordProgress&) { return true; });
        std::ofstream(paths.back()) << write_recording(part.recording);
    }
    std::ostringstream out;
    run_merge(paths, path("all.json"), out);
    const std::size_t all = recorded_set().recording.point_count();
    EXPECT_EQ(open_recording(path("all.json")).recording.point_count(), all);
    EXPECT_THAT(out.str(), HasSubstr("settings of NVIDIA H200"));
    EXPECT_THAT(out.str(), testing::Not(HasSubstr("more than once")));
}

TEST_F(MergeTest, SaysWhatWasReplaced) {
    write("a.json", test::sample_recording("2026-11-20T10:00:00Z"));
    write("b.json", test::sample_recording("2026-11-21T10:00:00Z"));
    std::ostringstream out;
    run_merge({path("a.json"), path("b.json")}, path("all.json"), out);
    EXPECT_THAT(out.str(), HasSubstr("48 settings were there more than once: the later one was kept"));
}

TEST_F(MergeTest, MistakesLeaveNothingBehind) {
    Recording other = test::sample_recording();
    other.gpu.name = "NVIDIA A100";
    write("a.json", test::sample_recording());
    write("b.json", other);
    std::ofstream(path("c.json")) << "{}";
    EXPECT_THAT(complaint({path("a.json"), path("b.json")}), HasSubstr("NVIDIA A100"));
    EXPECT_THAT(complaint({path("a.json"), path("c.json")}), HasSubstr("c.json': this is no recording"));
    EXPECT_THAT(complaint({path("a.json"), path("d.json")}), HasSubstr("no such file"));
    EXPECT_FALSE(std::filesystem::exists(path("all.json")));
}

TEST(MeasureAll, NeedsAGpuAndARightPart) {
    std::ostringstream out;
    MeasureCommand command;
    command.all = true;
    command.record_path = "unused.json";
    command.cpu = true;
    EXPECT_THROW(run_measure(command, out), NoGpu);
    command.part = "3/2";
    EXPECT_THROW(run_measure(command, out), UsageError) << "mistakes come first";
    command.part = "9998/9999";
    EXPECT_THROW(run_measure(command, out), UsageError) << "there are not so many series";
    EXPECT_FALSE(std::filesystem::exists("unused.json"));
}

}  // namespace
}  // namespace warplens::test::record_tests
