#pragma once

#include "kernels/cuda/gpu.h"

#include <string_view>

namespace warplens {

/// The GPU that a command measures with.
/// @param cpu  whether the person forbade to use a GPU
/// Errors: NoGpu, naming the command.
GpuInfo require_gpu(std::string_view command, bool cpu);

}  // namespace warplens
