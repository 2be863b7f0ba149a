// What reaches the L2 and DRAM, against hardware counters of an H200 (driver 580, CUDA 13.0), each read of
// one launch that found the L2 empty.
#include "app/model/time/traffic.h"
#include "app/base/assets.h"
#include "app/model/counters/agreement.h"
#include "tests/devices.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace warplens::test::traffic_tests {

namespace {

/// Sectors as counted; 0: none worth mentioning.
struct Counted {
    const char* scenario;
    const char* settings;
    double l2_read, l2_written, dram_read, dram_written;
};

constexpr Counted kCounted[] = {
    {"global-stride", "op=load,stride=8", 33554432, 0, 33555328, 0},
    {"global-stride", "op=load,stride=12", 33554432, 0, 50332456, 0},
    {"global-stride", "op=load,stride=32", 33554432, 0, 67111208, 0},
    {"global-stride", "op=load,stride=64", 33554432, 0, 67111088, 0},
    {"global-stride", "op=store,stride=8", 0, 33554432, 33288000, 33035360},
    {"global-stride", "op=store,stride=16", 0, 33554432, 33411480, 33283648},
    {"global-stride", "op=store,stride=24", 0, 33554432, 33457632, 33380664},
    {"global-stride", "op=store,stride=32", 0, 33554432, 33483728, 33418920},
    {"global-stride", "op=store,stride=64", 0, 33554432, 33490928, 33412992},
    {"global-stride", "op=copy", 4194304, 4194304, 4194776, 3518648},
    {"global-stride", "op=copy,element=16", 16777216, 16777216, 16778968, 15968800},
    {"global-stride", "op=copy,stride=32", 33554432, 4194304, 67111056, 4132616},
    {"global-stride", "op=copy-both,stride=32", 33554432, 33554432, 100597768, 33469400},
    {"transpose", "variant=tile,matrix=1024", 131072, 131072, 131184, 0},
    {"shared-reduction", "", 131072, 4096, 131216, 0},
    {"texture-walk", "", 2097152, 0, 2097440, 0},
};

double expected(const ExpectedLaunch& launch, const char* metric) {
    const ExpectedCounter* counter = launch.find(metric);
    return counter == nullptr ? 0 : counter->expected;
}

Traffic traffic_of(const std::string& settings, const DeviceFacts& device) {
    const Scenario& scenario = *find_scenario("global-stride");
    const Params p = preset_params(scenario, {"", settings});
    return LaunchCounts(scenario, p, device).traffic(0);
}

}  // namespace

TEST(Traffic, ReachesTheL2AsCountedAndDramAlmost) {
    for (const Counted& counted : kCounted) {
        SCOPED_TRACE(std::string(counted.scenario) + " " + counted.settings);
        const Scenario& scenario = *find_scenario(counted.scenario);
        const ExpectedLaunch launch =
            expect_counters(scenario, preset_params(scenario, {"", counted.settings}), h200());
        EXPECT_EQ(expected(launch, "lts__t_sectors_srcunit_tex_op_read.sum"), counted.l2_read);
        EXPECT_EQ(expected(launch, "lts__t_sectors_srcunit_tex_op_write.sum"), counted.l2_written);
        EXPECT_NEAR(expected(launch, "dram__sectors_read.sum"), counted.dram_read, 0.02 * counted.dram_read);
        // Lines that are still in the L2 at the end: a few per cent of what is written, 16 % of a small copy.
        EXPECT_NEAR(expected(launch, "dram__sectors_write.sum"), counted.dram_written,
                    0.12 * counted.dram_written);
    }
}

TEST(Traffic, ReadsComeInPiecesOfTheFetchGranularity) {
    DeviceFacts device = h200();
    const double loads = 1 << 25;
    for (const int bytes : {32, 64, 128}) {
        device.fetch_bytes = bytes;
        EXPECT_EQ(traffic_of("op=load,stride=64", device).read, bytes * loads);
        EXPECT_EQ(traffic_of("op=load,stride=1", device).read, 4 * loads);
    }
}

TEST(Traffic, OnlySectorsThatAreWrittenInPartAreReadFirst) {
    EXPECT_EQ(traffic_of("op=store,stride=1", h200()).filled, 0);
    EXPECT_EQ(traffic_of("op=store,stride=1,offset=3", h200()).filled, 0) << "neighbours write the rest";
    EXPECT_EQ(traffic_of("op=store,element=16,stride=2", h200()).filled, 32.0 * (1 << 25));
    EXPECT_EQ(traffic_of("op=store,stride=64", h200()).filled, 32.0 * (1 << 25));
    const Traffic masked = traffic_of("op=store,mask=0x000000ff", h200());
    EXPECT_EQ(masked.filled, 0) << "eight lanes write a whole sector";
    EXPECT_EQ(masked.written, 32.0 * (1 << 20));
    EXPECT_EQ(traffic_of("op=store,mask=0x0000000f", h200()).filled, 32.0 * (1 << 20));
}

TEST(Traffic, RowsAreSharedByNeighboursOnly) {
    const double n = 1 << 25;
    EXPECT_NEAR(traffic_of("op=load,stride=1", h200()).read_rows,
                n * 4 * (1 / 128.0 + 1 / 256.0 + 1 / 512.0) / 3, 1);
    EXPECT_NEAR(traffic_of("op=load,stride=64", h200()).read_rows, n * (1 + 1 + 0.5) / 3, 1);
    EXPECT_NEAR(traffic_of("op=load,element=16,stride=64", h200()).read_rows, n, 1);
}

TEST(Traffic, TheL2KeepsWhatFits) {
    const double mega = 1 << 20;
    Traffic all;
    all.read = all.footprint = 30 * mega;
    all.read_lines = all.read / 128;
    EXPECT_EQ(beyond_l2(all, h200(), false).read, 0) << "warm: from the launch before";
    EXPECT_EQ(beyond_l2(all, h200(), true).read, all.read);
    Traffic stored;
    stored.written = stored.footprint = 8 * mega;
    stored.written_lines = stored.written / 128;
    EXPECT_EQ(beyond_l2(stored, h200(), true).written, 0) << "not yet written back";
    stored.footprint = 1000 * mega;
    EXPECT_EQ(beyond_l2(stored, h200(), false).written, stored.written);
}

}  // namespace warplens::test::traffic_tests
