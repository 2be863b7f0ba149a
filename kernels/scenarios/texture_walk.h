#pragma once

#include "kernels/scenarios/shared_knobs.h"

namespace warplens {

/// A grid fetches every texel of a square image once. The order of the fetches decides how many sectors a
/// warp needs. The image is a texture, or for comparison an array in global memory, stored row by row.
///
/// A block of 256 threads handles a tile of 32 x 32 texels in 4 steps. `offset` shifts the walk right and
/// down by up to one tile, so that only the last blocks of a row or column request texels outside.
struct TextureWalk {
    enum class Memory : int { texture, linear };
    enum class Order : int { row, column, wide, tall, z_order, random };
    static constexpr Choice kMemories[] = {{int(Memory::texture), "texture"},
                                           {int(Memory::linear), "linear"}};
    static constexpr Choice kOrders[] = {{int(Order::row), "row"},         {int(Order::column), "column"},
                                         {int(Order::wide), "block-8x4"},  {int(Order::tall), "block-4x8"},
                                         {int(Order::z_order), "z-order"}, {int(Order::random), "random"}};
    static constexpr Choice kBorders[] = {{int(Border::clamp), "clamp"},
                                          {int(Border::border), "border"},
                                          {int(Border::wrap), "wrap"},
                                          {int(Border::mirror), "mirror"}};
    static constexpr int kBlockThreads = 256;
    static constexpr int kTile = 32;  ///< [texels]
    static constexpr int kTileLog2 = 5;
    static constexpr int kSteps = kTile * kTile / kBlockThreads;

    static constexpr int blocks_across(const Params& p) { return 1 << (p.texture_log2 - kTileLog2); }
    static constexpr int last_warp(const Params& p) {
        return blocks_across(p) * blocks_across(p) * (kBlockThreads / kWarpLanes) - 1;
    }

    static constexpr std::string_view seed_is_idle(const Params& p) {
        return p.pattern != int(Order::random) ? "Only the random walk has a seed." : "";
    }

    static constexpr Knob knobs[] = {
        remedy(
            {&Params::memory, "memory", "", "Memory", "",
             "texture: stored in small blocks, read by the texture unit. linear: stored row by row in global memory.",
             KnobKind::choice, 0, 1, kMemories, false, true}),
        remedy(
            {&Params::pattern, "walk", "pattern", "Walk", "",
             "Which texels a warp fetches at once: 32 in a row, 32 in a column, a block, along a Z-shaped curve, or any 32 "
             "of the tile.",
             KnobKind::choice, 0, 5, kOrders, false, true}),
        {&Params::texture_log2, "size", "texture", "Texture size", "texels",
         "Width and height of the square image of 4-byte texels.", KnobKind::power, 6, 13, kNoChoices, false,
         true},
        {&Params::offset, "offset", "", "Offset", "texels",
         "Shifts the whole walk right and down. The address mode decides what is read beyond the edge.",
         KnobKind::slider, 0, kTile},
        {&Params::border, "border", "address", "Border", "",
         "Outside the image. clamp: repeats the edge. border: gives zero. wrap: repeats the image. mirror: repeats it "
         "mirrored.",
         KnobKind::choice, 0, 3, kBorders},
        {&Params::seed, "seed", "", "Seed", "", "The seed of the random walk.", KnobKind::slider, 0, 999,
         kNoChoices, false, false, nullptr, &seed_is_idle},
        warp_knob((1 << 24) - 1, &last_warp),
        {&Params::step, "step", "", "Step", "",
         "Which of the four steps of a block over its tile the pictures show.", KnobKind::slider, 0,
         kSteps - 1, kNoChoices, true},
    };
    static constexpr Preset presets[] = {{"row", "walk=row"},
                                         {"column", "walk=column"},
                                         {"linear column", "walk=column,memory=linear"},
                                         {"block", "walk=block-8x4"},
                                         {"mirrored edge", "walk=row,size=64,offset=8,border=mirror,warp=8"}};
    static constexpr ScenarioInfo info{
        .id = "texture-walk",
        .title = "Walk over a texture",
        .formula = "texel(x + offset, y + offset)",
        .summary = "Warps fetch the texels of an image by row, by column, in blocks or in another order.",
        .spaces = space_bit(Space::texture),
        .knobs = knobs,
        .defaults = {.pattern = int(Order::column), .texture_log2 = 12},
        .presets = presets,
        .main_knobs = "memory,walk,offset",
        .first_axis = "walk"};

    WARPLENS_HD static constexpr bool linear(const Params& p) { return p.memory == int(Memory::linear); }

    static constexpr LaunchShape launch(const Params& p) {
        const int size = 1 << p.texture_log2, across = blocks_across(p);
        LaunchShape shape{
            .grid = {across, across}, .block = {kBlockThreads, 1}, .steps = kSteps, .border = p.border};
        if (linear(p)) shape.buffer_bytes[0] = std::int64_t{size} * size * kTexelBytes;
        if (!linear(p)) shape.texture = {size, size};
        return shape;
    }

