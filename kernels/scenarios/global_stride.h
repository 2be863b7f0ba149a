#pragma once

#include "kernels/scenarios/shared_knobs.h"

namespace warplens {

/// Lane i accesses element offset + i * stride. The stride decides whether the accesses of a warp are
/// coalesced.
struct GlobalStride {
    static constexpr int kBlockThreads = 256;
    static constexpr Choice kOperations[] = {{int(Operation::load), "load"},
                                             {int(Operation::store), "store"},
                                             {int(Operation::copy), "copy"},
                                             {int(Operation::copy_both), "copy-both"}};
    static constexpr int last_warp(const Params& p) { return (1 << p.elements_log2) / kWarpLanes - 1; }

    static constexpr Knob knobs[] = {
        remedy(
            {&Params::stride, "stride", "", "Stride", "elements",
             "Distance between the elements of neighbouring lanes. 0: every thread accesses the same element.",
             KnobKind::slider, 0, 64, kNoChoices, false, true}),
        remedy(
            {&Params::offset, "offset", "", "Offset", "elements",
             "The element that thread 0 accesses. An offset that is not a multiple of 32 bytes is misaligned.",
             KnobKind::slider, 0, 32, kNoChoices, false, true}),
        kAccessedBytes,
        {&Params::operation, "op", "operation", "Operation", "",
         "load: reads in[offset + i*stride]. store: writes out there. copy: reads there, writes out[i]. "
         "copy-both: reads and writes at offset + i*stride.",
         KnobKind::choice, 0, 3, kOperations},
        {&Params::elements_log2, "elements", "n", "Elements", "elements",
         "How many elements the grid accesses in all: one thread each, in blocks of 256.", KnobKind::power,
         10, 29},
        kMaskOfWarps,
        warp_knob((1 << 24) - 1, &last_warp),
    };
    static constexpr Preset presets[] = {{"coalesced", "op=load"},
                                         {"every other", "op=load,stride=2"},
                                         {"one sector per lane", "op=load,stride=8"},
                                         {"misaligned", "op=load,offset=1"},
                                         {"float4", "op=load,element=16"}};
    static constexpr ScenarioInfo info{
        .id = "global-stride",
        .title = "Stride and offset",
        .formula = "in[offset + i * stride]",
        .summary = "Lane i of a warp accesses element offset + i * stride of an array.",
        .spaces = space_bit(Space::global),
        .knobs = knobs,
        .defaults = {.operation = int(Operation::copy)},
        .presets = presets,
        .main_knobs = "stride,offset,element",
        .earlier_title = "strided access"};

    static constexpr bool is_copy(const Params& p) { return p.operation >= int(Operation::copy); }

    static constexpr LaunchShape launch(const Params& p) {
        const std::int64_t n = std::int64_t{1} << p.elements_log2;
        const std::int64_t strided = (p.offset + (n - 1) * p.stride + 1) * p.element_bytes;
        LaunchShape shape{.grid = {int(n / kBlockThreads), 1}, .block = {kBlockThreads, 1}};
        const auto operation = static_cast<Operation>(p.operation);
        if (operation != Operation::store) shape.buffer_bytes[0] = strided;
        if (operation == Operation::store || operation == Operation::copy_both)
            shape.buffer_bytes[1] = strided;
        if (operation == Operation::copy) shape.buffer_bytes[1] = n * p.element_bytes;
        return shape;
    }

    static constexpr int instruction_count(const Params& p) { return is_copy(p) ? 2 : 1; }

    static constexpr Instruction instruction(const Params& p, int index) {
        const auto operation = static_cast<Operation>(p.operation);
        const bool store = index == 1 || operation == Operation::store;
        const bool coalesced = index == 1 && operation == Operation::copy;
        return {.label = coalesced ? "store out, coalesced"
                         : store   ? "store out, strided"
                                   : "load in, strided",
                .object = store ? "out" : "in",
                .code = coalesced ? "out[i] = value;"
                        : store   ? "out[offset + i * stride] = value;"
                                  : "value = in[offset + i * stride];",
                .space = Space::global,
                .op = store ? Op::store : Op::load,
                .bytes_per_lane = p.element_bytes,
                .buffer = store ? 1 : 0};
    }

    WARPLENS_HD static constexpr LaneAccess access(const Params& p, int index, const ThreadId& t) {
        const std::int64_t i = std::int64_t{t.block_x} * kBlockThreads + t.x;
        const bool coalesced = index == 1 && p.operation == int(Operation::copy);
        const std::int64_t element = coalesced ? i : p.offset + i * p.stride;
        return {static_cast<std::uint64_t>(element * p.element_bytes), lane_in_mask(p, t.x)};
    }

    static KernelCode code(const Params& p) {
        constexpr const char* kFunctions[] = {"load_strided", "store_strided", "copy_strided",
                                              "copy_both_strided"};
        return {kFunctions[p.operation], {element_type(p.element_bytes)}};
    }
    static constexpr Sharing sharing{};
    static constexpr QuizTurn turns[] = {{"stride", "0,1,2,3,4,5,6,7,8,10,12,16,24,32"},
                                         {"offset", "0,0,0,1,2,4,8,16"},
                                         {"element", "1,2,4,4,8,16"},
                                         {"op", "load,store"},
                                         {"mask", "all,all,0xffff,0xff,0x55555555,0xf0f0f0f0"}};
    static constexpr QuizTell tells[] = {{"op=load", "", "", "in[{offset} + i * {stride}]"},
                                         {"op=store", "", "", "out[{offset} + i * {stride}]"}};
    static constexpr QuizSource quiz[] = {{0, Space::global, turns, tells, "stride"}};
};

}  // namespace warplens
