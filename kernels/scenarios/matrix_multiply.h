#pragma once

#include "kernels/multiply_layout.h"
#include "kernels/scenarios/shared_knobs.h"

namespace warplens {

/// C = A * B for square matrices of floats, from one thread per element to blocks in registers.
///
/// kernels/multiply_layout.h says which elements threads and tiles hold. A step of an instruction
/// is one execution of it by each thread: in the naive variants step k is the k of the sum. The instructions
/// are those that nvcc 13.0 makes of the kernels for sm_90: in the variant tiled it joins loads of A's tile.
struct MatrixMultiply {
    static constexpr int kBytes = 4;
    static constexpr Choice kVariants[] = {
        {int(Multiply::naive), "naive"},
        {int(Multiply::naive_uncoalesced), "naive-uncoalesced", "naive-turned"},
        {int(Multiply::tiled), "tiled"},
        {int(Multiply::tiled_transposed), "tiled-transposed", "tile-turned"},
        {int(Multiply::register_blocked), "register-blocked", "registers"},
        {int(Multiply::vectorized), "vectorized", "vectors"}};
    static constexpr Choice kTiles[] = {{8, "8"}, {16, "16"}, {32, "32"}};
    static constexpr Choice kMatrices[] = {{64, "64"},     {128, "128"},   {256, "256"},   {384, "384"},
                                           {512, "512"},   {768, "768"},   {1024, "1024"}, {1536, "1536"},
                                           {2048, "2048"}, {3072, "3072"}, {4096, "4096"}};

    static constexpr int blocks_across(const Params& p) { return p.matrix / multiply::block_tile(p); }
    static constexpr int last_warp(const Params& p) {
        const int threads = multiply::across(p) * multiply::across(p);
        return blocks_across(p) * blocks_across(p) * (threads / kWarpLanes) - 1;
    }
    static constexpr int last_step(const Params& p) {
        int most = 1;
        for (int i = 0; i < instruction_count(p); ++i) most = steps(p, i) > most ? steps(p, i) : most;
        return most - 1;
    }
    /// Blocks of 128 x 128 do not fit into the smallest matrix.
    static constexpr int largest_tile(const Params& p) {
        return multiply::is_blocked(p) && p.matrix < 128 ? 16 : 32;
    }

    static constexpr std::string_view padding_is_idle(const Params& p) {
        return p.variant <= int(Multiply::naive_uncoalesced)
                   ? "Only the variants with tiles in shared memory have padding."
                   : "";
    }

    static constexpr Knob knobs[] = {
        remedy(
            {&Params::variant, "variant", "", "Variant", "",
             "naive: lanes along a row of C. naive-uncoalesced: down a column. tiled: through shared memory. "
             "tiled-transposed: A's tile stored by columns. register-blocked: many elements of C per thread. vectorized: 16 bytes per access.",
             KnobKind::choice, 0, 5, kVariants, false, true}),
        {&Params::matrix, "matrix", "n", "Matrix size", "a side",
         "Rows and columns of the three square matrices of floats.", KnobKind::choice, 64, 4096, kMatrices,
         false, true},
        remedy(
            {&Params::tile, "tile", "", "Tile", "",
             "Rows and columns of C for one block. register-blocked and vectorized: 32, 64 and 128 instead, 4 x 4 per "
             "thread, and 8 x 8 for the largest.",
             KnobKind::choice, 8, 32, kTiles, false, true, &largest_tile}),
        remedy(
            {&Params::padding, "padding", "pad", "Padding", "elements",
             "Unused elements at the end of each row of A's tile. The vectorized variant rounds them up to whole 16 bytes.",
             KnobKind::slider, 0, 16, kNoChoices, false, true, nullptr, &padding_is_idle}),
        warp_knob((1 << 24) - 1, &last_warp),
        step_knob("Which execution of each instruction the pictures show.", (1 << 15) - 1, &last_step),
    };
    static constexpr Preset presets[] = {{"naive", "variant=naive"},
                                         {"naive uncoalesced", "variant=naive-uncoalesced"},
                                         {"tile transposed", "variant=tiled-transposed"},
                                         {"transposed and padded", "variant=tiled-transposed,padding=1"},
                                         {"register-blocked", "variant=register-blocked,padding=4"},
                                         {"vectorized float4", "variant=vectorized,padding=4"}};
    static constexpr SpeedUnit speed(const Params&) { return SpeedUnit::gflop_per_s; }
    static constexpr double operations(const Params& p) { return 2.0 * p.matrix * p.matrix * p.matrix; }
    /// Registers of a thread. Row: variant; column: tile of 8, 16, 32.
    static constexpr int registers(const Params& p) {
        constexpr int kRegisters[][3] = {{32, 32, 32}, {32, 32, 32},  {32, 32, 32},
                                         {32, 31, 31}, {80, 86, 128}, {79, 75, 127}};
        return kRegisters[p.variant][p.tile / 16];
    }
    static constexpr ScenarioInfo info{
        .id = "matrix-multiply",
        .title = "Matrix multiply",
        .formula = "C[row * n + col] += A[row * n + k] * B[k * n + col]",
        .summary =
            "Multiplies two matrices: naive, tiled, register-blocked, and vectorized with 16 bytes per access.",
        .spaces = space_bit(Space::global) | space_bit(Space::shared) | space_bit(Space::registers),
        .knobs = knobs,
        .defaults = {.matrix = 1024, .tile = 32, .variant = int(Multiply::tiled)},
        .presets = presets,
        .main_knobs = "variant,matrix,tile",
        .first_axis = "variant",
        .speed_unit = &speed,
        .flop = &operations,
        .registers = &registers,
        .instance = [](const Params& p) { return p.variant * 64 + p.tile; },
        .multiplies = true};

