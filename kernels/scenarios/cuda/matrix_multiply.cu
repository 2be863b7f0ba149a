// The product of two square matrices in six kernels: one thread for each element of C, tiles in shared
// memory, and blocks of sums in registers. Matrices are n x n, stored row by row; n is a multiple of every
// tile.
#include "kernels/scenarios/matrix_multiply.h"

#include "kernels/cuda/multiply_data.cuh"
#include "kernels/scenarios/cuda/scenario_kernel.cuh"
#include "kernels/scramble.h"

namespace warplens {
namespace matrix_multiply {

/// Neighbouring lanes compute neighbours in a row of C.
__global__ void multiply_naive(const float* __restrict__ a, const float* __restrict__ b,
                               float* __restrict__ c, int n) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];  // access: load A; load B
    c[row * n + column] = sum;                                              // access: store C
}

/// Neighbouring lanes compute neighbours in a column of C.
__global__ void multiply_naive_uncoalesced(const float* __restrict__ a, const float* __restrict__ b,
                                           float* __restrict__ c, int n) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];  // access: load A; load B
    c[row * n + column] = sum;                                              // access: store C
}

/// The block copies a tile of A and one of B to shared memory, and each thread multiplies a row of the one by
/// a column of the other. Rows of A's tile are `units` times kUnit elements apart: if kUnit is 2 or 4, nvcc
/// knows that each begins at a multiple of 8 or 16 bytes, and joins two or four loads of a row into one.
template <int kTile, int kUnit>
__global__ void __launch_bounds__(kTile* kTile)
    multiply_tiled(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n,
                   int units) {
    extern __shared__ __align__(16) float shared[];
    const int pitch = kUnit * units;
    float *tile_a = shared, *tile_b = shared + kTile * pitch;
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
    const float* row_a = tile_a + y * pitch;
    float sum = 0;
    for (int first = 0; first < n; first += kTile) {
        tile_a[y * pitch + x] = a[row * n + first + x];       // access: load A; store tile A
        tile_b[y * kTile + x] = b[(first + y) * n + column];  // access: load B; store tile B
        __syncthreads();
#pragma unroll
        for (int k = 0; k < kTile; ++k) {
            const float from_a =
                row_a[k];  // access: load tile A; load tile A, two at once; load tile A, four at once
            const float from_b = tile_b[k * kTile + x];  // access: load tile B
            sum += from_a * from_b;
        }
        __syncthreads();
    }
    c[row * n + column] = sum;  // access: store C
}

/// The same, but A's tile is stored by columns, `pitch` elements apart.
template <int kTile>
__global__ void __launch_bounds__(kTile* kTile)
    multiply_tiled_transposed(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                              int n, int pitch) {
    extern __shared__ __align__(16) float shared[];
    float *tile_a = shared, *tile_b = shared + kTile * pitch;
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
    float sum = 0;
    for (int first = 0; first < n; first += kTile) {
        tile_a[x * pitch + y] = a[row * n + first + x];       // access: load A; store tile A, by columns
        tile_b[y * kTile + x] = b[(first + y) * n + column];  // access: load B; store tile B
        __syncthreads();
#pragma unroll 8  // unrolled completely, the addresses of all columns would need too many registers
        for (int k = 0; k < kTile; ++k) {
            const float from_a = tile_a[k * pitch + y];  // access: load tile A
            const float from_b = tile_b[k * kTile + x];  // access: load tile B
            sum += from_a * from_b;
        }
        __syncthreads();
    }
    c[row * n + column] = sum;  // access: store C
}

/// Loads a thread's elements of the next pair of tiles into registers. A's tile begins at (row, k), B's at
/// (k, column).
template <int kTile, int kDepth, int kLoads>
__device__ void fetch_elements(const float* a, const float* b, int n, int row, int column, int k, int thread,
                               float (&next_a)[kLoads], float (&next_b)[kLoads]) {
#pragma unroll
    for (int i = 0, e = thread; i < kLoads; ++i, e += kTile * kDepth / kLoads) {
        next_a[i] = a[(row + e / kDepth) * n + k + e % kDepth];   // access: load A
        next_b[i] = b[(k + e / kTile) * n + column + e % kTile];  // access: load B
    }
}

