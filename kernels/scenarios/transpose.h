#pragma once

#include "kernels/scenarios/shared_knobs.h"
#include "kernels/swizzle.h"

namespace warplens {

/// out[x][y] = in[y][x]: either the load or the store must go by columns, unless the elements are transposed
/// in a tile of shared memory.
///
/// A block of `tile` x `block_rows` threads handles one tile in tile / block_rows steps.
struct Transpose {
    static constexpr int kBytes = 4;
    static constexpr Choice kTiles[] = {{8, "8"}, {16, "16"}, {32, "32"}};
    static constexpr Choice kVariants[] = {{int(Variant::naive), "naive"},
                                           {int(Variant::tile), "tile"},
                                           {int(Variant::padded), "padded"},
                                           {int(Variant::swizzled), "swizzled"}};
    WARPLENS_HD static constexpr int rows_of_block(const Params& p) {
        return p.block_rows < p.tile ? p.block_rows : p.tile;
    }
    static constexpr int tiles_across(const Params& p) { return (p.matrix + p.tile - 1) / p.tile; }
    static constexpr int warps_of_block(const Params& p) {
        return (p.tile * rows_of_block(p) + kWarpLanes - 1) / kWarpLanes;
    }
    static constexpr int last_warp(const Params& p) {
        return tiles_across(p) * tiles_across(p) * warps_of_block(p) - 1;
    }
    static constexpr int last_step(const Params& p) { return p.tile / rows_of_block(p) - 1; }
    static constexpr int largest_block_rows(const Params& p) { return p.tile; }

    static constexpr std::string_view padding_is_idle(const Params& p) {
        return p.variant != int(Variant::padded) ? "Only the padded variant has padding." : "";
    }

    static constexpr Knob knobs[] = {
        remedy(
            {&Params::variant, "variant", "", "Variant", "",
             "naive: no shared memory. tile: through shared memory. padded: with unused elements at each row's end. "
             "swizzled: columns XOR-ed with the row.",
             KnobKind::choice, 0, 3, kVariants}),
        {&Params::matrix, "matrix", "size", "Matrix size", "a side",
         "Rows and columns of the square matrix of 4-byte elements. If it is not a multiple of 32, rows start misaligned.",
         KnobKind::slider, 32, 16384},
        remedy({&Params::tile, "tile", "", "Tile", "",
                "Rows and columns of the tile that one block transposes.", KnobKind::choice, 8, 32, kTiles,
                false, true}),
        remedy({&Params::block_rows, "block_rows", "", "Block rows", "",
                "Threads of a block in y. If the tile has more rows, each thread copies several elements.",
                KnobKind::choice, 1, 32, kPowersTo32, false, true, &largest_block_rows}),
        remedy({&Params::padding, "padding", "pad", "Padding", "elements",
                "Unused elements at the end of each tile row; only the padded variant has them.",
                KnobKind::slider, 0, 16, kNoChoices, false, true, nullptr, &padding_is_idle}),
        warp_knob((1 << 24) - 1, &last_warp),
        step_knob("Which step of the block the pictures show.", 31, &last_step),
    };
    static constexpr Preset presets[] = {
        {"naive", "variant=naive"}, {"padded", "variant=padded"}, {"swizzled", "variant=swizzled"}};
    static constexpr ScenarioInfo info{
        .id = "transpose",
        .title = "Matrix transpose",
        .formula = "out[x * n + y] = in[y * n + x]",
        .summary = "Transposes a matrix: naive, through a tile, with padding or with a swizzle.",
        .spaces = space_bit(Space::global) | space_bit(Space::shared),
        .knobs = knobs,
        .defaults = {.padding = 1, .variant = int(Variant::tile)},
        .presets = presets,
        .main_knobs = "variant,tile,padding",
        .instance = [](const Params& p) {
            const int whole = p.matrix % p.tile == 0 ? 1 : 0;
            return ((p.variant * 64 + p.tile) * 64 + rows_of_block(p)) * 2 + whole;
        }};

    static constexpr bool naive(const Params& p) { return p.variant == int(Variant::naive); }

    /// The distance between two rows of the tile [elements].
    WARPLENS_HD static constexpr int pitch(const Params& p) {
        return p.tile + (p.variant == int(Variant::padded) ? p.padding : 0);
    }

    WARPLENS_HD static constexpr int tile_element(const Params& p, int row, int column) {
        const int swizzled = p.variant == int(Variant::swizzled) ? column ^ (row & (p.tile - 1)) : column;
        return row * pitch(p) + swizzled;
    }

    static constexpr LaunchShape launch(const Params& p) {
        const std::int64_t matrix_bytes = std::int64_t{p.matrix} * p.matrix * kBytes;
        return {.grid = {tiles_across(p), tiles_across(p)},
                .block = {p.tile, rows_of_block(p)},
                .steps = p.tile / rows_of_block(p),
                .shared_bytes = naive(p) ? 0 : std::int64_t{p.tile} * pitch(p) * kBytes,
                .buffer_bytes = {matrix_bytes, matrix_bytes}};
    }

    static constexpr int instruction_count(const Params& p) { return naive(p) ? 2 : 4; }

