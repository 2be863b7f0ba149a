#pragma once

#include "kernels/multiply_layout.h"

#include <cstdint>
#include <vector>

namespace warplens {

/// C = A * B for n x n matrices, computed by blocks of t x t threads that load tiles of t x t into shared
/// memory: which thread of one block reads which element at which step. What a thread loads, stores and
/// multiplies is taken from the scenario matrix-multiply, variant tiled
/// (kernels/scenarios/matrix_multiply.h). After figures 4.4 to 4.8 of Kirk and Hwu, Programming Massively
/// Parallel Processors, draft of chapter 4.
struct TileProduct {
    int matrix = 4;        ///< rows and columns of A, B and C [elements]
    int tile = 2;          ///< rows and columns of a tile [elements]; divides `matrix`
    int block_row = 0;     ///< row of the block that is followed, among the blocks
    int block_column = 0;  ///< column of the block that is followed, among the blocks

    int phases() const { return matrix / tile; }
    int threads() const { return tile * tile; }
    /// The position of a thread in its block: x along a row of C, y down.
    multiply::Cell place(int thread) const { return {thread / tile, thread % tile}; }
    /// The element of C that a thread computes.
    multiply::Cell result(int thread) const;
};

/// All threads of the block do this in one step.
enum class PhaseAct {
    load,         ///< each thread loads one element of A and one of B into shared memory
    wait_loaded,  ///< barrier, until both tiles are loaded
    multiply,     ///< each thread adds one product to its sum
    wait_used,    ///< barrier, until no thread needs the tiles any more
    store,        ///< each thread writes its sum to C
};

struct PhaseStep {
    PhaseAct act = PhaseAct::load;
    int phase = 0;  ///< counted from 0; for the store it is the last one
    int k = 0;      ///< for multiply the row of the tile of B and the column of that of A, otherwise 0
};

/// The steps of a product: in each phase a load, a barrier, `tile` multiplications and a barrier; at the end
/// the store.
constexpr int phase_steps(const TileProduct& product) {
    return product.matrix / product.tile * (product.tile + 3) + 1;
}
/// @param step  0 to phase_steps - 1.
PhaseStep phase_step(const TileProduct& product, int step);
/// The inverse: the number of a step.
int step_number(const TileProduct& product, const PhaseStep& step);

/// The elements that a thread handles in a load or a multiplication, and where they lie in the tiles.
struct PhaseTouch {
    multiply::Cell a, b;            ///< row and column in the matrices
    multiply::Cell tile_a, tile_b;  ///< row and column in As and Bs
};
/// @param step  a step that loads or multiplies.
PhaseTouch phase_touch(const TileProduct& product, const PhaseStep& step, int thread);

/// The number of accesses of single threads to single elements.
struct PhaseCounts {
    std::int64_t global_loads = 0;
    std::int64_t shared_stores = 0;
    std::int64_t shared_loads = 0;
    std::int64_t global_stores = 0;
    std::int64_t multiply_adds = 0;
    /// Without tiles each multiplication reads both factors from global memory.
    std::int64_t untiled_loads() const { return 2 * multiply_adds; }
};

/// The state of the block after a step.
struct PhaseMoment {
    PhaseStep step;
    std::vector<int> a_loads,
        b_loads;                      ///< by element, row * matrix + column: reads from global memory so far
    std::vector<int> a_uses, b_uses;  ///< the same for reads from shared memory
    /// By cell, row * tile + column: the element that lies there, or -1 if there is none.
    std::vector<int> shared_a, shared_b;
    int terms = 0;  ///< each sum contains the products for k = 0 to terms - 1
    bool stored = false;
    PhaseCounts counts;
};
/// @param step  0 to phase_steps - 1.
PhaseMoment phase_moment(const TileProduct& product, int step);

/// The same for the whole grid, all blocks to the end.
PhaseCounts grid_counts(const TileProduct& product);

}  // namespace warplens
