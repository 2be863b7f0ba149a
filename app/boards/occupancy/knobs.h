#pragma once

#include "app/experiment/state.h"

namespace warplens {

// The knobs of the board of occupancy.
inline constexpr BoardKnob kOccupancyCapability{
    .key = "occupancy.cc",
    .label = "Capability",
    .tooltip = "By which rules: 0 for the chosen device's, else 10 times a compute capability: 90 for 9.0.",
    .min = 0,
    .max = 129};
inline constexpr BoardKnob kOccupancyThreads{
    .key = "occupancy.threads",
    .label = "Threads per block",
    .unit = "threads",
    .tooltip =
        "Threads of a block. They come in warps of 32; an unfinished warp counts whole. 0: all as the scenario "
        "is launched.",
    .min = 0,
    .max = 1024,
    .step = 32};
inline constexpr BoardKnob kOccupancyRegisters{
    .key = "occupancy.registers",
    .label = "Registers per thread",
    .unit = "registers",
    .tooltip = "32-bit registers of a thread, as the compiler reports them (-Xptxas -v).",
    .min = 1,
    .max = 255,
    .usual = 32};
inline constexpr BoardKnob kOccupancyStatic{
    .key = "occupancy.static",
    .label = "Shared, static",
    .unit = "bytes",
    .tooltip = "Shared memory of a block whose size stands in the source code.",
    .min = 0,
    .max = 49152,
    .step = 256};
inline constexpr BoardKnob kOccupancyDynamic{.key = "occupancy.dynamic",
                                             .label = "Shared, dynamic",
                                             .unit = "bytes",
                                             .tooltip = "Shared memory of a block that the launch asks for.",
                                             .min = 0,
                                             .max = 233472,
                                             .step = 256};
inline constexpr BoardKnob kOccupancyCarveout{
    .key = "occupancy.carveout",
    .label = "Carve-out",
    .unit = "percent",
    .tooltip =
        "Share of the SM's memory that is asked for as shared memory, the rest being L1; -1: the driver "
        "chooses.",
    .min = -1,
    .max = 100,
    .usual = -1};
inline constexpr BoardKnob kOccupancyArguments{
    .key = "occupancy.arguments",
    .label = "Kernel arguments",
    .unit = "bytes",
    .tooltip =
        "On compute capability 1.x a kernel's arguments lie in the block's shared memory, beside 16 bytes of the "
        "launch itself. -1: neither is counted, as in textbooks.",
    .min = -1,
    .max = 256,
    .step = 4};
/// The launch that they set, where any of them is not at its default.
inline constexpr const BoardKnob* kLaunchKnobs[] = {&kOccupancyThreads, &kOccupancyRegisters,
                                                    &kOccupancyStatic, &kOccupancyDynamic};
inline constexpr const BoardKnob* kOccupancyKnobs[] = {
    &kOccupancyCapability, &kOccupancyThreads,  &kOccupancyRegisters, &kOccupancyStatic,
    &kOccupancyDynamic,    &kOccupancyCarveout, &kOccupancyArguments};

}  // namespace warplens
