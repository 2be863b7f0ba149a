#pragma once

#include "kernels/scenarios/shared_knobs.h"

namespace warplens {

/// The same load from three memories: the block's own shared memory, the shared memory of another block of
/// its cluster (distributed shared memory), or global memory, through which blocks must communicate that form
/// no cluster.
///
/// Each block is one warp; lane i requests element i * stride.
struct ClusterShared {
    enum class Place : int { own, neighbour, global };
    static constexpr Choice kPlaces[] = {
        {int(Place::own), "own"}, {int(Place::neighbour), "neighbour"}, {int(Place::global), "global"}};
    static constexpr Choice kClusters[] = {{2, "2"}, {4, "4"}, {8, "8"}, {16, "16"}};
    static constexpr int farthest(const Params& p) { return p.cluster - 1; }

    static constexpr std::string_view distance_is_idle(const Params& p) {
        return p.variant != int(Place::neighbour) ? "Only memory of a neighbour lies in another block." : "";
    }

    static constexpr Knob knobs[] = {
        {&Params::variant, "place", "variant", "Target", "",
         "Which memory is read. own: this block's shared memory. neighbour: that of another block of the cluster. "
         "global: global memory.",
         KnobKind::choice, 0, 2, kPlaces, false, true},
        {&Params::cluster, "cluster", "", "Cluster", "blocks",
         "Blocks that run at the same time and can read each other's shared memory. More than 8 need an attribute.",
         KnobKind::choice, 2, 16, kClusters, false, true},
        {&Params::distance, "distance", "rank", "Distance", "blocks",
         "The rank of the target block minus the rank of the reading block, modulo the cluster size.",
         KnobKind::slider, 1, 15, kNoChoices, false, true, &farthest, &distance_is_idle},
        remedy(
            {&Params::stride, "stride", "", "Stride", "elements",
             "Distance between the elements of neighbouring lanes. The banks of the target block serve them.",
             KnobKind::slider, 1, 32, kNoChoices, false, true}),
        element_knob("Bytes that one lane loads: float, float2 or float4.", kFloatBytes),
        {&Params::blocks_log2, "blocks", "", "Blocks", "blocks",
         "How many blocks of one warp the grid has, in whole clusters.", KnobKind::power, 4, 16},
    };
    static constexpr Preset presets[] = {{"own", "place=own"},
                                         {"neighbour", "place=neighbour"},
                                         {"far neighbour", "place=neighbour,cluster=8,distance=5"},
                                         {"neighbour with conflicts", "place=neighbour,stride=8"},
                                         {"through global memory", "place=global"}};
    static constexpr ScenarioInfo info{
        .id = "cluster-shared",
        .title = "Distributed shared memory",
        .formula = "tile_of(rank + distance)[lane * stride]",
        .summary = "A block loads from the shared memory of another block of its cluster.",
        .spaces = space_bit(Space::cluster),
        .knobs = knobs,
        .defaults = {.variant = int(Place::neighbour), .cluster = 4},
        .presets = presets,
        .main_knobs = "place,cluster,stride",
        .first_axis = "place",
        .speed_unit = [](const Params&) { return SpeedUnit::cycles; },
        .least_cc = 90,
        .earlier_title = "another block's shared memory"};

    /// The bytes that a block stores for the others, in global memory rounded up to a multiple of 256 bytes.
    WARPLENS_HD static constexpr std::int64_t tile_bytes(const Params& p) {
        return std::int64_t{(kWarpLanes - 1) * p.stride + 1} * p.element_bytes;
    }
    WARPLENS_HD static constexpr std::int64_t tile_pitch(const Params& p) {
        return (tile_bytes(p) + 255) / 256 * 256;
    }

    static constexpr LaunchShape launch(const Params& p) {
        LaunchShape shape{.grid = {1 << p.blocks_log2, 1}, .block = {kWarpLanes, 1}, .cluster = p.cluster};
        if (p.variant == int(Place::global))
            shape.buffer_bytes[0] = shape.grid.x * tile_pitch(p);
        else
            shape.shared_bytes = tile_bytes(p);
        return shape;
    }

    static constexpr KernelOrder order(const Params& p) {
        KernelOrder order;
        if (p.variant == int(Place::global)) return order;
        order.fill(4, kFillWords).barrier();
        if (p.variant == int(Place::own)) return order.access(0);
        return order.barrier(Waits::cluster).access(0).barrier(Waits::cluster);
    }

    static constexpr int instruction_count(const Params&) { return 1; }

    static constexpr Instruction instruction(const Params& p, int) {
        Instruction result{.label = "load own shared",
                           .code = "value = tile[lane * stride];",
                           .space = Space::shared,
                           .op = Op::load,
                           .bytes_per_lane = p.element_bytes};
        if (p.variant == int(Place::neighbour)) {
            result.label = "load a neighbour's shared";
            result.code = "value = cluster.map_shared_rank(tile, rank)[lane * stride];";
            result.space = Space::cluster;
            result.ranks_away = p.distance;
        } else if (p.variant == int(Place::global)) {
            result.label = "load global, past the L1";
            result.object = "global";
            result.code = "value = __ldcg(&in[block * pitch + lane * stride]);";
            result.space = Space::global;
        }
        return result;
    }

    WARPLENS_HD static constexpr LaneAccess access(const Params& p, int, const ThreadId& t) {
        const std::int64_t block = p.variant == int(Place::global) ? t.block_x : 0;
        return {static_cast<std::uint64_t>(block * tile_pitch(p) +
                                           std::int64_t{t.x} * p.stride * p.element_bytes),
                true};
    }

    static KernelCode code(const Params& p) {
        constexpr const char* kFunctions[] = {"load_own", "load_neighbour", "load_global"};
        return {kFunctions[p.variant],
                {element_type(p.element_bytes)},
                {{"pitch", tile_pitch(p) / p.element_bytes}}};
    }
    static constexpr Sharing sharing{.order = &order};
    static constexpr std::span<const QuizSource> quiz = kNoQuiz;
};

}  // namespace warplens
