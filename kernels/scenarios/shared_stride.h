#pragma once

#include "kernels/scenarios/shared_knobs.h"

namespace warplens {

/// Lane i accesses element offset + i * stride of shared memory: the textbook example of bank conflicts. Each
/// block is one warp, and every block does the same.
struct SharedStride {
    static constexpr Knob knobs[] = {
        remedy(
            {&Params::stride, "stride", "", "Stride", "elements",
             "Distance between the elements of neighbouring lanes. 0: all lanes request the same element (a broadcast).",
             KnobKind::slider, 0, 64, kNoChoices, false, true}),
        {&Params::offset, "offset", "", "Offset", "elements",
         "The element that lane 0 accesses. It rotates the banks but changes no count.", KnobKind::slider, 0,
         32, kNoChoices, false, true},
        element_knob(kBytesInGroups),
        {&Params::operation, "op", "operation", "Operation", "", "Load from shared memory or store to it.",
         KnobKind::choice, 0, 1, kLoadOrStore},
        kMaskOfWarp,
        blocks_knob("How many blocks of one warp the grid has; each does the same.", 21),
    };
    static constexpr Preset presets[] = {{"conflict-free", "stride=1"},
                                         {"stride 32", "stride=32"},
                                         {"broadcast", "stride=0"},
                                         {"8-byte", "stride=1,element=8"}};
    static constexpr ScenarioInfo info{
        .id = "shared-stride",
        .title = "Stride and banks",
        .formula = "tile[offset + i * stride]",
        .summary = "Lane i of a warp accesses element offset + i * stride of shared memory.",
        .spaces = space_bit(Space::shared),
        .knobs = knobs,
        .defaults = {.stride = 2},
        .presets = presets,
        .main_knobs = "stride,offset,element",
        .earlier_title = "strided access"};

    static constexpr LaunchShape launch(const Params& p) {
        return {.grid = {1 << p.blocks_log2, 1},
                .block = {kWarpLanes, 1},
                .shared_bytes = std::int64_t{p.offset + (kWarpLanes - 1) * p.stride + 1} * p.element_bytes};
    }

    static constexpr KernelOrder order(const Params& p) {
        KernelOrder order;
        if (p.operation == 1) return order.access(0);
        return order.fill(4, kFillWords).barrier().access(0);
    }

    static constexpr int instruction_count(const Params&) { return 1; }

    static constexpr Instruction instruction(const Params& p, int) {
        const bool store = p.operation == 1;
        return {.label = store ? "store shared" : "load shared",
                .code = store ? "tile[offset + i * stride] = value;" : "value = tile[offset + i * stride];",
                .space = Space::shared,
                .op = store ? Op::store : Op::load,
                .bytes_per_lane = p.element_bytes};
    }

    WARPLENS_HD static constexpr LaneAccess access(const Params& p, int, const ThreadId& t) {
        return {static_cast<std::uint64_t>((p.offset + t.x * p.stride) * p.element_bytes),
                lane_in_mask(p, t.x)};
    }

    static KernelCode code(const Params& p) {
        return {p.operation == 1 ? "store_strided" : "load_strided", {element_type(p.element_bytes)}};
    }
    static constexpr Sharing sharing{.order = &order};
    static constexpr QuizTurn turns[] = {{"stride", "0,1,2,3,4,5,6,8,12,16,31,32,33,48"},
                                         {"element", "4,4,8,16"},
                                         {"op", "load,store"},
                                         {"mask", "all,all,0xffff,0xff,0x55555555,0xf0f0f0f0"}};
    static constexpr QuizTell tells[] = {{"", "", "", "tile[{offset} + i * {stride}]"}};
    static constexpr QuizSource quiz[] = {{1, Space::shared, turns, tells, "stride"}};
};

}  // namespace warplens
