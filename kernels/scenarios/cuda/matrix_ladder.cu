// The product of two square matrices, from one column of sums per thread to the speed of NVIDIA's library and
// past it. Matrices are n x n, stored row by row; n is a multiple of every tile. Each kernel but the last
// adds one idea to the one before; the last one moves tiles through registers again, because a processor that
// is to multiply and add in every clock has no clocks left for other instructions.
#include "kernels/scenarios/matrix_ladder.h"

#include "kernels/cuda/multiply_data.cuh"
#include "kernels/scenarios/cuda/scenario_kernel.cuh"
#include "kernels/scenarios/matrix_multiply.h"

namespace warplens {

template <>
ScenarioKernel kernel_of<MatrixMultiply>();  // in matrix_multiply.cu, which may be compiled with this file

namespace matrix_ladder {

/// Each thread computes kEach elements of one column of C: a value of B's tile is loaded once for all of
/// them.
template <int kTile, int kDepth, int kEach>
__global__ void __launch_bounds__(kTile* kTile / kEach)
    ladder_register_column(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                           int n) {
    extern __shared__ __align__(16) float shared[];
    float *tile_a = shared, *tile_b = shared + kTile * kDepth;
    const int row = blockIdx.y * kTile, column = blockIdx.x * kTile, thread = threadIdx.x;
    const int x = thread % kTile, y = thread / kTile * kEach;
    a += (row + thread / kDepth) * n + thread % kDepth;
    b += thread / kTile * n + column + x;
    float sum[kEach] = {};
    for (int first = 0; first < n; first += kDepth) {
        tile_a[thread] = a[first];      // access: load A; store tile A
        tile_b[thread] = b[first * n];  // access: load B; store tile B
        __syncthreads();
#pragma unroll 4
        for (int k = 0; k < kDepth; ++k) {
            const float from_b = tile_b[k * kTile + x];  // access: load tile B
#pragma unroll
            for (int i = 0; i < kEach; ++i)
                sum[i] += tile_a[(y + i) * kDepth + k] * from_b;  // access: load tile A, four at once
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < kEach; ++i) c[(row + y + i) * n + column + x] = sum[i];  // access: store C
}

/// Each thread computes kEach x kEach elements of C, kTile / kEach rows and columns apart: values of both
/// tiles are used kEach times.
template <int kTile, int kDepth, int kEach>
__global__ void __launch_bounds__(kTile / kEach * (kTile / kEach), 2)
    ladder_register_tile(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                         int n) {
    extern __shared__ __align__(16) float shared[];
    float *tile_a = shared, *tile_b = shared + kTile * kDepth;
    constexpr int kAcross = kTile / kEach, kThreads = kAcross * kAcross, kLoads = kTile * kDepth / kThreads;
    const int row = blockIdx.y * kTile, column = blockIdx.x * kTile, thread = threadIdx.x;
    const int x = thread % kAcross, y = thread / kAcross;
    float sum[kEach][kEach] = {};
    for (int first = 0; first < n; first += kDepth) {
#pragma unroll
        for (int i = 0, e = thread; i < kLoads; ++i, e += kThreads) {
            tile_a[e] = a[(row + e / kDepth) * n + first + e % kDepth];   // access: load A; store tile A
            tile_b[e] = b[(first + e / kTile) * n + column + e % kTile];  // access: load B; store tile B
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < kDepth; ++k) {
            float from_a[kEach], from_b[kEach];
#pragma unroll
            for (int i = 0; i < kEach; ++i) {
                from_a[i] = tile_a[(i * kAcross + y) * kDepth + k];  // access: load tile A, four at once
                from_b[i] = tile_b[k * kTile + i * kAcross + x];     // access: load tile B
            }
#pragma unroll
            for (int i = 0; i < kEach * kEach; ++i)
                sum[i / kEach][i % kEach] += from_a[i / kEach] * from_b[i % kEach];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < kEach * kEach; ++i)
        c[(row + i / kEach * kAcross + y) * n + column + i % kEach * kAcross + x] =
            sum[i / kEach][i % kEach];  // access: store C
}

__device__ float4& four(float* first) { return *reinterpret_cast<float4*>(first); }
__device__ const float4& four(const float* first) { return *reinterpret_cast<const float4*>(first); }

/// The same with 16 bytes per access: a thread's columns are groups of four.
template <int kTile, int kDepth, int kEach>
__global__ void __launch_bounds__(kTile / kEach * (kTile / kEach), 2)
    ladder_float4(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n) {
    extern __shared__ __align__(16) float shared[];
    float *tile_a = shared, *tile_b = shared + kTile * kDepth;
    constexpr int kAcross = kTile / kEach, kThreads = kAcross * kAcross,
                  kLoads = kTile * kDepth / 4 / kThreads;
    const int row = blockIdx.y * kTile, column = blockIdx.x * kTile, thread = threadIdx.x;
    const int x = 4 * (thread % kAcross), y = thread / kAcross;
    float sum[kEach][kEach] = {};
    for (int first = 0; first < n; first += kDepth) {
#pragma unroll
        for (int i = 0, e = 4 * thread; i < kLoads; ++i, e += 4 * kThreads) {
            four(tile_a + e) =
                four(a + (row + e / kDepth) * n + first + e % kDepth);  // access: load A; store tile A
            four(tile_b + e) =
                four(b + (first + e / kTile) * n + column + e % kTile);  // access: load B; store tile B
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < kDepth; ++k) {
            __align__(16) float from_a[kEach], from_b[kEach];
#pragma unroll
            for (int i = 0; i < kEach; ++i)
                from_a[i] = tile_a[(i * kAcross + y) * kDepth + k];  // access: load tile A, four at once
#pragma unroll
            for (int j = 0; j < kEach; j += 4)
                four(from_b + j) = four(tile_b + k * kTile + j * kAcross + x);  // access: load tile B
#pragma unroll
            for (int i = 0; i < kEach * kEach; ++i)
                sum[i / kEach][i % kEach] += from_a[i / kEach] * from_b[i % kEach];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
#pragma unroll
        for (int j = 0; j < kEach; j += 4)
            four(c + (row + i * kAcross + y) * n + column + j * kAcross + x) =
                make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);  // access: store C
    }
}

/// Stores four neighbours in a row of A, which belong to four columns of its tile, `pitch` elements apart.
__device__ void store_by_columns(float* to, int pitch, float4 values) {
    const float of_a[] = {values.x, values.y, values.z, values.w};
#pragma unroll
    for (int i = 0; i < 4; ++i) to[i * pitch] = of_a[i];  // access: store tile A, by columns
}

/// Adds to a thread's sums what one pair of tiles contributes; its first sum is at row y, column x.
template <int kTile, int kDepth, int kEach>
__device__ void multiply_tiles(const float* tile_a, const float* tile_b, int x, int y,
                               float (&sum)[kEach][kEach]) {
#pragma unroll
    for (int k = 0; k < kDepth; ++k) {
        __align__(16) float from_a[kEach], from_b[kEach];
#pragma unroll
        for (int i = 0; i < kEach; i += 4) {
            four(from_a + i) =
                four(tile_a + k * (kTile + 4) + i * (kTile / kEach) + y);           // access: load tile A
            four(from_b + i) = four(tile_b + k * kTile + i * (kTile / kEach) + x);  // access: load tile B
        }
#pragma unroll
        for (int i = 0; i < kEach * kEach; ++i)
            sum[i / kEach][i % kEach] += from_a[i / kEach] * from_b[i % kEach];
    }
}

/// Stores a thread's sums, four at a time; c is the first one's address.
template <int kTile, int kEach>
__device__ void store_sums(float* c, int n, const float (&sum)[kEach][kEach]) {
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
#pragma unroll
        for (int j = 0; j < kEach; j += 4)
            four(c + (i / 4 * 4 * (kTile / kEach) + i % 4) * n + j * (kTile / kEach)) =
                make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);  // access: store C
    }
}

/// The same with A's tile stored by columns, so that a thread's four rows stand side by side.
template <int kTile, int kDepth, int kEach>
__global__ void __launch_bounds__(kTile / kEach * (kTile / kEach), 2)
    ladder_transposed(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                      int n) {
    extern __shared__ __align__(16) float shared[];
    float *tile_a = shared, *tile_b = shared + kDepth * (kTile + 4);
    constexpr int kAcross = kTile / kEach, kThreads = kAcross * kAcross,
                  kLoads = kTile * kDepth / 4 / kThreads;
    const int row = blockIdx.y * kTile, column = blockIdx.x * kTile, thread = threadIdx.x;
    const int x = 4 * (thread % kAcross), y = 4 * (thread / kAcross);
    float sum[kEach][kEach] = {};
    for (int first = 0; first < n; first += kDepth) {
#pragma unroll
        for (int i = 0, e = 4 * thread; i < kLoads; ++i, e += 4 * kThreads) {
            store_by_columns(tile_a + e % kDepth * (kTile + 4) + e / kDepth, kTile + 4,
                             four(a + (row + e / kDepth) * n + first + e % kDepth));  // access: load A
            four(tile_b + e) =
                four(b + (first + e / kTile) * n + column + e % kTile);  // access: load B; store tile B
        }
        __syncthreads();
        multiply_tiles<kTile, kDepth, kEach>(tile_a, tile_b, x, y, sum);
        __syncthreads();
    }
    store_sums<kTile, kEach>(c + (row + y) * n + column + x, n, sum);
}

/// The same with two pairs of tiles: while one is multiplied, the elements of the next come from global
/// memory into registers.
template <int kTile, int kDepth, int kEach>
__global__ void __launch_bounds__(kTile / kEach * (kTile / kEach), 2)
    ladder_double_buffered(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                           int n) {
    extern __shared__ __align__(16) float shared[];
    constexpr int kAcross = kTile / kEach, kThreads = kAcross * kAcross,
                  kLoads = kTile * kDepth / 4 / kThreads;
    constexpr int kTileA = kDepth * (kTile + 4), kPair = kTileA + kDepth * kTile;
    const int row = blockIdx.y * kTile, column = blockIdx.x * kTile, thread = threadIdx.x;
    const int x = 4 * (thread % kAcross), y = 4 * (thread / kAcross);
    float4 next_a[kLoads], next_b[kLoads];
    float sum[kEach][kEach] = {};
    for (int first = 0, buffer = 0; first <= n; first += kDepth, buffer ^= 1) {
        if (first < n) {
#pragma unroll
            for (int i = 0, e = 4 * thread; i < kLoads; ++i, e += 4 * kThreads) {
                next_a[i] = four(a + (row + e / kDepth) * n + first + e % kDepth);   // access: load A
                next_b[i] = four(b + (first + e / kTile) * n + column + e % kTile);  // access: load B
            }
        }
        const float* used = shared + (buffer ^ 1) * kPair;
        if (first > 0) multiply_tiles<kTile, kDepth, kEach>(used, used + kTileA, x, y, sum);
        if (first == n) break;
        float* filled = shared + buffer * kPair;
#pragma unroll
        for (int i = 0, e = 4 * thread; i < kLoads; ++i, e += 4 * kThreads) {
            store_by_columns(filled + e % kDepth * (kTile + 4) + e / kDepth, kTile + 4, next_a[i]);
            four(filled + kTileA + e) = next_b[i];  // access: store tile B
        }
        __syncthreads();
    }
    store_sums<kTile, kEach>(c + (row + y) * n + column + x, n, sum);
}

/// Copies 4 bytes, or 16, to shared memory without passing registers, if the GPU can: from compute capability
/// 8.0 on.
template <int kFloats>
__device__ void copy(float* to, const float* from) {
#if __CUDA_ARCH__ >= 800
    const auto address = static_cast<unsigned>(__cvta_generic_to_shared(to));
    if (kFloats == 1)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(address), "l"(from) : "memory");
    else
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(from) : "memory");
#else
    for (int i = 0; i < kFloats; ++i) to[i] = from[i];
#endif
}

