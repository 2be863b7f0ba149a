#pragma once

#include "app/experiment/evidence.h"
#include "app/model/verdict.h"

namespace warplens {

/// The facts that a kernel is judged by, without words.
KernelVerdict judge_kernel(const Evidence& evidence, const DeviceFacts& device);

/// How the kernel stands. A launch that nothing but the machine limits is good near its peak.
Tone tone_of(const Evidence& evidence, const DeviceFacts& device);
/// How a board about the scenario stands: as the kernel, or plain where it judges otherwise, so that one
/// setting never has two colours. @param good  what the board says by itself
Tone tone_of_board(bool good, const Evidence& evidence, const DeviceFacts& device);

/// The verdict on a kernel as a whole in words: the instruction that costs it most with the count and the
/// ideal, what limits the launch, and how much faster or slower it is than the variant before it and than
/// NVIDIA's library.
///
/// Counts are exact. The limit is predicted, and said to be. A speed-up is only given if one recording that
/// comes with the program has both settings; it names the GPU.
Explanation explain_kernel(const Evidence& evidence, const DeviceFacts& device);

/// Whether a scenario's time is that of bytes on their way, however its lanes access them.
inline bool is_about_transfers(const Scenario& scenario) {
    return scenario.info->time == TimeModel::in_flight || scenario.info->time == TimeModel::host;
}

/// Whether the verdict on the kernel is not about one request, whose counts would praise it: how many
/// registers are spilled, which cache holds the footprint.
bool judged_as_a_whole(const Scenario& scenario);

/// "Limited by bytes in flight (predicted): 359 of 4 800 GB/s." Empty if the limit is not known.
std::string limit_sentence(const Evidence& evidence);

/// The instruction that the verdict is about: the one with the most wavefronts or sectors beyond the ideal
/// over the grid, if they are a notable part of what the launch takes (see costliest); else the first that
/// takes a notable part and has something bad to say; else the one that takes most.
std::size_t worst_instruction(const Evidence& evidence);

/// The instructions whose counts over the grid are farthest beyond their ideals, then those that take most,
/// in the order of the kernel. @param count  how many
std::vector<int> costliest_instructions(const Evidence& evidence, int count);

}  // namespace warplens
