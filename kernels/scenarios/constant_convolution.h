#pragma once

#include "kernels/scenarios/shared_knobs.h"

namespace warplens {

enum class WeightMemory : int { constant, shared, global };

/// A filter slides over an image: out(y, x) = sum over taps of in(y + dy, x + dx) * weight(dy, dx). All lanes
/// request the same weight at the same time.
///
/// The image is stored with a halo of filter - 1 rows and columns, so that every load lies inside; its rows
/// are rounded up to multiples of 256 bytes. A step is one tap; taps are taken row by row. The instructions
/// are those that nvcc 13.0 makes of the kernels for sm_90: it reads weights in constant memory into uniform
/// registers, two at a time and once for the warp, where they are operands of the multiply-adds; weights in
/// shared memory it loads four at a time, and the last one alone.
struct ConstantConvolution {
    static constexpr int kBytes = 4, kBlockX = 32, kBlockY = 8, kRowUnit = 64;
    static constexpr Choice kMemories[] = {{int(WeightMemory::constant), "constant"},
                                           {int(WeightMemory::shared), "shared"},
                                           {int(WeightMemory::global), "global"}};
    static constexpr Choice kFilters[] = {{3, "3x3"}, {5, "5x5"}, {7, "7x7"}, {9, "9x9"}};
    static constexpr Choice kImages[] = {{64, "64"},     {128, "128"},   {256, "256"},   {512, "512"},
                                         {1024, "1024"}, {2048, "2048"}, {4096, "4096"}, {8192, "8192"}};

    static constexpr WeightMemory memory(const Params& p) { return static_cast<WeightMemory>(p.memory); }
    static constexpr int last_warp(const Params& p) { return p.matrix / kBlockX * p.matrix - 1; }
    static constexpr int last_step(const Params& p) { return p.filter * p.filter - 1; }
    static constexpr bool copies_weights(const Params& p) { return memory(p) == WeightMemory::shared; }

    static constexpr Knob knobs[] = {
        remedy({&Params::memory, "memory", "weights", "Weights in", "",
                "Which memory holds the filter's weights. shared: each block copies them there first.",
                KnobKind::choice, 0, 2, kMemories, false, true}),
        {&Params::filter, "filter", "", "Filter", "",
         "Rows and columns of the filter: one tap for each weight.", KnobKind::choice, 3, 9, kFilters, false,
         true},
        {&Params::matrix, "matrix", "size", "Image size", "elements",
         "Rows and columns of the image that is written. The image that is read has a halo around it.",
         KnobKind::choice, 64, 8192, kImages, false, true},
        warp_knob((1 << 24) - 1, &last_warp),
        {&Params::step, "step", "tap", "Tap", "", "Which tap of the filter the pictures show.",
         KnobKind::slider, 0, 80, kNoChoices, true, false, &last_step},
    };
    static constexpr Preset presets[] = {{"constant", "memory=constant"},
                                         {"shared", "memory=shared"},
                                         {"global", "memory=global"},
                                         {"9x9 filter", "filter=9x9"}};
    static constexpr SpeedUnit speed(const Params&) { return SpeedUnit::gflop_per_s; }
    static constexpr double operations(const Params& p) {
        return 2.0 * p.filter * p.filter * p.matrix * p.matrix;
    }
    static constexpr ScenarioInfo info{
        .id = "constant-convolution",
        .title = "Convolution",
        .formula = "out[y][x] += in[y + dy][x + dx] * weight[dy][dx]",
        .summary = "A filter slides over an image; its weights lie in constant, shared or global memory.",
        .spaces = space_bit(Space::constant) | space_bit(Space::shared) | space_bit(Space::global),
        .knobs = knobs,
        .defaults = {.matrix = 4096, .memory = int(WeightMemory::constant), .filter = 5},
        .presets = presets,
        .main_knobs = "memory,filter",
        .first_axis = "memory",
        .speed_unit = &speed,
        .flop = &operations,
        .instance = [](const Params& p) { return p.memory * 16 + p.filter; }};

    /// Elements from one row of the stored image to the next.
    WARPLENS_HD static constexpr int pitch(const Params& p) {
        return (p.matrix + p.filter - 1 + kRowUnit - 1) / kRowUnit * kRowUnit;
    }
    WARPLENS_HD static constexpr int in_element(const Params& p, int y, int x) { return y * pitch(p) + x; }
    WARPLENS_HD static constexpr int out_element(const Params& p, int y, int x) { return y * p.matrix + x; }
    /// The weights of the filter: multiples of 1/128 from -1 to just below 1.
    static constexpr float weight(int element) { return float((element * 73 + 29) % 256 - 128) / 128; }

    static constexpr LaunchShape launch(const Params& p) {
        const std::int64_t weights = p.filter * p.filter * kBytes;
        return {.grid = {p.matrix / kBlockX, p.matrix / kBlockY},
                .block = {kBlockX, kBlockY},
                .steps = p.filter * p.filter,
                .shared_bytes = copies_weights(p) ? weights : 0,
                .buffer_bytes = {std::int64_t{pitch(p)} * (p.matrix + p.filter - 1) * kBytes,
                                 std::int64_t{p.matrix} * p.matrix * kBytes,
                                 memory(p) == WeightMemory::constant ? 0 : weights}};
    }

