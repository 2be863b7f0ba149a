// Matrix multiplication in six variants, with the threads and tiles of kernels/own/multiply_layout.h.
//
// Launch shape: the scenario's own. Naive: one thread computes one element of C in a loop over k. Tiled: the
// block loads a square tile of A and one of B into shared memory, waits, and each thread loops over k in
// these tiles. Blocked (register-blocked, vectorized): a thread keeps 4 x 4 or 8 x 8 sums. While a pair of
// tiles is used, the next pair is loaded from global memory into registers; then it is stored to the other
// half of shared memory.
//
// The kernels read A and B, write C, and use the block's dynamic shared memory. No load can be removed,
// because each contributes to a sum that is written. The row pitch of A's tile is known only at run time. So
// the compiler cannot merge neighbouring 4-byte loads into wider ones, and executes the instructions that the
// scenario lists.
#include "kernels/launch_setting.h"
#include "kernels/own/multiply_data.cuh"
#include "kernels/own/multiply_layout.h"
#include "kernels/own/own_kernels.cuh"
#include "kernels/scenarios/matrix_multiply.h"
#include "kernels/scramble.h"

namespace warplens {
namespace {

using namespace multiply;

struct Matrices {
    float* a;
    float* b;
    float* c;
};

/// Values are multiples of 1/128 from -1 to just below 1. Products are multiples of 2^-14, so float sums of
/// up to 1024 of them are exact in any order, and in practice all sums here are, because signs alternate at
/// random.
__host__ __device__ float entry(int element, std::uint64_t seed) {
    const int level =
        static_cast<int>(scramble(seed << 32 | static_cast<std::uint64_t>(element)) % 256) - 128;
    return static_cast<float>(level) / 128;
}
constexpr std::uint64_t kSeedA = 1, kSeedB = 2;

__global__ void fill_matrix(float* matrix, int elements, std::uint64_t seed) {
    for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < elements;
         i += static_cast<int>(gridDim.x * blockDim.x))
        matrix[i] = entry(i, seed);
}

template <Multiply kVariant>
__global__ void __launch_bounds__(1024)
    naive_kernel(Params p, const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c) {
    p.variant = static_cast<int>(kVariant);
    const Cell cell = naive_cell(p, static_cast<int>(blockIdx.x), static_cast<int>(blockIdx.y),
                                 static_cast<int>(threadIdx.x), static_cast<int>(threadIdx.y));
    float sum = 0;
#pragma unroll 4
    for (int k = 0; k < p.matrix; ++k) {
        const float from_a = a[element(p, cell.row, k)];     // access: load A
        const float from_b = b[element(p, k, cell.column)];  // access: load B
        sum = fmaf(from_a, from_b, sum);
    }
    c[element(p, cell.row, cell.column)] = sum;  // access: store C
}

template <Multiply kVariant, int kTile>
__global__ void __launch_bounds__(kTile* kTile)
    tiled_kernel(Params p, const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c) {
    extern __shared__ float tiles[];
    p.variant = static_cast<int>(kVariant);
    p.tile = kTile;
    const int thread = static_cast<int>(threadIdx.y) * kTile + static_cast<int>(threadIdx.x);
    const int first_row = static_cast<int>(blockIdx.y) * kTile;
    const int first_column = static_cast<int>(blockIdx.x) * kTile;
    const Cell of_a = piece_of_a(p, thread, 0), of_b = piece_of_b(p, thread, 0), at = place(p, thread);
    float sum = 0;
    for (int k0 = 0; k0 < p.matrix; k0 += kTile) {
        const float from_a = a[element(p, first_row + of_a.row, k0 + of_a.column)];     // access: load A
        const float from_b = b[element(p, k0 + of_b.row, first_column + of_b.column)];  // access: load B
        tiles[tile_a(p, 0, of_a.row, of_a.column)] = from_a;  // access: store tile A
        tiles[tile_b(p, 0, of_b.row, of_b.column)] = from_b;  // access: store tile B
        __syncthreads();
#pragma unroll
        for (int k = 0; k < kTile; ++k) {
            const float one = tiles[tile_a(p, 0, at.row, k)];       // access: load tile A
            const float other = tiles[tile_b(p, 0, k, at.column)];  // access: load tile B
            sum = fmaf(one, other, sum);
        }
        __syncthreads();
    }
    c[element(p, first_row + at.row, first_column + at.column)] = sum;  // access: store C
}

/// One load or store of 1 or 4 elements.
template <int kWidth>
__device__ void read(const float* from, float* to) {
    if constexpr (kWidth == 4) {
        const float4 four = *reinterpret_cast<const float4*>(from);
        to[0] = four.x, to[1] = four.y, to[2] = four.z, to[3] = four.w;
    } else {
        *to = *from;
    }
}
template <int kWidth>
__device__ void write(const float* from, float* to) {
    if constexpr (kWidth == 4) {
        *reinterpret_cast<float4*>(to) = make_float4(from[0], from[1], from[2], from[3]);
    } else {
        *to = *from;
    }
}

/// The part of the layout that is known at compile time.
template <Multiply kVariant, int kTile>
struct Shape {
    static constexpr Params kParams{.tile = kTile, .variant = static_cast<int>(kVariant)};
    static constexpr int kWidth = width(kParams), kPieces = pieces(kParams), kDepth = depth(kParams);
    static constexpr int kPerThread = per_thread(kParams), kBlockTile = block_tile(kParams);
    static constexpr int kThreads = across(kParams) * across(kParams);
    static constexpr int kFetched = kPieces * kWidth;  ///< the elements of one tile that a thread loads
};

/// The work of one thread of a blocked kernel.
template <Multiply kVariant, int kTile>
struct BlockedThread {
    using S = Shape<kVariant, kTile>;
    Params p;
    int thread;
    Cell at;
    const float* a;  ///< the rows of A that the block needs
    const float* b;  ///< the columns of B that the block needs
    float* tiles;
    float from_a[S::kFetched], from_b[S::kFetched];
    float sums[S::kPerThread][S::kPerThread];

