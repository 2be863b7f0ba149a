#pragma once

#include "app/boards/story/story.h"
#include "app/experiment/state.h"
#include "app/measure/witness.h"
#include "app/model/device/device.h"

#include <cstdint>

namespace warplens {

// A whole CUDA program, from its first line to its last: c = a + b, launched twice. Which variables exist at
// each step, where their values are, and how many versions of each there are: assets/boards/program.json.
// Scopes and lifetimes are those of the CUDA C++ Programming Guide (variable memory space specifiers, unified
// memory); that pages of managed memory go to whoever touches them first holds where concurrentManagedAccess
// is 1 (Linux, from compute capability 6.0 on).

/// The values of the board's knobs.
struct ProgramSetting {
    bool managed = false;   ///< cudaMallocManaged, not cudaMalloc and cudaMemcpy
    bool prefetch = false;  ///< with cudaMemPrefetchAsync before the first launch; only if managed
    int elements_log2 = 20;
    int block = 256;  ///< threads of a block

    std::int64_t elements() const { return std::int64_t{1} << elements_log2; }
    std::int64_t blocks() const { return (elements() + block - 1) / block; }
    std::int64_t threads() const { return blocks() * block; }
};
inline constexpr int kProgramSteps = 11;

/// The values of the story are versions and sizes of variables, and recorded times. A step's time has the
/// name that it has in assets/witness.json: "first" is the first launch, "first_took" a sentence about it,
/// and "first_range" how long it took in all runs.
/// @param witness  recorded times. Null if there are none.
Story program_story(const ProgramSetting& setting, const DeviceFacts& device, const Witness* witness,
                    int step);

/// A row for each variable, with a bar for as long as it lives, and a column for each step; below it recorded
/// times, and the line of code of the step. A click on a column leads to its step.
Picture draw_program(const Story& story, const Style& style);

/// The recorded time of a step: "1.24 ms". Null if there is none.
const StoryValue* time_of(const Story& story, const StoryPart& step);

// The knobs of the board. Those that others depend on come first.
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
    .label = "n = 2^",
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
    return {managed, managed && values[kProgramPrefetch] != 0, values[kProgramElements],
            values[kProgramBlock]};
}

}  // namespace warplens
