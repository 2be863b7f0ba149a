// What holds of the bandwidth model on any GPU, with an H200 as the example. bandwidth_h200_test.cpp says how
// far off it is.
#include "app/base/assets.h"
#include "app/model/time/prediction.h"
#include "tests/devices.h"
#include "tests/random_params.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace warplens::test::bandwidth_tests {

namespace {

Prediction predict(const std::string& settings, std::string_view scenario = "global-stride") {
    const Scenario& found = *find_scenario(scenario);
    return predict_bandwidth(found, preset_params(found, {"", settings}), h200());
}

}  // namespace

TEST(BandwidthModel, NeverAbovePeakAndNeverNegative) {
    for (const char* settings :
         {"op=load", "op=store", "op=copy", "op=load,element=16", "op=copy,element=16", "op=load,offset=1"}) {
        const Prediction b = predict(settings);
        EXPECT_GT(b.value, 0) << settings;
        EXPECT_LE(b.value, b.peak) << settings;
        EXPECT_GE(b.dram_bytes, b.useful_bytes * 0.99) << settings;
    }
}

TEST(BandwidthModel, SharedMemoryFollowsTheWavefronts) {
    const double free = predict("stride=1", "shared-stride").value;
    for (const int degree : {2, 4, 8, 16, 32}) {
        EXPECT_NEAR(free / predict("stride=" + std::to_string(degree), "shared-stride").value, degree, 1e-9);
    }
    EXPECT_NEAR(predict("stride=1", "shared-stride").peak, free, 1e-6);
}

// A twentieth of the wavefronts or more is above the ideal, so a twentieth of the peak or more is lost. The
// speed had been that of the pictured request, and the limiter that of the whole grid.
TEST(BandwidthModel, BankConflictsNeverStandBesideThePeakOfTheBanks) {
    std::mt19937 random(53);
    int named = 0, free = 0;
    for (const Scenario& scenario : all_scenarios()) {
        if (how_measured(scenario, scenario.info->defaults) != Measured::banks) continue;
        for (int i = 0; i < 200; ++i) {
            const Params params = random_params(scenario, random);
            const DeviceFacts& device = device_table()[random() % device_table().size()];
            const Prediction one = predict_bandwidth(scenario, params, device);
            if (one.value <= 0 || !one.shared_memory) continue;
            ++(one.limiter == Limiter::bank_conflicts ? named : free);
            EXPECT_FALSE(one.limiter == Limiter::bank_conflicts && one.value > 0.9501 * one.peak)
                << scenario.info->id << ": " << describe_settings(scenario, params) << " on " << device.name;
        }
    }
    EXPECT_GT(named, 100);
    EXPECT_GT(free, 100);
    const Prediction pictured = predict("padding=3,walk=row,swizzle_bits=2", "shared-tile");
    EXPECT_EQ(pictured.limiter, Limiter::shared_bandwidth);
    EXPECT_EQ(pictured.value, pictured.peak);
}

TEST(BandwidthModel, SmallGridsFitTheL2) {
    EXPECT_TRUE(predict("n=2^16,op=load").fits_l2);
    EXPECT_FALSE(predict("n=2^28,op=load").fits_l2);
}

TEST(BandwidthModel, TheSameWorkTakesLongerFromAColdL2) {
    const Scenario& scenario = *find_scenario("global-stride");
    for (const char* settings : {"n=2^10", "n=2^16,op=store", "n=2^19,stride=8", "n=2^20,op=load"}) {
        const Params p = preset_params(scenario, {"", settings});
        const Prediction warm = predict_bandwidth(scenario, p, h200(), false),
                         cold = predict_bandwidth(scenario, p, h200(), true);
        EXPECT_GT(cold.time_us, 1.3 * warm.time_us) << settings;
        EXPECT_EQ(warm.dram_bytes, 0) << settings;
        EXPECT_TRUE(cold.cold);
        EXPECT_EQ(cold.useful_bytes, warm.useful_bytes);
    }
}

