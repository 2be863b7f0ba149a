#pragma once

#include "kernels/scenarios/shared_knobs.h"
#include "kernels/swizzle.h"

namespace warplens {

/// ldmatrix: a warp loads 8 x 8 matrices of 2-byte elements (halves) for the tensor cores.
///
/// Lane 8 m + r supplies the address of row r of matrix m: 16 bytes, a chunk. The hardware serves the 8 rows
/// of one matrix together, so they should lie in different banks. With 4 matrices they form a square of 16 x
/// 16 halves, in the order that a tensor core instruction needs: down first.
///
///     tile row, 64 halves = 8 chunks:   |c0|c1|c2|c3|c4|c5|c6|c7| = 128 bytes = all 32 banks
struct SharedMatrixLoad {
    static constexpr int kRows = 32;        ///< rows of the tile
    static constexpr int kMatrixRows = 8;   ///< rows of one matrix
    static constexpr int kChunkBytes = 16;  ///< 8 halves: one row of a matrix
    static constexpr int kChunkHalves = 8;
    static constexpr Choice kMatrices[] = {{1, "1"}, {2, "2"}, {4, "4"}};
    static constexpr Choice kWidths[] = {{8, "8"}, {16, "16"}, {32, "32"}, {64, "64"}, {128, "128"}};

    WARPLENS_HD static constexpr int row_chunks(const Params& p) { return p.width / kChunkHalves; }
    /// The matrices of one request that stand one below the other; the others stand to their right.
    WARPLENS_HD static constexpr int matrices_down(const Params& p) {
        return p.matrices == 4 && row_chunks(p) > 1 ? 2 : p.matrices;
    }
    static constexpr int steps(const Params& p) { return row_chunks(p) * (kRows / kMatrixRows) / p.matrices; }
    static constexpr int last_step(const Params& p) { return steps(p) - 1; }
    /// The XOR reads the bits of the chunk number that change from one round of the banks to the next. If a
    /// row is longer than one round, it reads the bits that change from one row to the next.
    WARPLENS_HD static constexpr int swizzle_shift(const Params& p) { return row_chunks(p) > 8 ? 4 : 3; }

    static constexpr Knob knobs[] = {
        {&Params::width, "width", "tile_width", "Row length", "halves",
         "2-byte elements in a row of the tile, padding not counted. 64 halves fill all 32 banks once.",
         KnobKind::choice, 8, 128, kWidths, false, true},
        remedy(
            {&Params::padding, "padding", "pad", "Padding", "chunks",
             "Unused chunks of 16 bytes at the end of each row. ldmatrix cannot address rows that do not start at a multiple of 16 bytes.",
             KnobKind::slider, 0, 8, kNoChoices, false, true}),
        remedy(
            {&Params::swizzle_bits, "swizzle_bits", "bits", "Swizzle bits", "bits",
             "The number of a 16-byte chunk is XOR-ed with this many bits of its row number. 0: no swizzle.",
             KnobKind::slider, 0, 3, kNoChoices, false, true}),
        remedy(
            {&Params::matrices, "matrices", "", "Matrices", "",
             "8 x 8 matrices of one instruction: each takes 8 lanes' addresses. Other lanes' addresses are ignored.",
             KnobKind::choice, 1, 4, kMatrices, false, true}),
        step_knob("The warp walks over a tile of 32 rows: which request the pictures show.", 63, &last_step),
        blocks_knob("How many blocks of one warp the grid has; each does the same.", 16),
    };
    static constexpr Preset presets[] = {{"plain", "width=64"},
                                         {"padded", "padding=1"},
                                         {"swizzled", "swizzle_bits=3"},
                                         {"short rows", "width=16"},
                                         {"one matrix", "matrices=1"}};
    static constexpr ScenarioInfo info{
        .id = "shared-matrix-load",
        .title = "Loading 8 x 8 matrices",
        .formula = "tile[row * (width + 8 * padding) + 8 * column]",
        .summary = "A warp loads 8 x 8 matrices of 2-byte elements for the tensor cores.",
        .spaces = space_bit(Space::shared),
        .knobs = knobs,
        .defaults = {.width = 64, .matrices = 4},
        .presets = presets,
        .main_knobs = "width,padding,swizzle_bits",
        .first_axis = "swizzle_bits",
        .least_cc = 75,  // ldmatrix. Source: CUDA's PTX ISA, "requires sm_75 or higher".
        .earlier_title = "matrix load"};