/// Ends a group of copies, which may be an empty one.
__device__ void end_group() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/// Waits until all groups but the latest kLatest are there.
template <int kLatest>
__device__ void wait_for_groups() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(kLatest) : "memory");
#endif
}

/// Tiles come by asynchronous copies, kStages pairs at once. The lanes of a warp are placed so that
/// neighbours load the same group of B and lanes two apart the same group of A.
template <int kTile, int kDepth, int kEach, int kStages>
__global__ void __launch_bounds__(kTile / kEach * (kTile / kEach), 2)
    ladder_asynchronous(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                        int n) {
    extern __shared__ __align__(16) float shared[];
    constexpr int kAcross = kTile / kEach, kThreads = kAcross * kAcross;
    constexpr int kTileA = kDepth * (kTile + 4), kPair = kTileA + kDepth * kTile;
    const int row = blockIdx.y * kTile, column = blockIdx.x * kTile, thread = threadIdx.x;
    const int lane = thread % 32, warp = thread / 32;
    const int x = 4 * (warp % (kAcross / 8) * 8 + lane / 2 % 8);
    const int y = 4 * (warp / (kAcross / 8) * 4 + lane % 2 + lane / 16 * 2);
    const float* from_a = a + (row + thread / kDepth) * n + thread % kDepth;
    const float* from_b = b + 4 * thread / kTile * n + column + 4 * thread % kTile;
    const auto fill = [&](float* tile_a) {
        float* const to = tile_a + thread % kDepth * (kTile + 4) + thread / kDepth;
#pragma unroll
        for (int row = 0; row < kTile; row += kThreads / kDepth)
            copy<1>(to + row, from_a + row * n);  // access: copy A; copy A, into its tile
        static_assert(kTile * kDepth == 4 * kThreads, "one copy of 16 bytes per thread fills B's tile");
        copy<4>(tile_a + kTileA + 4 * thread, from_b);  // access: copy B; copy B, into its tile
        from_a += kDepth;
        from_b += kDepth * n;
    };
    for (int s = 0; s < kStages - 1; ++s) {
        if (s * kDepth < n) fill(shared + s * kPair);
        end_group();
    }
    float sum[kEach][kEach] = {};
    for (int first = 0, used = 0, filled = kStages - 1; first < n; first += kDepth) {
        wait_for_groups<kStages - 2>();
        __syncthreads();
        if (first + (kStages - 1) * kDepth < n) fill(shared + filled * kPair);
        end_group();
        multiply_tiles<kTile, kDepth, kEach>(shared + used * kPair, shared + used * kPair + kTileA, x, y,
                                             sum);
        filled = used;
        used = used + 1 == kStages ? 0 : used + 1;
    }
    store_sums<kTile, kEach>(c + (row + y) * n + column + x, n, sum);
}

