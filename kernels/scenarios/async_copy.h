#pragma once

#include "kernels/hash.h"
#include "kernels/scenarios/shared_knobs.h"
#include "kernels/swizzle.h"

#include <bit>

namespace warplens {

enum class CopyWay : int { registers, cp_async, tma };

/// Blocks stream tiles of global memory through shared memory: a tile is copied there, then each thread adds
/// up its share of it. The copies of the next tiles are on their way meanwhile.
///
/// A block walks down a strip of a matrix, as wide as a row of its tile; the strips of neighbouring blocks
/// lie side by side. A tile of one row is copied as a line, others are boxes of two dimensions. There are so
/// many blocks for each SM of an H100 or H200; on other GPUs they spread over the SMs.
///
/// A copy by TMA is no request of a warp: one thread begins it. Its lanes stand for the chunks of 16 bytes
/// that it moves.
struct AsyncCopy {
    static constexpr int kSms = 132;  ///< of an H100 and an H200
    static constexpr int kChunkBytes = 16;
    static constexpr int kBytes = 4;
    static constexpr int kBarrierBytes = 8;
    static constexpr Choice kWays[] = {{int(CopyWay::registers), "registers"},
                                       {int(CopyWay::cp_async), "cp.async"},
                                       {int(CopyWay::tma), "tma"}};
    static constexpr Choice kTiles[] = {{2, "2"}, {4, "4"}, {8, "8"}};
    static constexpr Choice kRows[] = {{0, "all"}, {8, "8"}, {16, "16"}, {32, "32"}, {64, "64"}};
    static constexpr Choice kSwizzles[] = {{0, "none"}, {1, "32"}, {2, "64"}, {3, "128"}};
    static constexpr Choice kReads[] = {{0, "rows"}, {1, "columns"}};
    static constexpr Choice kThreads[] = {{128, "128"}, {256, "256"}};
    static constexpr Choice kBlocks[] = {{1, "1"}, {2, "2"}, {4, "4"}, {8, "8"}};

    static constexpr int log2_of(int power) { return std::countr_zero(unsigned(power)); }
    WARPLENS_HD static constexpr bool copies_by(const Params& p, CopyWay way) {
        return p.variant == int(way);
    }
    WARPLENS_HD static constexpr int tile_bytes(const Params& p) { return p.tile_kib * 1024; }
    WARPLENS_HD static constexpr int row_bytes(const Params& p) {
        return p.width == 0 ? tile_bytes(p) : p.width * kBytes;
    }
    WARPLENS_HD static constexpr int rows(const Params& p) { return tile_bytes(p) / row_bytes(p); }
    WARPLENS_HD static constexpr int swizzle_bits(const Params& p) {
        return p.width == 0 ? 0 : p.swizzle_bits;
    }
    /// The width of the boxes of a tile, which stand one behind the other [bytes].
    WARPLENS_HD static constexpr int span(const Params& p) {
        return swizzle_bits(p) == 0 ? row_bytes(p) : kChunkBytes << swizzle_bits(p);
    }
    /// The bits of an address that the swizzle changes.
    static constexpr int changed_bits(const Params& p) {
        return ((1 << swizzle_bits(p)) - 1) << kTmaSwizzleBase;
    }
    /// Between rows of the matrix [bytes].
    WARPLENS_HD static constexpr std::int64_t pitch(const Params& p) {
        return std::int64_t{kSms} * p.blocks_per_sm * row_bytes(p);
    }
    /// The size of one copy of a thread; for TMA, of the chunk that a lane stands for [bytes].
    WARPLENS_HD static constexpr int copy_bytes(const Params& p) {
        return copies_by(p, CopyWay::tma) ? kChunkBytes : p.element_bytes;
    }
    /// Copies of a thread for a tile, and its loads of 16 bytes from it.
    WARPLENS_HD static constexpr int copies(const Params& p) {
        return tile_bytes(p) / (p.block_x * copy_bytes(p));
    }
    WARPLENS_HD static constexpr int reads(const Params& p) {
        return tile_bytes(p) / (p.block_x * kChunkBytes);
    }
    WARPLENS_HD static constexpr int stages(const Params& p) { return p.distance; }
    /// Tiles that shared memory holds: through registers, those on their way are in registers.
    WARPLENS_HD static constexpr int buffers(const Params& p) {
        return copies_by(p, CopyWay::registers) ? 1 : stages(p);
    }
    /// Tiles of a block, one after the other.
    WARPLENS_HD static constexpr int tiles(const Params& p) {
        const std::int64_t of_round = std::int64_t{kSms} * p.blocks_per_sm * tile_bytes(p);
        const std::int64_t all = std::int64_t{1} << p.footprint_log2;
        return all > of_round ? int(all / of_round) : 1;
    }
    static constexpr int most_threads(const Params& p) { return tile_bytes(p) / kChunkBytes; }
    static constexpr int most_swizzle(const Params& p) {
        return p.width == 0 || p.width >= 32 ? 3 : p.width / 8;
    }
    static constexpr int last_step(const Params& p) { return tiles(p) * copies(p) - 1; }
    static constexpr int last_warp(const Params& p) {
        return kSms * p.blocks_per_sm * p.block_x / kWarpLanes - 1;
    }
    static constexpr std::string_view element_is_idle(const Params& p) {
        return copies_by(p, CopyWay::tma) ? "TMA copies a whole box at once: choose registers or cp.async."
                                          : "";
    }
    static constexpr std::string_view needs_rows(const Params& p) {
        return p.width == 0 ? "The tile is one row: choose a width." : "";
    }

