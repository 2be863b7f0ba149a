#include "kernels/scenarios/vector_add.h"

#include "tests/kernels/scenarios/counts.h"
#include "tests/random_params.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace warplens::test::vector_add_tests {
namespace {

std::int64_t sectors(const std::vector<std::string>& settings) {
    return report_of("vector-add", settings).instructions[0].warp.sectors;
}

// Whatever the block's shape and the order: every element once by each access, and nothing beyond the end.
TEST(VectorAdd, EveryElementIsTouchedOnce) {
    const Scenario& scenario = *find_scenario("vector-add");
    std::mt19937 random(17);
    for (int trial = 0; trial < 60; ++trial) {
        Params params = random_params(scenario, random);
        params.width = 1 + static_cast<int>(random() % 3000);
        const LaunchShape shape = scenario.launch(params);
        for (int instruction = 0; instruction < 3; ++instruction) {
            std::vector<int> visits(static_cast<std::size_t>(params.width));
            for (int block = 0; block < shape.grid.x; ++block) {
                for_each_access(scenario, params, instruction, {block, 0},
                                [&](std::uint64_t address) { ++visits.at(address / 4); });
            }
            for (const int count : visits) ASSERT_EQ(count, 1) << trial;
        }
    }
}

// The rule that the hardware follows, written down a second time: x first, then y, then z.
TEST(VectorAdd, LanesAreNumberedXFirstThenYThenZ) {
    Params params = VectorAdd::info.defaults;
    params.block_x = 4, params.block_y = 2, params.block_rows = 8;
    const LaunchShape shape = VectorAdd::launch(params);
    int thread = 0;
    for (int z = 0; z < 8; ++z) {
        for (int y = 0; y < 2; ++y) {
            for (int x = 0; x < 4; ++x, ++thread) {
                ASSERT_EQ(shape.block.x, 4);
                const ThreadId id{0, 0, thread % shape.block.x, thread / shape.block.x, 0};
                EXPECT_EQ(VectorAdd::access(params, 0, id).byte_address, 4u * unsigned(x + 4 * (y + 2 * z)));
                params.walk = static_cast<int>(ThreadOrder::z_first);
                EXPECT_EQ(VectorAdd::access(params, 0, id).byte_address, 4u * unsigned(z + 8 * (y + 2 * x)));
                params.walk = static_cast<int>(ThreadOrder::x_first);
            }
        }
    }
}

// By hand. 8 x 8 x 4, z first: lane i has x = i % 8, y = i / 8, so element 4 y + 32 x: for each x the four
// elements 16 bytes apart lie in 2 sectors.
TEST(VectorAdd, SectorsOfARequest) {
    EXPECT_EQ(sectors({}), 4);
    EXPECT_EQ(sectors({"block_x=8", "block_y=8", "block_z=4"}), 4);
    EXPECT_EQ(sectors({"block_x=8", "block_y=8", "block_z=4", "order=z-first"}), 16);
    EXPECT_EQ(sectors({"block_x=32", "block_y=1", "block_z=32", "order=z-first"}), 32);
    EXPECT_EQ(sectors({"block_x=1"}), 1) << "a block of one thread is a warp with one lane";
    EXPECT_EQ(sectors({"n=1000", "warp=31"}), 1) << "8 lanes are left, of 32 bytes";
}

// 1000 elements in blocks of 256: 32 warps, of which 31 are full and one has 8 lanes.
TEST(VectorAdd, TheGuardCutsTheLastWarp) {
    const Report report = report_of("vector-add", {"n=1000"});
    for (const InstructionReport& row : report.instructions) {
        EXPECT_EQ(row.grid.requests, 32);
        EXPECT_EQ(row.grid.sectors, 31 * 4 + 1);
        EXPECT_EQ(row.grid.bytes_used, 4000);
    }
    const Report few = report_of("vector-add", {"n=10"});  // the other seven warps have no lane
    EXPECT_EQ(few.instructions[0].grid.requests, 1);
}

// Read with Nsight Compute's counters on an H200 (driver 580, CUDA 13.0), 11 launches of both kernels:
// requests and sectors of the stores; those of the two loads were twice as many. Every output was right.
TEST(VectorAdd, AgreesWithTheCountersOfAnH200) {
    struct Row {
        int n, x, y, z;
        const char* order;
        std::int64_t requests, sectors;
    };
    for (const Row& row : {Row{1000000, 256, 1, 1, "x-first", 31250, 125000},
                           {1000, 256, 1, 1, "x-first", 32, 125},
                           {1000000, 8, 8, 4, "x-first", 31250, 125000},
                           {1000000, 8, 8, 4, "z-first", 31256, 500000},
                           {1000000, 32, 1, 32, "z-first", 31264, 1000000},
                           {1000000, 1, 1, 1, "x-first", 1000000, 1000000},
                           {999983, 4, 2, 8, "z-first", 31250, 249996},
                           {999983, 64, 4, 1, "z-first", 31252, 499992},
                           {123457, 16, 2, 16, "z-first", 3872, 123457},
                           {10, 256, 1, 1, "x-first", 1, 2},
                           {100000, 2, 2, 2, "z-first", 12500, 12500}}) {
        const auto set = [](const char* key, int value) { return key + std::to_string(value); };
        const Report report =
            report_of("vector-add", {set("n=", row.n), set("block_x=", row.x), set("block_y=", row.y),
                                     set("block_z=", row.z), std::string("order=") + row.order});
        for (const InstructionReport& access : report.instructions) {
            EXPECT_EQ(access.grid.requests, row.requests) << row.n << " " << row.x << " " << row.order;
            EXPECT_EQ(access.grid.sectors, row.sectors) << row.n << " " << row.x << " " << row.order;
        }
    }
}

TEST(VectorAdd, ABlockNeverHasMoreThanItMay) {
    const Scenario& scenario = *find_scenario("vector-add");
    std::mt19937 random(5);
    for (int trial = 0; trial < 300; ++trial) {
        const Params params = random_params(scenario, random);
        EXPECT_LE(params.block_x * params.block_y * params.block_rows, 1024);
        EXPECT_LE(params.block_rows, 64);
    }
}

}  // namespace
}  // namespace warplens::test::vector_add_tests