/// Stores them: B's tile follows A's.
template <int kTile, int kDepth, int kLoads>
__device__ void keep_elements(float* tile_a, int pitch, int thread, const float (&next_a)[kLoads],
                              const float (&next_b)[kLoads]) {
    float* tile_b = tile_a + kDepth * pitch;
#pragma unroll
    for (int i = 0, e = thread; i < kLoads; ++i, e += kTile * kDepth / kLoads) {
        tile_a[e % kDepth * pitch + e / kDepth] = next_a[i];  // access: store tile A, by columns
        tile_b[e] = next_b[i];                                // access: store tile B
    }
}

/// Adds to a thread's sums what one pair of tiles contributes.
template <int kTile, int kDepth, int kEach>
__device__ void multiply_elements(const float* tile_a, int pitch, int x, int y, float (&sum)[kEach][kEach]) {
    constexpr int kAcross = kTile / kEach;
    const float* tile_b = tile_a + kDepth * pitch;
#pragma unroll
    for (int k = 0; k < kDepth; ++k) {
        float from_a[kEach], from_b[kEach];
#pragma unroll
        for (int i = 0; i < kEach; ++i) {
            from_a[i] = tile_a[k * pitch + i * kAcross + y];  // access: load tile A
            from_b[i] = tile_b[k * kTile + i * kAcross + x];  // access: load tile B
        }
#pragma unroll
        for (int i = 0; i < kEach * kEach; ++i)
            sum[i / kEach][i % kEach] += from_a[i / kEach] * from_b[i % kEach];
    }
}

/// Each thread computes kEach x kEach elements of C, kTile / kEach rows and columns apart. Two pairs of tiles
/// take turns in shared memory: while one is multiplied, the elements of the next come from
/// global memory.
template <int kTile, int kEach, int kDepth>
__global__ void __launch_bounds__(kTile / kEach * (kTile / kEach), 2)
    multiply_register_blocked(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                              int n, int pitch) {
    extern __shared__ __align__(16) float shared[];
    constexpr int kAcross = kTile / kEach, kLoads = kTile * kDepth / (kAcross * kAcross);
    const int row = blockIdx.y * kTile, column = blockIdx.x * kTile, pair = kDepth * (pitch + kTile);
    const int x = threadIdx.x, y = threadIdx.y, thread = y * kAcross + x;
    float next_a[kLoads], next_b[kLoads], sum[kEach][kEach] = {};
    fetch_elements<kTile, kDepth>(a, b, n, row, column, 0, thread, next_a, next_b);
    keep_elements<kTile, kDepth>(shared, pitch, thread, next_a, next_b);
    __syncthreads();
    int buffer = 0;
    for (int first = kDepth; first < n; first += kDepth) {
        fetch_elements<kTile, kDepth>(a, b, n, row, column, first, thread, next_a, next_b);
        multiply_elements<kTile, kDepth>(shared + buffer * pair, pitch, x, y, sum);
        buffer ^= 1;
        keep_elements<kTile, kDepth>(shared + buffer * pair, pitch, thread, next_a, next_b);
        __syncthreads();
    }
    multiply_elements<kTile, kDepth>(shared + buffer * pair, pitch, x, y, sum);
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
#pragma unroll
        for (int j = 0; j < kEach; ++j)
            c[(row + i * kAcross + y) * n + column + j * kAcross + x] = sum[i][j];  // access: store C
    }
}

__device__ float4& four(float* first) { return *reinterpret_cast<float4*>(first); }
__device__ const float4& four(const float* first) { return *reinterpret_cast<const float4*>(first); }

/// Loads a thread's four elements of each tile of the next pair into registers.
__device__ void fetch_groups(const float* a, const float* b, float4& next_a, float4& next_b) {
    next_a = four(a);  // access: load A
    next_b = four(b);  // access: load B
}

