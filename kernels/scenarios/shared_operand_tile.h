#pragma once

#include "kernels/scenarios/shared_knobs.h"
#include "kernels/swizzle.h"

namespace warplens {

/// An operand of a tensor core in shared memory: 32 rows of 128 bytes, in the layouts that TMA writes and
/// wgmma reads. A warp loads what mma.m16n8k16 (2-byte elements) or mma.m16n8k8 (tf32) needs of operand A.
///
/// A swizzle of 32, 64 or 128 bytes cuts the tile into panels of that width, one behind the other, as TMA
/// does: its box may not be wider. Then chunks of 16 bytes change places within 128 bytes:
///
///     byte address   ... Y Y Y X X X b b b b      X ^= Y, in the lowest bits of X: 1 bit for 32 bytes,
///                        9 . 7 6 . 4 3 . . 0      2 for 64, 3 for 128. Rows of 128 bytes: Y is the row.
///
/// In CUTLASS: Swizzle<1,4,3>, Swizzle<2,4,3>, Swizzle<3,4,3>. Source: PTX ISA, "Swizzling modes" of tensor
/// copies and "Matrix fragments" of mma; CUDA Driver API, cuTensorMapEncodeTiled.
struct SharedOperandTile {
    enum class Access : int { matrices, fragments, rows };
    enum class Order : int { k_major, mn_major };

    static constexpr int kRows = 32;       ///< rows of the tile
    static constexpr int kRowBytes = 128;  ///< of a row, padding not counted: 64 halves or 32 floats [bytes]
    static constexpr int kChunkBytes = 16;
    static constexpr int kMatrixRows = 8;  ///< rows of 16 bytes that ldmatrix serves together
    static constexpr int kSwizzleBase = kTmaSwizzleBase, kSwizzleShift = kTmaSwizzleShift;

    static constexpr Choice kSwizzles[] = {
        {0, "none", "0"}, {1, "32", "32-B"}, {2, "64", "64-B"}, {3, "128", "128-B"}};
    static constexpr Choice kElements[] = {{2, "2 B"}, {4, "4 B"}};
    static constexpr Choice kAccesses[] = {{int(Access::matrices), "ldmatrix"},
                                           {int(Access::fragments), "fragments"},
                                           {int(Access::rows), "store-rows"}};
    static constexpr Choice kOrders[] = {{int(Order::k_major), "k-major"},
                                         {int(Order::mn_major), "mn-major"}};
    /// By whether they transpose, then for 1, 2 and 4 matrices.
    static constexpr std::string_view kMatrixLoads[2][3] = {
        {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {a}, [row];",
         "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {a, b}, [row];",
         "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {a, b, c, d}, [row];"},
        {"ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {a}, [row];",
         "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {a, b}, [row];",
         "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {a, b, c, d}, [row];"}};
    static constexpr Choice kMatrices[] = {{1, "1"}, {2, "2"}, {4, "4"}};

    WARPLENS_HD static constexpr bool accesses(const Params& p, Access access) {
        return p.variant == int(access);
    }
    /// ldmatrix moves pairs of 2-byte elements as a whole, and its transposed form takes them apart: of
    /// 4-byte elements it would tear the halves asunder.
    WARPLENS_HD static constexpr bool mn_major(const Params& p) {
        return p.pattern == int(Order::mn_major) && (p.element_bytes == 2 || !accesses(p, Access::matrices));
    }
    /// From one row of a panel to the next, padding not counted [bytes].
    WARPLENS_HD static constexpr int span(const Params& p) {
        return p.swizzle_bits == 0 ? kRowBytes : kChunkBytes << p.swizzle_bits;
    }
    /// Unused chunks at the end of each row.
    WARPLENS_HD static constexpr int padding(const Params& p) { return p.swizzle_bits == 0 ? p.padding : 0; }

    /// The part of a tile in a register of a fragment, and how registers are arranged: 2 x 2 of these.
    struct Piece {
        int rows, bytes;
    };
    /// Every register holds 8 rows of 16 bytes, but of tf32 in MN-major order 4 rows of k with 8 elements.
    WARPLENS_HD static constexpr Piece piece(const Params& p) {
        return mn_major(p) && p.element_bytes == 4 ? Piece{4, 32} : Piece{kMatrixRows, kChunkBytes};
    }
    /// Loads of one register: two halves that lie in two rows need a load each.
    WARPLENS_HD static constexpr int loads_of_piece(const Params& p) {
        return accesses(p, Access::fragments) && mn_major(p) && p.element_bytes == 2 ? 2 : 1;
    }
    static constexpr int bytes_per_lane(const Params& p) {
        return !accesses(p, Access::fragments) ? kChunkBytes : mn_major(p) ? p.element_bytes : 4;
    }
    static constexpr int steps(const Params& p) {
        if (accesses(p, Access::rows)) return kRows * kRowBytes / (kWarpLanes * kChunkBytes);
        const Piece of = piece(p);
        const int pieces = kRows / of.rows * (kRowBytes / of.bytes);
        return accesses(p, Access::matrices) ? pieces / p.matrices : pieces * loads_of_piece(p);
    }
    static constexpr int last_step(const Params& p) { return steps(p) - 1; }

