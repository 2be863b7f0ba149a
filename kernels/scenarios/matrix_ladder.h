#pragma once

#include "kernels/ladder_layout.h"
#include "kernels/scenarios/shared_knobs.h"

namespace warplens {

/// C = A * B for square matrices of floats, up to the speed of NVIDIA's library and past it. The rungs below
/// these, and the one between double-buffered and asynchronous, are variants of matrix-multiply.
///
/// kernels/ladder_layout.h says which elements threads and tiles hold. A step of an instruction is one
/// execution of it by each thread. The instructions are those that nvcc 13.0 makes of the kernels for sm_90:
/// it joins loads of A's tile where that is stored by rows, and places three empty loads behind each
/// asynchronous copy. A copy has two: what it reads, and what it writes.
struct MatrixLadder {
    static constexpr int kBytes = 4;
    static constexpr Choice kVariants[] = {{int(Ladder::register_column), "register-column"},
                                           {int(Ladder::register_tile), "register-tile"},
                                           {int(Ladder::float4), "float4"},
                                           {int(Ladder::transposed), "transposed"},
                                           {int(Ladder::double_buffered), "double-buffered"},
                                           {int(Ladder::asynchronous), "asynchronous"},
                                           {int(Ladder::warp_tile), "warp-tile"},
                                           {int(Ladder::spread), "spread"},
                                           {int(Ladder::lean), "lean"}};
    static constexpr Choice kMatrices[] = {{256, "256"},   {512, "512"},   {768, "768"},
                                           {1024, "1024"}, {1536, "1536"}, {2048, "2048"},
                                           {3072, "3072"}, {4096, "4096"}, {8192, "8192"}};

    static constexpr int last_warp(const Params& p) {
        return p.matrix / ladder::rows(p) * (p.matrix / ladder::columns(p)) *
                   (ladder::threads(p) / kWarpLanes) -
               1;
    }
    static constexpr int last_step(const Params& p) {
        int most = 1;
        for (int i = 0; i < instruction_count(p); ++i) most = steps(p, i) > most ? steps(p, i) : most;
        return most - 1;
    }
    static constexpr std::string_view stages_are_idle(const Params& p) {
        return ladder::is_async(p) ? "" : "Only the variants with asynchronous copies have stages.";
    }

    static constexpr Knob knobs[] = {
        remedy(
            {&Params::variant, "variant", "", "Variant", "",
             "register-column: 8 elements of C per thread. register-tile: 8 x 8. float4: 16 bytes per access. "
             "transposed: A's tile by columns. double-buffered: two pairs of tiles. asynchronous: cp.async. "
             "warp-tile: 8 x 16 per thread. spread: copies between the multiply-adds. lean: as few other instructions as possible.",
             KnobKind::choice, 0, 8, kVariants, false, true}),
        {&Params::matrix, "matrix", "n", "Matrix size", "a side",
         "Rows and columns of the three square matrices of floats.", KnobKind::choice, 256, 8192, kMatrices,
         false, true},
        {&Params::distance, "stages", "", "Stages", "tiles",
         "Pairs of tiles that shared memory holds at once: one is used while the others are on their way.",
         KnobKind::slider, 2, 4, kNoChoices, false, true, nullptr, &stages_are_idle},
        warp_knob((1 << 24) - 1, &last_warp),
        step_knob("Which execution of each instruction the pictures show.", (1 << 18) - 1, &last_step),
    };
    static constexpr Preset presets[] = {{"register column", "variant=register-column"},
                                         {"register tile", "variant=register-tile"},
                                         {"float4", "variant=float4"},
                                         {"transposed", "variant=transposed"},
                                         {"double buffered", "variant=double-buffered"},
                                         {"asynchronous", "variant=asynchronous"},
                                         {"warp tile", "variant=warp-tile"},
                                         {"spread copies", "variant=spread"},
                                         {"lean", "variant=lean"}};
    static constexpr SpeedUnit speed(const Params&) { return SpeedUnit::gflop_per_s; }
    static constexpr double operations(const Params& p) { return 2.0 * p.matrix * p.matrix * p.matrix; }
    /// Registers of a thread. Row: rung; column: 2, 3 or 4 stages, where it has any.
    static constexpr int registers(const Params& p) {
        constexpr int kRegisters[][3] = {{50, 50, 50},    {128, 128, 128}, {128, 128, 128},
                                         {119, 119, 119}, {122, 122, 122}, {119, 119, 121},
                                         {215, 227, 233}, {215, 212, 211}, {208, 208, 208}};
        return kRegisters[p.variant][p.distance - 2];
    }
    static constexpr int needs(const Params& p) { return ladder::is_async(p) ? 80 : 0; }  // cp.async
    static constexpr ScenarioInfo info{
        .id = "matrix-ladder",
        .title = "Matrix multiply, up to cuBLAS",
        .formula = "C[row * n + col] += A[row * n + k] * B[k * n + col]",
        .summary =
            "Multiplies two matrices step by step faster: register tiles, 16-byte accesses, double buffering, asynchronous copies, warp tiles.",
        .spaces = space_bit(Space::global) | space_bit(Space::shared) | space_bit(Space::registers),
        .knobs = knobs,
        .defaults = {.matrix = 4096, .variant = int(Ladder::lean), .distance = 3},
        .presets = presets,
        .main_knobs = "variant,matrix,stages",
        .first_axis = "variant",
        .time = TimeModel::ladder,
        .speed_unit = &speed,
        .flop = &operations,
        .cc_of = &needs,
        .registers = &registers,
        .instance = [](const Params& p) { return p.variant * 8 + (ladder::is_async(p) ? p.distance : 0); },
        .multiplies = true};

