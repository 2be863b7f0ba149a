#pragma once

// The folder kernels/replay/ contains the kernels that execute the instructions of any scenario at its
// addresses: over the whole grid (stream.cuh), one after the other (chain.cuh), and for the colours of
// the pictures (trace_kernel.cuh), with a CPU version for tests. One kernel is built for each list of
// instructions (program.h). Kernels that compute something are in kernels/own/; times are taken in
// kernels/timing/.
//
// Plain C++: callers need neither nvcc nor a CUDA header.
#include "kernels/host_device.h"
#include "kernels/params.h"
#include "kernels/unavailable.h"

#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

namespace warplens {

/// What a scenario's kernel read and wrote, for tests of its output.
struct ReplayOutput {
    std::vector<unsigned char> in;      ///< buffer 0 before the launch
    std::vector<unsigned char> before;  ///< buffer 1 before the launch
    std::vector<unsigned char> after;   ///< buffer 1 after it
    std::vector<unsigned char> second;  ///< buffer 2 before the launch
};

/// Launch the scenario's kernel once, as TimedKernels::launch_once does, and copy its buffers to the host.
/// For small settings.
std::variant<ReplayOutput, Unavailable> replay_to_host(std::string_view scenario, const Params& params);

/// The word that a store writes if no value was loaded before: the low half of its own byte address. Lanes
/// that share a word write the same value, so such stores race without harm.
WARPLENS_HD constexpr std::uint32_t stored_word(std::uint64_t byte_address) {
    return static_cast<std::uint32_t>(byte_address);
}

/// The contents of shared, local and constant memory before the first store, word by word.
WARPLENS_HD constexpr std::uint32_t filled_word(std::uint32_t index) {
    return (index / 4 + 1) * 2654435761u * (index % 4 * 2 + 1);
}

/// The largest per-thread array that a replayed scenario may use [bytes].
inline constexpr int kMostLocalBytes = 512;

}  // namespace warplens