    static constexpr KernelOrder order(const Params& p) {
        KernelOrder order;
        if (naive(p)) return order;
        const int steps = p.tile / rows_of_block(p);
        return order.access(1, steps).barrier().access(2, steps);
    }

    static constexpr Instruction instruction(const Params& p, int index) {
        if (naive(p)) {
            return index == 0 ? Instruction{"load in, by rows", "in", "value = in[y * n + x];", Space::global,
                                            Op::load}
                              : Instruction{"store out, by columns",
                                            "out",
                                            "out[x * n + y] = value;",
                                            Space::global,
                                            Op::store,
                                            kBytes,
                                            1};
        }
        constexpr Instruction kThroughTile[] = {
            {"load in, by rows", "in", "value = in[y * n + x];", Space::global, Op::load},
            {"store tile, by rows", "tile", "tile[row][column] = value;", Space::shared, Op::store},
            {"load tile, by columns", "tile", "value = tile[column][row];", Space::shared, Op::load, kBytes,
             0, 1},
            {"store out, by rows", "out", "out[x * n + y] = value;", Space::global, Op::store, kBytes, 1, 1}};
        return kThroughTile[index];
    }

    WARPLENS_HD static constexpr LaneAccess access(const Params& p, int index, const ThreadId& t) {
        const bool naive = p.variant == int(Variant::naive);
        const int row = t.y + t.step * rows_of_block(p), column = t.x;
        if (!naive && (index == 1 || index == 2)) {
            const int element = index == 1 ? tile_element(p, row, column)   // address of: store tile
                                           : tile_element(p, column, row);  // address of: load tile
            // A lane beyond the matrix neither fills its cell of the tile nor reads one.
            const int in_x = t.block_x * p.tile + (index == 1 ? column : row);
            const int in_y = t.block_y * p.tile + (index == 1 ? row : column);
            return {static_cast<std::uint64_t>(element * kBytes), in_x < p.matrix && in_y < p.matrix};
        }
        if (index == 0 || naive) {  // the source position, or in the naive variant its mirror image
            const std::int64_t x = std::int64_t{t.block_x} * p.tile + column,
                               y = std::int64_t{t.block_y} * p.tile + row;
            const bool transposed = index == 1;
            const std::int64_t element = transposed ? x * p.matrix + y   // address of: store out, by columns
                                                    : y * p.matrix + x;  // address of: load in
            return {static_cast<std::uint64_t>(element * kBytes), x < p.matrix && y < p.matrix};
        }
        // The transposed tile: block (x, y) writes to tile (y, x), again by rows.
        const std::int64_t x = std::int64_t{t.block_y} * p.tile + column,
                           y = std::int64_t{t.block_x} * p.tile + row;
        const std::int64_t element = y * p.matrix + x;  // address of: store out, by rows
        return {static_cast<std::uint64_t>(element * kBytes), x < p.matrix && y < p.matrix};
    }

    static KernelCode code(const Params& p) {
        constexpr const char* kFunctions[] = {"transpose_naive", "transpose_tile", "transpose_tile",
                                              "transpose_swizzled"};
        return {kFunctions[p.variant],
                {{"kTile", p.tile}, {"kRows", rows_of_block(p)}, {"kWhole", p.matrix % p.tile == 0}},
                {{"pitch", pitch(p)}}};
    }

    static std::int64_t stored_value(const WordAccess& a, const HeldValues&) {
        return static_cast<std::int64_t>(access(a.params, 0, a.thread).byte_address / kBytes) + 1;
    }
    static constexpr Sharing sharing{.order = &order,
                                     .values = {.input = "element i of the input is i + 1",
                                                .result = "the first element that * stores",
                                                .stored = &stored_value}};

    static constexpr std::string_view kPlace =
        "A block has {tile} x {block_rows} threads: x = i % {tile}, y = i / {tile}.";
    static constexpr QuizTurn turns[] = {{"variant", "naive,tile,padded,swizzled"},
                                         {"tile", "8,16,32,32"},
                                         {"padding", "1,1,2", "variant=padded"}};
    static constexpr QuizTell tells[] = {
        {"", "load in, by rows", kPlace, "in[y * {matrix} + x]"},
        {"", "store out, by columns", kPlace, "out[x * {matrix} + y]"},
        {"", "store out, by rows", kPlace, "out[y * {matrix} + x]"},
        {"variant=swizzled", "store tile, by rows", kPlace, "tile[y * {tile} + (x ^ y)]"},
        {"variant=swizzled", "load tile, by columns", kPlace, "tile[x * {tile} + (y ^ x)]"},
        {"variant=padded", "store tile, by rows", kPlace, "tile[y * ({tile} + {padding}) + x]"},
        {"variant=padded", "load tile, by columns", kPlace, "tile[x * ({tile} + {padding}) + y]"},
        {"", "store tile, by rows", kPlace, "tile[y * {tile} + x]"},
        {"", "load tile, by columns", kPlace, "tile[x * {tile} + y]"}};
    static constexpr QuizSource quiz[] = {{6, Space::shared, turns, tells},
                                          {7, Space::global, turns, tells, "variant,tile"}};
};

}  // namespace warplens