/// The row and column of a block's first element of C: blocks that run together take the tiles of eight rows,
/// column by column, and share their rows and columns in the L2.
template <int kRows, int kColumns>
__device__ int2 first_of_block() {
    constexpr int kGroup = 8;
    const int id = blockIdx.y * gridDim.x + blockIdx.x, of_group = kGroup * gridDim.x;
    const int first = id / of_group * kGroup, down = min(gridDim.y - first, kGroup);
    return make_int2((first + id % of_group % down) * kRows, id % of_group / down * kColumns);
}

/// The row and column of a thread's first element, in a warp's tile of 64 x 64 of which each lane has groups
/// of 4 x 4. Neighbours load the same group of A, lanes two apart the same group of B.
__device__ int2 first_of_lane(int lane) {
    return make_int2((lane / 2 % 2 + lane / 8 * 2) * 4, (lane % 2 + lane / 4 % 2 * 2) * 4);
}

/// Loads a thread's 8 values of A and 16 of B for one k.
__device__ void load_values(const float* from_a, const float* from_b, float (&a)[8], float (&b)[16]) {
#pragma unroll
    for (int i = 0; i < 2; ++i) four(a + 4 * i) = four(from_a + 32 * i);  // access: load tile A
#pragma unroll
    for (int j = 0; j < 4; ++j) four(b + 4 * j) = four(from_b + 16 * j);  // access: load tile B
}

