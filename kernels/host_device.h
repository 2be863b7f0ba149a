#pragma once

/// Marks a function that host code and kernels both call. Outside nvcc every file that uses it stays plain
/// C++, and no CUDA header is needed to read an address formula. The host calls these for each lane, so
/// they are compiled in line; with sanitizers compilers would not do so, and counting would take half as long
/// again.
#if defined(__CUDACC__)
#define WARPLENS_HD __host__ __device__
#elif defined(__GNUC__) && defined(__OPTIMIZE__)
#define WARPLENS_HD [[gnu::always_inline]]
#else
#define WARPLENS_HD
#endif
