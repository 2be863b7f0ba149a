#pragma once

/// Marks a function that host code and kernels both call. Outside nvcc it expands to nothing, so every file
/// that uses it stays plain C++ and no CUDA header is needed to read an address formula.
#if defined(__CUDACC__)
#define WARPLENS_HD __host__ __device__
#else
#define WARPLENS_HD
#endif