    __device__ void fetch(int k0) {
#pragma unroll
        for (int i = 0; i < S::kPieces; ++i) {
            const Cell of_a = piece_of_a(p, thread, i), of_b = piece_of_b(p, thread, i);
            float *to_a = from_a + i * S::kWidth, *to_b = from_b + i * S::kWidth;
            read<S::kWidth>(a + element(p, of_a.row, k0 + of_a.column), to_a);  // access: load A
            read<S::kWidth>(b + element(p, k0 + of_b.row, of_b.column), to_b);  // access: load B
        }
    }

    __device__ void store(int buffer) {
#pragma unroll
        for (int i = 0; i < S::kPieces; ++i) {
            const Cell of_a = piece_of_a(p, thread, i), of_b = piece_of_b(p, thread, i);
#pragma unroll
            for (int one = 0; one < S::kWidth; ++one) {
                const float value = from_a[i * S::kWidth + one];
                tiles[tile_a(p, buffer, of_a.row, of_a.column + one)] = value;  // access: store tile A
            }
            float* const to_b = tiles + tile_b(p, buffer, of_b.row, of_b.column);
            write<S::kWidth>(from_b + i * S::kWidth, to_b);  // access: store tile B
        }
    }

    __device__ void multiply_tiles(int buffer) {
#pragma unroll
        for (int k = 0; k < S::kDepth; ++k) {
            float rows[S::kPerThread], columns[S::kPerThread];
#pragma unroll
            for (int i = 0; i < S::kPerThread; i += S::kWidth) {
                const int row = value_at(p, at.row, i), column = value_at(p, at.column, i);
                read<S::kWidth>(tiles + tile_a(p, buffer, row, k), rows + i);        // access: load tile A
                read<S::kWidth>(tiles + tile_b(p, buffer, k, column), columns + i);  // access: load tile B
            }
#pragma unroll
            for (int i = 0; i < S::kPerThread; ++i) {
#pragma unroll
                for (int j = 0; j < S::kPerThread; ++j) sums[i][j] = fmaf(rows[i], columns[j], sums[i][j]);
            }
        }
    }

    /// @param c  the first element of the block's part of C
    __device__ void write_sums(float* c) const {
#pragma unroll
        for (int i = 0; i < S::kPerThread; ++i) {
#pragma unroll
            for (int j = 0; j < S::kPerThread; j += S::kWidth) {
                const int row = value_at(p, at.row, i), column = value_at(p, at.column, j);
                write<S::kWidth>(&sums[i][j], c + element(p, row, column));  // access: store C
            }
        }
    }
};

template <Multiply kVariant, int kTile>
__global__ void __launch_bounds__(Shape<kVariant, kTile>::kThreads, 2)
    blocked_kernel(Params p, const float* __restrict__ a, const float* __restrict__ b,
                   float* __restrict__ c) {
    extern __shared__ float4 shared_words[];
    using S = Shape<kVariant, kTile>;
    p.variant = static_cast<int>(kVariant);
    p.tile = kTile;
    const int thread = static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x);
    const int first_row = static_cast<int>(blockIdx.y) * S::kBlockTile;
    const int first_column = static_cast<int>(blockIdx.x) * S::kBlockTile;
    BlockedThread<kVariant, kTile> t{p,
                                     thread,
                                     place(p, thread),
                                     a + element(p, first_row, 0),
                                     b + first_column,
                                     reinterpret_cast<float*>(shared_words),
                                     {},
                                     {},
                                     {}};
    t.fetch(0);
    t.store(0);
    __syncthreads();
    int buffer = 0;
    for (int next = S::kDepth; next < p.matrix; next += S::kDepth) {
        t.fetch(next);
        t.multiply_tiles(buffer);
        buffer ^= 1;
        t.store(buffer);  // Every thread that used this half has passed the barrier below, in the iteration
                          // before.
        __syncthreads();
    }
    t.multiply_tiles(buffer);
    t.write_sums(c + element(p, first_row, first_column));
}

