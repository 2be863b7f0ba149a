#pragma once

#include "kernels/scenarios/shared_knobs.h"
#include "kernels/swizzle.h"

namespace warplens {

/// A block walks over a 2-D tile in patches of its own shape. Padding or an XOR swizzle spreads the accesses
/// over the banks.
///
/// By row, thread (x, y) accesses row y, column x of the patch; by column it accesses row x, column y, as in
/// the second half of a transpose; the diagonal is the column walk, shifted by one column for each row.
struct SharedTile {
    static constexpr Choice kWalks[] = {
        {int(Walk::row), "row"}, {int(Walk::column), "column"}, {int(Walk::diagonal), "diagonal"}};
    static constexpr int patch_width(const Params& p) {
        return p.walk == int(Walk::row) ? p.block_x : p.block_y;
    }
    static constexpr int patch_height(const Params& p) {
        return p.walk == int(Walk::row) ? p.block_y : p.block_x;
    }
    WARPLENS_HD static constexpr int patches_across(int width, int patch) {
        return (width + patch - 1) / patch;
    }
    static constexpr int steps(const Params& p) {
        return patches_across(p.width, patch_width(p)) * patches_across(p.height, patch_height(p));
    }
    static constexpr int last_step(const Params& p) { return steps(p) - 1; }
    static constexpr int last_warp(const Params& p) {
        return (p.block_x * p.block_y + kWarpLanes - 1) / kWarpLanes - 1;
    }

    static constexpr std::string_view swizzle_is_idle(const Params& p) {
        return p.swizzle_bits == 0 ? "With 0 swizzle bits no index changes." : "";
    }

    static constexpr Knob knobs[] = {
        {&Params::width, "width", "tile_width", "Tile width", "elements",
         "Columns of the tile, padding not counted.", KnobKind::slider, 1, 64, kNoChoices, false, true},
        {&Params::height, "height", "tile_height", "Tile height", "rows", "Rows of the tile.",
         KnobKind::slider, 1, 64},
        remedy({&Params::padding, "padding", "pad", "Padding", "elements",
                "Unused elements at the end of each row. They shift each row by as many banks.",
                KnobKind::slider, 0, 16, kNoChoices, false, true}),
        which_access(
            {&Params::walk, "walk", "", "Walk", "",
             "row: adjacent lanes access adjacent elements. column: one below the other. diagonal: one below the other and "
             "one column further.",
             KnobKind::choice, 0, 2, kWalks}),
        step_knob(
            "Which part of the tile the pictures show, if the block is smaller than the tile and walks over it.",
            4095, &last_step),
        warp_knob(31, &last_warp, "Which warp of the block the pictures show."),
        {&Params::block_x, "block_x", "", "Block width", "",
         "Threads of a block in x. Lanes are numbered x first.", KnobKind::choice, 1, 32, kPowersTo32},
        {&Params::block_y, "block_y", "", "Block height", "", "Threads of a block in y.", KnobKind::choice, 1,
         32, kPowersTo32},
        element_knob(kBytesInGroups),
        which_access({&Params::operation, "op", "operation", "Operation", "",
                      "Load from the tile or store to it.", KnobKind::choice, 0, 1, kLoadOrStore}),
        remedy({&Params::swizzle_bits, "swizzle_bits", "bits", "Swizzle bits", "bits",
                "XOR swizzle of the element index: how many bits change. 0: no swizzle.", KnobKind::slider, 0,
                5, kNoChoices, false, true}),
        remedy({&Params::swizzle_base, "swizzle_base", "base", "Swizzle base", "bit",
                "The lowest bit of the element index that changes.", KnobKind::slider, 0, 4, kNoChoices,
                false, false, nullptr, &swizzle_is_idle}),
        remedy(
            {&Params::swizzle_shift, "swizzle_shift", "shift", "Swizzle shift", "bits",
             "How far above the changed bits those lie that are XOR-ed in. 5: the row number, if a row has 32 elements.",
             KnobKind::slider, 1, 7, kNoChoices, false, false, nullptr, &swizzle_is_idle}),
        blocks_knob("How many blocks the grid has; each does the same.", 16),
    };
    static constexpr Preset presets[] = {
        {"row", "walk=row"}, {"padded", "padding=1"}, {"swizzled", "swizzle_bits=5"}};
    static constexpr ScenarioInfo info{
        .id = "shared-tile",
        .title = "Tile: bank conflicts and padding",
        .formula = "tile[row * (width + padding) + column]",
        .summary = "A block walks over a 2-D tile by row, by column or along diagonals.",
        .spaces = space_bit(Space::shared),
        .knobs = knobs,
        .defaults = {.walk = int(Walk::column)},
        .presets = presets,
        .main_knobs = "padding,width,walk",
        .first_axis = "padding",
        .instance = [](const Params& p) { return p.walk; },
        .earlier_title = "walk over a tile"};