    static constexpr LaunchShape launch(const Params& p) {
        const int chunks = (row_chunks(p) + p.padding) * kRows;  // a multiple of what a swizzle permutes
        return {.grid = {1 << p.blocks_log2, 1},
                .block = {kWarpLanes, 1},
                .steps = steps(p),
                .shared_bytes = std::int64_t{chunks} * kChunkBytes};
    }

    static constexpr KernelOrder order(const Params& p) {
        KernelOrder order;
        return order.fill(kChunkBytes, "tile[i] = {filled_word(4 * i), ...};").barrier().access(0, steps(p));
    }

    static constexpr int instruction_count(const Params&) { return 1; }

    static constexpr Instruction instruction(const Params& p, int) {
        return {.label = p.matrices == 1   ? "load 1 matrix"
                         : p.matrices == 2 ? "load 2 matrices"
                                           : "load 4 matrices",
                .code = p.matrices == 1   ? "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {a}, [row];"
                        : p.matrices == 2 ? "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {a, b}, [row];"
                                          : "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {a, b, c, d}, [row];",
                .space = Space::shared,
                .op = Op::load_matrix,
                .bytes_per_lane = kChunkBytes};
    }

    WARPLENS_HD static constexpr LaneAccess access(const Params& p, int, const ThreadId& t) {
        const int used =
            t.x % (kMatrixRows * p.matrices);  // further lanes repeat addresses that are in range
        const int matrix = used / kMatrixRows, down = matrices_down(p);
        const int across = row_chunks(p) * down / p.matrices;  // requests that stand side by side
        const int row =
            t.step / across * down * kMatrixRows + matrix % down * kMatrixRows + used % kMatrixRows;
        const int column = t.step % across * (p.matrices / down) + matrix / down;
        const int chunk = row * (row_chunks(p) + p.padding) + column;
        return {
            static_cast<std::uint64_t>(xor_swizzle(chunk, p.swizzle_bits, 0, swizzle_shift(p)) * kChunkBytes),
            t.x == used};
    }

    static KernelCode code(const Params& p) {
        const int down = matrices_down(p);
        const bool four = p.matrices == 4;
        KernelCode code{p.matrices == 1 ? "load_single_matrices"
                        : four          ? "load_four_at_once"
                                        : "load_matrix_pairs",
                        {},
                        {{"load", p.matrices == 1 ? "load_matrix"
                                  : four          ? "load_four_matrices"
                                                  : "load_matrix_pair"},
                         {"down", down},
                         {"changed", swizzled_bits(p, p.swizzle_base)},
                         {"shift", swizzle_shift(p)}}};
        if (four) code.arguments = {{"kDown", down}};
        return code;
    }
    static constexpr Sharing sharing{.order = &order};
    static constexpr std::string_view kPlace =
        "Chunks of 16 bytes: a row has r = {width} / 8 + {padding} of them.";
    static constexpr QuizTurn turns[] = {
        {"width", "8,16,32,64,128"}, {"padding", "0,0,1,2"}, {"matrices", "1,2,4"}};
    static constexpr QuizTell tells[] = {{"matrices=4,width=8", "", kPlace, "tile[i * r]"},
                                         {"matrices=4", "", kPlace, "tile[i % 16 * r + i / 16]"},
                                         {"", "", kPlace, "tile[i * r]"}};
    static constexpr QuizSource quiz[] = {{12, Space::shared, turns, tells}};
};

}  // namespace warplens