/// Stores them; those of A belong to four columns.
template <int kTile, int kDepth>
__device__ void keep_groups(float* tile_a, int pitch, int thread, float4 next_a, float4 next_b) {
    const float of_a[] = {next_a.x, next_a.y, next_a.z, next_a.w};
    const int row = 4 * thread / kDepth, k = 4 * thread % kDepth;
#pragma unroll
    for (int i = 0; i < 4; ++i) tile_a[(k + i) * pitch + row] = of_a[i];  // access: store tile A, by columns
    four(tile_a + kDepth * pitch + 4 * thread) = next_b;                  // access: store tile B
}

/// Adds to a thread's sums what one pair of tiles contributes; its first sum is at row y, column x.
template <int kTile, int kDepth, int kEach>
__device__ void multiply_groups(const float* tile_a, int pitch, int x, int y, float (&sum)[kEach][kEach]) {
    const float* tile_b = tile_a + kDepth * pitch;
#pragma unroll
    for (int k = 0; k < kDepth; ++k) {
        __align__(16) float from_a[kEach], from_b[kEach];
#pragma unroll
        for (int i = 0; i < kEach; i += 4) {
            four(from_a + i) = four(tile_a + k * pitch + i * (kTile / kEach) + y);  // access: load tile A
            four(from_b + i) = four(tile_b + k * kTile + i * (kTile / kEach) + x);  // access: load tile B
        }
#pragma unroll
        for (int i = 0; i < kEach * kEach; ++i)
            sum[i / kEach][i % kEach] += from_a[i / kEach] * from_b[i % kEach];
    }
}

/// The same with 16 bytes per access: a thread's sums are groups of 4 x 4. The lanes of a warp are placed so
/// that neighbours load the same group of B and lanes two apart the same group of A; the hardware joins such
/// requests.
template <int kTile, int kEach, int kDepth>
__global__ void __launch_bounds__(kTile / kEach * (kTile / kEach), 2)
    multiply_vectorized(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                        int n, int pitch) {
    extern __shared__ __align__(16) float shared[];
    constexpr int kAcross = kTile / kEach;
    static_assert(kTile * kDepth == 4 * kAcross * kAcross, "a thread loads four elements of each tile");
    const int row = blockIdx.y * kTile, column = blockIdx.x * kTile, pair = kDepth * (pitch + kTile);
    const int thread = threadIdx.y * kAcross + threadIdx.x, lane = thread % 32, warp = thread / 32;
    const int x = 4 * (warp % (kAcross / 8) * 8 + lane / 2 % 8);
    const int y = 4 * (warp / (kAcross / 8) * 4 + lane % 2 + lane / 16 * 2);
    a += (row + 4 * thread / kDepth) * n + 4 * thread % kDepth;
    b += 4 * thread / kTile * n + column + 4 * thread % kTile;
    float4 next_a, next_b;
    float sum[kEach][kEach] = {};
    fetch_groups(a, b, next_a, next_b);
    keep_groups<kTile, kDepth>(shared, pitch, thread, next_a, next_b);
    __syncthreads();
    int buffer = 0;
    for (int first = kDepth; first < n; first += kDepth) {
        fetch_groups(a + first, b + first * n, next_a, next_b);
        multiply_groups<kTile, kDepth>(shared + buffer * pair, pitch, x, y, sum);
        buffer ^= 1;
        keep_groups<kTile, kDepth>(shared + buffer * pair, pitch, thread, next_a, next_b);
        __syncthreads();
    }
    multiply_groups<kTile, kDepth>(shared + buffer * pair, pitch, x, y, sum);
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
#pragma unroll
        for (int j = 0; j < kEach; j += 4)
            four(c + (row + i / 4 * 4 * kAcross + y + i % 4) * n + column + j * kAcross + x) =
                make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);  // access: store C
    }
}

using MultiplyKernel = void (*)(const float*, const float*, float*, int, int);