    static constexpr Knob knobs[] = {
        remedy(
            {&Params::variant, "way", "", "Way", "",
             "registers: loads, then stores to shared memory. cp.async: copies of a thread that pass no registers, from "
             "compute capability 8.0 on. tma: one thread has the whole tile copied, from 9.0 on.",
             KnobKind::choice, 0, 2, kWays, false, true}),
        remedy({&Params::element_bytes, "element", "element_bytes", "Element", "",
                "What a thread copies at once, by a load or by cp.async.", KnobKind::choice, 4, 16,
                kFloatBytes, false, true, nullptr, &element_is_idle}),
        remedy({&Params::distance, "stages", "", "Stages", "tiles",
                "Tiles of a block that are on their way at once: in registers, or in shared memory.",
                KnobKind::slider, 1, 4, kNoChoices, false, true}),
        {&Params::blocks_per_sm, "blocks", "", "Blocks", "per SM",
         "Blocks for each of 132 SMs, if there is room for so many. They stay until all is read.",
         KnobKind::choice, 1, 8, kBlocks, false, true},
        {&Params::tile_kib, "tile", "", "Tile", "KiB", "What a block copies at once.", KnobKind::choice, 2, 8,
         kTiles, false, true},
        {&Params::width, "row", "width", "Row", "floats",
         "The width of a tile. all: one row, a line of memory. Else a box of a matrix: rows that lie far apart.",
         KnobKind::choice, 0, 64, kRows},
        remedy(
            {&Params::swizzle_bits, "swizzle", "", "Swizzle", "bytes",
             "How chunks of 16 bytes change places in shared memory, by their row: TMA's modes. Threads that copy do the "
             "same.",
             KnobKind::choice, 0, 3, kSwizzles, false, true, &most_swizzle, &needs_rows}),
        {&Params::walk, "read", "", "Read by", "",
         "Which 16 bytes of the tile the lanes of a warp load: neighbours in a row, or those of rows below each other.",
         KnobKind::choice, 0, 1, kReads, false, true, nullptr, &needs_rows},
        {&Params::block_x, "block", "block_x", "Block", "threads", "Threads of a block.", KnobKind::choice,
         128, 256, kThreads, false, true, &most_threads},
        {&Params::footprint_log2, "bytes", "", "Bytes", "bytes",
         "About how much all blocks read, once, from one end to the other.", KnobKind::power, 22, 30,
         kNoChoices, false, true},
        step_knob("Which execution of each instruction the pictures show.", (1 << 17) - 1, &last_step),
        warp_knob(kSms * 8 * 8 - 1, &last_warp),
    };
    static constexpr Preset presets[] = {{"through registers", "way=registers,stages=1"},
                                         {"two stages in registers", "way=registers,stages=2"},
                                         {"4 bytes", "way=cp.async,element=4"},
                                         {"8 bytes", "way=cp.async,element=8"},
                                         {"16 bytes", "way=cp.async"},
                                         {"line by TMA", "way=tma"},
                                         {"box by TMA", "way=tma,row=32,read=columns"},
                                         {"box, swizzled", "way=tma,row=32,read=columns,swizzle=128"}};

