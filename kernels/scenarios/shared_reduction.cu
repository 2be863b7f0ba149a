// Each block adds up its elements, one sum per block: as a tree in shared memory in three ways, or with warp
// shuffles.
#include "kernels/scenarios/shared_reduction.h"

#include "kernels/scenarios/plain_kernels.cuh"

namespace warplens {
namespace {

// The tile is volatile: otherwise the compiler joins the two neighbouring words of the first step into one
// load.
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
auto kernel_of(const Params& p) {
    switch (static_cast<ReductionVariant>(p.variant)) {
        case ReductionVariant::interleaved:
            return &reduce_interleaved<kBlock>;
        case ReductionVariant::divergent:
            return &reduce_divergent<kBlock>;
        case ReductionVariant::sequential:
            return &reduce_sequential<kBlock>;
        case ReductionVariant::shuffle:
            break;
    }
    return &reduce_shuffle<kBlock>;
}

std::optional<Unavailable> launch(const Params& p, const ReplayMemory& memory, cudaStream_t stream) {
    LaunchShape shape = SharedReduction::launch(p);
    shape.shared_bytes = 0;  // the kernels declare their arrays
    const auto kernel = p.block_x == 64    ? kernel_of<64>(p)
                        : p.block_x == 128 ? kernel_of<128>(p)
                        : p.block_x == 256 ? kernel_of<256>(p)
                        : p.block_x == 512 ? kernel_of<512>(p)
                                           : kernel_of<1024>(p);
    const auto* in = array_of<unsigned>(memory, 0);
    launch_plain(kernel, shape, stream, in, array_of<unsigned>(memory, 1));
    return std::nullopt;
}

}  // namespace

template <>
OwnKernel plain_kernel<SharedReduction>() {
    return {.launch = &launch,
            .expected = [](const Params& p) { return expect_output(SharedReduction::info.id, p); }};
}

}  // namespace warplens
