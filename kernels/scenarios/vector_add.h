#pragma once

#include "kernels/scenarios/shared_knobs.h"

namespace warplens {

/// Which of a thread's three indices runs fastest in the number of its element.
enum class ThreadOrder : int { x_first, z_first };

/// c = a + b, one element per thread: the first kernel of every course.
///
/// Lanes are numbered x first, then y, then z, whatever the kernel computes. An extent here has no z, so rows
/// of the block are counted through all its layers: ThreadId::y is y + blockDim.y * z. Params::block_rows is
/// blockDim.z, Params::width is n. As n need not be a
/// multiple of the block, a guard switches off the threads beyond the end.
struct VectorAdd {
    static constexpr int kBytes = 4, kMostThreads = 1024, kMostLayers = 64;
    static constexpr Choice kSizes[] = {{1, "1"},     {2, "2"},     {4, "4"},      {8, "8"},
                                        {16, "16"},   {32, "32"},   {64, "64"},    {128, "128"},
                                        {256, "256"}, {512, "512"}, {1024, "1024"}};
    static constexpr Choice kRows[] = {{1, "1"}, {2, "2"}, {4, "4"}, {8, "8"}, {16, "16"}, {32, "32"}};
    static constexpr Choice kLayers[] = {{1, "1"},   {2, "2"},   {4, "4"},  {8, "8"},
                                         {16, "16"}, {32, "32"}, {64, "64"}};
    static constexpr Choice kOrders[] = {{int(ThreadOrder::x_first), "x-first"},
                                         {int(ThreadOrder::z_first), "z-first"}};

    WARPLENS_HD static constexpr int threads(const Params& p) { return p.block_x * p.block_y * p.block_rows; }
    static constexpr int blocks(const Params& p) { return (p.width + threads(p) - 1) / threads(p); }
    static constexpr int last_warp(const Params& p) {
        return blocks(p) * ((threads(p) + kWarpLanes - 1) / kWarpLanes) - 1;
    }
    static constexpr int most_rows(const Params& p) { return kMostThreads / p.block_x; }
    static constexpr int most_layers(const Params& p) {
        const int room = kMostThreads / (p.block_x * p.block_y);
        return room < kMostLayers ? room : kMostLayers;
    }
    static constexpr std::string_view order_is_idle(const Params& p) {
        return p.block_y * p.block_rows == 1 || p.block_x * p.block_y == 1
                   ? "In a block of one dimension both orders are the same."
                   : "";
    }

    static constexpr Knob knobs[] = {
        {&Params::width, "n", "elements", "Elements", "elements",
         "Elements of each vector. If they are no multiple of the block, the last block has threads without an "
         "element.",
         KnobKind::slider, 1, 1 << 26},
        {&Params::block_x, "block_x", "block", "Block, x", "threads",
         "Threads of a block in x, blockDim.x. A block has at most 1024 threads in all.", KnobKind::choice, 1,
         1024, kSizes, false, true},
        {&Params::block_y, "block_y", "", "Block, y", "threads", "Threads of a block in y, blockDim.y.",
         KnobKind::choice, 1, 32, kRows, false, true, &most_rows},
        {&Params::block_rows, "block_z", "", "Block, z", "threads",
         "Threads of a block in z, blockDim.z: at most 64.", KnobKind::choice, 1, kMostLayers, kLayers, false,
         true, &most_layers},
        remedy(
            {&Params::walk, "order", "", "Order", "",
             "x-first: the element is counted as lanes are, x fastest, then y, then z. z-first: the other way "
             "round, so neighbouring lanes lie apart.",
             KnobKind::choice, 0, 1, kOrders, false, true, nullptr, &order_is_idle}),
        warp_knob((1 << 26) - 1, &last_warp),
    };
    static constexpr Preset presets[] = {{"a million elements", "n=1000000"},
                                         {"the last warp", "n=1000,block=256,warp=31"},
                                         {"3-D block", "block_x=8,block_y=8,block_z=4"},
                                         {"z first", "block_x=8,block_y=8,block_z=4,order=z-first"}};
    static constexpr ScenarioInfo info{
        .id = "vector-add",
        .title = "Vector addition",
        .formula = "if (i < n) c[i] = a[i] + b[i]",
        .summary = "Each thread adds two elements; a guard stops the threads beyond the end.",
        .spaces = space_bit(Space::global),
        .knobs = knobs,
        .defaults = {.width = 1000000, .block_x = 256, .block_y = 1, .block_rows = 1},
        .presets = presets,
        .main_knobs = "n,block_x,order",
        .first_axis = "block_x",
        .flop = [](const Params& p) { return double(p.width); },
        .instance = [](const Params& p) { return p.walk; }};

    static constexpr LaunchShape launch(const Params& p) {
        const std::int64_t bytes = std::int64_t{p.width} * kBytes;
        return {.grid = {blocks(p), 1},
                .block = {p.block_x, p.block_y * p.block_rows},
                .buffer_bytes = {bytes, bytes, bytes}};
    }

    static constexpr int instruction_count(const Params&) { return 3; }

    static constexpr Instruction instruction(const Params&, int index) {
        constexpr std::string_view kLabels[] = {"load a", "load b", "store c"};
        constexpr std::string_view kArrays[] = {"a", "b", "c"};
        constexpr std::string_view kLines[] = {"x = a[i];", "y = b[i];", "c[i] = x + y;"};
        constexpr int kBuffers[] = {0, 2, 1};
        return {.label = kLabels[index],
                .object = kArrays[index],
                .code = kLines[index],
                .space = Space::global,
                .op = index == 2 ? Op::store : Op::load,
                .bytes_per_lane = kBytes,
                .buffer = kBuffers[index]};
    }

    WARPLENS_HD static constexpr LaneAccess access(const Params& p, int, const ThreadId& t) {
        const int y = t.y % p.block_y, z = t.y / p.block_y;
        const int in_block = p.walk == int(ThreadOrder::x_first) ? t.x + p.block_x * (y + p.block_y * z)
                                                                 : z + p.block_rows * (y + p.block_y * t.x);
        const std::int64_t i = std::int64_t{t.block_x} * threads(p) + in_block;
        const bool inside = i < p.width;
        return {static_cast<std::uint64_t>(inside ? i * kBytes : 0), inside};
    }

    static KernelCode code(const Params& p) {
        return {p.walk == int(ThreadOrder::x_first) ? "add" : "add_z_first"};
    }
    static constexpr Sharing sharing{};
    static constexpr std::span<const QuizSource> quiz = kNoQuiz;
};

}  // namespace warplens
