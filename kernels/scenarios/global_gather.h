#pragma once

#include "kernels/hash.h"
#include "kernels/scenarios/shared_knobs.h"

namespace warplens {

enum class GatherPattern : int { random, permuted, sorted, clustered };

/// Lane i reads its index from memory, then the element that the index selects, as in sparse matrices, lookup
/// tables, and particles in cells.
///
/// Indices look random but are a formula of the thread, so that the model knows them. The indices of a block
/// lie within a window that begins at the block's own first element; every block has the same pattern.
struct GlobalGather {
    static constexpr int kBlockThreads = 256;
    static constexpr int kIndexBytes = 4;
    static constexpr int kClusterLanes = 8;      ///< lanes whose elements lie close together
    static constexpr int kClusterElements = 32;  ///< range of these elements
    static constexpr Choice kPatterns[] = {{int(GatherPattern::random), "random"},
                                           {int(GatherPattern::permuted), "permuted"},
                                           {int(GatherPattern::sorted), "sorted"},
                                           {int(GatherPattern::clustered), "clustered"}};
    static constexpr int last_warp(const Params& p) { return (1 << p.elements_log2) / kWarpLanes - 1; }

    static constexpr Knob knobs[] = {
        {&Params::pattern, "pattern", "", "Pattern", "",
         "random: anywhere in the window. permuted: the same, but no two threads of a block meet by chance. sorted: "
         "rising with the thread. clustered: 8 neighbours together in 32 elements.",
         KnobKind::choice, 0, 3, kPatterns},
        {&Params::window_log2, "window", "", "Window", "elements",
         "The range of the indices of a block of 256 threads.", KnobKind::power, 8, 20, kNoChoices, false,
         true},
        {&Params::duplicates, "duplicates", "", "Duplicates", "lanes",
         "How many adjacent lanes have the same index.", KnobKind::choice, 1, 32, kPowersTo32, false, true},
        element_knob("Bytes of one gathered element.", kFloatBytes),
        {&Params::seed, "seed", "", "Seed", "", "The seed of the random numbers.", KnobKind::slider, 0, 9999},
        {&Params::elements_log2, "elements", "n", "Indices", "indices",
         "How many indices the grid reads in all: one thread each, in blocks of 256.", KnobKind::power, 10,
         27},
        kMaskOfWarps,
        warp_knob((1 << 22) - 1, &last_warp),
    };
    static constexpr Preset presets[] = {{"random", "pattern=random"},
                                         {"sorted and dense", "pattern=sorted,window=2^9"},
                                         {"clustered", "pattern=clustered"},
                                         {"shared by 8 lanes", "pattern=permuted,duplicates=8"},
                                         {"16-byte elements", "pattern=random,element=16"}};
    static constexpr ScenarioInfo info{
        .id = "global-gather",
        .title = "Gather",
        .formula = "in[index[i]]",
        .summary = "Lane i reads an index from memory and then the element that the index selects.",
        .spaces = space_bit(Space::global),
        .knobs = knobs,
        .defaults = {.elements_log2 = 24},
        .presets = presets,
        .main_knobs = "pattern,window,duplicates",
        .first_axis = "window",
        .instance = [](const Params&) { return 0; }};

    /// How far after the block's first element the element of one of its threads lies [elements]. It is below
    /// the window.
    WARPLENS_HD static constexpr std::int64_t place_in_window(const Params& p, int thread) {
        // Neighbours that share an element have the same item.
        const auto item = static_cast<std::uint32_t>(thread / p.duplicates);
        const auto seed = static_cast<std::uint32_t>(p.seed);
        const std::uint32_t window = 1u << p.window_log2;
        const std::uint32_t noise = mix_bits(item ^ mix_bits(seed));
        switch (static_cast<GatherPattern>(p.pattern)) {
            case GatherPattern::random:
                break;
            case GatherPattern::permuted:
                return shuffle_bits(item, p.window_log2, seed);
            case GatherPattern::sorted: {
                const std::uint32_t apart = window / static_cast<std::uint32_t>(kBlockThreads / p.duplicates);
                return item * apart + (noise & (apart - 1));
            }
            case GatherPattern::clustered: {
                const std::uint32_t cluster = mix_bits(item / kClusterLanes ^ mix_bits(seed + 1));
                return (cluster & (window - 1)) / kClusterElements * kClusterElements +
                       noise % kClusterElements;
            }
        }
        return noise & (window - 1);
    }

    /// The value of index[i] for i = block * 256 + thread [elements].
    WARPLENS_HD static constexpr std::int64_t index_of(const Params& p, int block, int thread) {
        return std::int64_t{block} * kBlockThreads + place_in_window(p, thread);
    }

    static constexpr LaunchShape launch(const Params& p) {
        const std::int64_t indices = std::int64_t{1} << p.elements_log2;
        const std::int64_t elements = indices - kBlockThreads + (std::int64_t{1} << p.window_log2);
        return {.grid = {int(indices / kBlockThreads), 1},
                .block = {kBlockThreads, 1},
                .buffer_bytes = {elements * p.element_bytes, 0, indices * kIndexBytes}};
    }

    static constexpr int instruction_count(const Params&) { return 2; }

    static constexpr Instruction instruction(const Params& p, int index) {
        if (index == 0) {
            return {.label = "load index, coalesced",
                    .object = "index",
                    .code = "k = index[i];",
                    .space = Space::global,
                    .op = Op::load,
                    .bytes_per_lane = kIndexBytes,
                    .buffer = 2};
        }
        return {.label = "load in, gathered",
                .object = "in",
                .code = "value = in[k];",
                .space = Space::global,
                .op = Op::load,
                .bytes_per_lane = p.element_bytes};
    }

    WARPLENS_HD static constexpr LaneAccess access(const Params& p, int index, const ThreadId& t) {
        const std::int64_t address = index == 0
                                         ? (std::int64_t{t.block_x} * kBlockThreads + t.x) * kIndexBytes
                                         : index_of(p, t.block_x, t.x) * p.element_bytes;
        return {static_cast<std::uint64_t>(address), lane_in_mask(p, t.x)};
    }

    static KernelCode code(const Params& p) {
        return {"find_gathered", {element_type(p.element_bytes)}, {{"half_of_window", p.window_log2 / 2}}};
    }
    static constexpr Sharing sharing{};
    static constexpr std::span<const QuizSource> quiz = kNoQuiz;
};

}  // namespace warplens
