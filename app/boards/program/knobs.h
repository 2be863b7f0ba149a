#pragma once

#include "app/boards/program/program.h"
#include "app/experiment/state.h"

namespace warplens {

// What the board of the host program can be set to. Those that others depend on come first.
inline constexpr BoardKnob kProgramManaged{
    .key = "program.managed",
    .label = "Managed memory",
    .tooltip =
        "On: cudaMallocManaged gives one pointer for host and GPU, and pages move to whoever touches them. "
        "Off: cudaMalloc, and cudaMemcpy brings the values.",
    .min = 0,
    .max = 1,
    .allows = [](const BoardValues&, int) { return true; }};
inline constexpr BoardKnob kProgramPrefetch{
    .key = "program.prefetch",
    .label = "Prefetch",
    .tooltip = "On: cudaMemPrefetchAsync moves the pages before the first launch. Only with managed memory.",
    .min = 0,
    .max = 1,
    .limit = [](const BoardValues& values) { return values[kProgramManaged]; },
    .allows = [](const BoardValues&, int) { return true; },
    .idle = "Only pages of managed memory can be prefetched."};
inline constexpr BoardKnob kProgramElements{
    .key = "program.elements",
    .label = "Elements 2^",
    .tooltip =
        "Elements of each array, as a power of two: 20 is about a million. Times were recorded for these.",
    .min = 16,
    .max = 26,
    .usual = 20,
    .allows = [](const BoardValues&, int value) {
        return value == 16 || value == 20 || value == 24 || value == 26;
    }};
inline constexpr BoardKnob kProgramBlock{
    .key = "program.block",
    .label = "Threads per block",
    .unit = "threads",
    .tooltip = "Threads of a block. The grid has as many blocks as it takes.",
    .min = 32,
    .max = 1024,
    .usual = 256,
    .step = 32};
inline constexpr BoardKnob kProgramStep{.key = "program.step",
                                        .label = "Step",
                                        .tooltip = "What the player shows.",
                                        .min = 0,
                                        .max = kProgramSteps - 1,
                                        .on_board = true,
                                        .played = true};
inline constexpr const BoardKnob* kProgramKnobs[] = {&kProgramManaged, &kProgramPrefetch, &kProgramElements,
                                                     &kProgramBlock, &kProgramStep};

inline ProgramSetting program_setting(const BoardValues& values) {
    const bool managed = values[kProgramManaged] != 0;
    return {.kind = {managed, managed && values[kProgramPrefetch] != 0},
            .elements_log2 = values[kProgramElements],
            .block = values[kProgramBlock]};
}

}  // namespace warplens
