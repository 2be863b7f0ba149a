#pragma once

#include "kernels/scenarios/shared_knobs.h"
#include "kernels/scenarios/spill_record.h"

namespace warplens {

/// A thread holds more values at once than it may have registers: the assembler keeps the rest in local
/// memory.
///
/// Each of kRounds rounds does one multiply-add with each value, in a chain, so that no value can be dropped
/// or recomputed. The instructions are those of one round. What is spilled was recorded from a real
/// compilation (kernels/scenarios/spill_record.h), because it cannot be computed from addresses.
struct LocalSpill {
    static constexpr int kBlockThreads = 256, kRounds = 256, kWordBytes = 4;
    static constexpr Choice kRegisters[] = {{24, "24"}, {32, "32"}, {40, "40"},   {48, "48"},   {64, "64"},
                                            {80, "80"}, {96, "96"}, {128, "128"}, {168, "168"}, {255, "255"}};
    static constexpr Choice kLiveValues[] = {{16, "16"}, {32, "32"},   {64, "64"},
                                             {96, "96"}, {128, "128"}, {160, "160"}};
    static constexpr Choice kBlocksPerSm[] = {{0, "no bound"}, {1, "1"}, {2, "2"}, {3, "3"}, {4, "4"},
                                              {5, "5"},        {6, "6"}, {7, "7"}, {8, "8"}};
    static constexpr int last_step(const Params& p) { return p.live_values - 1; }

    /// The registers that a thread gets at most. Params::blocks_per_sm is how many blocks must fit on an SM,
    /// 0 if that is not said. As many as asked for, and if an SM must have room for several blocks, not more
    /// than its 65,536 registers give each thread of them, in portions of 8. Source: CUDA Programming Guide,
    /// launch bounds; tests/commands/spill_table.sh compares it with the compiler.
    static constexpr int budget(const Params& p) {
        constexpr int kRegistersOfSm = 65536, kPortion = 8, kMost = 255;
        if (p.blocks_per_sm == 0) return p.registers;
        const int each = kRegistersOfSm / (kBlockThreads * p.blocks_per_sm) / kPortion * kPortion;
        const int allowed = each < kMost ? each : kMost;
        return p.registers < allowed ? p.registers : allowed;
    }

    static constexpr std::string_view bounds_are_idle(const Params& p) {
        return p.registers <= 32
                   ? "With so few registers 8 blocks fit on an SM: launch bounds leave no fewer."
                   : "";
    }

    static constexpr Knob knobs[] = {
        remedy(
            {&Params::registers, "registers", "", "Registers", "registers",
             "The most registers that a thread may have: nvcc -maxrregcount for a whole file, __maxnreg__ for one "
             "kernel. With fewer registers more warps fit on an SM.",
             KnobKind::choice, 24, 255, kRegisters, false, true}),
        remedy(
            {&Params::blocks_per_sm, "launch_bounds", "", "Bounds", "blocks",
             "__launch_bounds__(256, this): so many blocks of 256 threads must fit on an SM, so each thread gets at "
             "most its share of 65,536 registers. No bound: the compiler decides.",
             KnobKind::choice, 0, 8, kBlocksPerSm, false, false, nullptr, &bounds_are_idle}),
        {&Params::live_values, "live", "live_values", "Live values", "values",
         "How many values a thread holds at the same time. Each needs a register.", KnobKind::choice, 16, 160,
         kLiveValues, false, true},
        step_knob("Which of the spilled values the pictures show.", 159, &last_step),
        blocks_knob("How many blocks of 256 threads the grid has; each does the same.", 14),
    };
    static constexpr Preset presets[] = {{"a few spills", "registers=64,live=64"},
                                         {"no spills", "registers=80,live=64"},
                                         {"half spilled", "registers=64,live=128"},
                                         {"mostly spilled", "registers=32,live=160"},
                                         {"launch bounds", "registers=255,live=96,launch_bounds=4"}};

    static constexpr SpeedUnit speed_unit(const Params&) { return SpeedUnit::gflop_per_s; }
    static constexpr double flop(const Params& p) {
        return 2.0 * p.live_values * kRounds * kBlockThreads * double(1 << p.blocks_log2);
    }

    static constexpr SpillRecord record(const Params& p) {
        int row = 0, column = 0;
        while (kSpillLiveValues[row] != p.live_values) ++row;
        while (kSpillRegisters[column] != budget(p)) ++column;
        return kSpillRecords[row][column];
    }

    static constexpr ScenarioInfo info{
        .id = "local-spill",
        .title = "Register spills",
        .formula = "carry = fma(carry, f, value[i]); value[i] = carry",
        .summary =
            "A thread holds more values than it may have registers: the rest is spilled to local memory.",
        .spaces = space_bit(Space::local) | space_bit(Space::registers),
        .knobs = knobs,
        .defaults = {.blocks_log2 = 11, .registers = 64, .live_values = 128},
        .presets = presets,
        .main_knobs = "registers,live",
        .first_axis = "registers",
        .time = TimeModel::spills,
        .speed_unit = &speed_unit,
        .flop = &flop,
        .registers = [](const Params& p) { return record(p).registers; },
        .instance = [](const Params& p) { return 256 * p.live_values + budget(p); },
        .judged_whole = true};

    /// The number of values that are stored and loaded again in every round. All spill loads are in the loop,
    /// because after it only the carry is needed; each belongs to one spill store in the loop.
    static constexpr int spilled_values(const Params& p) { return record(p).load_bytes / kWordBytes; }

    static constexpr LaunchShape launch(const Params& p) {
        return {.grid = {1 << p.blocks_log2, 1},
                .block = {kBlockThreads, 1},
                .local_bytes = p.live_values * kWordBytes};
    }

    static constexpr int instruction_count(const Params& p) { return spilled_values(p) > 0 ? 3 : 1; }

    static constexpr Instruction instruction(const Params& p, int index) {
        if (index == 0) {
            return {.label = "keep in registers",
                    .code = "value[i] = carry;  // i: a constant, once the loop is unrolled",
                    .space = Space::registers,
                    .op = Op::store,
                    .bytes_per_lane = kWordBytes,
                    .steps = kRounds * (p.live_values - spilled_values(p) + 1),  // and the carry
                    .step_period = 1,
                    .by_assembler = true};
        }
        const bool store = index == 1;
        return {.label = store ? "spill store" : "spill load",
                .code = store ? "STL [slot], R;  // in no source: the assembler wrote it"
                              : "LDL R, [slot];  // before its turn in the next round",
                .space = Space::local,
                .op = store ? Op::store : Op::load,
                .bytes_per_lane = kWordBytes,
                .phase = index,
                .steps = kRounds * spilled_values(p),
                .step_period = 1,
                .by_assembler = true};
    }

    /// All lanes use the same slot. Their copies are adjacent in memory and fill four sectors. A value in a
    /// register has no address.
    WARPLENS_HD static constexpr LaneAccess access(const Params& p, int index, const ThreadId& t) {
        return {index == 0 ? 0 : static_cast<std::uint64_t>(t.step % p.live_values * kWordBytes)};
    }

    static KernelCode code(const Params& p) {
        return {"spill", {{"kLive", p.live_values}, {"kRegisters", budget(p)}}, {{"rounds", kRounds}}};
    }
    static constexpr Sharing sharing{};
    static constexpr std::span<const QuizSource> quiz = kNoQuiz;
};

}  // namespace warplens