    /// How many weights nvcc loads from shared memory at once. The numbers of weights, 9, 25, 49 and 81,
    /// leave one over.
    static constexpr int kJoined = 4;

    enum Index { fetch_weight, keep_weight, load_in, load_weight, load_four, load_last, store_out };
    /// Maps the number of an instruction to its kind: only the shared variant copies weights.
    WARPLENS_HD static constexpr int index_of(const Params& p, int i) {
        constexpr Index kShared[] = {fetch_weight, keep_weight, load_in, load_four, load_last, store_out},
                        kOther[] = {load_in, load_weight, store_out};
        return p.memory == int(WeightMemory::shared) ? kShared[i] : kOther[i];
    }
    static constexpr int instruction_count(const Params& p) { return copies_weights(p) ? 6 : 3; }

    static constexpr Instruction instruction(const Params& p, int i) {
        const int taps = p.filter * p.filter, copied = copies_weights(p) ? 1 : 0;
        const bool constant = memory(p) == WeightMemory::constant;
        switch (index_of(p, i)) {
            case fetch_weight:
                return {
                    .label = "copy weights: load", .code = "w = weight[thread];", .buffer = 2, .steps = 1};
            case keep_weight:
                return {.label = "copy weights: store",
                        .code = "shared_weight[thread] = w;",
                        .space = Space::shared,
                        .op = Op::store,
                        .steps = 1};
            case load_in:
                return {.label = "load in",
                        .object = "in",
                        .code = "value = in[(y + dy) * pitch + x + dx];",
                        .phase = copied,
                        .steps = taps,
                        .step_period = p.filter};
            case load_weight:
                return {.label = constant ? "weight, an operand" : "load weight",
                        .object = "weight",
                        .code = constant ? "sum += value * constant_weight[dy * filter + dx];"
                                         : "w = weight[dy * filter + dx];",
                        .space = constant ? Space::constant : Space::global,
                        .buffer = constant ? 0 : 2,
                        .steps = taps,
                        .step_period = 1,
                        .operand = constant};
            case load_four:
                return {.label = "load four weights",
                        .code = "w = shared_weight[dy * filter + dx];  // nvcc joins four of these",
                        .space = Space::shared,
                        .bytes_per_lane = kJoined * kBytes,
                        .phase = 2,
                        .steps = taps / kJoined,
                        .step_period = 1,
                        .joined = kJoined};
            case load_last:
                return {.label = "load last weight",
                        .code = "w = shared_weight[filter * filter - 1];",
                        .space = Space::shared,
                        .phase = 3,
                        .steps = 1};
            default:
                return {.label = "store out",
                        .object = "out",
                        .code = "out[y * n + x] = sum;",
                        .op = Op::store,
                        .buffer = 1,
                        .phase = copied != 0 ? 3 : 1,
                        .steps = 1};
        }
    }

    static constexpr KernelOrder order(const Params& p) {
        KernelOrder order;
        if (!copies_weights(p)) return order;
        constexpr int kKeep = 1, kLoadFour = 3, kLoadLast = 4;  // in the shared variant: see index_of
        return order.access(kKeep)
            .barrier()
            .access(kLoadFour, p.filter * p.filter / kJoined)
            .access(kLoadLast);
    }

    WARPLENS_HD static constexpr LaneAccess access(const Params& p, int i, const ThreadId& t) {
        const int y = t.block_y * kBlockY + t.y, x = t.block_x * kBlockX + t.x;
        const int dy = t.step / p.filter, dx = t.step % p.filter, thread = t.y * kBlockX + t.x;
        const auto at = [](int element, bool active = true) {
            return LaneAccess{static_cast<std::uint64_t>(element) * kBytes, active};
        };
        switch (index_of(p, i)) {
            case fetch_weight:
            case keep_weight: {
                const bool has_one = thread < p.filter * p.filter;
                return at(has_one ? thread : 0,
                          has_one);  // address of: copy weights: load; copy weights: store
            }
            case load_in:
                return at(in_element(p, y + dy, x + dx));  // address of: load in
            case load_weight:
                return at(t.step);  // address of: load weight; weight, an operand
            case load_four:
                return at(t.step * kJoined);  // address of: load four weights
            case load_last:
                return at(p.filter * p.filter - 1);  // address of: load last weight
            default:
                return at(out_element(p, y, x));  // address of: store out
        }
    }

    static KernelCode code(const Params& p) {
        constexpr const char* kFunctions[] = {"convolve_constant", "convolve_shared", "convolve_global"};
        return {kFunctions[p.memory], {{"kFilter", p.filter}}, {{"pitch", pitch(p)}}};
    }
    static constexpr Sharing sharing{.order = &order,
                                     .values = {.input = "pixels and weights are 1",
                                                .result = "the pixel of *",
                                                .is_sum = true,
                                                .stored = &just_one,
                                                .loaded = &add_value,
                                                .matters = &always_matters}};
    static constexpr std::span<const QuizSource> quiz = kNoQuiz;
};

}  // namespace warplens
