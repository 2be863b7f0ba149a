#pragma once

#include "kernels/own/multiply_layout.h"

#include <cstdint>
#include <vector>

namespace warplens {

/// C = A * B, n x n, by blocks of t x t threads that fetch tiles of t x t through shared memory: who reads
/// which element when, for one block. Who loads, stores and multiplies what is asked of the scenario
/// matrix-multiply, variant tiled (kernels/scenarios/matrix_multiply.h). After figures 4.4 to 4.8 of Kirk and
/// Hwu, Programming Massively Parallel Processors, draft of chapter 4.
struct TileProduct {
    int matrix = 4;        ///< rows and columns of A, B and C [elements]
    int tile = 2;          ///< rows and columns of a tile [elements]; divides `matrix`
    int block_row = 0;     ///< of the block that is followed
    int block_column = 0;  ///< of the block that is followed

    int phases() const { return matrix / tile; }
    int threads() const { return tile * tile; }
    /// Place of a thread in its block: x along a row of C, y down.
    multiply::Cell place(int thread) const { return {thread / tile, thread % tile}; }
    /// Element of C that a thread computes.
    multiply::Cell result(int thread) const;
};

/// What all threads of the block do in one step.
enum class PhaseAct {
    load,         ///< each thread brings one element of A and one of B into shared memory
    wait_loaded,  ///< barrier: both tiles are there
    multiply,     ///< each thread adds one product to its sum
    wait_used,    ///< barrier: nobody needs the tiles any more
    store,        ///< each thread writes its sum to C
};

struct PhaseStep {
    PhaseAct act = PhaseAct::load;
    int phase = 0;  ///< from 0; of the store: the last one
    int k = 0;      ///< multiply: row of the tile of B and column of that of A; else 0
};

/// Steps of a product: per phase load, barrier, `tile` multiplications, barrier; at the end the store.
constexpr int phase_steps(const TileProduct& product) {
    return product.matrix / product.tile * (product.tile + 3) + 1;
}
/// @param step  0 to phase_steps - 1.
PhaseStep phase_step(const TileProduct& product, int step);
/// The inverse: number of a step.
int step_number(const TileProduct& product, const PhaseStep& step);

/// Elements that a thread deals with in a load or a multiplication, and where they lie in the tiles.
struct PhaseTouch {
    multiply::Cell a, b;            ///< of the matrices: row and column
    multiply::Cell tile_a, tile_b;  ///< of As and Bs
};
/// @param step  its act is load or multiply.
PhaseTouch phase_touch(const TileProduct& product, const PhaseStep& step, int thread);

/// Accesses of single threads to single elements.
struct PhaseCounts {
    std::int64_t global_loads = 0;
    std::int64_t shared_stores = 0;
    std::int64_t shared_loads = 0;
    std::int64_t global_stores = 0;
    std::int64_t multiply_adds = 0;
    /// Without tiles each multiplication reads both its factors from global memory.
    std::int64_t untiled_loads() const { return 2 * multiply_adds; }
};

/// How far the block has come once a step is done.
struct PhaseMoment {
    PhaseStep step;
    std::vector<int> a_loads,
        b_loads;                      ///< by element, row * matrix + column: reads from global memory so far
    std::vector<int> a_uses, b_uses;  ///< the same: reads from shared memory so far
    std::vector<int> shared_a, shared_b;  ///< by place, row * tile + column: element that lies there, or -1
    int terms = 0;                        ///< each sum consists of: k = 0 to terms - 1
    bool stored = false;
    PhaseCounts counts;
};
/// @param step  0 to phase_steps - 1.
PhaseMoment phase_moment(const TileProduct& product, int step);

/// What the whole grid does, all blocks to the end.
PhaseCounts grid_counts(const TileProduct& product);

}  // namespace warplens
