#pragma once

#include "kernels/scenarios/shared_knobs.h"

namespace warplens {

/// Each thread fills a small array and reads it again. What the compiler knows about the index decides where
/// the array lies: in registers or in local memory.
///
/// Blocks have 256 threads; every warp of every block does the same, step after step.
struct LocalArray {
    enum class Index : int {
        known,
        uniform,
        /// what is known about the index when the kernel is compiled
        different
    };
    static constexpr Choice kIndices[] = {
        {int(Index::known), "known"}, {int(Index::uniform), "uniform"}, {int(Index::different), "different"}};
    static constexpr Choice kArrayWords[] = {{8, "8"}, {16, "16"}, {32, "32"}, {64, "64"}, {128, "128"}};
    static constexpr int kBlockThreads = 256;
    static constexpr int kWordBytes = 4;
    static constexpr int last_step(const Params& p) { return p.array_words - 1; }

    static constexpr std::string_view stride_is_idle(const Params& p) {
        return p.variant != int(Index::different) ? "The index is the same in all lanes." : "";
    }

    static constexpr Knob knobs[] = {
        remedy(
            {&Params::variant, "index", "variant", "Index", "",
             "known: at compile time, so the array stays in registers. uniform: at run time, the same in all lanes. "
             "different: another word in each lane.",
             KnobKind::choice, 0, 2, kIndices}),
        {&Params::array_words, "words", "array_words", "Array", "words", "Words in the array of each thread.",
         KnobKind::choice, 8, 128, kArrayWords, false, true},
        remedy({&Params::stride, "stride", "", "Stride", "words",
                "By how many words the indices of adjacent lanes differ, if they are different.",
                KnobKind::slider, 1, 32, kNoChoices, false, true, nullptr, &stride_is_idle}),
        step_knob("Which iteration of the loop over the array the pictures show.", 127, &last_step),
        blocks_knob("How many blocks of 256 threads the grid has; each does the same.", 16),
    };
    static constexpr Preset presets[] = {{"in registers", "index=known"},
                                         {"same index", "index=uniform"},
                                         {"different index", "index=different,stride=1"},
                                         {"two distinct indices", "index=different,stride=16"}};
    static constexpr ScenarioInfo info{
        .id = "local-array",
        .title = "Per-thread array",
        .formula = "a[(step + lane * stride) % words]",
        .summary = "Every thread fills its own array and reads it back: in registers or in local memory.",
        .spaces = space_bit(Space::local) | space_bit(Space::registers),
        .knobs = knobs,
        .defaults = {.variant = int(Index::different)},
        .presets = presets,
        .main_knobs = "index,words,stride",
        .first_axis = "stride",
        .earlier_title = "private array"};

    WARPLENS_HD static constexpr bool in_registers(const Params& p) { return p.variant == int(Index::known); }

    static constexpr LaunchShape launch(const Params& p) {
        return {.grid = {1 << p.blocks_log2, 1},
                .block = {kBlockThreads, 1},
                .steps = p.array_words,
                .local_bytes = in_registers(p) ? 0 : p.array_words * kWordBytes};
    }

    static constexpr int instruction_count(const Params& p) { return in_registers(p) ? 1 : 2; }

    static constexpr Instruction instruction(const Params& p, int index) {
        const bool store = index == 0;
        Instruction result{
            .label = store ? "store to its own array" : "load from its own array",
            .code = {},
            .space = Space::local,
            .op = store ? Op::store : Op::load,
            .bytes_per_lane = kWordBytes,
            .phase = index,
            .step_period = 1};  // Every step accesses the words after those of the step before.
        if (in_registers(p)) {
            result.label = "keep in a register";
            result.code = "a[k] = value;  // k: a constant, once the loop is unrolled";
            result.space = Space::registers;
        } else if (p.variant == int(Index::uniform)) {
            result.code = store ? "a[step] = value;" : "value = a[step];";
        } else {
            result.code =
                store ? "a[(step + lane * stride) % n] = value;" : "value = a[(step + lane * stride) % n];";
        }
        return result;
    }

    WARPLENS_HD static constexpr LaneAccess access(const Params& p, int, const ThreadId& t) {
        if (in_registers(p)) return {};
        const bool uniform = p.variant == int(Index::uniform);
        const int word = uniform ? t.step : (t.step + t.x % kWarpLanes * p.stride) % p.array_words;
        return {static_cast<std::uint64_t>(word * kWordBytes), true};
    }

    static KernelCode code(const Params& p) {
        constexpr const char* kFunctions[] = {"array_known", "array_uniform", "array_different"};
        return {kFunctions[p.variant], {{"kWords", p.array_words}}};
    }
    static constexpr Sharing sharing{};
    static constexpr QuizTurn turns[] = {{"index", "uniform,different,different"},
                                         {"words", "8,16,32,64"},
                                         {"stride", "1,2,4,8,16,32", "index=different"}};
    static constexpr QuizTell tells[] = {{"index=uniform", "", "", "a[0]"},
                                         {"index=different", "", "", "a[i * {stride} % {words}]"}};
    static constexpr QuizSource quiz[] = {{10, Space::local, turns, tells, "stride"}};
};

}  // namespace warplens
