#pragma once

#include <cuda_runtime.h>

namespace warplens {

/// Fill two n x n matrices with numbers that look random and whose product is exact in float, in any order of
/// summation. Defined in matrix_multiply.cu. Errors: CudaError.
void fill_matrices(int n, float* a, float* b, cudaStream_t stream);

}  // namespace warplens
