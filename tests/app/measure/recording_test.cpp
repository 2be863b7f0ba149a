#include "app/measure/recording.h"

#include "tests/random_params.h"
#include "tests/recordings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace warplens::test::recording_tests {
namespace {

using testing::HasSubstr;

void expect_same_timing(const Timing& a, const Timing& b) {
    EXPECT_EQ(a.median_us, b.median_us);
    EXPECT_EQ(a.lower_us, b.lower_us);
    EXPECT_EQ(a.upper_us, b.upper_us);
    EXPECT_EQ(a.repeats, b.repeats);
    EXPECT_EQ(a.cycles_per_request, b.cycles_per_request);
    EXPECT_EQ(a.cycles_lower, b.cycles_lower);
    EXPECT_EQ(a.cycles_upper, b.cycles_upper);
    EXPECT_EQ(a.useful_bytes, b.useful_bytes);
    EXPECT_EQ(a.flop, b.flop);
    EXPECT_EQ(a.bank_cycles, b.bank_cycles);
    EXPECT_EQ(a.bank_cycles_lower, b.bank_cycles_lower);
    EXPECT_EQ(a.bank_cycles_upper, b.bank_cycles_upper);
    EXPECT_EQ(a.fits_l2, b.fits_l2);
    EXPECT_EQ(a.cold, b.cold);
    EXPECT_EQ(a.sm_clock_mhz, b.sm_clock_mhz);
    EXPECT_EQ(a.gpu, b.gpu);
    EXPECT_EQ(a.library, b.library);
    EXPECT_EQ(a.library_us, b.library_us);
    EXPECT_EQ(a.method, b.method);
}

void expect_same(const Recording& a, const Recording& b) {
    ASSERT_EQ(a.series.size(), b.series.size());
    for (std::size_t s = 0; s < a.series.size(); ++s) {
        EXPECT_EQ(a.series[s].scenario, b.series[s].scenario);
        EXPECT_EQ(a.series[s].session, b.series[s].session);
        ASSERT_EQ(a.series[s].points.size(), b.series[s].points.size());
        for (std::size_t p = 0; p < a.series[s].points.size(); ++p) {
            const RecordedPoint &x = a.series[s].points[p], &y = b.series[s].points[p];
            EXPECT_EQ(x.params, y.params) << recorded_setting(*a.series[s].scenario, x.params);
            expect_same_timing(x.timing, y.timing);
            EXPECT_EQ(x.counters, y.counters);
        }
    }
}

TEST(Recording, WhatIsWrittenIsReadAgain) {
    Recording written = test::sample_recording();
    RecordedPoint special;
    special.params = find_scenario("matrix-multiply")->info->defaults;
    special.timing = test::timing(1234.5678, 0);
    special.timing.flop = 137438953472;
    special.timing.library = "cuBLAS";
    special.timing.library_us = 987.654321;
    special.timing.fits_l2 = true;
    special.timing.cold = true;
    special.timing.sm_clock_mhz = 1755;
    special.timing.bank_cycles = special.timing.bank_cycles_lower = special.timing.bank_cycles_upper = 2.0125;
    special.counters = {{"l1tex__t_sectors.sum", 4194304}, {"dram__bytes.sum", 1.5e9}};
    add_series(written, *find_scenario("matrix-multiply"), {special});
    const ReadRecording read = read_recording(write_recording(written));
    EXPECT_EQ(read.skipped, "");
    expect_same(written, read.recording);
    EXPECT_EQ(read.recording.series[2].points[0].timing.median_us, 1234.6) << "five digits";
    EXPECT_EQ(read.recording.series[2].points[0].timing.flop, 137438953472) << "amounts are exact";
}

TEST(Recording, EverySettingOfEveryScenarioIsFoundAgain) {
    std::mt19937 random(5);
    Recording written;
    written.gpu = test::h200_info();
    written.sessions.push_back(test::session());
    for (const Scenario& scenario : all_scenarios()) {
        std::vector<RecordedPoint> points;
        for (int i = 0; i < 20; ++i) {
            RecordedPoint point;
            point.params = test::random_params(scenario, random);
            point.timing = test::timing(1 + i, 1e6);
            points.push_back(point);
        }
        add_series(written, scenario, points);
    }
    expect_same(written, read_recording(write_recording(written)).recording);
}

TEST(Recording, SaysWhoMeasuredWhenAndHow) {
    const Recording read = read_recording(write_recording(test::sample_recording())).recording;
    EXPECT_EQ(read.gpu.name, "NVIDIA H200");
    EXPECT_EQ(read.gpu.cc_major, 9);
    EXPECT_EQ(read.gpu.sm_count, 132);
    EXPECT_EQ(read.gpu.peak_gb_per_s, 4814.9);
    EXPECT_EQ(read.gpu.memory_bytes, 150754820096);
    EXPECT_EQ(read.gpu.l2_fetch_granularity_bytes, 64);
    ASSERT_EQ(read.sessions.size(), 1u);
    EXPECT_EQ(read.sessions[0].date, "2026-11-21T20:15:50Z");
    EXPECT_EQ(read.sessions[0].versions.driver, 13010);
    EXPECT_EQ(read.sessions[0].versions.runtime, 13000);
    const GpuConditions& conditions = read.sessions[0].conditions;
    EXPECT_EQ(conditions.sm_clock_mhz, 1980);
    EXPECT_EQ(conditions.memory_clock_mhz, 3201);
    EXPECT_EQ(conditions.power_state, 0);
    EXPECT_EQ(conditions.power_watt, 120.5);
    EXPECT_EQ(conditions.temperature_celsius, 41);
    EXPECT_EQ(conditions.driver, "580.65.06");
    EXPECT_EQ(read.sessions[0].note, "quiet node");
    EXPECT_EQ(read.sessions[0].rule, StopRule{});
    EXPECT_EQ(read.days(), "2026-11-21");
    EXPECT_EQ(read.point_count(), 48u);
}

TEST(Recording, StandsInTheFileAsItIsDescribed) {
    Recording recording = test::sample_recording();
    const Scenario& scenario = *find_scenario("global-stride");
    auto stores = test::points_along("global-stride", "stride", 1, 2);
    for (RecordedPoint& point : stores) point.params.operation = static_cast<int>(Operation::store);
    add_series(recording, scenario, stores);
    const auto json = nlohmann::json::parse(write_recording(recording));
    EXPECT_EQ(json["schema"], "warplens recording");
    EXPECT_EQ(json["version"], 1);
    EXPECT_EQ(json["gpu"]["cc"], "9.0");
    EXPECT_EQ(json["sessions"][0]["cuda_driver"], "13.1");
    EXPECT_EQ(json["methods"].size(), 1u);
    EXPECT_THAT(json["methods"][0].get<std::string>(), HasSubstr("# repeats"));
    EXPECT_THAT(json["defaults"]["global-stride"].get<std::string>(), HasSubstr("elements=2^25"));
    const auto& series = json["series"][2];
    EXPECT_EQ(series["set"], "op=store");
    EXPECT_EQ(series["swept"], nlohmann::json({"stride"}));
    EXPECT_EQ(series["columns"], nlohmann::json({"median_us", "lower_us", "upper_us", "repeats"}));
    EXPECT_EQ(series["same"]["useful_bytes"].dump(), "134217728");
    EXPECT_EQ(series["points"][1].dump(), "[2,84.7,83.006,87.241,12]");
}

// 20 scenarios with 400 points each are more than the standard set has.
TEST(Recording, AFullSetStaysUnderTwoMegabytes) {
    std::mt19937 random(9);
    Recording recording;
    recording.gpu = test::h200_info();
    recording.sessions.push_back(test::session());
    std::uniform_real_distribution<double> time(1, 90000);
    for (const Scenario& scenario : all_scenarios()) {
        for (int series = 0; series < 10; ++series) {
            std::vector<RecordedPoint> points;
            for (int i = 0; i < 40; ++i) {
                RecordedPoint point;
                point.params = test::random_params(scenario, random);
                point.timing = test::cycles(time(random));
                point.timing.useful_bytes = std::floor(time(random) * 1e5);
                point.timing.repeats = 7 + i;
                points.push_back(point);
            }
            add_series(recording, scenario, points);
        }
    }
    EXPECT_EQ(recording.point_count(), 400 * all_scenarios().size());
    EXPECT_LT(write_recording(recording).size(), 2'000'000u)
        << "even with every parameter somewhere else in each point";
}

// A program of another day may have other knobs, choices and scenarios.
TEST(Recording, WhatIsNotKnownIsLeftOutAndSaid) {
    auto json = nlohmann::json::parse(write_recording(test::sample_recording()));
    json["series"][0]["set"] = "wobble=3";
    ReadRecording read = read_recording(json.dump());
    EXPECT_EQ(
        read.skipped,
        "left out 32 points that this version does not know: parameter \"wobble\" of global-stride (32)");
    EXPECT_EQ(read.recording.point_count(), 16u);

    json["series"][0]["scenario"] = "global-dance";
    json["series"][1]["points"][3][0] = 4711;
    read = read_recording(json.dump());
    EXPECT_THAT(read.skipped, HasSubstr("left out 33 points"));
    EXPECT_THAT(read.skipped, HasSubstr("scenario \"global-dance\" (32)"));
    EXPECT_THAT(read.skipped, HasSubstr("stride=4711 of shared-stride (1)"));
    EXPECT_EQ(read.recording.point_count(), 15u);
}

TEST(Recording, ColumnsAndKnobsOfLaterVersionsDoNotDisturb) {
    auto json = nlohmann::json::parse(write_recording(test::sample_recording()));
    json["series"][0]["columns"].push_back("joules");
    for (auto& point : json["series"][0]["points"]) point.push_back(3);
    json["defaults"]["global-stride"] = json["defaults"]["global-stride"].get<std::string>() + ",wobble=3";
    const ReadRecording read = read_recording(json.dump());
    EXPECT_EQ(read.skipped, "");
    expect_same(test::sample_recording(), read.recording);
}

// A default that has changed since is still what it was when the recording was made.
TEST(Recording, DefaultsAreThoseOfTheRecording) {
    auto json = nlohmann::json::parse(write_recording(test::sample_recording()));
    json["defaults"]["global-stride"] = "stride=1,op=store";
    const Recording read = read_recording(json.dump()).recording;
    for (const RecordedPoint& point : read.series[0].points)
        EXPECT_EQ(point.params.operation, static_cast<int>(Operation::store));
}

TEST(Recording, TheNumberOfRepeatsIsPutBackIntoTheMethod) {
    Recording recording = test::sample_recording();
    recording.series[0].points[3].timing.repeats = 8;  // the method speaks of 12, and of 8 blocks
    expect_same(recording, read_recording(write_recording(recording)).recording);
}

}  // namespace
}  // namespace warplens::test::recording_tests
