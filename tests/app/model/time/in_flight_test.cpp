// Little's law against what an H200 took, and against itself.
#include "app/model/time/in_flight.h"

#include "app/experiment/devices.h"
#include "app/experiment/settings.h"
#include "kernels/scenarios/latency_hiding.h"
#include "tests/devices.h"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

namespace warplens::test::in_flight_tests {
namespace {

const Scenario& scenario() { return *find_scenario("latency-hiding"); }

Params of(int warps, int loads, int bytes, int footprint_log2 = 28) {
    Params p = scenario().info->defaults;
    p.block_y = warps, p.live_values = loads, p.element_bytes = bytes, p.footprint_log2 = footprint_log2;
    return p;
}

TEST(InFlight, IsWarpsTimesLanesTimesLoadsTimesBytes) {
    EXPECT_EQ(bytes_in_flight(scenario(), of(1, 1, 4), h200(), false).now, 128);
    EXPECT_EQ(bytes_in_flight(scenario(), of(64, 1, 4), h200(), false).now, 8192);
    EXPECT_EQ(bytes_in_flight(scenario(), of(16, 4, 4), h200(), false).now, 8192);
    EXPECT_EQ(bytes_in_flight(scenario(), of(16, 1, 16), h200(), false).now, 8192);
    EXPECT_EQ(bytes_in_flight(scenario(), of(8, 4, 16), h200(), false).now, 16384);
    // By hand: 0.95 x 4,800 GB/s over 132 SMs of 1,980 MHz are 17.447 bytes per cycle; 663 + 77 cycles.
    const InFlight one = bytes_in_flight(scenario(), of(1, 1, 4), h200(), false);
    EXPECT_NEAR(one.needed, 17.447 * 740, 2);
    EXPECT_TRUE(one.memory_waits());
    EXPECT_FALSE(bytes_in_flight(scenario(), of(32, 8, 16), h200(), false).memory_waits());
}

/// Times of an H200 (driver 580.159, CUDA 13.0, 24 November 2026), the median of 8 launches [GB/s].
// By hand: a tile of 4 KiB takes 862 cycles to come, and a block uses it for 550. Three of one block would
// take turns of 471 cycles, but it uses them one after the other; two are as far as the latency allows.
TEST(InFlight, WhatIsBeingUsedIsNotOnItsWay) {
    const Scenario& tiles = *find_scenario("async-copy");
    for (const auto& [blocks, stages, cycles] :
         {std::tuple(1, 3, 550.0), std::tuple(1, 1, 862 + 550.0), std::tuple(1, 2, 1412 / 2.0)}) {
        Params p = tiles.info->defaults;
        p.blocks_per_sm = blocks;
        p.distance = stages;
        const InFlight flight = bytes_in_flight(tiles, p, h200(), false);
        EXPECT_NEAR(flight.latency_cycles, 862, 0.5);
        EXPECT_NEAR(flight.own_cycles, 550, 0.5);
        EXPECT_NEAR(flight.now, 4096 * 862 / cycles, 10) << "bytes of a tile × latency / cycles of a tile";
        EXPECT_NEAR(flight.needed, 17.447 * 862, 5) << "Little's law: bandwidth × latency";
    }
}

TEST(InFlight, PredictsWhatAnH200TookWithinAnEighth) {
    struct Row {
        int warps, loads, bytes;
        double gb_per_s;
    };
    for (const Row& row :
         {Row{1, 1, 4, 46}, Row{1, 8, 4, 279}, Row{1, 8, 16, 931}, Row{8, 1, 4, 375}, Row{8, 4, 4, 1126},
          Row{8, 1, 16, 1290}, Row{8, 8, 16, 3887}, Row{16, 4, 8, 3296}, Row{32, 1, 4, 1392},
          Row{32, 2, 16, 3946}, Row{48, 1, 8, 3228}, Row{64, 1, 4, 2463}, Row{64, 8, 4, 4023},
          Row{24, 2, 4, 1781}, Row{2, 4, 16, 1049}, Row{4, 2, 8, 638}}) {
        const Prediction predicted = predict(scenario(), of(row.warps, row.loads, row.bytes), h200());
        EXPECT_NEAR(predicted.value / row.gb_per_s, 1, 0.125)
            << row.warps << " warps, " << row.loads << " loads of " << row.bytes << " bytes";
    }
}

TEST(InFlight, MoreOnItsWayIsNeverSlowerAndNeverFasterThanItsShare) {
    for (const int bytes : {4, 8, 16}) {
        for (const int loads : {1, 2, 4, 8}) {
            double before = 0;
            int warps_before = 0;
            for (const Choice& warps : LatencyHiding::kWarps) {
                Params p = of(warps.value, loads, bytes);
                clamp_knobs(scenario(), p);
                if (p.live_values != loads) continue;
                const double now = predict(scenario(), p, h200()).value;
                EXPECT_GE(now, before * 0.999);
                if (warps_before > 0) {
                    // A launch has an overhead of its own, which weighs less in a longer one.
                    EXPECT_LE(now / before, 1.01 * warps.value / warps_before);
                }
                before = now, warps_before = warps.value;
            }
            EXPECT_LT(before, h200().peak_gb_per_s);
        }
    }
}

TEST(InFlight, WhatTheL2KeepsTakesItsLatency) {
    const InFlight warm = bytes_in_flight(scenario(), of(1, 1, 4, 20), h200(), false),
                   cold = bytes_in_flight(scenario(), of(1, 1, 4, 20), h200(), true);
    EXPECT_TRUE(warm.from_l2);
    EXPECT_FALSE(cold.from_l2);
    EXPECT_LT(warm.latency_cycles, cold.latency_cycles / 2);
}

TEST(InFlight, NothingIsSaidOfDevicesWithoutLatencies) {
    DeviceFacts unknown = h200();
    unknown.latencies = {};
    EXPECT_EQ(predict(scenario(), of(8, 1, 4), unknown).value, 0);
    EXPECT_EQ(bytes_in_flight(scenario(), of(8, 1, 4), DeviceFacts{}, false).now, 0);
    EXPECT_EQ(average_in_flight(1000, DeviceFacts{}, false).now, 0);
}

TEST(InFlight, OnAverageIsSpeedTimesLatency) {
    const InFlight all = average_in_flight(0.95 * h200().peak_gb_per_s, h200(), false);
    EXPECT_NEAR(all.now, all.needed, 1e-6);
    EXPECT_NEAR(average_in_flight(0.475 * h200().peak_gb_per_s, h200(), false).now, all.needed / 2, 1e-6);
}

TEST(LatencyHiding, EveryElementIsReadOnceInWholeRounds) {
    for (const Params& p : {of(3 * 4, 2, 8, 16), of(64, 4, 16, 22), of(1, 8, 4, 18)}) {
        const LaunchShape shape = scenario().launch(p);
        std::vector<int> visits(static_cast<std::size_t>(shape.buffer_bytes[0] / p.element_bytes));
        for (int block = 0; block < shape.grid.x; ++block)
            for (int step = 0; step < shape.steps; ++step)
                for (int y = 0; y < shape.block.y; ++y)
                    for (int x = 0; x < shape.block.x; ++x) {
                        const LaneAccess access = LatencyHiding::access(p, 0, {block, 0, x, y, step});
                        ++visits[access.byte_address / static_cast<std::uint64_t>(p.element_bytes)];
                    }
        for (const int times : visits) ASSERT_EQ(times, 1);
        EXPECT_EQ(shape.grid.x * shape.block.y, LatencyHiding::kSms * p.block_y);
    }
}

}  // namespace
}  // namespace warplens::test::in_flight_tests
