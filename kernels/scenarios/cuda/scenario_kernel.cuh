#pragma once

// The kernel of each scenario stands in kernels/scenarios/cuda/<id>.cu, as a person would write
// it for the task: it alone is timed, counted by the profiler, shown and copied. Its index arithmetic is its
// own; that it accesses what the header says is tested on a GPU, by its output and by hardware counters. A
// comment "// access: LABEL" at the end of a line names the instructions of the header that the line executes
// (several are separated by "; ").
//
// The shown code must compile on its own: a kernel, and the functions of its file that it calls, name nothing
// but CUDA, each other and kernels/cuda/element.cuh.

#include "kernels/cuda/check.h"
#include "kernels/cuda/element.cuh"
#include "kernels/cuda/kernel_memory.cuh"
#include "kernels/cuda/launch.cuh"
#include "kernels/launch_setting.h"
#include "kernels/scenario.h"
#include "kernels/scenarios/cuda/expected_output.h"

#include <cuda_runtime.h>

#include <cstdint>
#include <optional>

namespace warplens {

/// How the kernel of a scenario is launched. All functions queue work on the stream and do not wait.
/// Errors: CudaError.
struct ScenarioKernel {
    /// Fill the buffers with the contents that the kernel relies on, once for a setting. Null if random data
    /// will do.
    std::optional<Unavailable> (*prepare)(const Params&, const KernelMemory&, cudaStream_t) = nullptr;
    /// Its addresses are among these contents, so that it would fail without `prepare`.
    bool follows_memory = false;
    /// Queue what brings its data to the GPU before each launch, as a part of what is timed. May be null.
    void (*transfer)(const Params&, const KernelMemory&, cudaStream_t) = nullptr;
    /// Launch the kernel once over the scenario's whole grid.
    std::optional<Unavailable> (*launch)(const Params&, const KernelMemory&, cudaStream_t) = nullptr;
    /// For TimeModel::walk, the number of dependent requests between the two clock readings that the kernel
    /// leaves in memory.clocks[0]. Null, or 0, if it is timed by events only.
    double (*requests)(const Params&) = nullptr;
    /// Some bytes that buffer 1 must contain after a launch. Null, or no bytes, if the kernel writes nothing.
    ExpectedBytes (*expected)(const Params&) = nullptr;
    /// Each launch adds to what those before it have left, so the output is compared after `prepare` and one
    /// launch. Null if no setting does.
    bool (*accumulates)(const Params&) = nullptr;
    /// Queue what undoes the transfer before each timed launch, which is timed alone then, and in no graph.
    /// Returns false for a setting whose launches may follow each other. May be null.
    bool (*rewind)(const Params&, const KernelMemory&, cudaStream_t) = nullptr;
};

/// The kernel of scenario S, defined in its .cu file.
template <class S>
ScenarioKernel kernel_of();

/// Launch one of several kernels that take the same arguments, with the scenario's grid, block, cluster and
/// dynamic shared memory.
template <class... Parameters, class... Arguments>
std::optional<Unavailable> launch_over(const LaunchShape& shape, cudaStream_t stream,
                                       void (*kernel)(Parameters...), Arguments... arguments) {
    const LaunchSize size{.grid = dim3_of(shape.grid),
                          .block = dim3_of(shape.block),
                          .shared = shared_bytes_of(shape),
                          .cluster = shape.cluster,
                          .cooperative = shape.cooperative};
    return launch_kernel(kernel, size, stream, arguments...);
}

/// Call `call.template operator()<T>()` with the type of an element of 1, 2, 4, 8 or 16 bytes.
template <class Call>
auto with_element(int bytes, Call call) {
    switch (bytes) {
        case 1:
            return call.template operator()<Element<1>>();
        case 2:
            return call.template operator()<Element<2>>();
        case 4:
            return call.template operator()<Element<4>>();
        case 8:
            return call.template operator()<Element<8>>();
        default:
            return call.template operator()<Element<16>>();
    }
}

}  // namespace warplens
