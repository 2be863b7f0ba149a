// Maps of typed kernels, which say themselves how their blocks repeat.
#include "app/model/access/grid_map.h"

#include "app/base/assets.h"
#include "app/experiment/typed_kernel.h"
#include "tests/app/typed/typed_examples.h"
#include "tests/brute_map.h"
#include "tests/devices.h"
#include "tests/random_params.h"

#include <gtest/gtest.h>

namespace warplens::test::typed_grid_map_tests {
namespace {

TEST(TypedGridMap, CellsTakeWhatTheirRequestsTakeOneByOne) {
    std::mt19937 random(4);
    for (const TypedExample& example : typed_examples()) {
        const Scenario& scenario = open_kernel(example.text, std::string(example.name) + ".cu");
        int compared = 0;
        for (int trial = 0; trial < 6; ++trial) {
            const Params params = random_params(scenario, random);
            if (!scenario.typed->problem(params).empty()) continue;
            SCOPED_TRACE(std::string(example.name) + " " + describe_settings(scenario, params));
            const int instruction = trial % 2 == 0 ? -1 : trial % scenario.instruction_count(params);
            const GridMap map = map_grid(scenario, params, h200(), instruction);
            EXPECT_TRUE(map.can_picture);
            if (map.sampled) continue;
            expect_brute_map(scenario, params, h200(), map, instruction);
            if (testing::Test::HasFailure()) return;
            ++compared;
        }
        EXPECT_GT(compared, 0) << example.name;
    }
}

// Thread i of n adds i elements: later blocks take longer, although each request is ideal.
TEST(TypedGridMap, ATriangleIsSeen) {
    const Scenario& scenario = open_kernel(
        "// launch grid=16 block=32\n"
        "__global__ void k(const float* a, float* b) {  // in float[512], out float[512]\n"
        "    float sum = 0;\n"
        "    for (int j = 0; j <= blockIdx.x; ++j) sum += a[32 * j + threadIdx.x];\n"
        "    b[32 * blockIdx.x + threadIdx.x] = sum; }",
        "triangle.cu");
    const GridMap map = map_grid(scenario, scenario.info->defaults, h200(), 0);
    EXPECT_FALSE(map.alike);
    EXPECT_EQ(map.worst, -1) << "no request takes more than its ideal";
    ASSERT_EQ(map.columns, 16);
    for (int i = 0; i < 16; ++i) EXPECT_EQ(map.cells[i].sums.requests, i + 1);
}

// Each block does something of its own, and there are too many of them to execute all.
TEST(TypedGridMap, ASampleSaysSo) {
    const Scenario& scenario = open_kernel(
        "// launch grid=100000 block=64\n"
        "__global__ void k(const int* index, float* b) {  // in int[6400000] random, out float[6400000]\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    b[(blockIdx.x * blockIdx.x % 977 + threadIdx.x * (blockIdx.x % 7)) % 6400000] = index[i]; }",
        "own.cu");
    const GridMap map = map_grid(scenario, scenario.info->defaults, h200(), -1);
    ASSERT_TRUE(map.sampled);
    EXPECT_EQ(map.kind, Provenance::approximate);
    EXPECT_FALSE(map.source.empty());
    EXPECT_LE(map.counted, kMostOfMap);
    EXPECT_EQ(map.warps(), 200'000);
    std::int64_t warps = 0;
    for (const GridCell& cell : map.cells) {
        warps += map.warps(cell);
        EXPECT_GT(cell.sums.requests, 0) << "each cell has warps that were counted";
        EXPECT_EQ(cell.sums.requests, 2 * map.warps(cell)) << "one load and one store of each warp";
    }
    EXPECT_EQ(warps, map.warps());
}

TEST(TypedGridMap, AKernelThatDoesWrongHasAnEmptyMap) {
    const Scenario& scenario = open_kernel(
        "// knob n = 4 in 1..8\n// launch grid=n block=32\n"
        "__global__ void k(float* b, int n) {  // out float[128]\n"
        "    b[blockIdx.x * 32 + threadIdx.x] = 1; }",
        "wrong.cu");
    const Params params = with_knob(scenario, scenario.info->defaults, *find_knob(scenario, "n"), 8);
    if (scenario.typed->problem(params).empty()) GTEST_SKIP() << "nothing is wrong with it";
    EXPECT_EQ(map_grid(scenario, params, h200(), -1).sums().requests, 0);
}

}  // namespace
}  // namespace warplens::test::typed_grid_map_tests
