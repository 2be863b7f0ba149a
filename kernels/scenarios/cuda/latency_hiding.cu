// A few warps of each SM read memory from one end to the other, each thread a few elements at a time: how
// much that keeps on its way decides the speed.
#include "kernels/scenarios/latency_hiding.h"

#include "kernels/scenarios/cuda/scenario_kernel.cuh"

namespace warplens {
namespace latency_hiding {

/// All blocks stay until everything is read: one on each SM, or two. The loads of a round do not wait for
/// each other, because nothing is used before all of them have begun; the next round waits for all of them.
/// @param rounds  how often each thread loads kLoads elements
template <class T, int kLoads, int kBlocks>
__global__ void __launch_bounds__(1024, kBlocks)
    read_ahead(const T* __restrict__ in, int rounds, unsigned wanted, unsigned* found) {
    const size_t threads = size_t{gridDim.x} * blockDim.x * blockDim.y;
    const unsigned i = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    const T* next = in + i;
    unsigned sum = 0;
#pragma unroll 1  // else the compiler would begin the loads of several rounds at once
    for (int round = 0; round < rounds; ++round, next += kLoads * threads) {
        T values[kLoads];
#pragma unroll
        for (int k = 0; k < kLoads; ++k) values[k] = next[k * threads];  // access: load ahead
#pragma unroll
        for (int k = 0; k < kLoads; ++k) sum += fold(values[k]);
    }
    if (sum == wanted) *found = i;
}

template <class T, int kBlocks>
auto kernel_for(int loads) {
    return loads == 1   ? &read_ahead<T, 1, kBlocks>
           : loads == 2 ? &read_ahead<T, 2, kBlocks>
           : loads == 4 ? &read_ahead<T, 4, kBlocks>
                        : &read_ahead<T, 8, kBlocks>;
}

template <class T>
std::optional<Unavailable> launch_elements(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    using S = LatencyHiding;
    const auto kernel =
        S::blocks_of_sm(p) == 2 ? kernel_for<T, 2>(S::loads(p)) : kernel_for<T, 1>(S::loads(p));
    return launch_over(S::launch(p), stream, kernel, array_of<const T>(memory, 0), S::rounds(p), kNever,
                       memory.sink);
}

std::optional<Unavailable> launch(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    return p.element_bytes == 4   ? launch_elements<unsigned>(p, memory, stream)
           : p.element_bytes == 8 ? launch_elements<uint2>(p, memory, stream)
                                  : launch_elements<uint4>(p, memory, stream);
}

}  // namespace latency_hiding

template <>
ScenarioKernel kernel_of<LatencyHiding>() {
    return {.launch = &latency_hiding::launch};
}

}  // namespace warplens
