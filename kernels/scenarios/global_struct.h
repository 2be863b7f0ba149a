#pragma once

#include "kernels/scenarios/shared_knobs.h"

namespace warplens {

/// The same records stored in two ways: as an array of structures (AoS) or as a structure of arrays (SoA).
///
/// The fields that one load accesses together are a pack: a float, a float2 or a float4. Structures are
/// padded to whole packs, so that every pack is aligned. Thread i reads pack k of record i.
///
///     array of structures    x0 y0 z0 x1 y1 z1 x2 y2 z2 ...
///     structure of arrays    x0 x1 x2 ... y0 y1 y2 ... z0 z1 z2 ...
struct GlobalStruct {
    static constexpr int kBlockThreads = 256;
    static constexpr int kFieldBytes = 4;
    static constexpr Choice kLayouts[] = {{0, "structures"}, {1, "arrays"}};
    static constexpr Choice kPacks[] = {{4, "4 B"}, {8, "8 B"}, {16, "16 B"}};
    static constexpr Choice kWhich[] = {{0, "one"}, {1, "all"}};

    WARPLENS_HD static constexpr int packs(const Params& p) {
        return (p.fields * kFieldBytes + p.pack_bytes - 1) / p.pack_bytes;
    }
    WARPLENS_HD static constexpr int pack_at(const Params& p, int step) {
        return p.read_all == 1 ? step : p.field * kFieldBytes / p.pack_bytes;
    }
    static constexpr int last_field(const Params& p) { return p.fields - 1; }
    static constexpr int last_step(const Params& p) { return p.read_all == 1 ? packs(p) - 1 : 0; }
    static constexpr int last_warp(const Params& p) { return (1 << p.elements_log2) / kWarpLanes - 1; }

    static constexpr std::string_view field_is_idle(const Params& p) {
        return p.read_all == 1 ? "All fields are read." : "";
    }

    static constexpr Knob knobs[] = {
        remedy(
            {&Params::layout, "layout", "", "Layout", "",
             "structures: array of structures (AoS), all fields of a record are adjacent. arrays: structure of arrays (SoA), "
             "the same field of all records is adjacent.",
             KnobKind::choice, 0, 1, kLayouts}),
        {&Params::fields, "fields", "", "Fields", "", "4-byte fields of one record.", KnobKind::slider, 1, 16,
         kNoChoices, false, true},
        {&Params::read_all, "read", "read_all", "Read", "",
         "one: one load, which contains the field. all: the whole record, one load after the other.",
         KnobKind::choice, 0, 1, kWhich},
        {&Params::field, "field", "", "Field", "", "Which field is read, counted from 0.", KnobKind::slider,
         0, 15, kNoChoices, false, false, &last_field, &field_is_idle},
        remedy(
            {&Params::pack_bytes, "pack", "pack_bytes", "Vector width", "",
             "Bytes of one load: 4 for float, 8 for float2, 16 for float4. Records are padded to a multiple of it.",
             KnobKind::choice, 4, 16, kPacks, false, true}),
        step_knob("Which load the pictures show, if the whole record is read.", 15, &last_step),
        {&Params::elements_log2, "elements", "n", "Records", "records",
         "How many records the grid reads: one thread each, in blocks of 256.", KnobKind::power, 10, 25},
        warp_knob((1 << 20) - 1, &last_warp),
    };
    static constexpr Preset presets[] = {{"AoS", "layout=structures"},
                                         {"SoA", "layout=arrays"},
                                         {"all fields", "layout=structures,read=all"},
                                         {"AoS float4", "layout=structures,fields=8,read=all,pack=16"},
                                         {"large records", "layout=structures,fields=16"}};
    static constexpr ScenarioInfo info{
        .id = "global-struct",
        .title = "Structures or arrays",
        .formula = "in[i].field  or  field[i]",
        .summary = "Records are stored as an array of structures or as a structure of arrays.",
        .spaces = space_bit(Space::global),
        .knobs = knobs,
        .defaults = {.elements_log2 = 24, .fields = 6},
        .presets = presets,
        .main_knobs = "layout,fields,read,pack",
        .first_axis = "fields",
        .instance = [](const Params& p) { return packs(p) * 2 + p.read_all; },
        .earlier_title = "AoS against SoA"};

    static constexpr LaunchShape launch(const Params& p) {
        const std::int64_t records = std::int64_t{1} << p.elements_log2;
        return {.grid = {int(records / kBlockThreads), 1},
                .block = {kBlockThreads, 1},
                .steps = last_step(p) + 1,
                .buffer_bytes = {records * packs(p) * p.pack_bytes}};
    }

    static constexpr int instruction_count(const Params&) { return 1; }

    static constexpr Instruction instruction(const Params& p, int) {
        const bool arrays = p.layout == 1;
        return {.label = arrays ? "load from SoA" : "load from AoS",
                .code = arrays ? "value = pack[k][i];" : "value = in[i].pack[k];",
                .space = Space::global,
                .op = Op::load,
                .bytes_per_lane = p.pack_bytes,
                .step_period = arrays ? 1 : 0};  // each array starts at a multiple of 256 bytes
    }

    WARPLENS_HD static constexpr LaneAccess access(const Params& p, int, const ThreadId& t) {
        const std::int64_t record = std::int64_t{t.block_x} * kBlockThreads + t.x;
        const int pack = pack_at(p, t.step);
        const std::int64_t place =
            p.layout == 1 ? (std::int64_t{pack} << p.elements_log2) + record : record * packs(p) + pack;
        return {static_cast<std::uint64_t>(place * p.pack_bytes)};
    }

    static KernelCode code(const Params& p) {
        return {std::string("find_") + (p.read_all == 1 ? "record_" : "") +
                    (p.layout == 1 ? "in_arrays" : "in_structures"),
                {element_type(p.pack_bytes, "Pack"), {"kPacks", packs(p)}},
                {{"packs", packs(p)}, {"pack_at", pack_at(p, 0)}}};
    }
    static constexpr Sharing sharing{};
    static constexpr QuizTurn turns[] = {
        {"layout", "structures,structures,arrays"}, {"fields", "1,2,3,4,5,6,8,12,16"}, {"pack", "4,4,8,16"}};
    static constexpr QuizTell tells[] = {
        {"layout=structures", "",
         "Records of {fields} x 4 bytes are padded to r = ({fields} * 4 + {pack} - 1) / {pack} packs of {pack} bytes.",
         "in[i * r]"},
        {"layout=arrays", "", "The first pack of every record lies in one array.", "in[i]"}};
    static constexpr QuizSource quiz[] = {{4, Space::global, turns, tells, "layout,fields"}};
};

}  // namespace warplens
