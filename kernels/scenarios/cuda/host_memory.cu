// Each thread reads an element of an array that came from the host, or that still lies there.
#include "kernels/scenarios/host_memory.h"

#include "kernels/cuda/host_buffer.cuh"
#include "kernels/scenarios/cuda/scenario_kernel.cuh"

namespace warplens {
namespace host_memory {

/// Look for a value, so that each element is needed. Rows of the grid read the same elements again.
__global__ void read_strided(const unsigned* __restrict__ in, int stride, unsigned wanted, unsigned* found) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned value = in[static_cast<size_t>(i) * stride];  // access: load in
    if (value == wanted) *found = i;
}

using Way = HostMemory::Way;

void transfer(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    const std::int64_t bytes = HostMemory::bytes(p);
    if (HostMemory::is_copied(p))
        CUDA_CHECK(cudaMemcpyAsync(memory.buffer[0], memory.host, static_cast<std::size_t>(bytes),
                                   cudaMemcpyHostToDevice, stream));
    if (HostMemory::way(p) == Way::prefetched) prefetch(memory.host, bytes, true, stream);
}

bool rewind(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    if (HostMemory::way(p) >= Way::managed) prefetch(memory.host, HostMemory::bytes(p), false, stream);
    return HostMemory::way(p) != Way::mapped;
}

std::optional<Unavailable> launch(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    return launch_over(HostMemory::launch(p), stream, &read_strided, array_of<const unsigned>(memory, 0),
                       p.stride, kNever, memory.sink);
}

}  // namespace host_memory

template <>
ScenarioKernel kernel_of<HostMemory>() {
    return {
        .transfer = &host_memory::transfer, .launch = &host_memory::launch, .rewind = &host_memory::rewind};
}

}  // namespace warplens
