#include "tests/kernels/scenarios/counts.h"
#include "tests/random_params.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace warplens::test::global_matrix_tests {
namespace {

// 16384 x 16384 floats, blocks of 32 x 32: NVIDIA's blog on unlocking GPU memory performance.
TEST(GlobalMatrix, AgreesWithPublishedCounts) {
    for (const auto& [walk, sectors] : {std::pair{"walk=rows", 33'554'432}, {"walk=columns", 268'435'456}}) {
        const Report report =
            report_of("global-matrix", {walk, "width=16384", "height=16384", "block_x=32", "block_y=32"});
        EXPECT_EQ(report.instructions[0].grid.requests, 8'388'608);
        EXPECT_EQ(report.instructions[0].grid.sectors, sectors);
    }
}

TEST(GlobalMatrix, EveryElementIsTouchedOnceAndNoPaddingIs) {
    const Scenario& scenario = *find_scenario("global-matrix");
    std::mt19937 random(11);
    for (int trial = 0; trial < 60; ++trial) {
        Params params = random_params(scenario, random);
        params.width = 1 + static_cast<int>(random() % 70);
        params.height = 1 + static_cast<int>(random() % 70);
        const LaunchShape shape = scenario.launch(params);
        const auto bytes = static_cast<std::size_t>(shape.buffer_bytes[params.operation]);
        std::vector<int> visits(bytes / static_cast<std::size_t>(params.element_bytes));
        for (int y = 0; y < shape.grid.y; ++y) {
            for (int x = 0; x < shape.grid.x; ++x) {
                for_each_access(scenario, params, 0, {x, y}, [&](std::uint64_t address) {
                    ++visits[address / static_cast<std::uint64_t>(params.element_bytes)];
                });
            }
        }
        const int pitch = params.width + params.padding;
        for (std::size_t i = 0; i < visits.size(); ++i) {
            ASSERT_EQ(visits[i], static_cast<int>(i) % pitch < params.width ? 1 : 0) << trial;
        }
    }
}

TEST(GlobalMatrix, NarrowBlocksShareASectorByTheRow) {
    // Sectors of one request: each row of the block needs its own, 8 floats fill one.
    for (const auto& [settings, sectors] :
         {std::pair<std::vector<std::string>, int>{{"block_x=8", "block_y=32"}, 4},
          {{"block_x=4", "block_y=32"}, 8},
          {{"block_x=1", "block_y=32"}, 32},
          {{"walk=columns", "block_x=4", "block_y=8"}, 4},
          {{"block_x=8", "block_y=2"}, 2}}) {
        EXPECT_EQ(report_of("global-matrix", settings).instructions[0].warp.sectors, sectors) << settings[0];
    }
}

TEST(GlobalMatrix, PaddingAlignsTheRowsOfAnOddWidth) {
    // Blocks of 32 x 8, 4095 columns: row r starts 4 r bytes before a multiple of 32, so 7 of 8 rows need a
    // fifth sector. The last request of a row has 31 lanes, which is as many sectors less as it needs.
    const Totals odd = report_of("global-matrix", {"width=4095"}).instructions[0].grid;
    const Totals padded = report_of("global-matrix", {"width=4095", "padding=1"}).instructions[0].grid;
    EXPECT_EQ(odd.requests, padded.requests);
    EXPECT_EQ(padded.sectors, 4 * padded.requests);
    EXPECT_GT(static_cast<double>(odd.sectors), 4.86 * static_cast<double>(odd.requests));
    EXPECT_LT(static_cast<double>(odd.sectors), 4.88 * static_cast<double>(odd.requests));
}

}  // namespace
}  // namespace warplens::test::global_matrix_tests