    enum Index { load_a, load_b, store_tile_a, store_tile_b, load_tile_a, load_tile_b, store_c };
    /// Maps the number of an instruction to its kind: the naive variants have no tile.
    WARPLENS_HD static constexpr int index_of(const Params& p, int i) {
        return multiply::is_naive(p) && i == 2 ? int(store_c) : i;
    }

    static constexpr LaunchShape launch(const Params& p) {
        const std::int64_t matrix_bytes = std::int64_t{p.matrix} * p.matrix * kBytes;
        const int tiles = multiply::is_naive(p) ? 0 : multiply::buffers(p) * multiply::buffer_elements(p);
        return {.grid = {blocks_across(p), blocks_across(p)},
                .block = {multiply::across(p), multiply::across(p)},
                .steps = p.matrix,
                .shared_bytes = std::int64_t{tiles} * kBytes,
                .buffer_bytes = {matrix_bytes, matrix_bytes, matrix_bytes}};
    }

    static constexpr int instruction_count(const Params& p) { return multiply::is_naive(p) ? 3 : 7; }

    /// How often each thread executes an instruction.
    static constexpr int steps(const Params& p, int i) {
        const int width = multiply::width(p), per_thread = multiply::per_thread(p);
        const int fetches = p.matrix / multiply::depth(p) * multiply::pieces(p);
        switch (index_of(p, i)) {
            case load_a:
            case load_b:
                return multiply::is_naive(p) ? p.matrix : fetches;
            case store_tile_a:
                return fetches * width;
            case store_tile_b:
                return fetches;
            case load_tile_a:
                return p.matrix * per_thread / width / multiply::joined(p);
            case load_tile_b:
                return p.matrix * per_thread / width;
            default:
                return per_thread * per_thread / width;
        }
    }

    /// With two pairs of tiles the block stores into one while it loads from the other, so one barrier for
    /// each is enough.
    static constexpr KernelOrder order(const Params& p) {
        KernelOrder order;
        if (multiply::is_naive(p)) return order;
        const int rounds = p.matrix / multiply::depth(p), buffers = multiply::buffers(p);
        const auto store = [&] {
            order.access(store_tile_a, steps(p, store_tile_a) / rounds);
            order.access(store_tile_b, steps(p, store_tile_b) / rounds);
        };
        const auto load = [&] {
            order.access(load_tile_a, steps(p, load_tile_a) / rounds);
            order.access(load_tile_b, steps(p, load_tile_b) / rounds);
        };
        if (buffers == 1) {
            order.loop(rounds, buffers);
            store();
            order.barrier();
            load();
            return order.barrier().end_loop();
        }
        store();
        order.barrier().loop(rounds - 1, buffers);
        load();
        store();
        order.barrier().end_loop();
        load();
        return order;
    }