    /// Registers of a thread through registers. Row: element of 4, 8, 16 bytes and 1, 2, 4 chunks of a tile;
    /// column: stages.
    static constexpr int registers(const Params& p) {
        constexpr int kThrough[9][4] = {{30, 36, 39, 48}, {40, 56, 66, 90}, {62, 96, 112, 168},
                                        {28, 28, 35, 39}, {38, 40, 48, 61}, {64, 72, 85, 118},
                                        {22, 30, 41, 49}, {26, 36, 52, 55}, {39, 56, 72, 100}};
        constexpr int kCopies[4] = {32, 32, 32, 29}, kTma = 18;
        const int element = p.element_bytes / 8;  // 0, 1, 2
        if (copies_by(p, CopyWay::registers)) return kThrough[element * 3 + reads(p) / 2][stages(p) - 1];
        return copies_by(p, CopyWay::cp_async) ? kCopies[stages(p) - 1] : kTma;
    }
    static constexpr int needs(const Params& p) {
        return copies_by(p, CopyWay::tma) ? 90 : copies_by(p, CopyWay::cp_async) ? 80 : 0;
    }
    static constexpr Streaming streaming(const Params& p) {
        constexpr std::string_view kWaits[] = {"the store to shared memory", "cp.async.wait_group",
                                               "mbarrier.try_wait"};
        return {
            .warp_bytes = tile_bytes(p) / (p.block_x / kWarpLanes),
            .loads = copies_by(p, CopyWay::tma) ? 1 : copies(p),
            .stages = stages(p),
            .rounds = tiles(p),
            .barriers = true,
            .narrow_copies = copies_by(p, CopyWay::cp_async) && p.element_bytes < kChunkBytes ? copies(p) : 0,
            .waits_at = kWaits[p.variant],
            .in_registers = copies_by(p, CopyWay::registers)};
    }
    static constexpr ScenarioInfo info{
        .id = "async-copy",
        .title = "Asynchronous copies",
        .formula = "tile[stage][i] = in[(t * rows + i / row) * pitch + i % row]",
        .summary = "Tiles come to shared memory through registers, by cp.async or by TMA, some stages ahead.",
        .spaces = space_bit(Space::shared) | space_bit(Space::global),
        .knobs = knobs,
        .defaults = {.element_bytes = 16,
                     .width = 0,
                     .swizzle_bits = 0,
                     .block_x = 128,
                     .variant = int(CopyWay::cp_async),
                     .distance = 2,
                     .blocks_per_sm = 2,
                     .footprint_log2 = 28,
                     .tile_kib = 4},
        .presets = presets,
        .main_knobs = "way,element,stages,blocks",
        .first_axis = "stages",
        .board = "flight",
        .time = TimeModel::in_flight,
        .flop = [](const Params& p) { return double(pitch(p) * rows(p) * tiles(p) / kBytes); },
        .cc_of = &needs,
        .registers = &registers,
        .instance =
            [](const Params& p) {
                return (p.variant * 3 + reads(p) / 2) * 8 +
                       (copies_by(p, CopyWay::tma) ? p.width == 0 : stages(p));
            },
        .streaming = &streaming};

    enum Index { copy_in, fill, read_tile, store_out };
    static constexpr int instruction_count(const Params&) { return 4; }

    static constexpr LaunchShape launch(const Params& p) {
        LaunchShape shape{.grid = {kSms * p.blocks_per_sm, 1},
                          .block = {p.block_x, 1},
                          .steps = tiles(p) * copies(p),
                          .shared_bytes = std::int64_t{buffers(p)} * tile_bytes(p)};
        if (copies_by(p, CopyWay::tma)) shape.shared_bytes += std::int64_t{buffers(p)} * kBarrierBytes;
        shape.buffer_bytes[0] = pitch(p) * rows(p) * tiles(p);
        shape.buffer_bytes[1] = std::int64_t{shape.grid.x} * p.block_x * kBytes;
        return shape;
    }