/// Stores a thread's sums; the first goes to c.
__device__ void store_wide_sums(float* c, int n, const float (&sum)[8][16]) {
#pragma unroll
    for (int i = 0; i < 8; ++i) {
#pragma unroll
        for (int j = 0; j < 16; j += 4)
            four(c + (i / 4 * 32 + i % 4) * n + j * 4) =
                make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);  // access: store C
    }
}

/// Each thread computes 8 x 16 elements of C and each warp 64 x 64. Values of the next k are loaded while the
/// present ones are multiplied. Of the copies that fill a pair of tiles kPerStep stand behind each k.
template <int kRows, int kColumns, int kDepth, int kStages, int kPerStep>
__global__ void __launch_bounds__(kRows* kColumns / 128, 1)
    ladder_warp_tile(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n) {
    extern __shared__ __align__(16) float shared[];
    constexpr int kThreads = kRows * kColumns / 128, kWarps = kThreads / 32, kHalves = kDepth / 8;
    constexpr int kCopiesA = kRows * kDepth / kThreads, kCopies = kCopiesA + kColumns * kDepth / 4 / kThreads;
    constexpr int kTileA = kDepth * (kRows + 4), kPair = kTileA + kDepth * kColumns;
    const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
    const int2 block = first_of_block<kRows, kColumns>(), at = first_of_lane(lane);
    const int y = warp / (kColumns / 64) * 64 + at.x, x = warp % (kColumns / 64) * 64 + at.y;
    const int row_a = warp / kHalves * 4 + lane / 8, k_a = warp % kHalves * 8 + lane % 8;
    a += (block.x + row_a) * n + k_a;
    b += 4 * thread / kColumns * n + block.y + 4 * thread % kColumns;
    const auto fill = [&](float* tile_a, int i) {  // one copy of many
        if (i < kCopiesA) {
            constexpr int kRowsAtOnce = 4 * kWarps / kHalves;
            const float* from = a + static_cast<size_t>(i * kRowsAtOnce) * n;
            float* to = tile_a + k_a * (kRows + 4) + row_a + i * kRowsAtOnce;
            copy<1>(to, from);  // access: copy A; copy A, into its tile
        } else {
            constexpr int kStepsAtOnce = 4 * kThreads / kColumns;
            const float* from = b + static_cast<size_t>((i - kCopiesA) * kStepsAtOnce) * n;
            float* to = tile_a + kTileA + 4 * (thread + (i - kCopiesA) * kThreads);
            copy<4>(to, from);  // access: copy B; copy B, into its tile
        }
    };
    for (int s = 0; s < kStages - 1; ++s) {
        if (s * kDepth < n) {
#pragma unroll
            for (int i = 0; i < kCopies; ++i) fill(shared + s * kPair, i);
        }
        end_group();
        a += kDepth;
        b += kDepth * n;
    }
    __align__(16) float from_a[2][8], from_b[2][16];
    float sum[8][16] = {};
    wait_for_groups<kStages - 2>();
    __syncthreads();
    load_values(shared + y, shared + kTileA + x, from_a[0], from_b[0]);
    for (int first = 0, used = 0, filled = kStages - 1; first < n; first += kDepth) {
        const bool fills = first + (kStages - 1) * kDepth < n;
        const float* tile = shared + used * kPair;
        const int next = used + 1 == kStages ? 0 : used + 1;
#pragma unroll
        for (int k = 0; k < kDepth; ++k) {
            if (k < kDepth - 1 && fills) {
#pragma unroll
                for (int i = k * kPerStep; i < (k + 1) * kPerStep && i < kCopies; ++i)
                    fill(shared + filled * kPair, i);
            }
            if (k < kDepth - 1) {
                load_values(tile + (k + 1) * (kRows + 4) + y, tile + kTileA + (k + 1) * kColumns + x,
                            from_a[(k + 1) % 2], from_b[(k + 1) % 2]);
            } else {
                end_group();
                wait_for_groups<kStages - 2>();
                __syncthreads();
                if (first + kDepth < n)
                    load_values(shared + next * kPair + y, shared + next * kPair + kTileA + x, from_a[0],
                                from_b[0]);
            }
#pragma unroll
            for (int i = 0; i < 8; ++i) {
#pragma unroll
                for (int j = 0; j < 16; ++j) {
                    const int column = i % 2 == 0 ? j : 15 - j;  // there and back
                    sum[i][column] += from_a[k % 2][i] * from_b[k % 2][column];
                }
            }
        }
        a += kDepth;
        b += kDepth * n;
        filled = used;
        used = next;
    }
    store_wide_sums(c + (block.x + y) * n + block.y + x, n, sum);
}

