// Which latencies a GPU gets from the table, and what the model makes of them. The expected cycles were
// measured on an H200: reference figures of the table's row "H200".
#include "app/base/assets.h"
#include "app/model/device/caches.h"
#include "app/model/device/device.h"
#include "app/model/time/prediction.h"
#include "tests/devices.h"

#include <gtest/gtest.h>

namespace warplens::test::latencies_tests {

namespace {

Prediction predicted(std::string_view scenario, const std::string& settings, const DeviceFacts& on) {
    const Scenario& found = *find_scenario(scenario);
    return predict(found, preset_params(found, {"", settings}), on);
}

double cycles(std::string_view scenario, const std::string& settings) {
    const Prediction result = predicted(scenario, settings, gpu("H200"));
    EXPECT_EQ(result.speed_unit, SpeedUnit::cycles);
    EXPECT_EQ(result.peak, 0);
    return result.value;
}

}  // namespace

TEST(Latencies, TheSameGpuComesFirstThenTheSameCapability) {
    const std::vector<LatencyRow> rows = {
        {"H100 PCIe", "9.0", 2, {.l1 = 34, .l2 = 265, .dsmem = 180, .source = "a"}},
        {"H200", "9.0", 1, {.l2 = 281, .source = "b"}},
        {"GeForce GTX 1080 Ti", "6.1", 2, {.l1 = 82, .source = "c"}}};
    const Latencies found = find_latencies(rows, "NVIDIA H200 SXM 141 GB", "9.0");
    EXPECT_EQ(found.l2, 281);
    EXPECT_EQ(found.l1, 34);
    EXPECT_EQ(found.dsmem, 180);
    EXPECT_EQ(found.shared, 0);
    EXPECT_EQ(found.source, "H200 (b); the rest from other GPUs of compute capability 9.0: H100 PCIe (a)");

    EXPECT_EQ(find_latencies(rows, "H100 PCIe 80 GB", "9.0").l2, 265);
    EXPECT_EQ(find_latencies(rows, "GeForce GTX 1080", "6.1").source,
              "from other GPUs of compute capability 6.1: GeForce GTX 1080 Ti (c)");
    EXPECT_EQ(find_latencies(rows, "Tesla V100", "7.0").l2, 0);
    EXPECT_TRUE(find_latencies(rows, "Tesla V100", "7.0").source.empty());
}

TEST(Latencies, TheTableKnowsTheseGpus) {
    const Latencies& h200 = gpu("H200").latencies;
    EXPECT_EQ(h200.l1, 38.9);
    EXPECT_EQ(h200.l2, 287);
    EXPECT_EQ(h200.constant_l1, 34.9);
    EXPECT_GT(h200.shared, 20);
    EXPECT_GT(h200.dsmem, 150);
    EXPECT_EQ(gpu("H200").l1_bytes, 248 << 10);  // 256 KiB without 8 KiB for the driver's own 1 KiB
    EXPECT_EQ(gpu("T4").l1_bytes, 64 << 10);     // 96 KiB, of which shared memory has at least 32
    EXPECT_EQ(gpu("GTX 1080 Ti").l1_bytes, 24 << 10);
    EXPECT_EQ(gpu("RTX 2080 Ti").latencies.dram, 496.2);
    EXPECT_EQ(gpu("A100 SXM4 40 GB").latencies.l1, 36);
    EXPECT_EQ(gpu("8800 GTX").latencies.l2, 0);
    for (const DeviceFacts& d : device_table()) {
        const Latencies& l = d.latencies;
        if (l.l1 > 0 && l.l2 > 0) {
            EXPECT_LT(l.l1, l.l2) << d.name;
        }
        if (l.l2 > 0 && l.dram > 0) {
            EXPECT_LT(l.l2, l.dram) << d.name;
        }
        EXPECT_EQ(l.source.empty(), l.l2 == 0 && l.l1 == 0 && l.shared == 0 && l.dram == 0) << d.name;
    }
}

TEST(CyclesModel, TheStaircaseOfAnH200) {
    const struct {
        int log2;
        double measured;
    } kSteps[] = {{12, 38.9}, {17, 38.9}, {19, 286}, {24, 287}, {25, 513}, {26, 657}, {30, 664}};
    for (const auto& step : kSteps) {
        const double model = cycles("cache-footprint", "footprint=2^" + std::to_string(step.log2));
        EXPECT_NEAR(model, step.measured, 0.03 * step.measured) << step.log2;
    }
}

TEST(CyclesModel, StaircasesOnlyRise) {
    for (const DeviceFacts& d : device_table()) {
        double before = 0;
        for (int log2 = 12; log2 <= 30; ++log2) {
            const double now = predicted("cache-footprint", "footprint=2^" + std::to_string(log2), d).value;
            if (d.latencies.dram <= 0 || d.latencies.l1 <= 0) continue;
            EXPECT_GE(now, before) << d.name << " 2^" << log2;
            before = now;
        }
    }
}

TEST(CyclesModel, ConstantWordsAreServedOneAfterTheOther) {  // measured: 34.9, 375.9 and 2,615 cycles
    EXPECT_NEAR(cycles("constant-lookup", "words=1"), 34.9, 0.5);
    EXPECT_NEAR(cycles("constant-lookup", "words=32,stride=1"), 375.9, 2);
    EXPECT_NEAR(cycles("constant-lookup", "words=32,stride=16"), 375.9, 2);
    EXPECT_NEAR(cycles("constant-lookup", "words=32,stride=32"), 2615, 25);
    EXPECT_NEAR(cycles("constant-lookup", "words=32,stride=64"), 2615, 25);
    EXPECT_EQ(cycles("constant-lookup", "mask=0"), 0);
}

TEST(CyclesModel, TheWaysToAnotherLaneAndAnotherBlock) {
    const double shuffle = cycles("register-shuffle", "way=shuffle"),
                 shared = cycles("register-shuffle", "way=shared"),
                 global = cycles("register-shuffle", "way=global");
    EXPECT_LT(shuffle, shared);
    EXPECT_LT(shared, global);
    const double own = cycles("cluster-shared", "place=own,stride=1"),
                 near = cycles("cluster-shared", "place=neighbour,cluster=2,distance=1,stride=1"),
                 far = cycles("cluster-shared", "place=neighbour,cluster=8,distance=1,stride=1"),
                 through = cycles("cluster-shared", "place=global,stride=1");
    EXPECT_NEAR(own, 30, 1);  // measured on an H200 and an H100: 30.0, 198.8, 216.8 to 220.8
    EXPECT_NEAR(near, 198.8, 1);
    EXPECT_NEAR(far, 219, 4);
    EXPECT_GT(through, far);
    EXPECT_NEAR(cycles("cluster-shared", "place=own,stride=32") - own, 31 * 2, 1e-9);  // 31 more wavefronts
}

TEST(CyclesModel, WhatIsNotKnownIsZero) {
    DeviceFacts unknown = gpu("8800 GTX");
    unknown.latencies = {};
    EXPECT_EQ(predicted("cache-footprint", "", unknown).value, 0);
    EXPECT_EQ(predicted("constant-lookup", "", gpu("8800 GTX")).value, 0);
}

TEST(Caches, EdgesBelongToScenariosThatCountBytes) {
    const Scenario& walk = *find_scenario("cache-footprint");
    const Params p = walk.info->defaults;
    const auto edges = cache_edges(walk, p, *find_knob(walk, "footprint"), gpu("H200"));
    ASSERT_EQ(edges.size(), 3u);
    EXPECT_EQ(edges[0].bytes, 248 << 10);
    EXPECT_EQ(edges[1].bytes, 30 << 20);
    EXPECT_EQ(edges[2].bytes, 60 << 20);
    EXPECT_EQ(cache_edges(walk, p, *find_knob(walk, "footprint"), gpu("V100")).size(), 2u);
    const Scenario& stride = *find_scenario("global-stride");
    EXPECT_TRUE(
        cache_edges(stride, stride.info->defaults, *find_knob(stride, "stride"), gpu("H200")).empty());
}

TEST(Caches, SharesFallFromOneToNothing) {
    EXPECT_EQ(share_that_hits(90, 100), 1);
    EXPECT_NEAR(share_that_hits(100, 100), 0.5, 1e-12);
    EXPECT_EQ(share_that_hits(110, 100), 0);
}

}  // namespace warplens::test::latencies_tests