    static constexpr int instruction_count(const Params&) { return 1; }

    static constexpr Instruction instruction(const Params& p, int) {
        return {.label = linear(p) ? "load image, row by row" : "fetch texel",
                .object = linear(p) ? "image" : "texel",
                .code = linear(p) ? "value = image[y * width + x];" : "value = tex2D<unsigned>(image, x, y);",
                .space = linear(p) ? Space::global : Space::texture,
                .op = Op::load,
                .bytes_per_lane = kTexelBytes};
    }

    /// Every second bit of a number, packed together: half of a Z-order index.
    WARPLENS_HD static constexpr int every_second_bit(int value) {
        int packed = 0;
        for (int bit = 0; bit < kTileLog2; ++bit) packed |= (value >> 2 * bit & 1) << bit;
        return packed;
    }

    /// A permutation of the tile's 1,024 texels that looks random. Each step is invertible, so no two texels
    /// become the same.
    WARPLENS_HD static constexpr int shuffled(int texel, int seed) {
        constexpr unsigned kMask = kTile * kTile - 1;
        auto value = static_cast<unsigned>(texel);
        for (unsigned round = 0; round < 3; ++round) {
            value = (value * 0x2c5u + static_cast<unsigned>(seed) * 0x9e5u + round * 0x155u) & kMask;
            value ^= value >> kTileLog2;
        }
        return int(value);
    }

    /// The texel of the tile that is number i in the walk. A warp fetches 32 consecutive ones.
    WARPLENS_HD static constexpr Texel in_tile(const Params& p, int i) {
        const int lane = i % kWarpLanes, warp = i / kWarpLanes;
        switch (static_cast<Order>(p.pattern)) {
            case Order::row:
                break;
            case Order::column:
                return {warp, lane};
            case Order::wide:
                return {warp % 4 * 8 + lane % 8, warp / 4 * 4 + lane / 8};
            case Order::tall:
                return {warp % 8 * 4 + lane % 4, warp / 8 * 8 + lane / 4};
            case Order::z_order:
                return {every_second_bit(i), every_second_bit(i >> 1)};
            case Order::random: {
                const int texel = shuffled(i, p.seed);
                return {texel % kTile, texel / kTile};
            }
        }
        return {lane, warp};
    }

    WARPLENS_HD static constexpr LaneAccess access(const Params& p, int, const ThreadId& t) {
        const int size = 1 << p.texture_log2;
        const Texel own = in_tile(p, t.step * kBlockThreads + t.x);
        const Texel asked{t.block_x * kTile + own.x + p.offset, t.block_y * kTile + own.y + p.offset};
        const auto border = static_cast<Border>(p.border);
        const LaneTexel texel = LaneTexel::of(asked.x, asked.y);
        if (!linear(p)) return {sampled_address(asked, {size, size}, border), true, texel};
        const int x = inside_texture(asked.x, size, border), y = inside_texture(asked.y, size, border);
        if (x < 0 || y < 0) return {0, false, texel};
        return {static_cast<std::uint64_t>(std::int64_t{y} * size + x) * kTexelBytes, true, texel};
    }

    static KernelCode code(const Params& p) {
        constexpr const char* kWalks[] = {"Row", "Column", "Wide", "Tall", "ZOrder", "Random"};
        constexpr const char* kModes[] = {"Clamp", "", "Wrap", "Mirror"};
        const bool bordered = p.border == int(Border::border);
        return {!linear(p) ? "walk_texture"
                : bordered ? "walk_array_with_border"
                           : "walk_array",
                {{"Order", kWalks[p.pattern]}, {"Border", kModes[p.border]}},
                texture_values(p)};
    }
    static constexpr Sharing sharing{};
    static constexpr QuizTurn turns[] = {{"walk", "row,column,block-8x4,block-4x8,z-order"},
                                         {"offset", "0,0,1,2"}};
    static constexpr QuizTell tells[] = {
        {"walk=row", "", "", "texel(i + {offset}, {offset})"},
        {"walk=column", "", "", "texel({offset}, i + {offset})"},
        {"walk=block-8x4", "", "", "texel(i % 8 + {offset}, i / 8 + {offset})"},
        {"walk=block-4x8", "", "", "texel(i % 4 + {offset}, i / 4 + {offset})"},
        {"walk=z-order", "", "x = i % 2 + i / 4 % 2 * 2 + i / 16 * 4, y = i / 2 % 2 + i / 8 % 2 * 2.",
         "texel(x + {offset}, y + {offset})"}};
    static constexpr QuizSource quiz[] = {{9, Space::texture, turns, tells}};
};

}  // namespace warplens