template <int kTile, int kBlockTile, int kEach, int kDepth>
MultiplyKernel with_tile(Multiply variant, int joined) {
    switch (variant) {
        case Multiply::tiled:
            return joined == 4   ? &multiply_tiled<kTile, 4>
                   : joined == 2 ? &multiply_tiled<kTile, 2>
                                 : &multiply_tiled<kTile, 1>;
        case Multiply::tiled_transposed:
            return &multiply_tiled_transposed<kTile>;
        case Multiply::register_blocked:
            return &multiply_register_blocked<kBlockTile, kEach, kDepth>;
        default:
            return &multiply_vectorized<kBlockTile, kEach, kDepth>;
    }
}

std::optional<Unavailable> launch(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    const LaunchShape shape = MatrixMultiply::launch(p);
    const auto *a = array_of<const float>(memory, 0), *b = array_of<const float>(memory, 2);
    auto* c = array_of<float>(memory, 1);
    const Multiply variant = multiply::variant(p);
    if (variant == Multiply::naive) return launch_over(shape, stream, &multiply_naive, a, b, c, p.matrix);
    if (variant == Multiply::naive_uncoalesced)
        return launch_over(shape, stream, &multiply_naive_uncoalesced, a, b, c, p.matrix);
    const int joined = multiply::joined(p);
    const MultiplyKernel kernel = p.tile == 8    ? with_tile<8, 32, 4, 8>(variant, joined)
                                  : p.tile == 16 ? with_tile<16, 64, 4, 16>(variant, joined)
                                                 : with_tile<32, 128, 8, 8>(variant, joined);
    return launch_over(shape, stream, kernel, a, b, c, p.matrix, multiply::pitch(p) / joined);
}

/// Values are multiples of 1/128 from -1 to just below 1. Products are multiples of 2^-14, so float sums of
/// up to 1024 of them are exact in any order, and in practice all sums here are, because signs alternate at
/// random.
__host__ __device__ float entry(int element, std::uint64_t seed) {
    const int level = int(scramble(seed << 32 | static_cast<std::uint64_t>(element)) % 256) - 128;
    return float(level) / 128;
}
constexpr std::uint64_t kSeedA = 1, kSeedB = 2;

__global__ void fill_matrix(float* matrix, int elements, std::uint64_t seed) {
    for (int i = int(blockIdx.x * blockDim.x + threadIdx.x); i < elements; i += int(gridDim.x * blockDim.x))
        matrix[i] = entry(i, seed);
}

std::optional<Unavailable> prepare(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    fill_matrices(p.matrix, array_of<float>(memory, 0), array_of<float>(memory, 2), stream);
    return std::nullopt;
}

/// Some elements of C by the definition.
ExpectedBytes expected(const Params& p) {
    constexpr int kSamples = 64;
    const int n = p.matrix;
    ExpectedBytes bytes;
    for (const std::int64_t i : spread_evenly(std::int64_t{n} * n, kSamples)) {
        const int row = int(i / n), column = int(i % n);
        double sum = 0;
        for (int k = 0; k < n; ++k) sum += double{entry(row * n + k, kSeedA)} * entry(k * n + column, kSeedB);
        bytes.add_value(static_cast<std::uint64_t>(i) * sizeof(float), float(sum));
    }
    return bytes;
}

}  // namespace matrix_multiply

void fill_matrices(int n, float* a, float* b, cudaStream_t stream) {
    constexpr int kBlocks = 1024, kThreads = 256;
    matrix_multiply::fill_matrix<<<kBlocks, kThreads, 0, stream>>>(a, n * n, matrix_multiply::kSeedA);
    CUDA_CHECK_LAUNCH();
    matrix_multiply::fill_matrix<<<kBlocks, kThreads, 0, stream>>>(b, n * n, matrix_multiply::kSeedB);
    CUDA_CHECK_LAUNCH();
}

template <>
ScenarioKernel kernel_of<MatrixMultiply>() {
    return {.prepare = &matrix_multiply::prepare,
            .launch = &matrix_multiply::launch,
            .expected = &matrix_multiply::expected};
}

}  // namespace warplens
