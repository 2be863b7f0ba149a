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

/// How the kernels of one scenario are launched. All functions queue work on the stream and do not wait. A
/// kernel that the scenario does not have is null. Errors: CudaError.
struct ScenarioKernels {
    /// Launches the whole grid once: either by replaying its addresses (stream.cuh) or with a kernel written
    /// for the scenario.
    OwnKernel grid;
    /// The timed loop of the instructions that go to shared memory (shared_time.cuh).
    /// @param blocks  one per SM; memory.clocks has room for kLoopWarps for each
    std::optional<Unavailable> (*banks)(const Params&, int blocks, const ReplayMemory&,
                                        cudaStream_t) = nullptr;
    /// Requests each of which waits for the one before, for SpeedUnit::cycles (chain.cuh). It leaves its
    /// clock readings in memory.clocks[0].
    OwnKernel chain;
    /// Computes the values that colour the cells of the pictures (trace_kernel.cuh).
    void (*trace)(const TraceRequest&, Trace* device_trace, cudaStream_t) = nullptr;
};

/// Every scenario has its own object file, so that they are compiled in parallel and a change of one scenario
/// recompiles one file. app/cmake/ScenarioKernels.cmake writes the source that defines this, from
/// scenario_kernels.cu.in.
template <class S>
ScenarioKernels kernels_of();

/// The kernels of the scenario with this id. Empty if there is no such scenario.
std::optional<ScenarioKernels> scenario_kernels(std::string_view id);

/// Why a kernel was not launched.
struct CannotLaunch : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// For tests: launch a kernel once on fresh buffers.
/// Errors: CudaError, GpuStuck (kernels/timing/timing.cuh), CannotLaunch.
ReplayOutput replay_once(const OwnKernel& kernel, const LaunchShape& shape, const Params& params);

}  // namespace warplens
