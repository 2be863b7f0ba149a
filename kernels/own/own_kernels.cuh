#pragma once

#include "kernels/params.h"
#include "kernels/replay/expected_output.h"
#include "kernels/replay/replay.cuh"
#include "kernels/unavailable.h"

#include <cuda_runtime.h>

#include <optional>

namespace warplens {

/// A kernel that is written for one scenario, because replaying its addresses would not be enough: it
/// computes, or follows what it reads. Both functions work on the stream and wait for nothing; both throw
/// CudaError.
struct OwnKernel {
    /// Give the buffers contents that the kernel relies on; once for a setting. Null: random data will do.
    std::optional<Unavailable> (*prepare)(const Params&, const ReplayMemory&, cudaStream_t) = nullptr;
    /// Launch it once over the scenario's whole grid. It calls the scenario's address formula.
    std::optional<Unavailable> (*launch)(const Params&, const ReplayMemory&, cudaStream_t) = nullptr;
    /// SpeedUnit::cycles: how many dependent requests lie between the two readings of the SM's clock that the
    /// kernel leaves in memory.clocks[0]. Null or 0: it is timed by events alone.
    double (*requests)(const Params&) = nullptr;
    /// Some of what buffer 1 must hold after a launch. Null or nothing: it writes nothing that could be told.
    ExpectedBytes (*expected)(const Params&) = nullptr;
};

OwnKernel gather_kernel();    ///< gather.cu
OwnKernel convolve_kernel();  ///< convolve.cu
OwnKernel spill_kernel();     ///< spill.cu
OwnKernel filter_kernel();    ///< filter.cu
OwnKernel chase_kernel();     ///< chase.cu
OwnKernel multiply_kernel();  ///< multiply.cu

}  // namespace warplens
