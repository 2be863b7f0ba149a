#pragma once

// The folder kernels/own/ contains the kernels that are written for one scenario, with the layouts and
// records that they share with the model: gather, convolve, multiply, chase, spill and filter. Scenarios
// whose addresses tell everything need no such kernel; kernels/replay/ executes them.

#include "kernels/params.h"
#include "kernels/replay/expected_output.h"
#include "kernels/replay/replay.cuh"
#include "kernels/unavailable.h"

#include <cuda_runtime.h>

#include <optional>

namespace warplens {

/// A kernel that is written for one scenario, because replaying addresses would not be enough: it computes,
/// or uses what it has read. All functions queue work on the stream and do not wait. Errors: CudaError.
struct OwnKernel {
    /// Fill the buffers with the contents that the kernel relies on, once for a setting. Null if random data
    /// will do.
    std::optional<Unavailable> (*prepare)(const Params&, const ReplayMemory&, cudaStream_t) = nullptr;
    /// Launch the kernel once over the scenario's whole grid. It calls the scenario's address formula.
    std::optional<Unavailable> (*launch)(const Params&, const ReplayMemory&, cudaStream_t) = nullptr;
    /// For SpeedUnit::cycles, the number of dependent requests between the two clock readings that the kernel
    /// leaves in memory.clocks[0]. Null, or 0, if it is timed by events only.
    double (*requests)(const Params&) = nullptr;
    /// Some bytes that buffer 1 must contain after a launch. Null, or no bytes, if the output cannot be
    /// predicted.
    ExpectedBytes (*expected)(const Params&) = nullptr;
};

OwnKernel gather_kernel();    ///< gather.cu
OwnKernel convolve_kernel();  ///< convolve.cu
OwnKernel spill_kernel();     ///< spill.cu
OwnKernel filter_kernel();    ///< filter.cu
OwnKernel chase_kernel();     ///< chase.cu
OwnKernel multiply_kernel();  ///< multiply.cu

}  // namespace warplens
