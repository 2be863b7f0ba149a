#pragma once

#include "kernels/scenarios/shared_knobs.h"

namespace warplens {

enum class MatrixWalk : int { rows, columns };

/// A 2-D block over a row-major matrix: which of its two dimensions should follow the rows?
///
/// With the row-wise walk, thread (x, y) accesses row y, column x of the block's part of the matrix, so that
/// neighbouring lanes access neighbouring elements; with the column-wise walk it accesses row x, column y.
struct GlobalMatrix {
    static constexpr Choice kWalks[] = {{int(MatrixWalk::rows), "rows"},
                                        {int(MatrixWalk::columns), "columns"}};
    static constexpr Extent grid(const Params& p) {
        const bool by_rows = p.walk == int(MatrixWalk::rows);
        const int along_x = by_rows ? p.width : p.height, along_y = by_rows ? p.height : p.width;
        return {(along_x + p.block_x - 1) / p.block_x, (along_y + p.block_y - 1) / p.block_y};
    }
    static constexpr int last_warp(const Params& p) {
        const Extent blocks = grid(p);
        return blocks.x * blocks.y * ((p.block_x * p.block_y + kWarpLanes - 1) / kWarpLanes) - 1;
    }

    static constexpr Knob knobs[] = {
        remedy(
            {&Params::walk, "walk", "", "Walk", "",
             "rows: threadIdx.x is the column, so adjacent lanes access adjacent elements. columns: threadIdx.x is the "
             "row, so they access elements one below the other.",
             KnobKind::choice, 0, 1, kWalks}),
        remedy({&Params::block_x, "block_x", "", "Block width", "",
                "Threads of a block in x. Lanes are numbered x first.", KnobKind::choice, 1, 32, kPowersTo32,
                false, true}),
        remedy({&Params::block_y, "block_y", "", "Block height", "", "Threads of a block in y.",
                KnobKind::choice, 1, 32, kPowersTo32, false, true}),
        {&Params::width, "width", "columns", "Width", "elements",
         "Columns of the matrix, padding not counted.", KnobKind::slider, 1, 16384},
        {&Params::height, "height", "rows", "Height", "rows", "Rows of the matrix.", KnobKind::slider, 1,
         16384},
        remedy(
            {&Params::padding, "padding", "pad", "Padding", "elements",
             "Unused elements at the end of each row. cudaMallocPitch adds them so that every row starts aligned.",
             KnobKind::slider, 0, 64, kNoChoices, false, true}),
        kAccessedBytes,
        {&Params::operation, "op", "operation", "Operation", "", "Load from the matrix or store to it.",
         KnobKind::choice, 0, 1, kLoadOrStore},
        warp_knob((1 << 28) - 1, &last_warp),
    };
    static constexpr Preset presets[] = {{"row-wise", "walk=rows"},
                                         {"column-wise", "walk=columns"},
                                         {"narrow block", "walk=rows,block_x=8,block_y=32"},
                                         {"odd width", "walk=rows,width=4095"},
                                         {"odd width padded", "walk=rows,width=4095,padding=1"}};
    static constexpr ScenarioInfo info{
        .id = "global-matrix",
        .title = "Row-wise or column-wise access",
        .formula = "m[row * (width + padding) + column]",
        .summary = "Each thread of a 2-D block accesses one element of a row-major matrix.",
        .spaces = space_bit(Space::global),
        .knobs = knobs,
        .defaults = {.width = 4096, .height = 4096},
        .presets = presets,
        .main_knobs = "walk,block_x,padding",
        .first_axis = "block_x",
        .instance = [](const Params& p) { return p.walk; },
        .earlier_title = "rows or columns"};

    static constexpr LaunchShape launch(const Params& p) {
        const std::int64_t bytes = std::int64_t{p.width + p.padding} * p.height * p.element_bytes;
        LaunchShape shape{.grid = grid(p), .block = {p.block_x, p.block_y}};
        shape.buffer_bytes[p.operation] = bytes;
        return shape;
    }

    static constexpr int instruction_count(const Params&) { return 1; }

    static constexpr Instruction instruction(const Params& p, int) {
        const bool store = p.operation == 1, rows = p.walk == int(MatrixWalk::rows);
        return {.label = store  ? (rows ? "store m, by rows" : "store m, by columns")
                         : rows ? "load m, by rows"
                                : "load m, by columns",
                .object = "m",
                .code = store ? "m[row * pitch + column] = value;" : "value = m[row * pitch + column];",
                .space = Space::global,
                .op = store ? Op::store : Op::load,
                .bytes_per_lane = p.element_bytes,
                .buffer = store ? 1 : 0};
    }

    WARPLENS_HD static constexpr LaneAccess access(const Params& p, int, const ThreadId& t) {
        const std::int64_t x = std::int64_t{t.block_x} * p.block_x + t.x,
                           y = std::int64_t{t.block_y} * p.block_y + t.y;
        const bool by_rows = p.walk == int(MatrixWalk::rows);
        const std::int64_t row = by_rows ? y : x, column = by_rows ? x : y;
        const std::int64_t element = row * (p.width + p.padding) + column;
        const bool inside = row < p.height && column < p.width;
        return {static_cast<std::uint64_t>(inside ? element * p.element_bytes : 0), inside};
    }

    static KernelCode code(const Params& p) {
        return {p.operation == 1 ? "fill_matrix" : "find_in_matrix",
                {element_type(p.element_bytes), {"kByRows", p.walk == int(MatrixWalk::rows)}}};
    }
    static constexpr Sharing sharing{};
    static constexpr std::string_view kPlace =
        "A block has {block_x} x {block_y} threads: x = i % {block_x}, y = i / {block_x}.";
    static constexpr QuizTurn turns[] = {{"walk", "rows,columns"},
                                         {"block_x", "4,8,16,32,32"},
                                         {"block_y", "8,16,32"},
                                         {"width", "64,100,1000,4096"},
                                         {"element", "4,4,8,16"}};
    static constexpr QuizTell tells[] = {{"walk=rows", "", kPlace, "m[y * {width} + x]"},
                                         {"walk=columns", "", kPlace, "m[x * {width} + y]"}};
    static constexpr QuizSource quiz[] = {{2, Space::global, turns, tells, "walk,block_x"}};
};

}  // namespace warplens
