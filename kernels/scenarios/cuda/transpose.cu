// Transposes a square matrix, a block a tile: directly, or through a tile in shared memory, so that both the
// load and the store go along rows.
#include "kernels/scenarios/transpose.h"

#include "kernels/scenarios/cuda/scenario_kernel.cuh"

namespace warplens {
namespace transpose {

// A block of kTile x kRows threads transposes a tile of kTile x kTile elements.
// @tparam kWhole  whether n is a multiple of kTile. Then no element needs a check, and without the branches
//                 between them the loads of a thread overlap.

template <int kTile, int kRows, bool kWhole>
__global__ void transpose_naive(const unsigned* __restrict__ in, unsigned* __restrict__ out, int n) {
    const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
#pragma unroll
    for (int j = 0; j < kTile; j += kRows) {
        if (kWhole || (x < n && y + j < n)) {
            const unsigned value = in[(y + j) * n + x];  // access: load in, by rows
            out[x * n + y + j] = value;                  // access: store out, by columns
        }
    }
}

/// @param pitch  elements from one row of the tile to the next: its width, and padding
template <int kTile, int kRows, bool kWhole>
__global__ void transpose_tile(const unsigned* __restrict__ in, unsigned* __restrict__ out, int n,
                               int pitch) {
    extern __shared__ unsigned tile[];
    int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
#pragma unroll
    for (int j = 0; j < kTile; j += kRows) {
        if (kWhole || (x < n && y + j < n)) {
            const unsigned value = in[(y + j) * n + x];             // access: load in, by rows
            tile[(threadIdx.y + j) * pitch + threadIdx.x] = value;  // access: store tile, by rows
        }
    }
    __syncthreads();
    x = blockIdx.y * kTile + threadIdx.x, y = blockIdx.x * kTile + threadIdx.y;  // the mirror image
#pragma unroll
    for (int j = 0; j < kTile; j += kRows) {
        if (kWhole || (x < n && y + j < n)) {
            const unsigned value =
                tile[threadIdx.x * pitch + threadIdx.y + j];  // access: load tile, by columns
            out[(y + j) * n + x] = value;                     // access: store out, by rows
        }
    }
}

/// Element (row, column) of the tile lies at column ^ row of its row, so a column has an element in every
/// bank.
template <int kTile, int kRows, bool kWhole>
__global__ void transpose_swizzled(const unsigned* __restrict__ in, unsigned* __restrict__ out, int n) {
    __shared__ unsigned tile[kTile][kTile];
    int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
#pragma unroll
    for (int j = 0; j < kTile; j += kRows) {
        const int row = threadIdx.y + j, column = threadIdx.x;
        if (kWhole || (x < n && y + j < n)) {
            const unsigned value = in[(y + j) * n + x];  // access: load in, by rows
            tile[row][column ^ row] = value;             // access: store tile, by rows
        }
    }
    __syncthreads();
    x = blockIdx.y * kTile + threadIdx.x, y = blockIdx.x * kTile + threadIdx.y;  // the mirror image
#pragma unroll
    for (int j = 0; j < kTile; j += kRows) {
        const int row = threadIdx.x, column = threadIdx.y + j;
        if (kWhole || (x < n && y + j < n)) {
            const unsigned value = tile[row][column ^ row];  // access: load tile, by columns
            out[(y + j) * n + x] = value;                    // access: store out, by rows
        }
    }
}

template <int kTile, int kRows, bool kWhole>
std::optional<Unavailable> launch_with(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    LaunchShape shape = Transpose::launch(p);
    const auto* in = array_of<unsigned>(memory, 0);
    auto* out = array_of<unsigned>(memory, 1);
    switch (static_cast<Variant>(p.variant)) {
        case Variant::naive:
            return launch_over(shape, stream, &transpose_naive<kTile, kRows, kWhole>, in, out, p.matrix);
        case Variant::swizzled:
            shape.shared_bytes = 0;  // the kernel declares its tile
            return launch_over(shape, stream, &transpose_swizzled<kTile, kRows, kWhole>, in, out, p.matrix);
        default:
            break;
    }
    return launch_over(shape, stream, &transpose_tile<kTile, kRows, kWhole>, in, out, p.matrix,
                       Transpose::pitch(p));
}

template <int kTile, int kRows = 1>
std::optional<Unavailable> launch_tile(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    if constexpr (kRows < kTile) {
        if (Transpose::rows_of_block(p) != kRows) return launch_tile<kTile, 2 * kRows>(p, memory, stream);
    }
    return p.matrix % kTile == 0 ? launch_with<kTile, kRows, true>(p, memory, stream)
                                 : launch_with<kTile, kRows, false>(p, memory, stream);
}

std::optional<Unavailable> launch(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    return p.tile == 8    ? launch_tile<8>(p, memory, stream)
           : p.tile == 16 ? launch_tile<16>(p, memory, stream)
                          : launch_tile<32>(p, memory, stream);
}

ExpectedBytes expected(const Params& p) {
    ExpectedBytes result;
    const std::int64_t n = p.matrix;
    for (const std::int64_t i : spread_evenly(n * n, 999)) {
        const std::int64_t y = i / n, x = i % n;
        result.add_value((x * n + y) * sizeof(unsigned), initial_word(y * n + x));
    }
    return result;
}

}  // namespace transpose

template <>
ScenarioKernel kernel_of<Transpose>() {
    return {.launch = &transpose::launch, .expected = &transpose::expected};
}

}  // namespace warplens
