#pragma once

// Whether a launch at full size wrote what it should, by samples: a fast kernel that computes the wrong thing
// has no time worth knowing.
#include "kernels/replay/expected_output.h"

#include <cuda_runtime.h>

#include <cstddef>
#include <optional>

namespace warplens {

/// @return  the place among the expected bytes of the first one that is different; empty: all are right.
/// Errors: CudaError.
std::optional<std::size_t> find_difference(const ExpectedBytes& expected, const unsigned char* buffer,
                                           cudaStream_t stream);

}  // namespace warplens
