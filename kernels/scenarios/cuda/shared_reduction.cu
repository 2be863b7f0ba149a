// Each block adds up its elements, one sum per block: as a tree in shared memory in three ways, or with warp
// shuffles. Then the sums of all blocks, if one is wanted: by a second launch, by the block that is ready
// last, by the first one after a barrier of the grid, or by atomic operations.
#include "kernels/scenarios/shared_reduction.h"

#include "kernels/scenarios/cuda/scenario_kernel.cuh"

#include <cooperative_groups.h>

namespace warplens {
namespace shared_reduction {

/// Thread x adds word 2 s x + s to word 2 s x: whole warps retire, but the words of a warp drift apart.
/// The tile is volatile, because otherwise the compiler joins the two words of the first step into one load.
template <int kBlock>
__global__ void __launch_bounds__(kBlock)
    reduce_interleaved(const unsigned* __restrict__ in, unsigned* __restrict__ out) {
    __shared__ volatile unsigned tile[kBlock];
    const int x = threadIdx.x;
    tile[x] = in[blockIdx.x * kBlock + x];  // access: load in; store tile
    __syncthreads();
#pragma unroll
    for (int s = 1; s < kBlock; s *= 2) {
        const int own = 2 * s * x;
        if (own < kBlock) tile[own] = tile[own] + tile[own + s];  // access: load other; load own; store sum
        __syncthreads();
    }
    if (x == 0) out[blockIdx.x] = tile[0];  // access: load result; store out
}

/// The threads whose number is a multiple of 2 s work: in each warp ever fewer lanes.
template <int kBlock>
__global__ void __launch_bounds__(kBlock)
    reduce_divergent(const unsigned* __restrict__ in, unsigned* __restrict__ out) {
    __shared__ unsigned tile[kBlock];
    const int x = threadIdx.x;
    tile[x] = in[blockIdx.x * kBlock + x];  // access: load in; store tile
    __syncthreads();
#pragma unroll
    for (int s = 1; s < kBlock; s *= 2) {
        if (x % (2 * s) == 0) tile[x] += tile[x + s];  // access: load other; load own; store sum
        __syncthreads();
    }
    if (x == 0) out[blockIdx.x] = tile[0];  // access: load result; store out
}

/// The first s threads work, s falling: whole warps retire, and lanes side by side add words side by side.
template <int kBlock>
__global__ void __launch_bounds__(kBlock)
    reduce_sequential(const unsigned* __restrict__ in, unsigned* __restrict__ out) {
    __shared__ unsigned tile[kBlock];
    const int x = threadIdx.x;
    tile[x] = in[blockIdx.x * kBlock + x];  // access: load in; store tile
    __syncthreads();
#pragma unroll
    for (int s = kBlock / 2; s > 0; s /= 2) {
        if (x < s) tile[x] += tile[x + s];  // access: load other; load own; store sum
        __syncthreads();
    }
    if (x == 0) out[blockIdx.x] = tile[0];  // access: load result; store out
}

/// The lanes of a warp exchange registers; only one word per warp passes through shared memory.
template <int kBlock>
__global__ void __launch_bounds__(kBlock)
    reduce_shuffle(const unsigned* __restrict__ in, unsigned* __restrict__ out) {
    constexpr int kWarps = kBlock / 32;
    __shared__ unsigned tile[kWarps];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned sum = in[blockIdx.x * kBlock + threadIdx.x];  // access: load in
#pragma unroll
    for (int far = 16; far > 0; far /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, far);  // access: exchange in each warp
    if (lane == 0) tile[warp] = sum;                    // access: store a sum per warp
    __syncthreads();
    if (threadIdx.x >= kWarps) return;
    sum = tile[lane];  // access: load them in warp 0
#pragma unroll
    for (int far = kWarps / 2; far > 0; far /= 2)
        sum += __shfl_down_sync((1ull << kWarps) - 1, sum, far);  // access: exchange in warp 0
    if (lane == 0) out[blockIdx.x] = sum;                         // access: store out
}

/// Adds up one number of each thread, within the warps and then their sums. Thread 0 gets the sum.
template <int kBlock>
__device__ unsigned add_up_block(unsigned sum) {
    constexpr int kWarps = kBlock / 32;
    __shared__ unsigned tile[kWarps];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
    for (int far = 16; far > 0; far /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, far);  // access: exchange in each warp
    if (lane == 0) tile[warp] = sum;                    // access: store a sum per warp
    __syncthreads();
    if (threadIdx.x >= kWarps) return 0;
    sum = tile[lane];  // access: load them in warp 0
#pragma unroll
    for (int far = kWarps / 2; far > 0; far /= 2)
        sum += __shfl_down_sync((1ull << kWarps) - 1, sum, far);  // access: exchange in warp 0
    return sum;
}

/// One block adds up the sums of all. They were stored by other SMs, so they are loaded from the L2.
template <int kBlock>
__device__ void add_up_sums(const unsigned* sums, unsigned* total) {
    unsigned sum = 0;
    for (int i = threadIdx.x; i < gridDim.x; i += kBlock) sum += __ldcg(&sums[i]);
    sum = add_up_block<kBlock>(sum);
    if (threadIdx.x == 0) *total = sum;
}

/// Launched twice: blocks add up the elements, then one block their sums. The end of the first launch is what
/// makes the second one wait for all blocks.
template <int kBlock>
__global__ void __launch_bounds__(kBlock)
    reduce_part(const unsigned* __restrict__ in, int n, unsigned* sums) {
    unsigned sum = 0;
    for (int i = blockIdx.x * kBlock + threadIdx.x; i < n; i += gridDim.x * kBlock)
        sum += in[i];  // access: load in
    sum = add_up_block<kBlock>(sum);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;  // access: store out
}

/// The block that is ready last adds up the sums. It finds out by counting: whoever is counted has stored its
/// sum before, because the fence stands between. Without it the count may be seen before the sum.
template <int kBlock>
__global__ void __launch_bounds__(kBlock)
    reduce_last_block(const unsigned* __restrict__ in, unsigned* sums, unsigned* total, unsigned* count) {
    __shared__ bool last;
    const unsigned value = in[blockIdx.x * kBlock + threadIdx.x];  // access: load in
    const unsigned sum = add_up_block<kBlock>(value);
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = sum;  // access: store out
        __threadfence();
        last = atomicAdd(count, 1) == gridDim.x - 1;
        if (last) __threadfence();  // and what was counted is seen
    }
    __syncthreads();
    if (!last) return;
    add_up_sums<kBlock>(sums, total);
    if (threadIdx.x == 0) *count = 0;  // for the next launch
}

/// All blocks wait for each other, which only a cooperative launch allows: it promises that all are there.
template <int kBlock>
__global__ void __launch_bounds__(kBlock)
    reduce_grid_sync(const unsigned* __restrict__ in, unsigned* sums, unsigned* total) {
    const auto grid = cooperative_groups::this_grid();
    const unsigned value = in[blockIdx.x * kBlock + threadIdx.x];  // access: load in
    const unsigned sum = add_up_block<kBlock>(value);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;  // access: store out
    grid.sync();
    if (blockIdx.x == 0) add_up_sums<kBlock>(sums, total);
}

/// Each block adds its sum to the total as soon as it has it. Nobody waits and nothing is loaded again, but
/// the total has to be 0 before the launch.
template <int kBlock>
__global__ void __launch_bounds__(kBlock) reduce_atomic(const unsigned* __restrict__ in, unsigned* total) {
    const unsigned value = in[blockIdx.x * kBlock + threadIdx.x];  // access: load in
    const unsigned sum = add_up_block<kBlock>(value);
    if (threadIdx.x == 0) atomicAdd(total, sum);  // access: add to total
}

/// The sums of the blocks, then their sum, then how many blocks are ready.
unsigned* counter_of(const Params& p, const KernelMemory& memory) {
    return array_of<unsigned>(memory, 1) + (std::int64_t{1} << p.blocks_log2) + 1;
}

template <int kBlock>
std::optional<Unavailable> launch_to_one_sum(const Params& p, const KernelMemory& memory,
                                             cudaStream_t stream) {
    LaunchShape shape = SharedReduction::launch(p);
    shape.shared_bytes = 0;
    const auto in = array_of<const unsigned>(memory, 0);
    const auto sums = array_of<unsigned>(memory, 1);
    unsigned *const count = counter_of(p, memory), *const total = count - 1;
    switch (SharedReduction::finish(p)) {
        case ReductionFinish::last_block:
            return launch_over(shape, stream, &reduce_last_block<kBlock>, in, sums, total, count);
        case ReductionFinish::sync:
            return launch_over(shape, stream, &reduce_grid_sync<kBlock>, in, sums, total);
        case ReductionFinish::atomic:
            return launch_over(shape, stream, &reduce_atomic<kBlock>, in, sums);
        default:
            if (auto why = launch_over(shape, stream, &reduce_part<kBlock>, in, shape.grid.x * kBlock, sums))
                return why;
            const int blocks = shape.grid.x;
            shape.grid = {1, 1};
            return launch_over(shape, stream, &reduce_part<kBlock>, sums, blocks, total);
    }
}

template <int kBlock>
std::optional<Unavailable> launch_block(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    if (!SharedReduction::ends_with(p, ReductionFinish::sums))
        return launch_to_one_sum<kBlock>(p, memory, stream);
    LaunchShape shape = SharedReduction::launch(p);
    shape.shared_bytes = 0;  // the kernels declare their tiles
    const auto variant = static_cast<ReductionVariant>(p.variant);
    const auto kernel = variant == ReductionVariant::interleaved  ? &reduce_interleaved<kBlock>
                        : variant == ReductionVariant::divergent  ? &reduce_divergent<kBlock>
                        : variant == ReductionVariant::sequential ? &reduce_sequential<kBlock>
                                                                  : &reduce_shuffle<kBlock>;
    return launch_over(shape, stream, kernel, array_of<unsigned>(memory, 0), array_of<unsigned>(memory, 1));
}

std::optional<Unavailable> launch(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    switch (p.block_x) {
        case 64:
            return launch_block<64>(p, memory, stream);
        case 128:
            return launch_block<128>(p, memory, stream);
        case 256:
            return launch_block<256>(p, memory, stream);
        case 512:
            return launch_block<512>(p, memory, stream);
        default:
            return launch_block<1024>(p, memory, stream);
    }
}

/// The last block leaves the counter as it was; a total that blocks add to has no such end.
bool accumulates(const Params& p) { return SharedReduction::adds(p); }

std::optional<Unavailable> prepare(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    if (accumulates(p))
        CUDA_CHECK(cudaMemsetAsync(array_of<unsigned>(memory, 1), 0, sizeof(unsigned), stream));
    if (SharedReduction::ends_with(p, ReductionFinish::last_block))
        CUDA_CHECK(cudaMemsetAsync(counter_of(p, memory), 0, sizeof(unsigned), stream));
    return std::nullopt;
}

ExpectedBytes expected(const Params& p) {
    constexpr std::int64_t kMostAdded = 1 << 24;  // which takes some tenths of a second
    ExpectedBytes result;
    const std::int64_t blocks = std::int64_t{1} << p.blocks_log2, elements = blocks * p.block_x;
    if (!SharedReduction::ends_with(p, ReductionFinish::sums) && elements <= kMostAdded) {
        std::uint32_t total = 0;
        for (std::int64_t i = 0; i < elements; ++i) total += initial_word(i);
        result.add_value(accumulates(p) ? 0 : blocks * sizeof total, total);
    }
    if (accumulates(p)) return result;
    for (const std::int64_t block : spread_evenly(blocks, 256)) {
        std::uint32_t sum = 0;
        for (int i = 0; i < p.block_x; ++i) sum += initial_word(block * p.block_x + i);
        result.add_value(block * sizeof sum, sum);
    }
    return result;
}

}  // namespace shared_reduction

template <>
ScenarioKernel kernel_of<SharedReduction>() {
    return {.prepare = &shared_reduction::prepare,
            .launch = &shared_reduction::launch,
            .expected = &shared_reduction::expected,
            .accumulates = &shared_reduction::accumulates};
}

}  // namespace warplens
