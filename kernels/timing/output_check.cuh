#pragma once

// Checks by samples whether a launch at full size wrote what it should. The time of a kernel that computes
// the wrong result is worth nothing.
#include "kernels/scenarios/cuda/expected_output.h"

#include <cuda_runtime.h>

#include <cstddef>
#include <optional>

namespace warplens {

/// @return  the index of the first expected byte that is different. Empty if all are right.
/// Errors: CudaError.
std::optional<std::size_t> find_difference(const ExpectedBytes& expected, const unsigned char* buffer,
                                           cudaStream_t stream);

}  // namespace warplens