    /// A tile is waited for, used, and waited for until all threads have used it; then its place is free.
    static constexpr KernelOrder order(const Params& p) {
        constexpr std::string_view kArrived[] = {"__syncthreads();", "__syncthreads();",
                                                 "wait_for(arrived + stage, parity);"};
        const int ahead = stages(p) < tiles(p) ? stages(p) : tiles(p);
        const bool through_registers = copies_by(p, CopyWay::registers);
        KernelOrder order;
        if (!through_registers) order.access(fill, ahead * copies(p));
        order.loop(tiles(p), buffers(p));
        if (through_registers) order.access(fill, copies(p));
        order.barrier(Waits::block, kArrived[p.variant]).access(read_tile, reads(p)).barrier();
        if (!through_registers && ahead < tiles(p)) order.access(fill, copies(p), ahead);
        return order.end_loop();
    }

    static constexpr Instruction instruction(const Params& p, int index) {
        constexpr std::string_view kCopies[] = {"ahead[s][i] = *(T*)(from + place_in_matrix(tile, at));",
                                                "copy<sizeof(T)>(to, from);",
                                                "copy_line(to, from, bytes, arrived + stage);",
                                                "copy_box(to, map, column, row, arrived + stage);"};
        constexpr std::string_view kCopyLabels[] = {"load in", "copy in", "copy line", "copy box"};
        constexpr std::string_view kFillLabels[] = {"store tile", "copy in, into the tile",
                                                    "copy line, into the tile", "copy box, into the tile"};
        const bool by_tma = copies_by(p, CopyWay::tma);
        const int form = p.variant + (by_tma && p.width > 0 ? 1 : 0);
        // Instructions that are executed equally often form a phase.
        const bool equally = copies(p) == reads(p);
        switch (index) {
            case copy_in:
                return {.label = kCopyLabels[form],
                        .object = "in",
                        .code = kCopies[form],
                        .bytes_per_lane = copy_bytes(p),
                        .step_period = copies(p),
                        .operand = by_tma,
                        .bulk = by_tma};
            case fill:
                return {.label = kFillLabels[form],
                        .object = "tile",
                        .code = form == 0 ? "*(T*)(shared + place_in_tile(tile, at)) = ahead[s][i];"
                                          : kCopies[form],
                        .space = Space::shared,
                        .op = Op::store,
                        .bytes_per_lane = copy_bytes(p),
                        .step_period = copies(p),
                        .operand = !copies_by(p, CopyWay::registers),
                        .bulk = by_tma};
            case read_tile:
                return {.label = "read tile",
                        .object = "tile",
                        .code = "four = chunks[place_in_tile(tile, at) / 16];",
                        .space = Space::shared,
                        .bytes_per_lane = kChunkBytes,
                        .phase = equally ? 0 : 1,
                        .steps = tiles(p) * reads(p),
                        .step_period = reads(p)};
            default:
                return {.label = "store out",
                        .object = "out",
                        .code = "out[i] = sum;",
                        .op = Op::store,
                        .buffer = 1,
                        .phase = equally ? 1 : 2,
                        .steps = 1};
        }
    }

    /// The place in a tile of the byte that lies so far behind its first one, row by row.
    WARPLENS_HD static constexpr int place(const Params& p, int at) {
        return place_in_boxes({rows(p), span(p), span(p)}, swizzle_bits(p), at / row_bytes(p),
                              at % row_bytes(p));
    }
    /// The first byte that a thread reads of a tile, in the same order.
    WARPLENS_HD static constexpr int read_at(const Params& p, int read, int thread) {
        const int chunk = read * p.block_x + thread;
        return p.walk == 0 ? chunk * kChunkBytes
                           : chunk % rows(p) * row_bytes(p) + chunk / rows(p) * kChunkBytes;
    }
    WARPLENS_HD static constexpr std::int64_t source(const Params& p, int block, int tile, int at) {
        const std::int64_t row = std::int64_t{tile} * rows(p) + at / row_bytes(p);
        return row * pitch(p) + std::int64_t{block} * row_bytes(p) + at % row_bytes(p);
    }