    /// Instructions that are executed equally often form a phase.
    static constexpr Instruction instruction(const Params& p, int i) {
        const bool wide = multiply::variant(p) == Multiply::vectorized;
        const bool transposed = multiply::variant(p) >= Multiply::tiled_transposed;
        const int bytes = multiply::width(p) * kBytes, joined = multiply::joined(p);
        const int first_use = wide ? 2 : 1;  // the phase in which the tiles are used first
        Instruction out;
        out.bytes_per_lane = bytes;
        out.steps = steps(p, i);
        out.step_period = 1;
        switch (index_of(p, i)) {
            case load_a:
                out.label = "load A";
                out.object = "A";
                out.code = wide ? "a4 = *(float4*)&A[row * n + k];" : "a = A[row * n + k];";
                break;
            case load_b:
                out.label = "load B";
                out.object = "B";
                out.code = wide ? "b4 = *(float4*)&B[k * n + col];" : "b = B[k * n + col];";
                out.buffer = 2;
                break;
            case store_tile_a:
                out.label = transposed ? "store tile A, by columns" : "store tile A";
                out.object = "tile A";
                out.code = wide ? "As[k][row] = a4.x;" : transposed ? "As[k][row] = a;" : "As[row][k] = a;";
                out.space = Space::shared;
                out.op = Op::store;
                out.bytes_per_lane = kBytes;
                out.phase = wide ? 1 : 0;
                break;
            case store_tile_b:
                out.label = "store tile B";
                out.object = "tile B";
                out.code = wide ? "*(float4*)&Bs[k][col] = b4;" : "Bs[k][col] = b;";
                out.space = Space::shared;
                out.op = Op::store;
                break;
            case load_tile_a:
                out.label = joined == 4   ? "load tile A, four at once"
                            : joined == 2 ? "load tile A, two at once"
                                          : "load tile A";
                out.object = "tile A";
                out.code = wide          ? "a4 = *(float4*)&As[k][row];"
                           : transposed  ? "a = As[k][row];"
                           : joined == 4 ? "a = As[row][k];  // nvcc joins four of these"
                           : joined == 2 ? "a = As[row][k];  // nvcc joins two of these"
                                         : "a = As[row][k];";
                out.space = Space::shared;
                out.bytes_per_lane = bytes * joined;
                out.joined = joined;
                out.phase = first_use;
                break;
            case load_tile_b:
                out.label = "load tile B";
                out.object = "tile B";
                out.code = wide ? "b4 = *(float4*)&Bs[k][col];" : "b = Bs[k][col];";
                out.space = Space::shared;
                out.phase = joined > 1 ? first_use + 1 : first_use;
                break;
            default:
                out.label = "store C";
                out.object = "C";
                out.code = wide ? "*(float4*)&C[row * n + col] = sum4;" : "C[row * n + col] = sum;";
                out.op = Op::store;
                out.buffer = 1;
                out.phase = multiply::is_naive(p) ? 1 : joined > 1 ? first_use + 2 : first_use + 1;
        }
        return out;
    }

    WARPLENS_HD static constexpr LaneAccess access(const Params& p, int i, const ThreadId& t) {
        return {static_cast<std::uint64_t>(place_of(p, index_of(p, i), t)) * kBytes, true};
    }

    static KernelCode code(const Params& p) {
        constexpr const char* kFunctions[] = {"multiply_naive",
                                              "multiply_naive_uncoalesced",
                                              "multiply_tiled",
                                              "multiply_tiled_transposed",
                                              "multiply_register_blocked",
                                              "multiply_vectorized"};
        const int unit = multiply::joined(p), pitch = multiply::pitch(p);
        return {kFunctions[p.variant],
                {{"kTile", multiply::block_tile(p)},
                 {"kUnit", unit},
                 {"kEach", multiply::per_thread(p)},
                 {"kDepth", multiply::depth(p)}},
                {{"pitch", pitch}, {"units", pitch / unit}}};
    }

    // The result that is followed is a thread's first element of C; A is full of ones, row k of B of k + 1.
    static std::int64_t stored_value(const WordAccess& a, const HeldValues&) {
        if (a.instruction == store_tile_a) return 1;
        const auto address = access(a.params, load_b, a.thread).byte_address;
        return static_cast<std::int64_t>(address / kBytes) / a.params.matrix + 1;
    }
    static int parts(const Params& p) { return multiply::per_thread(p) / multiply::width(p); }
    static bool value_matters(const WordAccess& a) {
        const bool several = a.instruction == load_tile_a && multiply::joined(a.params) > 1;
        return a.thread.step % parts(a.params) == 0 && (several || a.word == 0);
    }
    static void take_value(const WordAccess& a, std::int64_t value, HeldValues& held) {
        const bool of_a = a.instruction == load_tile_a;
        const int per_load = of_a ? multiply::joined(a.params) : 1;
        const int k = a.thread.step / parts(a.params) * per_load + (per_load > 1 ? a.word : 0);
        std::int64_t& from_a = held.row[k % multiply::depth(a.params)];
        if (of_a)
            from_a = value;
        else
            held.value += from_a * value;
    }
    static std::vector<SharedRegion> regions(const Params& p) {
        using namespace multiply;
        std::vector<SharedRegion> all;
        if (is_naive(p)) return all;
        for (int buffer = 0; buffer < buffers(p); ++buffer) {
            const std::string pair = buffers(p) > 1 ? ", pair " + std::to_string(buffer + 1) : "";
            const bool by_rows = variant(p) == Multiply::tiled;
            all.push_back(
                {"A's tile" + pair, tile_a(p, buffer, 0, 0), by_rows ? block_tile(p) : depth(p), pitch(p)});
            all.push_back({"B's tile" + pair, tile_b(p, buffer, 0, 0), depth(p), block_tile(p)});
        }
        return all;
    }
    static constexpr Sharing sharing{.order = &order,
                                     .values = {.input = "A is full of ones and row k of B of k + 1",
                                                .result = "the first element of C of *",
                                                .is_sum = true,
                                                .stored = &stored_value,
                                                .loaded = &take_value,
                                                .matters = &value_matters},
                                     .regions = &regions};

