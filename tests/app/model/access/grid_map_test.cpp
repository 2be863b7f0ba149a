// The grid in cells: every cell against all of its requests one by one.
#include "app/model/access/grid_map.h"

#include "app/base/assets.h"
#include "tests/brute_map.h"
#include "tests/devices.h"
#include "tests/random_params.h"
#include "tests/sample.h"

#include <gtest/gtest.h>

namespace warplens::test::grid_map_tests {
namespace {

GridMap map_of(const char* id, std::initializer_list<std::pair<int Params::*, int>> values,
               int instruction = -1) {
    const Scenario& scenario = *find_scenario(id);
    Params params = scenario.info->defaults;
    for (const auto& [field, value] : values) params.*field = value;
    clamp_knobs(scenario, params);
    return map_grid(scenario, params, h200(), instruction);
}

/// How many requests there are to count one by one.
std::int64_t requests_of(const Scenario& scenario, const Params& params) {
    const LaunchShape shape = scenario.launch(params);
    std::int64_t all = 0;
    for (int k = 0; k < scenario.instruction_count(params); ++k)
        all += std::int64_t{steps_of(shape, scenario.instruction(params, k))} * shape.grid.x * shape.grid.y *
               warps_per_block(shape);
    return all;
}

TEST(GridMap, CellsTakeWhatTheirRequestsTakeOneByOne) {
    std::mt19937 random(11);
    const int trials = all_cases() ? 200 : 12;
    for (const Scenario& scenario : all_scenarios()) {
        int compared = 0;
        for (int trial = 0; trial < trials; ++trial) {
            const Params params = small_random_params(scenario, random);
            const DeviceFacts& device = trial % 5 == 4 ? gpu("GeForce GTX 980") : h200();
            const int instruction = static_cast<int>(random() % (scenario.instruction_count(params) + 1)) - 1;
            if (requests_of(scenario, params) > (all_cases() ? 4'000'000 : 400'000)) continue;
            SCOPED_TRACE(std::string(scenario.info->id) + " " + describe_settings(scenario, params) +
                         " instruction " + std::to_string(instruction));
            const GridMap map = map_grid(scenario, params, device, instruction);
            EXPECT_LE(map.counted, kMostOfMap);
            if (map.sampled) continue;
            expect_brute_map(scenario, params, device, map, instruction);
            if (testing::Test::HasFailure()) return;
            ++compared;
        }
        EXPECT_GT(compared, 0) << scenario.info->id;
    }
}

// The sums of all cells are those of the report, which has a test of its own.
TEST(GridMap, SumsAreThoseOfTheReport) {
    std::mt19937 random(12);
    for (const Scenario& scenario : all_scenarios()) {
        if (scenario.info->irregular) continue;  // whose report counts some blocks for all
        for (int trial = 0; trial < 10; ++trial) {
            const Params params = random_params(scenario, random);
            for (int k = 0; k < scenario.instruction_count(params); ++k) {
                const GridMap map = map_grid(scenario, params, h200(), k);
                if (map.sampled) continue;
                const Cost grid = cost_of(scenario.instruction(params, k),
                                          count_grid(scenario, params, k, h200()), h200().sector_rules);
                EXPECT_EQ(map.sums().cost, grid.cost) << scenario.info->id << " " << k;
                EXPECT_EQ(map.sums().ideal, grid.ideal) << scenario.info->id << " " << k;
                EXPECT_EQ(map.sums().requests, grid.requests) << scenario.info->id << " " << k;
                EXPECT_TRUE(map.columns <= kMapColumns && map.rows <= kMapRows);
            }
        }
    }
}

TEST(GridMap, IsAsSureAsTheCountsOfItsInstruction) {
    const Scenario& scenario = *find_scenario("atomic-histogram");
    const auto kind_with = [&](const char* settings) {
        return map_grid(scenario, preset_params(scenario, {"", settings}), h200(), 1).kind;
    };
    EXPECT_EQ(kind_with("memory=global,data=uniform"), Provenance::approximate);
    EXPECT_EQ(kind_with("memory=global,data=one"), Provenance::exact);
}

TEST(GridMap, AClickPicturesTheWorstOfACell) {
    std::mt19937 random(13);
    for (const Scenario& scenario : all_scenarios()) {
        for (int trial = 0; trial < 20; ++trial) {
            const Params params = small_random_params(scenario, random);
            const GridMap map = map_grid(scenario, params, h200(), -1);
            for (const GridCell& cell : map.cells) {
                const RequestSums::Worst& worst = cell.sums.worst;
                if (cell.sums.requests == 0) continue;
                const Params there = picture_worst(scenario, params, cell);
                const InstructionReport row = pictured_requests(scenario, there, h200())[worst.instruction];
                const Cost cost = cost_of(row.instruction, row.warp, h200().sector_rules);
                ASSERT_EQ(cost.cost, worst.cost)
                    << scenario.info->id << " " << describe_settings(scenario, params);
                ASSERT_EQ(cost.ideal, worst.ideal) << scenario.info->id;
            }
        }
    }
}

TEST(GridMap, MillionsOfEqualWarpsAreAlike) {
    const GridMap map = map_of("global-stride", {{&Params::stride, 8}, {&Params::elements_log2, 25}}, 0);
    EXPECT_TRUE(map.alike);
    EXPECT_EQ(map.warps(), 1 << 20);
    EXPECT_EQ(map.unit, "sectors");
    const RequestSums all = map.sums();
    EXPECT_EQ(all.least, 32);
    EXPECT_EQ(all.most, 32);
    EXPECT_EQ(all.most_ideal, 4);
    EXPECT_EQ(all.cost, std::int64_t{32} << 20);
    EXPECT_LT(map.counted, 100);
    EXPECT_EQ(map.kind, Provenance::exact);
}

// 1000 columns in tiles of 32: the last tile has 8 columns, of whose warps fewer lanes take part.
TEST(GridMap, ARaggedEdgeStandsInCellsOfItsOwn) {
    const GridMap map = map_of("transpose", {{&Params::matrix, 1000}}, 0);
    EXPECT_FALSE(map.alike);
    const GridCell &inner = map.cells.front(), &edge = map.cells[map.columns - 1];
    EXPECT_EQ(edge.blocks.x, 1);
    EXPECT_EQ(edge.first.x, 31);
    EXPECT_LT(edge.sums.most, inner.sums.least);
}

// Every step of the reduction halves the threads: only the first warp is active to the end.
TEST(GridMap, WarpsOfABlockHaveRowsWhereBlocksAreColumns) {
    const GridMap map = map_of("shared-reduction", {{&Params::blocks_log2, 10}});
    EXPECT_FALSE(map.alike);
    ASSERT_GT(map.rows, 1);
    EXPECT_EQ(map.cells.front().warps, 1);
    EXPECT_GT(map.cells.front().sums.requests / map.warps(map.cells.front()),
              map.cells.back().sums.requests / map.warps(map.cells.back()));
}

TEST(GridMap, AFewBlocksHaveACellForEachWarp) {
    const GridMap map = map_of("shared-tile", {{&Params::blocks_log2, 0}});
    EXPECT_EQ(map.rows, 1);
    EXPECT_EQ(map.columns, map.warps_per_block);
    for (const GridCell& cell : map.cells) EXPECT_EQ(map.warps(cell), 1);
}

// A picture that is drawn 16 times, in which every warp has texels of its own.
TEST(GridMap, AnImageThatIsDrawnAgainIsCountedOnce) {
    const GridMap map = map_of("texture-filter", {});
    EXPECT_FALSE(map.sampled);
    EXPECT_EQ(map.repeats, 16);
    EXPECT_EQ(map.counted, 512 * 512 / 32);
    EXPECT_EQ(map.kind, Provenance::approximate) << "how the four texels of a lane travel was not measured";
}

TEST(GridMap, NothingIsCountedOfRegisters) {
    const GridMap map = map_of("register-shuffle", {}, 0);
    if (!map.unit.empty()) GTEST_SKIP() << "its first instruction accesses memory";
    EXPECT_EQ(map.sums().requests, 0);
    EXPECT_EQ(map.worst, -1);
}

}  // namespace
}  // namespace warplens::test::grid_map_tests
