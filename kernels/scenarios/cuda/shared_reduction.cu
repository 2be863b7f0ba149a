// Each block adds up its elements, one sum per block: as a tree in shared memory in three ways, or with warp
// shuffles.
#include "kernels/scenarios/shared_reduction.h"

#include "kernels/scenarios/cuda/scenario_kernel.cuh"

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

template <int kBlock>
std::optional<Unavailable> launch_block(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
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

ExpectedBytes expected(const Params& p) {
    ExpectedBytes result;
    for (const std::int64_t block : spread_evenly(std::int64_t{1} << p.blocks_log2, 256)) {
        std::uint32_t sum = 0;
        for (int i = 0; i < p.block_x; ++i) sum += initial_word(block * p.block_x + i);
        result.add_value(block * sizeof sum, sum);
    }
    return result;
}

}  // namespace shared_reduction

template <>
ScenarioKernel kernel_of<SharedReduction>() {
    return {.launch = &shared_reduction::launch, .expected = &shared_reduction::expected};
}

}  // namespace warplens