__device__ unsigned address_in_shared(const float* at) {
    return static_cast<unsigned>(__cvta_generic_to_shared(at));
}
// `volatile` keeps these between the multiply-adds; else the compiler gathers them.
// clang-format off
__device__ void load_group(float* to, unsigned from) {
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(to[0]), "=f"(to[1]), "=f"(to[2]), "=f"(to[3]) : "r"(from));  // access: load tile A; load tile B
}
__device__ void store_group(unsigned to, float4 v) {
    asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(to), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w) : "memory");  // access: store tile B
}
__device__ void store_value(unsigned to, float value) {
    asm volatile("st.shared.f32 [%0], %1;" ::"r"(to), "f"(value) : "memory");  // access: store tile A, by columns
}
// clang-format on

/// Few instructions beside the multiply-adds. A copy through registers costs a load and a
/// store; an asynchronous one costs nvcc three more. Sums are formed column by column, there and back, so
/// that neighbours share an operand, and stored one by one, so that each has the register that suits it.
template <int kRows, int kColumns, int kDepth>
__global__ void __launch_bounds__(kRows* kColumns / 128, 1)
    ladder_lean(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n) {
    extern __shared__ __align__(16) float shared[];
    constexpr int kThreads = kRows * kColumns / 128, kPerRow = kThreads / kDepth, kPitch = kRows + 4;
    constexpr int kLoadsB = kColumns / 4 / kPerRow, kLoads = 1 + kLoadsB, kFloat = sizeof(float);
    constexpr int kTileA = kDepth * kPitch, kPair = (kTileA + kDepth * kColumns) * kFloat;
    constexpr int kKeep = 3, kFetch = kDepth - kLoads;  // the k before which they begin, found by trying
    static_assert(kRows * kDepth == 4 * kThreads, "one load of 16 bytes per thread fills A's tile");
    const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
    const int2 block = first_of_block<kRows, kColumns>();
    const int y = warp / (kColumns / 128) * 32 + (lane / 2 % 2 + lane / 8 % 2 * 2) * 4;
    const int x = warp % (kColumns / 128) * 128 + (lane % 2 + lane / 4 % 2 * 2 + lane / 16 * 4) * 4;
    const int row_a = 4 * thread / kDepth, k_a = 4 * thread % kDepth;
    const float* from_a = a + (block.x + row_a) * static_cast<size_t>(n) + k_a;
    const float* from_b = b + thread / kPerRow * static_cast<size_t>(n) + block.y + thread % kPerRow * 4;
    const unsigned to_a = address_in_shared(shared + k_a * kPitch + row_a);
    const unsigned to_b =
        address_in_shared(shared + kTileA + thread / kPerRow * kColumns + thread % kPerRow * 4);
    const unsigned tile_a = address_in_shared(shared + y), tile_b = address_in_shared(shared + kTileA + x);
    float4 next[kLoads];
    const auto fetch = [&](int i) {
        if (i == 0)
            next[0] = four(from_a);  // access: load A
        else
            next[i] = four(from_b + (i - 1) * kPerRow * 4);  // access: load B
    };
    const auto keep = [&](unsigned pair, int i) {
        if (i == 0) {
            store_value(to_a + pair, next[0].x);
            store_value(to_a + pair + kPitch * kFloat, next[0].y);
            store_value(to_a + pair + 2 * kPitch * kFloat, next[0].z);
            store_value(to_a + pair + 3 * kPitch * kFloat, next[0].w);
        } else {
            store_group(to_b + pair + (i - 1) * kPerRow * 4 * kFloat, next[i]);
        }
    };
    const auto advance = [&] {
        from_a += kDepth;
        from_b += kDepth * static_cast<size_t>(n);
    };
    float value_a[2][8], value_b[2][16], sum[8][16] = {};
    const auto load = [&](int to, unsigned pair, int k, int i) {  // 4 of the 24 values for one k
        if (i < 2)
            load_group(value_a[to] + 4 * i, tile_a + pair + (k * kPitch + 16 * i) * kFloat);
        else
            load_group(value_b[to] + 4 * (i - 2), tile_b + pair + (k * kColumns + 32 * (i - 2)) * kFloat);
    };
#pragma unroll
    for (int i = 0; i < kLoads; ++i) fetch(i);
    advance();
#pragma unroll
    for (int i = 0; i < kLoads; ++i) keep(0, i);
#pragma unroll
    for (int i = 0; i < kLoads; ++i) fetch(i);
    advance();
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 6; ++i) load(0, 0, 0, i);
    const int tiles = n / kDepth;
    unsigned used = 0;
    for (int tile = 0; tile < tiles; ++tile) {
        const unsigned filled = used ^ kPair;
#pragma unroll
        for (int k = 0; k < kDepth; ++k) {
            const bool last = k == kDepth - 1;
            if (last) __syncthreads();
            if (tile + 1 < tiles && k >= kKeep && k < kKeep + kLoads) keep(filled, k - kKeep);
            if (tile + 2 < tiles && k >= kFetch) fetch(k - kFetch);
#pragma unroll
            for (int i = 0; i < 8; ++i) {
                if (i < 6) load((k + 1) % 2, last ? filled : used, last ? 0 : k + 1, i);
#pragma unroll
                for (int e = 0; e < 16; ++e) {
                    const int column = 2 * i + e / 8,
                              row = e < 8 ? e : 15 - e;  // down one column, up the next
                    sum[row][column] += value_a[k % 2][row] * value_b[k % 2][column];
                }
            }
        }
        advance();
        used = filled;
    }
    c += (block.x + y) * static_cast<size_t>(n) + block.y + x;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
