#pragma once

// Kernels as a person would write them for the task of a scenario: each stands beside the scenario's header,
// in kernels/scenarios/<id>.cu, and is timed, counted by the profiler and shown as code. Its index arithmetic
// is its own; that it accesses what the header says is tested on a GPU, by its output and by hardware
// counters. A comment "access:" at the end of a line names the instructions of the header that the line
// executes.

#include "kernels/cuda/check.h"
#include "kernels/launch_setting.h"
#include "kernels/own/own_kernels.cuh"
#include "kernels/scenario.h"

#include <cuda_runtime.h>

#include <cstdint>
#include <optional>

namespace warplens {

/// The kernel of scenario S, which has Kernel::plain.
template <class S>
OwnKernel plain_kernel();

/// Launch one of several kernels that take the same arguments, with the scenario's grid, block and shared
/// memory.
template <class... Parameters, class... Arguments>
void launch_plain(void (*kernel)(Parameters...), const LaunchShape& shape, cudaStream_t stream,
                  Arguments... arguments) {
    kernel<<<dim3_of(shape.grid), dim3_of(shape.block), shared_bytes_of(shape), stream>>>(arguments...);
    CUDA_CHECK_LAUNCH();
}

/// A global buffer as an array.
template <class T>
T* array_of(const ReplayMemory& memory, int buffer) {
    return reinterpret_cast<T*>(memory.buffer[buffer]);
}

}  // namespace warplens
