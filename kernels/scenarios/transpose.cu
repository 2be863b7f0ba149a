// Transposes a square matrix of 4-byte elements, a block a tile: directly, or through a tile in shared memory
// so that both the load and the store go along rows.
#include "kernels/scenarios/transpose.h"

#include "kernels/scenarios/plain_kernels.cuh"

namespace warplens {
namespace {

template <int kTile, int kRows>
__global__ void __launch_bounds__(kTile* kRows)
    transpose_naive(const unsigned* __restrict__ in, unsigned* __restrict__ out, int n) {
    const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
#pragma unroll
    for (int j = 0; j < kTile; j += kRows) {
        if (x < n && y + j < n)
            out[x * n + y + j] = in[(y + j) * n + x];  // access: load in, by rows; store out, by columns
    }
}

/// @param pitch  words from one row of the tile to the next: the tile's width, and padding
template <int kTile, int kRows, bool kSwizzled>
__global__ void __launch_bounds__(kTile* kRows)
    transpose_tile(const unsigned* __restrict__ in, unsigned* __restrict__ out, int n, int pitch) {
    extern __shared__ unsigned tile[];
    int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
#pragma unroll
    for (int j = 0; j < kTile; j += kRows) {
        const int row = threadIdx.y + j, column = kSwizzled ? threadIdx.x ^ row : threadIdx.x;
        if (x < n && y + j < n)
            tile[row * pitch + column] = in[(y + j) * n + x];  // access: load in, by rows; store tile, by rows
    }
    __syncthreads();
    x = blockIdx.y * kTile + threadIdx.x, y = blockIdx.x * kTile + threadIdx.y;
#pragma unroll
    for (int j = 0; j < kTile; j += kRows) {
        const int row = threadIdx.x, column = kSwizzled ? (threadIdx.y + j) ^ row : threadIdx.y + j;
        if (x < n && y + j < n)
            out[(y + j) * n + x] =
                tile[row * pitch + column];  // access: load tile, by columns; store out, by rows
    }
}

template <int kTile, int kRows>
void launch_with(const Params& p, const LaunchShape& shape, const ReplayMemory& memory, cudaStream_t stream) {
    const auto *in = array_of<unsigned>(memory, 0);
    auto* out = array_of<unsigned>(memory, 1);
    if (Transpose::naive(p))
        return launch_plain(&transpose_naive<kTile, kRows>, shape, stream, in, out, p.matrix);
    const bool swizzled = p.variant == static_cast<int>(Variant::swizzled);
    launch_plain(swizzled ? &transpose_tile<kTile, kRows, true> : &transpose_tile<kTile, kRows, false>, shape,
                 stream, in, out, p.matrix, Transpose::pitch(p));
}

template <int kTile, int kRows = 1>
void launch_tile(const Params& p, const LaunchShape& shape, const ReplayMemory& memory, cudaStream_t stream) {
    if (shape.block.y == kRows) return launch_with<kTile, kRows>(p, shape, memory, stream);
    if constexpr (kRows < kTile) launch_tile<kTile, 2 * kRows>(p, shape, memory, stream);
}

std::optional<Unavailable> launch(const Params& p, const ReplayMemory& memory, cudaStream_t stream) {
    const LaunchShape shape = Transpose::launch(p);
    if (p.tile == 8)
        launch_tile<8>(p, shape, memory, stream);
    else if (p.tile == 16)
        launch_tile<16>(p, shape, memory, stream);
    else
        launch_tile<32>(p, shape, memory, stream);
    return std::nullopt;
}

}  // namespace

template <>
OwnKernel plain_kernel<Transpose>() {
    return {.launch = &launch, .expected = [](const Params& p) { return expect_output(Transpose::info.id, p); }};
}

}  // namespace warplens
