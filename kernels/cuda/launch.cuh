#pragma once

#include "kernels/unavailable.h"

#include <cuda_runtime.h>

#include <cstddef>
#include <optional>

namespace warplens {

/// The grid, the shared memory and the cluster of a launch.
struct LaunchSize {
    dim3 grid, block;
    std::size_t shared = 0;    ///< dynamic shared memory per block [bytes]
    int cluster = 1;           ///< blocks in x that form a cluster
    bool cooperative = false;  ///< all blocks are there at once, so that they may wait for each other
};

/// Launch a kernel, as clusters or cooperatively if the size says so.
/// @param arguments  pointers to the kernel's arguments, of exactly its parameters' types
/// @return  why it was not launched, or empty.
/// Errors: CudaError.
std::optional<Unavailable> launch_any(const void* kernel, const LaunchSize& size, cudaStream_t stream,
                                      void** arguments);

/// The same for a kernel with its arguments.
template <class... Parameters, class... Arguments>
std::optional<Unavailable> launch_kernel(void (*kernel)(Parameters...), const LaunchSize& size,
                                         cudaStream_t stream, const Arguments&... arguments) {
    static_assert(sizeof...(Parameters) == sizeof...(Arguments));
    return [&](Parameters... converted) {
        void* pointers[] = {&converted...};
        return launch_any(reinterpret_cast<const void*>(kernel), size, stream, pointers);
    }(arguments...);
}

}  // namespace warplens