using KernelPointer = void (*)(Params, const float*, const float*, float*);

template <Multiply kVariant, int kTile>
constexpr KernelPointer kernel_for_tile() {
    if constexpr (kVariant >= Multiply::register_blocked)
        return &blocked_kernel<kVariant, kTile>;
    else if constexpr (kVariant >= Multiply::tiled)
        return &tiled_kernel<kVariant, kTile>;
    else
        return &naive_kernel<kVariant>;
}

template <Multiply kVariant>
KernelPointer kernel_for_variant(int tile) {
    return tile == 8    ? kernel_for_tile<kVariant, 8>()
           : tile == 16 ? kernel_for_tile<kVariant, 16>()
                        : kernel_for_tile<kVariant, 32>();
}

KernelPointer kernel_for(const Params& p) {
    switch (variant(p)) {
        case Multiply::naive:
            return kernel_for_variant<Multiply::naive>(p.tile);
        case Multiply::naive_uncoalesced:
            return kernel_for_variant<Multiply::naive_uncoalesced>(p.tile);
        case Multiply::tiled:
            return kernel_for_variant<Multiply::tiled>(p.tile);
        case Multiply::tiled_transposed:
            return kernel_for_variant<Multiply::tiled_transposed>(p.tile);
        case Multiply::register_blocked:
            return kernel_for_variant<Multiply::register_blocked>(p.tile);
        case Multiply::vectorized:
            break;
    }
    return kernel_for_variant<Multiply::vectorized>(p.tile);
}

Matrices matrices_of(const ReplayMemory& memory) {
    const auto floats = [&](int buffer) { return reinterpret_cast<float*>(memory.buffer[buffer]); };
    return {floats(0), floats(2), floats(1)};
}

std::optional<Unavailable> prepare(const Params& p, const ReplayMemory& memory, cudaStream_t stream) {
    const Matrices matrices = matrices_of(memory);
    fill_matrices(p.matrix, matrices.a, matrices.b, stream);
    return std::nullopt;
}

std::optional<Unavailable> launch(const Params& p, const ReplayMemory& memory, cudaStream_t stream) {
    const LaunchShape shape = MatrixMultiply::launch(p);
    const Matrices matrices = matrices_of(memory);
    kernel_for(p)<<<dim3_of(shape.grid), dim3_of(shape.block), shared_bytes_of(shape), stream>>>(
        p, matrices.a, matrices.b, matrices.c);
    CUDA_CHECK_LAUNCH();
    return std::nullopt;
}

/// The expected values of some elements of C, computed on the CPU.
ExpectedBytes expected(const Params& p) {
    constexpr int kSamples = 64;
    ExpectedBytes bytes;
    for (const int i : spread_evenly(p.matrix * p.matrix, kSamples)) {
        const int row = i / p.matrix, column = i % p.matrix;
        double sum = 0;
        for (int k = 0; k < p.matrix; ++k) {
            sum +=
                static_cast<double>(entry(element(p, row, k), kSeedA)) * entry(element(p, k, column), kSeedB);
        }
        bytes.add_float(static_cast<std::uint64_t>(element(p, row, column)) * MatrixMultiply::kBytes,
                        static_cast<float>(sum));
    }
    return bytes;
}

}  // namespace

void fill_matrices(int n, float* a, float* b, cudaStream_t stream) {
    constexpr int kBlocks = 1024, kThreads = 256;
    fill_matrix<<<kBlocks, kThreads, 0, stream>>>(a, n * n, kSeedA);
    CUDA_CHECK_LAUNCH();
    fill_matrix<<<kBlocks, kThreads, 0, stream>>>(b, n * n, kSeedB);
    CUDA_CHECK_LAUNCH();
}

OwnKernel multiply_kernel() { return {.prepare = &prepare, .launch = &launch, .expected = &expected}; }

}  // namespace warplens
