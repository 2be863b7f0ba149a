#pragma once

#include "kernels/multiply_layout.h"

// Which elements the threads of the scenario matrix-ladder compute, and where they store the tiles of A and
// B. As in kernels/multiply_layout.h matrices are n x n floats, stored row by row.

namespace warplens {

/// Each but the first adds one idea to the one before; `lean` takes one back.
enum class Ladder : int {
    register_column,  ///< each thread computes 8 elements of one column of C
    register_tile,    ///< each thread computes 8 x 8 elements
    float4,           ///< 16 bytes per access, but for the stores into A's tile
    transposed,       ///< A's tile is stored by columns
    double_buffered,  ///< two pairs of tiles: the next one comes while the present one is used
    asynchronous,     ///< cp.async: tiles come without passing registers, several at a time
    warp_tile,        ///< 8 x 16 elements per thread, 64 x 64 per warp; blocks in groups of eight rows
    spread,           ///< the copies stand between the multiply-adds
    lean,             ///< through registers again; sums column by column, 8 k at a time
};

namespace ladder {

using multiply::Cell;
using multiply::element;

WARPLENS_HD constexpr Ladder rung(const Params& p) { return static_cast<Ladder>(p.variant); }
WARPLENS_HD constexpr bool from(const Params& p, Ladder first) { return rung(p) >= first; }
WARPLENS_HD constexpr bool is_async(const Params& p) {
    return from(p, Ladder::asynchronous) && rung(p) != Ladder::lean;
}
/// Whether warps compute tiles of 64 x 64.
WARPLENS_HD constexpr bool has_warp_tiles(const Params& p) { return from(p, Ladder::warp_tile); }

/// Rows and columns of C that one block computes.
WARPLENS_HD constexpr int rows(const Params& p) { return rung(p) == Ladder::register_column ? 64 : 128; }
WARPLENS_HD constexpr int columns(const Params& p) { return has_warp_tiles(p) ? 256 : rows(p); }
/// How many k are in a tile.
WARPLENS_HD constexpr int depth(const Params& p) {
    return has_warp_tiles(p) && rung(p) != Ladder::lean ? 16 : 8;
}
/// Rows and columns of C that one thread computes.
WARPLENS_HD constexpr int down(const Params&) { return 8; }
WARPLENS_HD constexpr int across(const Params& p) {
    return rung(p) == Ladder::register_column ? 1 : has_warp_tiles(p) ? 16 : 8;
}
WARPLENS_HD constexpr int threads(const Params& p) { return rows(p) * columns(p) / (down(p) * across(p)); }
/// Pairs of tiles that shared memory holds at once.
WARPLENS_HD constexpr int buffers(const Params& p) {
    return is_async(p) ? p.distance : from(p, Ladder::double_buffered) ? 2 : 1;
}

// The elements that one access moves.
WARPLENS_HD constexpr int load_a_width(const Params& p) {
    return from(p, Ladder::float4) && !is_async(p) ? 4 : 1;
}
WARPLENS_HD constexpr int load_b_width(const Params& p) { return from(p, Ladder::float4) ? 4 : 1; }
WARPLENS_HD constexpr int store_a_width(const Params& p) { return rung(p) == Ladder::float4 ? 4 : 1; }
/// A's values come four at once: neighbours in a row of the tile (nvcc joins such loads), or in a column.
WARPLENS_HD constexpr int tile_a_width(const Params&) { return 4; }
WARPLENS_HD constexpr int tile_b_width(const Params& p) { return from(p, Ladder::float4) ? 4 : 1; }
WARPLENS_HD constexpr int store_c_width(const Params& p) {
    return from(p, Ladder::float4) && rung(p) != Ladder::lean ? 4 : 1;
}

/// The accesses in which one thread loads its share of one tile.
WARPLENS_HD constexpr int pieces_a(const Params& p) {
    return rows(p) * depth(p) / (threads(p) * load_a_width(p));
}
WARPLENS_HD constexpr int pieces_b(const Params& p) {
    return columns(p) * depth(p) / (threads(p) * load_b_width(p));
}

// The indices of elements in shared memory follow.
WARPLENS_HD constexpr bool by_rows(const Params& p) { return !from(p, Ladder::transposed); }
/// The distance between two rows of A's tile, or between two of its columns where it is stored by columns.
WARPLENS_HD constexpr int pitch(const Params& p) { return by_rows(p) ? depth(p) : rows(p) + 4; }
WARPLENS_HD constexpr int tile_a_elements(const Params& p) {
    return by_rows(p) ? rows(p) * pitch(p) : depth(p) * pitch(p);
}
WARPLENS_HD constexpr int buffer_elements(const Params& p) {
    return tile_a_elements(p) + depth(p) * columns(p);
}
WARPLENS_HD constexpr int tile_a(const Params& p, int buffer, int row, int k) {
    return buffer * buffer_elements(p) + (by_rows(p) ? row * pitch(p) + k : k * pitch(p) + row);
}
WARPLENS_HD constexpr int tile_b(const Params& p, int buffer, int k, int column) {
    return buffer * buffer_elements(p) + tile_a_elements(p) + k * columns(p) + column;
}

/// The row and the k in A's tile that a thread loads with its access number i. Asynchronous copies of 4 bytes
/// take 4 rows of 8 k at a time: whole sectors on the one side, 32 banks on the other.
WARPLENS_HD constexpr Cell piece_of_a(const Params& p, int thread, int i) {
    if (is_async(p)) {
        const int group = i * (threads(p) / 32) + thread / 32, lane = thread % 32, halves = depth(p) / 8;
        return {group / halves * 4 + lane / 8, group % halves * 8 + lane % 8};
    }
    const int first = (i * threads(p) + thread) * load_a_width(p);
    return {first / depth(p), first % depth(p)};
}
/// The k and the column in B's tile that a thread loads with its access number i. In `lean` a thread stays in
/// its row, so that all its loads have one pointer.
WARPLENS_HD constexpr Cell piece_of_b(const Params& p, int thread, int i) {
    if (rung(p) == Ladder::lean) {
        const int per_row = threads(p) / depth(p);
        return {thread / per_row, (i * per_row + thread % per_row) * 4};
    }
    const int first = (i * threads(p) + thread) * load_b_width(p);
    return {first / columns(p), first % columns(p)};
}

// The elements of the block's part of C that a thread computes follow.
/// The lane's position among the lanes of a warp, which share their loads from both tiles: neighbours want
/// the same element of A or of B, and the hardware merges such requests.
WARPLENS_HD constexpr Cell place_in_warp(const Params& p, int lane) {
    if (rung(p) == Ladder::lean)
        return {lane / 2 % 2 + lane / 8 % 2 * 2, lane % 2 + lane / 4 % 2 * 2 + lane / 16 * 4};
    if (has_warp_tiles(p)) return {lane / 2 % 2 + lane / 8 * 2, lane % 2 + lane / 4 % 2 * 2};
    return {lane % 2 + lane / 16 * 2, lane / 2 % 8};
}
/// Lanes of a warp that stand below each other. In `lean` a warp computes 32 x 128 elements.
WARPLENS_HD constexpr int rows_of_lanes(const Params& p) {
    return has_warp_tiles(p) && rung(p) != Ladder::lean ? 8 : 4;
}
/// The position of a thread among those of the block, in threads.
WARPLENS_HD constexpr Cell place(const Params& p, int thread) {
    const int threads_across = columns(p) / across(p);
    if (!from(p, Ladder::asynchronous)) return {thread / threads_across, thread % threads_across};
    const int lanes_down = rows_of_lanes(p), lanes_across = 32 / lanes_down;
    const int warp = thread / 32, warps_across = threads_across / lanes_across;
    const Cell lane = place_in_warp(p, thread % 32);
    return {warp / warps_across * lanes_down + lane.row, warp % warps_across * lanes_across + lane.column};
}
/// The row of a thread's value number i, and the column of its value number j.
WARPLENS_HD constexpr int row_of(const Params& p, int thread, int i) {
    const int at = place(p, thread).row;
    if (rung(p) == Ladder::register_column) return at * down(p) + i;
    if (by_rows(p)) return i * (rows(p) / down(p)) + at;
    if (!has_warp_tiles(p)) return i / 4 * (rows(p) / 2) + at * 4 + i % 4;
    const int lanes = rows_of_lanes(p);
    return at / lanes * lanes * 8 + i / 4 * lanes * 4 + at % lanes * 4 + i % 4;
}
WARPLENS_HD constexpr int column_of(const Params& p, int thread, int j) {
    const int at = place(p, thread).column;
    if (tile_b_width(p) == 1) return j * (columns(p) / across(p)) + at;
    if (!has_warp_tiles(p)) return j / 4 * (columns(p) / 2) + at * 4 + j % 4;
    const int lanes = 32 / rows_of_lanes(p);
    return at / lanes * lanes * 16 + j / 4 * lanes * 4 + at % lanes * 4 + j % 4;
}

}  // namespace ladder
}  // namespace warplens
