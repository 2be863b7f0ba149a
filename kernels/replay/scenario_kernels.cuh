#pragma once

#include "kernels/own/own_kernels.cuh"
#include "kernels/replay/replay.cuh"
#include "kernels/replay/replay.h"
#include "kernels/replay/trace.h"
#include "kernels/unavailable.h"

#include <cuda_runtime.h>

#include <optional>
#include <stdexcept>
#include <string_view>

namespace warplens {

/// How the kernels of one scenario are launched. All functions work on the stream, wait for nothing and throw
/// CudaError; what a scenario does not have is null.
struct ScenarioKernels {
    /// Once over the whole grid: by replaying its addresses (stream.cuh) or by a kernel of its own.
    OwnKernel grid;
    /// The timed loop of the instructions that go to shared memory (shared_time.cuh).
    /// @param blocks  one per SM; memory.clocks has room for kLoopWarps for each
    std::optional<Unavailable> (*banks)(const Params&, int blocks, const ReplayMemory&,
                                        cudaStream_t) = nullptr;
    /// Requests that wait for each other, for SpeedUnit::cycles (chain.cuh); leaves its clocks in
    /// memory.clocks[0].
    OwnKernel chain;
    /// What the pictures' cells are coloured by (trace_kernel.cuh).
    void (*trace)(const TraceRequest&, Trace* device_trace, cudaStream_t) = nullptr;
};

/// Every scenario has its own object file, so that they are built side by side and a change of one builds
/// one: app/cmake/ScenarioKernels.cmake writes the source that defines this, from scenario_kernels.cu.in.
template <class S>
ScenarioKernels kernels_of();

/// By id; empty: there is no such scenario.
std::optional<ScenarioKernels> scenario_kernels(std::string_view id);

/// Why a kernel was not launched.
struct CannotLaunch : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// For tests: launch a kernel once on fresh buffers. Throws CudaError, GpuStuck (kernels/timing/timing.cuh),
/// CannotLaunch.
ReplayOutput replay_once(const OwnKernel& kernel, const LaunchShape& shape, const Params& params);

}  // namespace warplens
