#pragma once

// Plain C++: callers need neither nvcc nor a CUDA header. Nothing links to cuBLAS; it is loaded when the
// program runs.
#include "kernels/timing/timed.h"
#include "kernels/unavailable.h"

#include <span>
#include <variant>
#include <vector>

namespace warplens {

/// Time cublasSgemm for n x n matrices in plain FP32 (no TF32): the time that every kernel of the scenario
/// matrix-multiply is compared with. It uses the same clock, data and stop rule. Blocks until done.
/// @return  the timing with `flop` = 2 n^3, or why there is none: no GPU, no cuBLAS on this machine, not
/// enough memory.
std::variant<Timing, Unavailable> time_cublas(int n, const StopRule& rule);

/// The product of two n x n matrices, stored row by row, by cublasSgemm. For tests.
std::variant<std::vector<float>, Unavailable> multiply_with_cublas(int n, std::span<const float> a,
                                                                   std::span<const float> b);

}  // namespace warplens