    enum Index { load_a, load_b, store_tile_a, store_tile_b, load_tile_a, load_tile_b, store_c };
    static constexpr int instruction_count(const Params&) { return 7; }

    static constexpr LaunchShape launch(const Params& p) {
        const std::int64_t matrix_bytes = std::int64_t{p.matrix} * p.matrix * kBytes;
        return {.grid = {p.matrix / ladder::columns(p), p.matrix / ladder::rows(p)},
                .block = {ladder::threads(p), 1},
                .steps = p.matrix,
                .shared_bytes = std::int64_t{ladder::buffers(p) * ladder::buffer_elements(p)} * kBytes,
                .buffer_bytes = {matrix_bytes, matrix_bytes, matrix_bytes}};
    }

    /// How often each thread executes an instruction.
    static constexpr int steps(const Params& p, int i) {
        using namespace ladder;
        const int tiles = p.matrix / depth(p);
        switch (i) {
            case load_a:
                return tiles * pieces_a(p);
            case load_b:
            case store_tile_b:
                return tiles * pieces_b(p);
            case store_tile_a:
                return tiles * pieces_a(p) * load_a_width(p) / store_a_width(p);
            case load_tile_a:
                return (p.matrix + further_k(p)) * down(p) / tile_a_width(p);
            case load_tile_b:
                return (p.matrix + further_k(p)) * across(p) / tile_b_width(p);
            default:
                return down(p) * across(p) / store_c_width(p);
        }
    }

    /// With several pairs of tiles the block fills one while it uses another, and a barrier for
    /// each pair is enough. Copies of `asynchronous` and the rungs above it are waited for before the barrier
    /// behind which their tile is used, so it makes no difference that they arrive late.
    static constexpr KernelOrder order(const Params& p) {
        using namespace ladder;
        KernelOrder order;
        const int rounds = p.matrix / depth(p), ahead = is_async(p) ? buffers(p) - 1 : 1;
        const auto fill = [&](int tiles, int not_in_last = 0) {
            order.access(store_tile_a, tiles * steps(p, store_tile_a) / rounds, not_in_last);
            order.access(store_tile_b, tiles * steps(p, store_tile_b) / rounds, not_in_last);
        };
        const auto use = [&](int values_of_k, int not_in_last = 0) {
            order.access(load_tile_a, values_of_k * down(p) / tile_a_width(p), not_in_last);
            order.access(load_tile_b, values_of_k * across(p) / tile_b_width(p), not_in_last);
        };
        if (has_warp_tiles(p)) {  // they load the values of a k while they multiply those of the one before
            fill(ahead);
            order.barrier();
            use(1);
            order.loop(rounds, buffers(p));
            fill(1, ahead);
            use(depth(p) - 1);
            order.barrier();
            use(1, 1 - further_k(p));
            return order.end_loop();
        }
        if (is_async(p)) {
            fill(ahead);
            order.loop(rounds, buffers(p)).barrier();
            fill(1, ahead);
            use(depth(p));
            return order.end_loop();
        }
        order.loop(rounds, buffers(p));
        fill(1);
        order.barrier();
        use(depth(p));
        return buffers(p) == 1 ? order.barrier().end_loop() : order.end_loop();
    }

