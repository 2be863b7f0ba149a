#pragma once

#include "kernels/host_device.h"
#include "kernels/params.h"

// Which elements the threads of the scenario matrix-multiply compute, and where they store the tiles of A and
// B. Matrices are n x n floats, stored row by row: C(row, column) = sum over k of A(row, k) * B(k, column).

namespace warplens {

enum class Multiply : int {
    naive,              ///< one thread for each element of C; neighbouring lanes compute elements of one row
    naive_uncoalesced,  ///< the same, but neighbouring lanes compute elements of one column
    tiled,              ///< the block loads square tiles of A and B into shared memory first
    tiled_transposed,   ///< the same, with A's tile transposed in shared memory
    register_blocked,   ///< each thread computes 4 x 4 or 8 x 8 elements from values in its registers
    vectorized,         ///< the same, with 16 bytes per access (float4)
};

namespace multiply {

struct Cell {
    int row = 0, column = 0;
};

WARPLENS_HD constexpr Multiply variant(const Params& p) { return static_cast<Multiply>(p.variant); }
WARPLENS_HD constexpr bool is_naive(const Params& p) { return variant(p) <= Multiply::naive_uncoalesced; }
WARPLENS_HD constexpr bool is_blocked(const Params& p) { return variant(p) >= Multiply::register_blocked; }

/// The number of elements that one access to global memory or to a tile moves. A's tile is always stored one
/// by one.
WARPLENS_HD constexpr int width(const Params& p) { return variant(p) == Multiply::vectorized ? 4 : 1; }
/// Threads of a block, the same in x and in y.
WARPLENS_HD constexpr int across(const Params& p) { return is_blocked(p) && p.tile > 16 ? 16 : p.tile; }
/// Rows and columns of C that one thread computes.
WARPLENS_HD constexpr int per_thread(const Params& p) { return !is_blocked(p) ? 1 : p.tile > 16 ? 8 : 4; }
/// Rows and columns of C that one block computes.
WARPLENS_HD constexpr int block_tile(const Params& p) { return across(p) * per_thread(p); }
/// How many k are loaded at once.
WARPLENS_HD constexpr int depth(const Params& p) { return !is_blocked(p) ? p.tile : p.tile == 16 ? 16 : 8; }
/// The number of accesses in which one thread loads its share of one tile.
WARPLENS_HD constexpr int pieces(const Params& p) {
    return block_tile(p) * depth(p) / (across(p) * across(p) * width(p));
}
/// Double buffering: one pair of tiles is filled while the other one is used.
WARPLENS_HD constexpr int buffers(const Params& p) { return is_blocked(p) ? 2 : 1; }

/// The index of an element in a matrix [elements].
WARPLENS_HD constexpr int element(const Params& p, int row, int column) { return row * p.matrix + column; }

// The indices of elements of the tiles in shared memory follow.
/// The distance between two rows of A's tile; 16-byte accesses need a multiple of 16 bytes.
WARPLENS_HD constexpr int pitch(const Params& p) {
    return block_tile(p) + (p.padding + width(p) - 1) / width(p) * width(p);
}
/// How many neighbours in a row of A's tile one load moves in the variant tiled: nvcc joins the loads of a
/// row as far as the alignment of rows allows. In the other variants A's tile is stored by columns.
WARPLENS_HD constexpr int joined(const Params& p) {
    if (variant(p) != Multiply::tiled) return 1;
    return pitch(p) % 4 == 0 ? 4 : pitch(p) % 2 == 0 ? 2 : 1;
}
WARPLENS_HD constexpr int buffer_elements(const Params& p) { return depth(p) * (pitch(p) + block_tile(p)); }
WARPLENS_HD constexpr int tile_a(const Params& p, int buffer, int row, int k) {
    const bool by_rows = variant(p) == Multiply::tiled;
    return buffer * buffer_elements(p) + (by_rows ? row * pitch(p) + k : k * pitch(p) + row);
}
WARPLENS_HD constexpr int tile_b(const Params& p, int buffer, int k, int column) {
    return buffer * buffer_elements(p) + depth(p) * pitch(p) + k * block_tile(p) + column;
}

// The positions of threads follow.
/// The row and the k in A's tile that a thread loads with its access number i.
WARPLENS_HD constexpr Cell piece_of_a(const Params& p, int thread, int i) {
    const int element = (i * across(p) * across(p) + thread) * width(p);
    return {element / depth(p), element % depth(p)};
}
/// The k and the column in B's tile that a thread loads with its access number i.
WARPLENS_HD constexpr Cell piece_of_b(const Params& p, int thread, int i) {
    const int element = (i * across(p) * across(p) + thread) * width(p);
    return {element / block_tile(p), element % block_tile(p)};
}
/// The position of a thread among the threads that compute a tile of C. For 16-byte loads a warp covers 8
/// columns and 4 rows, in an order in which neighbouring lanes load the same element of B and lanes two apart
/// load the same element of A: the hardware merges such requests.
WARPLENS_HD constexpr Cell place(const Params& p, int thread) {
    if (variant(p) != Multiply::vectorized) return {thread / across(p), thread % across(p)};
    const int lane = thread % 32, warp = thread / 32, warps_across = across(p) / 8;
    return {warp / warps_across * 4 + lane % 2 + lane / 16 * 2, warp % warps_across * 8 + lane / 2 % 8};
}
/// The row (or column) in C's tile of a thread's value number i; `at` is the row (or column) of the thread's
/// position.
WARPLENS_HD constexpr int value_at(const Params& p, int at, int i) {
    return i / width(p) * across(p) * width(p) + at * width(p) + i % width(p);
}
/// The element of C that a thread of the naive variants computes.
WARPLENS_HD constexpr Cell naive_cell(const Params& p, int block_x, int block_y, int x, int y) {
    const int along = block_x * p.tile + x, other = block_y * p.tile + y;
    return variant(p) == Multiply::naive ? Cell{other, along} : Cell{along, other};
}

}  // namespace multiply
}  // namespace warplens