    static constexpr std::string_view kPlace =
        "A block has {tile} x {tile} threads: x = i % {tile}, y = i / {tile}.";
    static constexpr QuizTurn turns[] = {{"variant", "naive,naive-uncoalesced,tiled,tiled-transposed"},
                                         {"tile", "8,16,32,32"}};
    static constexpr QuizTell tells[] = {
        {"variant=naive", "load A", kPlace, "A[y * {matrix} + 0]"},
        {"variant=naive", "load B", kPlace, "B[0 * {matrix} + x]"},
        {"variant=naive-uncoalesced", "load A", kPlace, "A[x * {matrix} + 0]"},
        {"variant=naive-uncoalesced", "load B", kPlace, "B[0 * {matrix} + y]"},
        {"variant=naive-uncoalesced", "store C", kPlace, "C[x * {matrix} + y]"},
        {"", "load A", kPlace, "A[y * {matrix} + x]"},
        {"", "load B", kPlace, "B[y * {matrix} + x]"},
        {"", "store C", kPlace, "C[y * {matrix} + x]"},
        {"", "store tile A", kPlace, "As[y * {tile} + x]"},
        {"", "store tile A, by columns", kPlace, "As[x * {tile} + y]"},
        {"", "store tile B", kPlace, "Bs[y * {tile} + x]"},
        {"variant=tiled-transposed", "load tile A", kPlace, "As[0 * {tile} + y]"},
        {"", "load tile B", kPlace, "Bs[0 * {tile} + x]"}};
    static constexpr QuizSource quiz[] = {{13, Space::global, turns, tells, "variant,tile"},
                                          {14, Space::shared, turns, tells}};

private:
    /// The element of the matrix or of shared memory that a thread accesses.
    WARPLENS_HD static constexpr int place_of(const Params& p, int index, const ThreadId& t) {
        using namespace multiply;
        if (is_naive(p)) {
            const Cell cell = naive_cell(p, t.block_x, t.block_y, t.x, t.y);
            return index == load_a   ? element(p, cell.row, t.step)        // address of: load A
                   : index == load_b ? element(p, t.step, cell.column)     // address of: load B
                                     : element(p, cell.row, cell.column);  // address of: store C
        }
        const int thread = t.y * across(p) + t.x;
        const int first_row = t.block_y * block_tile(p), first_column = t.block_x * block_tile(p);
        if (index <= store_tile_b) {  // what is loaded and stored into the tiles
            const int ones = index == store_tile_a ? width(p) : 1;
            const int step = t.step / ones, tile = step / pieces(p), buffer = tile % buffers(p);
            const Cell a = piece_of_a(p, thread, step % pieces(p)),
                       b = piece_of_b(p, thread, step % pieces(p));
            if (index == load_a)
                return element(p, first_row + a.row, tile * depth(p) + a.column);  // address of: load A
            if (index == load_b)
                return element(p, tile * depth(p) + b.row, first_column + b.column);  // address of: load B
            if (index == store_tile_a)
                return tile_a(p, buffer, a.row, a.column + t.step % ones);  // address of: store tile A
            return tile_b(p, buffer, b.row, b.column);                      // address of: store tile B
        }
        const Cell at = place(p, thread);
        const int parts = per_thread(p) / width(p), value = t.step % parts * width(p);
        const int k = index == load_tile_a ? t.step / parts * joined(p) : t.step / parts;
        const int buffer = k / depth(p) % buffers(p);
        if (index == load_tile_a)
            return tile_a(p, buffer, value_at(p, at.row, value), k % depth(p));  // address of: load tile A
        if (index == load_tile_b)
            return tile_b(p, buffer, k % depth(p), value_at(p, at.column, value));  // address of: load tile B
        const int row = value_at(p, at.row, t.step / parts), column = value_at(p, at.column, value);
        return element(p, first_row + row, first_column + column);  // address of: store C
    }
};

}  // namespace warplens
