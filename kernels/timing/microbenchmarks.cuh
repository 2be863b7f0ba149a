#pragma once

// Microbenchmarks of the pictured warp's requests, by the clock of the SM. They execute these requests and
// nothing else of the scenario, so their figures are cycles per request, not the time of a kernel.
#include "kernels/cuda/kernel_memory.cuh"
#include "kernels/launch_setting.h"
#include "kernels/unavailable.h"

#include <cuda_runtime.h>

#include <optional>

namespace warplens {

/// How many cycles a request to shared memory takes while the banks are always busy: one block of kLoopWarps
/// warps on each SM, see bank_loop.cu. It leaves a clock reading for each warp in memory.clocks.
/// @param request  one of LaunchSetting::bank_requests
/// @param shape    its shared memory is allocated
/// @return  why it was not launched, or empty.
/// Queues work on the stream and does not wait. Errors: CudaError.
std::optional<Unavailable> launch_bank_loop(const PicturedRequest& request, const LaunchShape& shape,
                                            int blocks, const KernelMemory& memory, cudaStream_t stream);

/// How many cycles the requests of a setting take when each waits for the one before: one warp, or one
/// cluster of such blocks, see chain.cu. It leaves its clock reading in memory.clocks[0].
/// @return  why it was not launched, or empty.
/// Queues work on the stream and does not wait. Errors: CudaError.
std::optional<Unavailable> launch_chain(const LaunchSetting& setting, const KernelMemory& memory,
                                        cudaStream_t stream);

}  // namespace warplens
