// Memory of the host for kernels that read it, and for what is copied to them.
#include "kernels/cuda/host_buffer.cuh"

#include "kernels/cuda/check.h"

#include <cstdlib>

namespace warplens {

void HostBuffer::release_unless(HostKind kind, std::int64_t bytes, std::int64_t left_free) noexcept {
    if (kind != kind_ || bytes != bytes_ || left_free != left_free_) release();
}

void HostBuffer::reserve(HostKind kind, std::int64_t bytes, std::int64_t left_free) {
    if (kind == HostKind::none || kind == kind_) return;
    kind_ = kind;
    bytes_ = bytes;
    left_free_ = left_free;
    try {
        allocate();
    } catch (...) {
        release();
        throw;
    }
    auto* words = reinterpret_cast<std::uint32_t*>(data_);
    for (std::int64_t i = 0; i < bytes / std::int64_t{sizeof *words}; ++i)
        words[i] = static_cast<std::uint32_t>(i) * 0x9e3779b1u;
}

void HostBuffer::allocate() {
    const auto size = static_cast<std::size_t>(bytes_);
    void* fresh = nullptr;
    if (kind_ == HostKind::pageable) {
        fresh = std::malloc(size);
        CUDA_CHECK(fresh == nullptr ? cudaErrorMemoryAllocation : cudaSuccess);
    } else if (kind_ == HostKind::managed) {
        int device = 0, on_demand = 0;
        CUDA_CHECK(cudaGetDevice(&device));
        CUDA_CHECK(cudaDeviceGetAttribute(&on_demand, cudaDevAttrConcurrentManagedAccess, device));
        // Without it memory moves as a whole before each launch, and the host may not touch it meanwhile.
        CUDA_CHECK(on_demand == 0 ? cudaErrorNotSupported : cudaSuccess);
        CUDA_CHECK(cudaMallocManaged(&fresh, size));
    } else {
        CUDA_CHECK(cudaHostAlloc(&fresh, size, cudaHostAllocMapped));
    }
    data_ = static_cast<unsigned char*>(fresh);
    if (left_free_ == 0) return;
    std::size_t free = 0, total = 0;
    CUDA_CHECK(cudaMemGetInfo(&free, &total));
    const auto left = static_cast<std::size_t>(left_free_);
    if (free > left) CUDA_CHECK(cudaMalloc(&taken_, free - left));
}

void HostBuffer::release() noexcept {
    if (taken_ != nullptr) CUDA_FORGET(cudaFree(taken_));
    if (kind_ == HostKind::pageable)
        std::free(data_);
    else if (data_ != nullptr)
        CUDA_FORGET(kind_ == HostKind::managed ? cudaFree(data_) : cudaFreeHost(data_));
    abandon();
}

void prefetch(void* managed, std::int64_t bytes, bool to_gpu, cudaStream_t stream) {
    int device = cudaCpuDeviceId;
    if (to_gpu) CUDA_CHECK(cudaGetDevice(&device));
    const auto size = static_cast<std::size_t>(bytes);
#if CUDART_VERSION >= 13000
    const cudaMemLocation where{to_gpu ? cudaMemLocationTypeDevice : cudaMemLocationTypeHost, device};
    CUDA_CHECK(cudaMemPrefetchAsync(managed, size, where, 0, stream));
#else
    CUDA_CHECK(cudaMemPrefetchAsync(managed, size, device, stream));
#endif
}

}  // namespace warplens
