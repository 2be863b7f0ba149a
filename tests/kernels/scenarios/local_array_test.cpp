#include "kernels/scenarios/local_array.h"

#include "app/model/access/report.h"

#include <gtest/gtest.h>

#include <set>

namespace warplens::test::local_array_tests {

namespace {

using Index = LocalArray::Index;

Params setting(Index index, int words = 32, int stride = 1) {
    return {.stride = stride, .blocks_log2 = 3, .variant = static_cast<int>(index), .array_words = words};
}

Report report_of(const Params& params) { return analyze(*find_scenario("local-array"), params, {}); }

}  // namespace

TEST(LocalArray, SectorsOfARequest) {
    struct Example {
        Index index;
        int words, stride, sectors, lines;
    };
    for (const Example& e :
         {Example{Index::uniform, 8, 1, 4, 1}, Example{Index::uniform, 128, 7, 4, 1},
          Example{Index::different, 32, 1, 32, 32}, Example{Index::different, 8, 1, 32, 8},
          Example{Index::different, 128, 32, 16, 4}, Example{Index::different, 32, 4, 32, 8},
          Example{Index::different, 32, 8, 16, 4}, Example{Index::different, 32, 16, 8, 2},
          Example{Index::different, 32, 32, 4, 1}, Example{Index::different, 32, 31, 32, 32}}) {
        const Report report = report_of(setting(e.index, e.words, e.stride));
        ASSERT_EQ(report.instructions.size(), 2u);
        for (const InstructionReport& row : report.instructions) {
            EXPECT_EQ(row.warp.sectors, e.sectors) << e.words << " words, stride " << e.stride;
            EXPECT_EQ(row.warp.lines, e.lines) << e.words << " words, stride " << e.stride;
            EXPECT_EQ(row.warp.ideal_sectors, 4);
        }
    }
}

TEST(LocalArray, AKnownIndexTouchesNoMemory) {
    const Params params = setting(Index::known);
    const Report report = report_of(params);
    EXPECT_EQ(report.shape.local_bytes, 0);
    for (const InstructionReport& row : report.instructions) {
        EXPECT_EQ(row.instruction.space, Space::registers);
        EXPECT_EQ(row.grid.sectors, 0);
        EXPECT_EQ(row.grid.bytes_moved, 0);
    }
}

TEST(LocalArray, EveryThreadStoresAndLoadsEachWordOnce) {
    for (const int words : {8, 64}) {
        for (const int stride : {1, 3, 32}) {
            const Params params = setting(Index::different, words, stride);
            const LaunchShape shape = LocalArray::launch(params);
            EXPECT_EQ(shape.local_bytes, words * 4);
            for (const int thread : {0, 1, 30, 31, 255}) {
                std::set<std::uint64_t> stored;
                for (int step = 0; step < shape.steps; ++step) {
                    const ThreadId id{.x = thread, .step = step};
                    stored.insert(LocalArray::access(params, 0, id).byte_address);
                    EXPECT_EQ(LocalArray::access(params, 0, id).byte_address,
                              LocalArray::access(params, 1, id).byte_address);
                }
                EXPECT_EQ(stored.size(), static_cast<std::size_t>(words));
                EXPECT_EQ(*stored.rbegin(), static_cast<std::uint64_t>(words) * 4 - 4);
            }
        }
    }
}

TEST(LocalArray, TheGridIsTheWarpTimesWarpsStepsAndBlocks) {
    const Report report = report_of(setting(Index::different, 64, 5));
    for (const InstructionReport& row : report.instructions) {
        EXPECT_EQ(row.block, row.warp * (8 * 64));
        EXPECT_EQ(row.grid, row.block * 8);
    }
}

}  // namespace warplens::test::local_array_tests
