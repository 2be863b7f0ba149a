#pragma once

#include "kernels/cuda/check.h"
#include "kernels/replay/replay.cuh"
#include "kernels/replay/replay.h"
#include "kernels/scenario.h"
#include "kernels/unavailable.h"

#include <cuda_runtime.h>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace warplens {

/// The grid, the shared memory and the cluster of a launch.
struct LaunchSize {
    dim3 grid, block;
    std::size_t shared = 0;  ///< dynamic shared memory per block [bytes]
    int cluster = 1;         ///< blocks in x that form a cluster
};

/// Why per-thread arrays of this size cannot be replayed. Empty if they can.
inline std::optional<Unavailable> refuse_local(const LaunchShape& shape) {
    if (shape.local_bytes <= kMostLocalBytes) return std::nullopt;
    return Unavailable{"private arrays of more than " + std::to_string(kMostLocalBytes) +
                       " B are not built into this program: choose a smaller array"};
}

/// Why a GPU of compute capability 9.0 cannot launch clusters of this size. Empty if it can.
template <class Kernel>
std::optional<Unavailable> refuse_cluster(Kernel kernel, const cudaLaunchConfig_t& config, int cluster) {
    constexpr int kLeastPtx = 90, kPortable = 8;
    cudaFuncAttributes attributes{};
    CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel));
    if (attributes.ptxVersion < kLeastPtx) {
        return Unavailable{
            "this build has no code for clusters; build it with CMAKE_CUDA_ARCHITECTURES=native (or 90)"};
    }
    if (cluster > kPortable)
        CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    int clusters = 0;
    CUDA_CHECK(cudaOccupancyMaxActiveClusters(&clusters, kernel, &config));
    if (clusters > 0) return std::nullopt;
    return Unavailable{"this GPU has no room for a cluster of " + std::to_string(cluster) +
                       " such blocks: choose a smaller cluster"};
}

/// Launch a kernel, as clusters if the setting has them.
/// @return  why it was not launched, or empty.
/// Errors: CudaError.
template <class... Parameters, class... Arguments>
std::optional<Unavailable> launch_kernel(void (*kernel)(Parameters...), const LaunchSize& size,
                                         cudaStream_t stream, Arguments&&... arguments) {
    allow_shared(kernel, size.shared);
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {static_cast<unsigned>(size.cluster), 1, 1};
    cudaLaunchConfig_t config{};
    config.gridDim = size.grid;
    config.blockDim = size.block;
    config.dynamicSmemBytes = size.shared;
    config.stream = stream;
    if (size.cluster > 1) {
        config.attrs = &attribute;
        config.numAttrs = 1;
        if (auto why = refuse_cluster(kernel, config, size.cluster)) return why;
    }
    CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, std::forward<Arguments>(arguments)...));
    return std::nullopt;
}

}  // namespace warplens