    static constexpr LaunchShape launch(const Params& p) {
        // A swizzle permutes within such units.
        const int unit = p.swizzle_bits == 0 ? 1 : 1 << (p.swizzle_base + p.swizzle_bits);
        const int elements = ((p.width + p.padding) * p.height + unit - 1) / unit * unit;
        return {.grid = {1 << p.blocks_log2, 1},
                .block = {p.block_x, p.block_y},
                .steps = steps(p),
                .shared_bytes = std::int64_t{elements} * p.element_bytes};
    }

    static constexpr KernelOrder order(const Params& p) {
        KernelOrder order;
        if (p.operation == 1) return order.access(0, steps(p));
        return order.fill(4, kFillWords).barrier().access(0, steps(p));
    }

    static constexpr int instruction_count(const Params&) { return 1; }

    static constexpr Instruction instruction(const Params& p, int) {
        const bool store = p.operation == 1;
        return {.label = store ? "store tile" : "load tile",
                .code = store ? "tile[row][column] = value;" : "value = tile[row][column];",
                .space = Space::shared,
                .op = store ? Op::store : Op::load,
                .bytes_per_lane = p.element_bytes};
    }

    WARPLENS_HD static constexpr LaneAccess access(const Params& p, int, const ThreadId& t) {
        const bool by_row = p.walk == int(Walk::row);
        const int patch_width = by_row ? p.block_x : p.block_y;
        const int patch_height = by_row ? p.block_y : p.block_x;
        const int across = patches_across(p.width, patch_width);
        const int row = t.step / across * patch_height + (by_row ? t.y : t.x);
        const int column = t.step % across * patch_width + (by_row ? t.x : t.y);
        if (row >= p.height || column >= p.width) return {0, false};
        const int shifted = p.walk == int(Walk::diagonal) ? (column + row) % p.width : column;
        const int element = xor_swizzle(row * (p.width + p.padding) + shifted, p.swizzle_bits, p.swizzle_base,
                                        p.swizzle_shift);
        return {static_cast<std::uint64_t>(element * p.element_bytes), true};
    }

    static KernelCode code(const Params& p) {
        constexpr const char* kNames[] = {"by_rows", "by_columns", "diagonally"};
        return {std::string(p.operation == 1 ? "store_" : "load_") + kNames[p.walk],
                {element_type(p.element_bytes)},
                {{"changed", swizzled_bits(p, p.swizzle_base)}}};
    }
    static constexpr Sharing sharing{.order = &order};
    static constexpr std::string_view kPlace =
        "A block has {block_x} x {block_y} threads: x = i % {block_x}, y = i / {block_x}.";
    static constexpr QuizTurn turns[] = {{"width", "16,32,32,64"},
                                         {"padding", "0,0,1,1,2,4,8"},
                                         {"walk", "row,column,column,diagonal"},
                                         {"block_x", "16,32,32"},
                                         {"element", "4,4,8"}};
    static constexpr QuizTell tells[] = {
        {"walk=row", "", kPlace, "tile[y * ({width} + {padding}) + x]"},
        {"walk=column", "", kPlace, "tile[x * ({width} + {padding}) + y]"},
        {"walk=diagonal", "", kPlace, "tile[x * ({width} + {padding}) + (x + y) % {width}]"}};
    static constexpr QuizSource quiz[] = {{3, Space::shared, turns, tells, "padding,walk"}};
};

}  // namespace warplens
