#include "app/model/access/tile_phases.h"

#include "app/model/access/report.h"
#include "kernels/scenarios/matrix_multiply.h"

#include <gtest/gtest.h>

#include <map>
#include <utility>

namespace warplens::test::tile_phases_tests {
namespace {

using multiply::Cell;

/// Every product that the board can show, with blocks of all corners.
std::vector<TileProduct> products() {
    std::vector<TileProduct> all;
    for (int matrix = 2; matrix <= 16; ++matrix) {
        for (int tile = 1; tile <= 8; ++tile) {
            if (matrix % tile != 0) continue;
            const int last = matrix / tile - 1;
            all.push_back({matrix, tile, 0, 0});
            if (last > 0) all.push_back({matrix, tile, last, last / 2});
        }
    }
    return all;
}

int number_of(Cell cell, int columns) { return cell.row * columns + cell.column; }

/// What the matrices hold: small whole numbers, all different in a row and in a column.
int value_a(int row, int k) { return 3 * row + 7 * k + 1; }
int value_b(int k, int column) { return 5 * k - 2 * column + 4; }

/// One block, executed with real numbers in real shared memory.
std::map<std::pair<int, int>, int> run_block(const TileProduct& product) {
    std::map<int, int> shared_a, shared_b;
    std::vector<int> sums(static_cast<std::size_t>(product.threads()), 0);
    std::map<std::pair<int, int>, int> results;
    for (int i = 0; i < phase_steps(product); ++i) {
        const PhaseStep step = phase_step(product, i);
        for (int thread = 0; thread < product.threads(); ++thread) {
            int& sum = sums[static_cast<std::size_t>(thread)];
            if (step.act == PhaseAct::store) {
                const Cell cell = product.result(thread);
                EXPECT_TRUE(results.emplace(std::pair(cell.row, cell.column), sum).second);
            }
            if (step.act != PhaseAct::load && step.act != PhaseAct::multiply) continue;
            const PhaseTouch touch = phase_touch(product, step, thread);
            int& a = shared_a[number_of(touch.tile_a, product.tile)];
            int& b = shared_b[number_of(touch.tile_b, product.tile)];
            if (step.act == PhaseAct::load) {
                a = value_a(touch.a.row, touch.a.column);
                b = value_b(touch.b.row, touch.b.column);
            } else {
                EXPECT_EQ(a, value_a(touch.a.row, touch.a.column))
                    << "the tile holds what is said to lie there";
                EXPECT_EQ(b, value_b(touch.b.row, touch.b.column));
                sum += a * b;
            }
        }
    }
    return results;
}

TEST(TilePhases, TheBlocksTogetherMultiplyTheMatrices) {
    for (int matrix = 2; matrix <= 16; ++matrix) {
        for (int tile = 1; tile <= 8; ++tile) {
            if (matrix % tile != 0) continue;
            std::size_t cells = 0;
            for (int block = 0; block < matrix / tile * (matrix / tile); ++block) {
                const int across = matrix / tile;
                for (const auto& [cell, sum] : run_block({matrix, tile, block / across, block % across})) {
                    int expected = 0;
                    for (int k = 0; k < matrix; ++k)
                        expected += value_a(cell.first, k) * value_b(k, cell.second);
                    EXPECT_EQ(sum, expected) << matrix << " in tiles of " << tile;
                    ++cells;
                }
            }
            EXPECT_EQ(cells, static_cast<std::size_t>(matrix * matrix)) << "each element is stored once";
        }
    }
}

TEST(TilePhases, EachElementIsLoadedOnceAndUsedOnceByEachThreadOfARow) {
    for (const TileProduct& product : products()) {
        const PhaseMoment end = phase_moment(product, phase_steps(product) - 1);
        for (int row = 0; row < product.matrix; ++row) {
            for (int column = 0; column < product.matrix; ++column) {
                const auto i = static_cast<std::size_t>(number_of({row, column}, product.matrix));
                const bool a = row / product.tile == product.block_row,
                           b = column / product.tile == product.block_column;
                EXPECT_EQ(end.a_loads[i], a ? 1 : 0);
                EXPECT_EQ(end.b_loads[i], b ? 1 : 0);
                EXPECT_EQ(end.a_uses[i], a ? product.tile : 0);
                EXPECT_EQ(end.b_uses[i], b ? product.tile : 0);
            }
        }
        EXPECT_EQ(end.terms, product.matrix);
        EXPECT_TRUE(end.stored);
        EXPECT_EQ(end.counts.global_stores, product.threads());
    }
}

TEST(TilePhases, CountsAreTheSumsOfTheElements) {
    for (const TileProduct& product : products()) {
        for (int i = 0; i < phase_steps(product); i += 1 + i / 5) {
            const PhaseMoment now = phase_moment(product, i);
            std::int64_t loads = 0, uses = 0;
            for (std::size_t e = 0; e < now.a_loads.size(); ++e) {
                loads += now.a_loads[e] + now.b_loads[e];
                uses += now.a_uses[e] + now.b_uses[e];
            }
            EXPECT_EQ(now.counts.global_loads, loads);
            EXPECT_EQ(now.counts.shared_stores, loads);
            EXPECT_EQ(now.counts.shared_loads, uses);
            EXPECT_EQ(now.counts.untiled_loads(), uses)
                << "every read of a tile replaces one of global memory";
            EXPECT_EQ(now.counts.multiply_adds, std::int64_t{now.terms} * product.threads());
        }
    }
}

TEST(TilePhases, TilesCutTheTrafficByTheirWidth) {
    for (const TileProduct& product : products()) {
        const PhaseCounts grid = grid_counts(product);
        const std::int64_t n = product.matrix;
        EXPECT_EQ(grid.untiled_loads(), 2 * n * n * n);
        EXPECT_EQ(grid.global_loads * product.tile, grid.untiled_loads());
        EXPECT_EQ(grid.global_loads, 2 * n * n * product.phases()) << "matrix / tile for each element";
        EXPECT_EQ(grid.global_stores, n * n);
    }
}

// The board's own claim about "without tiles", checked by the scenario's naive variant, access by access.
TEST(TilePhases, WithoutTilesEachElementIsLoadedAsOftenAsTheMatrixIsWide) {
    Params p = MatrixMultiply::info.defaults;
    p.variant = static_cast<int>(Multiply::naive);
    p.matrix = 8;
    p.tile = 4;
    std::map<std::uint64_t, int> a, b;
    std::int64_t loads = 0;
    for (int thread = 0; thread < p.matrix * p.matrix; ++thread) {
        for (int k = 0; k < p.matrix; ++k) {
            const int x = thread % p.matrix, y = thread / p.matrix;
            const ThreadId id{x / p.tile, y / p.tile, x % p.tile, y % p.tile, k};
            ++a[MatrixMultiply::access(p, MatrixMultiply::load_a, id).byte_address];
            ++b[MatrixMultiply::access(p, MatrixMultiply::load_b, id).byte_address];
            loads += 2;
        }
    }
    for (const auto& [address, times] : a) EXPECT_EQ(times, p.matrix) << address;
    for (const auto& [address, times] : b) EXPECT_EQ(times, p.matrix) << address;
    EXPECT_EQ(loads, grid_counts({.matrix = 8, .tile = 4}).untiled_loads());
}

/// Loads and stores of single elements by single threads in one instruction of the scenario, over the whole
/// grid. An instruction may move several elements.
std::int64_t accesses(const Params& params, MatrixMultiply::Index instruction) {
    DeviceFacts device;
    device.cc = {9, 0};
    const Scenario& scenario = *find_scenario("matrix-multiply");
    return kWarpLanes * count_grid(scenario, params, instruction, device).instructions *
           MatrixMultiply::instruction(params, instruction).bytes_per_lane / MatrixMultiply::kBytes;
}

TEST(TilePhases, CountWhatTheScenarioCountsAtItsSmallest) {
    Params params = MatrixMultiply::info.defaults;
    params.variant = static_cast<int>(Multiply::tiled);
    params.matrix = MatrixMultiply::kMatrices[0].value;
    params.tile = MatrixMultiply::kTiles[0].value;
    params.padding = 0;
    const PhaseCounts grid = grid_counts({.matrix = params.matrix, .tile = params.tile});
    const auto both = [&](MatrixMultiply::Index a, MatrixMultiply::Index b) {
        return accesses(params, a) + accesses(params, b);
    };
    EXPECT_EQ(grid.global_loads, both(MatrixMultiply::load_a, MatrixMultiply::load_b));
    EXPECT_EQ(grid.shared_stores, both(MatrixMultiply::store_tile_a, MatrixMultiply::store_tile_b));
    EXPECT_EQ(grid.shared_loads, both(MatrixMultiply::load_tile_a, MatrixMultiply::load_tile_b));
    EXPECT_EQ(grid.global_stores, accesses(params, MatrixMultiply::store_c));
}

TEST(TilePhases, StepsAreNumberedInOrder) {
    for (const TileProduct& product : products()) {
        for (int i = 0; i < phase_steps(product); ++i)
            EXPECT_EQ(step_number(product, phase_step(product, i)), i);
        EXPECT_EQ(phase_step(product, phase_steps(product) - 1).act, PhaseAct::store);
    }
}

// Kirk and Hwu, Programming Massively Parallel Processors, draft of chapter 4, figures 4.5 and 4.6: 4 x 4 in
// tiles of 2 x 2, block (0, 0). They write column before row: their Md1,0 is our A[0,1].
TEST(TilePhases, AreThoseOfTheTextbook) {
    const TileProduct product{.matrix = 4, .tile = 2};
    constexpr int kThread = 1;  // thread (1, 0)
    struct Row {
        int phase;
        Cell md, nd, mds;     // loaded, and where to
        Cell m0, n0, m1, n1;  // multiplied: two pairs
    };
    const Row rows[] = {{0, {0, 1}, {0, 1}, {0, 1}, {0, 0}, {0, 1}, {0, 1}, {1, 1}},
                        {1, {0, 3}, {2, 1}, {0, 1}, {0, 2}, {2, 1}, {0, 3}, {3, 1}}};
    const auto same = [](Cell x, Cell y) { return x.row == y.row && x.column == y.column; };
    for (const Row& row : rows) {
        const PhaseTouch load = phase_touch(product, {PhaseAct::load, row.phase, 0}, kThread);
        EXPECT_TRUE(same(load.a, row.md) && same(load.b, row.nd));
        EXPECT_TRUE(same(load.tile_a, row.mds) && same(load.tile_b, row.mds));
        const PhaseTouch first = phase_touch(product, {PhaseAct::multiply, row.phase, 0}, kThread),
                         second = phase_touch(product, {PhaseAct::multiply, row.phase, 1}, kThread);
        EXPECT_TRUE(same(first.a, row.m0) && same(first.b, row.n0));
        EXPECT_TRUE(same(second.a, row.m1) && same(second.b, row.n1));
    }
    const PhaseCounts block = phase_moment(product, phase_steps(product) - 1).counts;
    EXPECT_EQ(block.global_loads, 16);
    EXPECT_EQ(block.untiled_loads(), 32) << "every element twice during the execution of block (0, 0)";
}

}  // namespace
}  // namespace warplens::test::tile_phases_tests