    static constexpr std::string_view padding_is_idle(const Params& p) {
        return p.swizzle_bits > 0 ? "Rows of a swizzled tile are as long as the swizzle: TMA pads none." : "";
    }
    static constexpr std::string_view matrices_are_idle(const Params& p) {
        return accesses(p, Access::matrices) ? "" : "Only ldmatrix loads several matrices at once.";
    }
    static constexpr std::string_view order_is_idle(const Params& p) {
        if (accesses(p, Access::rows)) return "Rows are stored alike, whatever they mean.";
        return accesses(p, Access::matrices) && p.element_bytes == 4
                   ? "ldmatrix transposes 2-byte elements only."
                   : "";
    }
    static constexpr std::string_view element_is_idle(const Params& p) {
        if (accesses(p, Access::rows)) return "Chunks of 16 bytes are stored alike, whatever they contain.";
        return p.pattern == int(Order::k_major)
                   ? "Along k, 16 bytes of a row are loaded alike, whatever they contain."
                   : "";
    }

    static constexpr Knob knobs[] = {
        remedy(
            {&Params::swizzle_bits, "swizzle", "", "Swizzle", "bytes",
             "TMA's swizzle mode. Chunks of 16 bytes change places within 128 bytes, by their row. none: row by row.",
             KnobKind::choice, 0, 3, kSwizzles, false, true}),
        which_access(
            {&Params::variant, "access", "", "Access", "",
             "ldmatrix: 8 x 8 matrices by their rows. fragments: plain loads, one register of an A fragment of mma at a "
             "time. store-rows: 16 bytes per lane into the tile.",
             KnobKind::choice, 0, 2, kAccesses, false, true}),
        {&Params::pattern, "order", "", "Order", "",
         "What a row of the tile contains: one row's elements along k (k-major), or one k for all rows of the operand "
         "(mn-major), which ldmatrix.trans or single elements read.",
         KnobKind::choice, 0, 1, kOrders, false, true, nullptr, &order_is_idle},
        {&Params::element_bytes, "element", "element_bytes", "Element", "",
         "half or bfloat16, for mma.m16n8k16; tf32, for mma.m16n8k8.", KnobKind::choice, 2, 4, kElements,
         false, true, nullptr, &element_is_idle},
        {&Params::matrices, "matrices", "", "Matrices", "",
         "8 x 8 matrices of one ldmatrix: each takes 8 lanes' addresses.", KnobKind::choice, 1, 4, kMatrices,
         false, true, nullptr, &matrices_are_idle},
        remedy({&Params::padding, "padding", "pad", "Padding", "chunks",
                "Unused chunks of 16 bytes at the end of each row, for tiles without a swizzle.",
                KnobKind::slider, 0, 8, kNoChoices, false, true, nullptr, &padding_is_idle}),
        step_knob("The warp walks over the tile: which request the pictures show.", 63, &last_step),
        blocks_knob("How many blocks of one warp the grid has; each does the same.", 16),
    };
    static constexpr Preset presets[] = {
        {"no swizzle", "swizzle=none"},
        {"32 bytes", "swizzle=32"},
        {"64 bytes", "swizzle=64"},
        {"128 bytes", "swizzle=128"},
        {"padded", "padding=1"},
        {"plain loads", "access=fragments"},
        {"tf32 down the rows", "access=fragments,element=4,order=mn-major,swizzle=128"},
        {"stored rows", "access=store-rows,swizzle=64"}};
    static constexpr ScenarioInfo info{
        .id = "shared-operand-tile",
        .title = "Tiles for tensor cores",
        .formula = "tile[at ^ (at >> 3 & mask)]",
        .summary = "A warp loads operands of tensor cores from a tile that TMA wrote.",
        .spaces = space_bit(Space::shared),
        .knobs = knobs,
        .defaults = {.element_bytes = 2, .matrices = 4},
        .presets = presets,
        .main_knobs = "swizzle,access,padding",
        .first_axis = "swizzle",
        .least_cc = 75,  // ldmatrix. Source: CUDA's PTX ISA, "requires sm_75 or higher".
        .earlier_title = "operand tile"};