    static constexpr Instruction instruction(const Params& p, int i) {
        Instruction out = words_of(p, i);
        out.steps = steps(p, i);
        out.step_period = 1;
        out.operand = ladder::is_async(p) && (i == store_tile_a || i == store_tile_b);
        // Instructions that are executed equally often form a phase.
        for (int k = 1; k <= i; ++k) out.phase += steps(p, k) != steps(p, k - 1) ? 1 : 0;
        return out;
    }

    WARPLENS_HD static constexpr LaneAccess access(const Params& p, int i, const ThreadId& t) {
        return {static_cast<std::uint64_t>(place_of(p, i, t)) * kBytes, true};
    }

    static KernelCode code(const Params& p) {
        using namespace ladder;
        constexpr const char* kFunctions[] = {
            "ladder_register_column", "ladder_register_tile",   "ladder_float4",
            "ladder_transposed",      "ladder_double_buffered", "ladder_asynchronous",
            "ladder_warp_tile",       "ladder_warp_tile",       "ladder_lean"};
        return {kFunctions[p.variant],
                {{"kTile", rows(p)},
                 {"kRows", rows(p)},
                 {"kColumns", columns(p)},
                 {"kDepth", depth(p)},
                 {"kEach", down(p)},
                 {"kStages", p.distance},
                 {"kPerStep", rung(p) == Ladder::warp_tile ? pieces_a(p) + pieces_b(p) : 1}}};
    }

    // The result that is followed is a thread's first element of C, as in matrix_multiply.h.
    static std::int64_t stored_value(const WordAccess& a, const HeldValues&) {
        if (a.instruction == store_tile_a) return 1;
        const auto address = access(a.params, load_b, a.thread).byte_address;
        return static_cast<std::int64_t>(address / kBytes) / a.params.matrix + 1;
    }
    /// The k of a value that a step loads from A's tile or B's, if it is for a thread's first element of C.
    /// `lean` also loads for a k behind the last one. -1 if it is for another element.
    static int k_of_value(const WordAccess& a) {
        using namespace ladder;
        const Params& p = a.params;
        const bool of_a = a.instruction == load_tile_a, by_k = of_a && by_rows(p);
        const int parts = !of_a ? across(p) / tile_b_width(p) : by_k ? down(p) : down(p) / tile_a_width(p);
        if (a.thread.step % parts != 0 || (a.word != 0 && !by_k)) return -1;
        const int k = by_k ? a.thread.step / parts * tile_a_width(p) + a.word : a.thread.step / parts;
        return k < p.matrix ? k : -1;
    }
    static bool value_matters(const WordAccess& a) { return k_of_value(a) >= 0; }
    static void take_value(const WordAccess& a, std::int64_t value, HeldValues& held) {
        std::int64_t& from_a = held.row[k_of_value(a) % ladder::depth(a.params)];
        if (a.instruction == load_tile_a)
            from_a = value;
        else
            held.value += from_a * value;
    }
    static constexpr Sharing sharing{.order = &order,
                                     .values = {.input = "A is full of ones and row k of B of k + 1",
                                                .result = "the first element of C of *",
                                                .is_sum = true,
                                                .stored = &stored_value,
                                                .loaded = &take_value,
                                                .matters = &value_matters}};

    static constexpr std::span<const QuizSource> quiz = kNoQuiz;

private:
    /// `lean` loads the values of the next k at all times, and at the end those of none.
    static constexpr int further_k(const Params& p) { return ladder::rung(p) == Ladder::lean ? 1 : 0; }