#pragma unroll
        for (int j = 0; j < 16; ++j)
            // clang-format off
            asm volatile("st.global.f32 [%0], %1;" ::"l"(c + (i / 4 * 16 + i % 4) * static_cast<size_t>(n) + j / 4 * 32 + j % 4), "f"(sum[i][j]) : "memory");  // access: store C
        // clang-format on
    }
}

/// Kernels without stages.
auto kernel_of_rung(Ladder rung) {
    switch (rung) {
        case Ladder::register_column:
            return &ladder_register_column<64, 8, 8>;
        case Ladder::register_tile:
            return &ladder_register_tile<128, 8, 8>;
        case Ladder::float4:
            return &ladder_float4<128, 8, 8>;
        case Ladder::transposed:
            return &ladder_transposed<128, 8, 8>;
        case Ladder::double_buffered:
            return &ladder_double_buffered<128, 8, 8>;
        default:
            return &ladder_lean<128, 256, 8>;
    }
}

/// Kernels with stages. Twelve copies fill a pair of tiles: all at once, or one behind each k.
template <int kStages>
auto kernel_with_stages(Ladder rung) {
    return rung == Ladder::asynchronous ? &ladder_asynchronous<128, 8, 8, kStages>
           : rung == Ladder::warp_tile  ? &ladder_warp_tile<128, 256, 16, kStages, 12>
                                        : &ladder_warp_tile<128, 256, 16, kStages, 1>;
}

std::optional<Unavailable> launch(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    const LaunchShape shape = MatrixLadder::launch(p);
    const auto *a = array_of<const float>(memory, 0), *b = array_of<const float>(memory, 2);
    auto* c = array_of<float>(memory, 1);
    const Ladder rung = ladder::rung(p);
    const auto kernel = !ladder::is_async(p) ? kernel_of_rung(rung)
                        : p.distance == 2    ? kernel_with_stages<2>(rung)
                        : p.distance == 3    ? kernel_with_stages<3>(rung)
                                             : kernel_with_stages<4>(rung);
    return launch_over(shape, stream, kernel, a, b, c, p.matrix);
}

}  // namespace matrix_ladder

template <>
ScenarioKernel kernel_of<MatrixLadder>() {
    // The same task, so the same matrices and the same samples of the product.
    const ScenarioKernel product = kernel_of<MatrixMultiply>();
    return {.prepare = product.prepare, .launch = &matrix_ladder::launch, .expected = product.expected};
}

}  // namespace warplens
