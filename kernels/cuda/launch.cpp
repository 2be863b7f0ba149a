#include "kernels/cuda/launch.cuh"

#include "kernels/cuda/check.h"

#include <cstdint>
#include <string>

namespace warplens {
namespace {

/// A kernel must ask for more than 48 KiB of shared memory. Errors: CudaError.
void allow_shared(const void* kernel, std::size_t bytes) {
    constexpr std::size_t kWithoutAsking = 48 * 1024;
    if (bytes <= kWithoutAsking) return;
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes)));
}

/// Why a GPU of compute capability 9.0 cannot launch clusters of this size. Empty if it can.
std::optional<Unavailable> refuse_cluster(const void* kernel, const cudaLaunchConfig_t& config, int cluster) {
    constexpr int kPortable = 8;
    if (cluster > kPortable)
        CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    int clusters = 0;
    CUDA_CHECK(cudaOccupancyMaxActiveClusters(&clusters, kernel, &config));
    if (clusters > 0) return std::nullopt;
    return Unavailable{"this GPU has no room for a cluster of " + std::to_string(cluster) +
                       " such blocks: choose a smaller cluster"};
}

/// Why a GPU cannot hold all blocks of a cooperative launch at once. Empty if it can.
std::optional<Unavailable> refuse_cooperative(const void* kernel, const LaunchSize& size) {
    int device = 0, of_sm = 0, sms = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &of_sm, kernel, int(size.block.x * size.block.y * size.block.z), size.shared));
    if (std::int64_t{size.grid.x} * size.grid.y <= std::int64_t{of_sm} * sms) return std::nullopt;
    return Unavailable{"a cooperative launch needs room for all blocks at once, and this GPU has room for " +
                       std::to_string(of_sm * sms) + ": choose fewer blocks"};
}

}  // namespace

std::optional<Unavailable> launch_any(const void* kernel, const LaunchSize& size, cudaStream_t stream,
                                      void** arguments) {
    allow_shared(kernel, size.shared);
    cudaLaunchAttribute attribute{};
    if (size.cooperative) {
        attribute.id = cudaLaunchAttributeCooperative;
        attribute.val.cooperative = 1;
    } else {
        attribute.id = cudaLaunchAttributeClusterDimension;
        attribute.val.clusterDim = {static_cast<unsigned>(size.cluster), 1, 1};
    }
    cudaLaunchConfig_t config{};
    config.gridDim = size.grid;
    config.blockDim = size.block;
    config.dynamicSmemBytes = size.shared;
    config.stream = stream;
    if (size.cluster > 1 || size.cooperative) {
        config.attrs = &attribute;
        config.numAttrs = 1;
        if (auto why = size.cooperative ? refuse_cooperative(kernel, size)
                                        : refuse_cluster(kernel, config, size.cluster))
            return why;
    }
    CUDA_CHECK(cudaLaunchKernelExC(&config, kernel, arguments));
    return std::nullopt;
}

}  // namespace warplens