    /// Label, code and shape of an instruction.
    static constexpr Instruction words_of(const Params& p, int index) {
        using namespace ladder;
        const bool async = is_async(p), wide = from(p, Ladder::float4);
        const auto bytes = [](int floats) { return floats * kBytes; };
        constexpr Space kShared = Space::shared;
        switch (index) {
            case load_a:
                return {async ? "copy A" : "load A",
                        "A",
                        async                  ? "copy<1>(&As[k][row], &A[row * n + k]);"
                        : load_a_width(p) == 4 ? "a4 = *(float4*)&A[row * n + k];"
                                               : "a = A[row * n + k];",
                        Space::global,
                        Op::load,
                        bytes(load_a_width(p)),
                        0};
            case load_b:
                return {async ? "copy B" : "load B",
                        "B",
                        async  ? "copy<4>(&Bs[k][col], &B[k * n + col]);"
                        : wide ? "b4 = *(float4*)&B[k * n + col];"
                               : "b = B[k * n + col];",
                        Space::global,
                        Op::load,
                        bytes(load_b_width(p)),
                        2};
            case store_tile_a:
                return {async         ? "copy A, into its tile"
                        : !by_rows(p) ? "store tile A, by columns"
                                      : "store tile A",
                        "tile A",
                        async                   ? "copy<1>(&As[k][row], &A[row * n + k]);"
                        : store_a_width(p) == 4 ? "*(float4*)&As[row][k] = a4;"
                        : by_rows(p)            ? "As[row][k] = a;"
                                                : "As[k][row] = a4.x;",
                        kShared,
                        Op::store,
                        bytes(store_a_width(p))};
            case store_tile_b:
                return {async ? "copy B, into its tile" : "store tile B",
                        "tile B",
                        async  ? "copy<4>(&Bs[k][col], &B[k * n + col]);"
                        : wide ? "*(float4*)&Bs[k][col] = b4;"
                               : "Bs[k][col] = b;",
                        kShared,
                        Op::store,
                        bytes(load_b_width(p))};
            case load_tile_a: {
                Instruction out{by_rows(p) ? "load tile A, four at once" : "load tile A",
                                "tile A",
                                by_rows(p) ? "a = As[row][k];  // nvcc joins four of these"
                                           : "a4 = *(float4*)&As[k][row];",
                                kShared,
                                Op::load,
                                bytes(tile_a_width(p))};
                if (by_rows(p)) out.joined = tile_a_width(p);
                return out;
            }
            case load_tile_b:
                return {"load tile B", "tile B", wide ? "b4 = *(float4*)&Bs[k][col];" : "b = Bs[k][col];",
                        kShared,       Op::load, bytes(tile_b_width(p))};
            default:
                return {
                    "store C",
                    "C",
                    store_c_width(p) == 4 ? "*(float4*)&C[row * n + col] = sum4;" : "C[row * n + col] = sum;",
                    Space::global,
                    Op::store,
                    bytes(store_c_width(p)),
                    1};
        }
    }

    /// The element of the matrix or of shared memory that a thread accesses.
    WARPLENS_HD static constexpr int place_of(const Params& p, int index, const ThreadId& t) {
        using namespace ladder;
        const int thread = t.x, first_row = t.block_y * rows(p), first_column = t.block_x * columns(p);
        if (index == load_a || index == store_tile_a) {
            const int stores = index == load_a ? 1 : load_a_width(p) / store_a_width(p),
                      piece = t.step / stores;
            const int tile = piece / pieces_a(p);
            const Cell at = piece_of_a(p, thread, piece % pieces_a(p));
            if (index == load_a)
                return element(p, first_row + at.row,
                               tile * depth(p) + at.column);  // address of: load A; copy A
            // address of: store tile A; store tile A, by columns; copy A, into its tile
            return tile_a(p, tile % buffers(p), at.row, at.column + t.step % stores);
        }
        if (index == load_b || index == store_tile_b) {
            const int tile = t.step / pieces_b(p);
            const Cell at = piece_of_b(p, thread, t.step % pieces_b(p));
            if (index == load_b)
                return element(p, tile * depth(p) + at.row,
                               first_column + at.column);  // address of: load B; copy B
            // address of: store tile B; copy B, into its tile
            return tile_b(p, tile % buffers(p), at.row, at.column);
        }
        if (index == load_tile_a) {
            // By rows a step is four k of one row, by columns four rows of one k.
            const int parts = by_rows(p) ? down(p) : down(p) / tile_a_width(p);
            const int k = t.step / parts * (by_rows(p) ? tile_a_width(p) : 1);
            const int value = t.step % parts * (by_rows(p) ? 1 : tile_a_width(p));
            // address of: load tile A; load tile A, four at once
            return tile_a(p, k / depth(p) % buffers(p), row_of(p, thread, value), k % depth(p));
        }
        if (index == load_tile_b) {
            const int parts = across(p) / tile_b_width(p), k = t.step / parts;
            const int column = column_of(p, thread, t.step % parts * tile_b_width(p));
            return tile_b(p, k / depth(p) % buffers(p), k % depth(p), column);  // address of: load tile B
        }
        const int parts = across(p) / store_c_width(p);
        const int row = row_of(p, thread, t.step / parts);
        const int column = column_of(p, thread, t.step % parts * store_c_width(p));
        return element(p, first_row + row, first_column + column);  // address of: store C
    }
};

}  // namespace warplens