TEST(BandwidthModel, SaysWhatLimits) {
    EXPECT_EQ(predict("op=load,n=2^10").limiter, Limiter::launch);
    EXPECT_EQ(predict("op=load").limiter, Limiter::block_launch);
    EXPECT_EQ(predict("op=copy").limiter, Limiter::bytes_in_flight);
    EXPECT_EQ(predict("op=load,stride=16").limiter, Limiter::dram);
    EXPECT_EQ(predict("op=load,stride=64").limiter, Limiter::dram_rows);
    EXPECT_EQ(predict("op=store,stride=64").limiter, Limiter::dram_rows);
    EXPECT_EQ(predict("op=store,stride=8,n=2^20").limiter, Limiter::costly_l2_sectors);
    for (const Scenario& scenario : all_scenarios()) {
        if (speed_unit_of(*scenario.info, scenario.info->defaults) != SpeedUnit::gb_per_s) continue;
        const Prediction here = predict_bandwidth(scenario, scenario.info->defaults, h200());
        EXPECT_FALSE(limiter_meaning(here.limiter).empty())
            << scenario.info->id << ": " << limiter_name(here.limiter);
    }
}

TEST(BandwidthModel, EveryDeviceGivesSomethingBelowItsPeak) {
    const Scenario& scenario = *find_scenario("global-stride");
    for (const DeviceFacts& device : load_devices(asset("assets/gpus.json"))) {
        double before = 1e9;
        for (const char* settings :
             {"op=load,stride=2", "op=load,stride=8", "op=load,stride=32", "op=load,stride=64"}) {
            const Prediction here =
                predict_bandwidth(scenario, preset_params(scenario, {"", settings}), device);
            EXPECT_GT(here.value, 0) << device.name << " " << settings;
            EXPECT_LT(here.value, std::min(before, device.peak_gb_per_s)) << device.name << " " << settings;
            before = here.value;
        }
    }
}

TEST(BandwidthModel, NobodyActiveMovesNothing) {
    EXPECT_EQ(predict("mask=0").value, 0);
    EXPECT_EQ(predict("mask=0", "shared-stride").value, 0);
}

TEST(BandwidthModel, ReadingOverAndOverFallsFromCacheToCache) {
    const auto speed = [](int log2) {
        return predict("measure=bandwidth,footprint=2^" + std::to_string(log2), "cache-footprint");
    };
    EXPECT_NEAR(speed(15).value, 132 * 1.98 * 128, 0.1 * 132 * 1.98 * 128);  // published: 126 bytes per clock
    EXPECT_EQ(speed(15).limiter, Limiter::l1);
    EXPECT_NEAR(speed(22).value, 10000, 2000);  // published for an H200: about 10 TB/s
    EXPECT_EQ(speed(22).limiter, Limiter::l2);
    EXPECT_NEAR(speed(30).value, 4266, 400);  // measured: copies of float4 on an H200
    EXPECT_EQ(speed(30).limiter, Limiter::dram);
    for (int log2 = 13; log2 <= 30; ++log2) EXPECT_LE(speed(log2).value, speed(log2 - 1).value) << log2;
    EXPECT_EQ(speed(20).useful_bytes, double(std::int64_t{1} << 31));
}

TEST(BandwidthModel, PrivateArraysLiveInTheL1AsLongAsTheyFit) {
    const Prediction uniform = predict("index=uniform,words=16", "local-array"),
                     different = predict("index=different,words=16,stride=1", "local-array"),
                     large = predict("index=uniform,words=128", "local-array"),
                     kept = predict("index=known,words=16", "local-array");
    EXPECT_EQ(uniform.dram_bytes, 0);
    EXPECT_TRUE(uniform.shared_memory);
    EXPECT_NEAR(different.value, 619, 0.1 * 619);  // measured on an H200; each store writes 16 lines in part
    EXPECT_EQ(different.limiter, Limiter::costly_l2_sectors);
    EXPECT_GT(uniform.value, 4 * different.value);
    EXPECT_LT(large.value, uniform.value);
    EXPECT_EQ(kept.limiter, Limiter::launch) << "nothing of the array is left";
    for (const Prediction& p : {uniform, different, large, kept}) EXPECT_LE(p.value, p.peak * 1.0001);
}

TEST(BandwidthModel, TextureWalksAreCountedInGroupsOfFourLanes) {
    const Prediction block = predict("memory=texture,walk=block-8x4,size=2^12", "texture-walk"),
                     row = predict("memory=linear,walk=row,size=2^12", "texture-walk"),
                     column = predict("memory=linear,walk=column,size=2^12", "texture-walk");
    EXPECT_GT(block.value, 0);
    EXPECT_LE(block.value, block.peak);
    EXPECT_NEAR(block.useful_bytes, 4.0 * 4096 * 4096, 1);
    EXPECT_EQ(block.useful_bytes, row.useful_bytes);
    EXPECT_LE(column.value, row.value);
}

}  // namespace warplens::test::bandwidth_tests