    static constexpr LaunchShape launch(const Params& p) {
        return {.grid = {1 << p.blocks_log2, 1},
                .block = {kWarpLanes, 1},
                .steps = steps(p),
                .shared_bytes = std::int64_t{kRows} * (kRowBytes + padding(p) * kChunkBytes)};
    }

    static constexpr KernelOrder order(const Params& p) {
        KernelOrder order;
        if (accesses(p, Access::rows)) return order.access(0, steps(p));
        order.fill(kChunkBytes, "tile[i] = {filled_word(4 * i), ...};").barrier();
        return order.access(0, steps(p));
    }

    static constexpr int instruction_count(const Params&) { return 1; }

    static constexpr Instruction instruction(const Params& p, int) {
        Instruction one{.label = {}, .code = {}, .space = Space::shared, .bytes_per_lane = bytes_per_lane(p)};
        if (accesses(p, Access::rows)) {
            one.label = "store rows";
            one.code = "tile[chunk] = value;";
            one.op = Op::store;
        } else if (accesses(p, Access::fragments)) {
            one.label = "load a fragment";
            one.code = "register = tile[element];";
        } else {
            one.op = Op::load_matrix;
            one.label = "load matrices";
            one.code = kMatrixLoads[mn_major(p)][p.matrices / 2];
        }
        return one;
    }

    /// The place of byte `column` of a row [bytes].
    WARPLENS_HD static constexpr int place(const Params& p, int row, int column) {
        return place_in_boxes({kRows, span(p), span(p) + padding(p) * kChunkBytes}, p.swizzle_bits, row,
                              column);
    }

    /// The first row and byte column of a piece. Four pieces make the 2 x 2 registers of an A fragment: the
    /// second one holds the next 8 rows of the operand, the third one the next k.
    struct Corner {
        int row, column;
    };
    WARPLENS_HD static constexpr Corner corner(const Params& p, int number) {
        const Piece of = piece(p);
        const int fragment = number / 4, across = kRowBytes / (2 * of.bytes);
        const int more_rows = number % 2, more_k = number / 2 % 2;
        const int down = mn_major(p) ? more_k : more_rows, right = mn_major(p) ? more_rows : more_k;
        return {(fragment / across * 2 + down) * of.rows, (fragment % across * 2 + right) * of.bytes};
    }

    WARPLENS_HD static constexpr LaneAccess access(const Params& p, int, const ThreadId& t) {
        int row = 0, column = 0;
        bool active = true;
        if (accesses(p, Access::rows)) {
            const int chunk = t.step * kWarpLanes + t.x, chunks = kRowBytes / kChunkBytes;
            row = chunk / chunks, column = chunk % chunks * kChunkBytes;
        } else if (accesses(p, Access::matrices)) {
            const int used = t.x % (kMatrixRows * p.matrices);  // others repeat addresses that are in range
            const Corner first = corner(p, t.step * p.matrices + used / kMatrixRows);
            row = first.row + used % kMatrixRows, column = first.column;
            active = t.x == used;
        } else {
            const int loads = loads_of_piece(p), group = t.x / 4, in_group = t.x % 4;
            const Corner first = corner(p, t.step / loads);
            if (!mn_major(p))
                row = first.row + group, column = first.column + 4 * in_group;
            else
                row = first.row + in_group * loads + t.step % loads,
                column = first.column + group * p.element_bytes;
        }
        return {static_cast<std::uint64_t>(place(p, row, column)), active};
    }

    static KernelCode code(const Params& p) {
        const bool down_rows = mn_major(p), by_matrices = accesses(p, Access::matrices);
        KernelCode code{accesses(p, Access::rows) ? "store_rows"
                        : by_matrices             ? "load_by_matrices"
                        : !down_rows              ? "load_along_rows"
                        : p.element_bytes == 2    ? "load_halves_down_rows"
                                                  : "load_words_down_rows",
                        {},
                        {{"span", span(p)},
                         {"pitch", span(p) + padding(p) * kChunkBytes},
                         {"changed", swizzled_bits(p, kSwizzleBase)},
                         {"down_rows", down_rows}}};
        if (by_matrices) code.arguments = {{"kMatrices", p.matrices}, {"kTransposed", down_rows}};
        return code;
    }
    static constexpr Sharing sharing{.order = &order};
    static constexpr std::span<const QuizSource> quiz = kNoQuiz;
};

}  // namespace warplens
