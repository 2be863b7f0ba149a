// Each thread reads an index from memory, then the element of an array that the index selects.
#include "kernels/scenarios/global_gather.h"

#include "kernels/scenarios/cuda/scenario_kernel.cuh"

namespace warplens {
namespace global_gather {

/// Look for a value, so that each element is needed.
template <class T>
__global__ void find_gathered(const int* __restrict__ indices, const T* __restrict__ in, int n, unsigned mask,
                              unsigned wanted, unsigned* found) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if ((mask >> threadIdx.x % 32 & 1) == 0) return;
    const int index = indices[i];  // access: load index, coalesced
    const T value = in[index];     // access: load in, gathered
    if (fold(value) == wanted) *found = i;
}

/// Writes the indices that the model counts with.
__global__ void write_indices(const __grid_constant__ Params p, int* indices) {
    const auto block = int(blockIdx.x), thread = int(threadIdx.x);
    indices[block * GlobalGather::kBlockThreads + thread] = int(GlobalGather::index_of(p, block, thread));
}

std::optional<Unavailable> prepare(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    return launch_over(GlobalGather::launch(p), stream, &write_indices, p, array_of<int>(memory, 2));
}

std::optional<Unavailable> launch(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    const auto find = [&]<class T>() {
        return launch_over(GlobalGather::launch(p), stream, &find_gathered<T>, array_of<const int>(memory, 2),
                           array_of<const T>(memory, 0), 1 << p.elements_log2, static_cast<unsigned>(p.mask),
                           kNever, memory.sink);
    };
    if (p.element_bytes == 4) return find.operator()<Element<4>>();
    if (p.element_bytes == 8) return find.operator()<Element<8>>();
    return find.operator()<Element<16>>();
}

}  // namespace global_gather

template <>
ScenarioKernel kernel_of<GlobalGather>() {
    return {.prepare = &global_gather::prepare, .follows_memory = true, .launch = &global_gather::launch};
}

}  // namespace warplens
