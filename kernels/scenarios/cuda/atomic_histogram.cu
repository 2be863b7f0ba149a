// A histogram: every thread reads elements and adds to the bin of each, in global memory, or first in shared
// memory in a histogram of its block or of its warp.
#include "kernels/scenarios/atomic_histogram.h"

#include "kernels/scenarios/cuda/scenario_kernel.cuh"

namespace warplens {
namespace atomic_histogram {

constexpr int kCount = 0;
constexpr int kSum = 1;
constexpr int kRank = 2;
constexpr int kPlain = 3;

/// Add an element to its bin. A plain update reads, adds and writes in three steps, and other threads come in
/// between. Aggregated, lanes that fall into the same bin find each other, and the first of them adds for
/// all.
template <int kUpdate, bool kAggregated>
__device__ void add_to_bin(unsigned* bin, unsigned b, unsigned weight, unsigned* rank) {
    unsigned sum = kUpdate == kSum ? weight : 1, old = 0, leader = 0, before = 0;
    bool adds = true;
    if (kAggregated) {
        const unsigned peers = __match_any_sync(0xffffffff, b);  // access: find equal lanes
        sum = __popc(peers);
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
        if (kUpdate == kSum) sum = __reduce_add_sync(peers, weight);  // access: add up equal lanes
#endif
        leader = __ffs(peers) - 1;
        before = __popc(peers & ((1u << threadIdx.x % 32) - 1));
        adds = threadIdx.x % 32 == leader;
    }
    if (kUpdate == kPlain)
        *bin += 1;  // access: load bin; store bin
    else if (adds)
        old = atomicAdd(bin, sum);  // access: add to bin
    if (kUpdate == kRank) {
        if (kAggregated) old = __shfl_sync(0xffffffff, old, leader);  // access: hand out the result
        *rank = old + before;                                         // access: store rank
    }
}

/// Add the elements of a thread to bins that lie `distance` words apart. An element has its bin in the low
/// half and its weight in the high half.
template <int kUpdate, bool kAggregated>
__device__ void add_elements(const unsigned* __restrict__ in, int items, unsigned* bins, int distance,
                             unsigned* rank) {
#pragma unroll 4
    for (int k = 0; k < items; ++k) {
        const size_t i = (size_t(blockIdx.x) * items + k) * blockDim.x + threadIdx.x;
        const unsigned value = in[i];  // access: load in
        const unsigned b = value & 0xffff;
        add_to_bin<kUpdate, kAggregated>(bins + b * distance, b, value >> 16, rank + i);
    }
}

/// One histogram for the whole grid.
template <int kUpdate, bool kAggregated>
__global__ void histogram_in_global(const unsigned* __restrict__ in, int items, unsigned* out, int distance,
                                    unsigned* rank) {
    add_elements<kUpdate, kAggregated>(in, items, out, distance, rank);
}

/// A histogram for each block, in shared memory. At the end the block adds it to that of the grid.
template <int kUpdate, bool kAggregated>
__global__ void histogram_in_block(const unsigned* __restrict__ in, int items, unsigned* out, int n,
                                   int distance, unsigned* rank) {
    extern __shared__ unsigned tile[];
    for (int b = threadIdx.x; b < n; b += blockDim.x) tile[b * distance] = 0;  // access: clear bins
    __syncthreads();
    add_elements<kUpdate, kAggregated>(in, items, tile, distance, rank);
    __syncthreads();
    for (int b = threadIdx.x; b < n; b += blockDim.x)
        atomicAdd(&out[b], tile[b * distance]);  // access: load copies; add to out
}

/// A histogram for each warp, so that only the lanes of one warp meet.
template <int kUpdate, bool kAggregated>
__global__ void histogram_in_warp(const unsigned* __restrict__ in, int items, unsigned* out, int n,
                                  int distance, unsigned* rank) {
    extern __shared__ unsigned tile[];
    const int warps = blockDim.x / 32, warp = threadIdx.x / 32;
    for (int b = threadIdx.x; b < n * warps; b += blockDim.x) tile[b * distance] = 0;  // access: clear bins
    __syncthreads();
    add_elements<kUpdate, kAggregated>(in, items, tile + warp * n * distance, distance, rank);
    __syncthreads();
    for (int b = threadIdx.x; b < n; b += blockDim.x) {
        unsigned sum = 0;
#pragma unroll 1
        for (int copy = 0; copy < warps; ++copy)
            sum += tile[(copy * n + b) * distance];  // access: load copies
        atomicAdd(&out[b], sum);                     // access: add to out
    }
}

/// Writes the elements that the model counts with, and empties the bins.
__global__ void write_elements(const __grid_constant__ Params p, unsigned* in, unsigned* out, int words) {
    const auto block = int(blockIdx.x), thread = int(threadIdx.x);
    for (int step = 0; step < p.items; ++step)
        in[(std::int64_t{block} * p.items + step) * p.block_x + thread] =
            static_cast<unsigned>(AtomicHistogram::bin_of(p, step, thread)) |
            AtomicHistogram::weight_of(p, step, thread) << 16;
    for (int i = block * p.block_x + thread; i < words; i += int(gridDim.x) * p.block_x) out[i] = 0;
}

std::optional<Unavailable> prepare(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    LaunchShape shape = AtomicHistogram::launch(p);
    shape.shared_bytes = 0;
    return launch_over(shape, stream, &write_elements, p, array_of<unsigned>(memory, 0),
                       array_of<unsigned>(memory, 1), int(shape.buffer_bytes[1] / AtomicHistogram::kBytes));
}

template <int kUpdate, bool kAggregated>
std::optional<Unavailable> launch_update(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    const LaunchShape shape = AtomicHistogram::launch(p);
    const auto in = array_of<const unsigned>(memory, 0);
    const auto out = array_of<unsigned>(memory, 1), rank = array_of<unsigned>(memory, 2);
    if (AtomicHistogram::in_global(p))
        return launch_over(shape, stream, &histogram_in_global<kUpdate, kAggregated>, in, p.items, out,
                           p.stride, rank);
    const auto kernel = p.memory == int(BinsIn::block) ? &histogram_in_block<kUpdate, kAggregated>
                                                       : &histogram_in_warp<kUpdate, kAggregated>;
    return launch_over(shape, stream, kernel, in, p.items, out, AtomicHistogram::bins(p), p.stride, rank);
}

std::optional<Unavailable> launch(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    const bool aggregated = AtomicHistogram::aggregates(p);
    switch (static_cast<Update>(p.operation)) {
        case Update::plain:
            return launch_update<kPlain, false>(p, memory, stream);
        case Update::count:
            return (aggregated ? launch_update<kCount, true> : launch_update<kCount, false>)(p, memory,
                                                                                             stream);
        case Update::sum:
            return (aggregated ? launch_update<kSum, true> : launch_update<kSum, false>)(p, memory, stream);
        default:
            return (aggregated ? launch_update<kRank, true> : launch_update<kRank, false>)(p, memory, stream);
    }
}

/// Nothing if updates are lost.
ExpectedBytes expected(const Params& p) {
    using S = AtomicHistogram;
    ExpectedBytes result;
    if (S::updates(p, Update::plain)) return result;
    std::vector<std::uint32_t> bins(static_cast<std::size_t>(S::bins(p)));
    for (int step = 0; step < p.items; ++step) {
        for (int thread = 0; thread < p.block_x; ++thread)
            bins[static_cast<std::size_t>(S::bin_of(p, step, thread))] +=
                S::updates(p, Update::sum) ? S::weight_of(p, step, thread) : 1;
    }
    const int distance = S::in_global(p) ? p.stride : 1;
    for (std::size_t b = 0; b < bins.size(); ++b)
        result.add_value(b * static_cast<std::size_t>(distance * S::kBytes), bins[b] << p.blocks_log2);
    return result;
}

}  // namespace atomic_histogram

template <>
ScenarioKernel kernel_of<AtomicHistogram>() {
    return {.prepare = &atomic_histogram::prepare,
            .follows_memory = true,
            .launch = &atomic_histogram::launch,
            .expected = &atomic_histogram::expected,
            .accumulates = [](const Params&) { return true; }};
}

}  // namespace warplens