    WARPLENS_HD static constexpr LaneAccess access(const Params& p, int index, const ThreadId& t) {
        const int each = index == read_tile ? reads(p) : copies(p), tile = t.step / each;
        const int at = (t.step % each * p.block_x + t.x) * copy_bytes(p);
        const int stage = tile % buffers(p) * tile_bytes(p);
        std::int64_t address = 0;
        switch (index) {
            case copy_in:
                address =
                    source(p, t.block_x, tile, at);  // address of: load in; copy in; copy line; copy box
                break;
            case fill:
                // address of: store tile; copy in, into the tile; copy line, into the tile; copy box,
                // into the tile
                address = stage + place(p, at);
                break;
            case read_tile:
                address = stage + place(p, read_at(p, t.step % each, t.x));  // address of: read tile
                break;
            default:
                address = (std::int64_t{t.block_x} * p.block_x + t.x) * kBytes;  // address of: store out
        }
        return {std::uint64_t(address), true};
    }

    /// A float of the input: sums of them are exact.
    WARPLENS_HD static constexpr float value_of(std::uint64_t index) {
        return float(mix_bits(std::uint32_t(index)) & 15);
    }

    static KernelCode code(const Params& p) {
        constexpr const char* kModes[] = {"NONE", "32B", "64B", "128B"};
        KernelCode code{p.width == 0 ? "stream_lines" : "stream_boxes",
                        {},
                        {{"tiles", tiles(p)},
                         {"rows", rows(p)},
                         {"row_bytes", row_bytes(p)},
                         {"span_bytes", span(p)},
                         {"rows_log2", log2_of(rows(p))},
                         {"row_log2", log2_of(row_bytes(p))},
                         {"span_log2", log2_of(span(p))},
                         {"changed", changed_bits(p)},
                         {"by_columns", p.walk == 1},
                         {"pitch", pitch(p)},
                         {"swizzle_mode", std::string("CU_TENSOR_MAP_SWIZZLE_") + kModes[swizzle_bits(p)]}}};
        if (copies_by(p, CopyWay::tma)) return code;
        code.function = copies_by(p, CopyWay::registers) ? "stream_through_registers" : "stream_by_copies";
        code.arguments = {element_type(p.element_bytes), {"kStages", stages(p)}};
        if (copies_by(p, CopyWay::registers)) code.arguments.emplace_back("kEach", copies(p));
        return code;
    }

    static std::int64_t tile_and_one(const WordAccess& a, const HeldValues&) {
        return a.thread.step / copies(a.params) + 1;
    }
    static constexpr Sharing sharing{.order = &order,
                                     .values = {.input = "tile t is full of t + 1",
                                                .result = "the sum of *",
                                                .is_sum = true,
                                                .stored = &tile_and_one,
                                                .loaded = &add_value,
                                                .matters = &always_matters}};

    static constexpr QuizTurn turns[] = {
        {"way", "registers"},  // as every GPU can; the tile is read the same way
        {"row", "8,16,32,32"},
        {"read", "rows,columns,columns"},
        {"swizzle", "none,128", "row=32"}};
    static constexpr std::string_view kFloats =
        "An element is a float4, and the tile has rows of {row} floats.";
    static constexpr std::string_view kSwizzled =
        "An element is a float4, and the tile has rows of {row} floats. In row r, element c has the place c ^ (r % 8).";
    static constexpr QuizTell tells[] = {
        {"read=rows,swizzle=none", "read tile", kFloats, "tile[i]"},
        {"read=columns,swizzle=none", "read tile", kFloats, "tile[{row} / 4 * i]"},
        {"read=columns,swizzle=128", "read tile", kSwizzled, "tile[{row} / 4 * i + i % 8]"}};
    static constexpr QuizSource quiz[] = {{16, Space::shared, turns, tells, "way,stages,row"}};
};

}  // namespace warplens
