#pragma once

#include "kernels/typed/code.h"

#include <cuda_runtime.h>

#include <cstdint>

namespace warplens {

/// Arguments of the kernel that executes typed code. All pointers are of the GPU.
struct InterpretedLaunch {
    const CodeInstr* code = nullptr;
    const CodeMemory* memories = nullptr;
    std::int64_t* registers =
        nullptr;                      ///< Code::slots for each thread of all blocks, thread by thread fastest
    std::uint64_t* rows = nullptr;    ///< 1 + kept for each thread, as the PTX writes them
    std::uint32_t* status = nullptr;  ///< becomes 1 + CodeStop of a thread that did not come to its end
    std::int64_t first_block = 0;
    int grid_x = 1, block_x = 1, block_y = 1, block_z = 1, kept = 0;
};

/// Queue it. Errors: CudaError.
void launch_interpreter(const InterpretedLaunch& launch, int blocks, cudaStream_t stream);

}  // namespace warplens
