// A warp loads 8 x 8 matrices of 2-byte elements from a tile in shared memory for the tensor cores: 1, 2 or 4
// of them with each instruction.
#include "kernels/scenarios/shared_matrix_load.h"

#include "kernels/scenarios/cuda/scenario_kernel.cuh"

namespace warplens {
namespace shared_matrix_load {

/// Gives the chunks of the tile some contents.
__device__ void fill_tile(uint4* tile, int chunks) {
    for (int i = threadIdx.x; i < chunks; i += blockDim.x)
        tile[i] = {filled_word(4 * i), filled_word(4 * i + 1), filled_word(4 * i + 2),
                   filled_word(4 * i + 3)};
    __syncthreads();
}

/// The XOR swizzle: the bits of a chunk's number that lie `shift` higher change its bits `changed`. With
/// `changed` = 0 nothing changes.
__device__ int swizzle(int chunk, int changed, int shift) { return chunk ^ (chunk >> shift & changed); }

// CUDA C++ has no form for ldmatrix. Lanes 8 m to 8 m + 7 pass the rows of matrix m. Each lane gets two
// neighbouring elements of each matrix.
__device__ unsigned load_matrix(const uint4* row) {
    const auto address = static_cast<unsigned>(__cvta_generic_to_shared(row));
    unsigned a;
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(a) : "r"(address) : "memory");
    return a;
}
__device__ uint2 load_matrix_pair(const uint4* row) {
    const auto address = static_cast<unsigned>(__cvta_generic_to_shared(row));
    uint2 v;
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(v.x), "=r"(v.y)
                 : "r"(address)
                 : "memory");
    return v;
}
__device__ uint4 load_four_matrices(const uint4* row) {
    const auto address = static_cast<unsigned>(__cvta_generic_to_shared(row));
    uint4 v;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "r"(address)
                 : "memory");
    return v;
}

// The tile has 32 rows of chunks of 16 bytes: a chunk is one row of a matrix. All kernels take:
// @param width           chunks in a row of the tile
// @param pitch           chunks from one row to the next: the width, and padding
// @param changed, shift  see `swizzle`

__global__ void load_single_matrices(int width, int pitch, int changed, int shift, unsigned wanted,
                                     unsigned* found) {
    extern __shared__ uint4 tile[];
    fill_tile(tile, 32 * pitch);
    const int row = threadIdx.x % 8;  // the other lanes' addresses are ignored
    unsigned sum = 0;
    for (int top = 0; top < 32; top += 8) {
#pragma unroll 1  // otherwise a warp also executes loads that the end of the row leaves out
        for (int column = 0; column < width; ++column) {
            const int chunk = swizzle((top + row) * pitch + column, changed, shift);
            sum += fold(load_matrix(&tile[chunk]));  // access: load 1 matrix
        }
    }
    // Nobody needs the sum, but a use for it keeps the loads.
    if (sum == wanted) *found = threadIdx.x;
}

/// The two matrices of an instruction stand one below the other.
__global__ void load_matrix_pairs(int width, int pitch, int changed, int shift, unsigned wanted,
                                  unsigned* found) {
    extern __shared__ uint4 tile[];
    fill_tile(tile, 32 * pitch);
    const int row = threadIdx.x % 16;  // the other lanes' addresses are ignored
    unsigned sum = 0;
    for (int top = 0; top < 32; top += 16) {
#pragma unroll 1
        for (int column = 0; column < width; ++column) {
            const int chunk = swizzle((top + row) * pitch + column, changed, shift);
            sum += fold(load_matrix_pair(&tile[chunk]));  // access: load 2 matrices
        }
    }
    if (sum == wanted) *found = threadIdx.x;
}

/// The four matrices of an instruction form a square, or a column if the tile is too narrow for a square.
/// @tparam kDown  how many of them stand one below the other: 2 or 4
template <int kDown>
__global__ void load_four_at_once(int width, int pitch, int changed, int shift, unsigned wanted,
                                  unsigned* found) {
    extern __shared__ uint4 tile[];
    fill_tile(tile, 32 * pitch);
    const int row = threadIdx.x % (8 * kDown), column = threadIdx.x / (8 * kDown);
    unsigned sum = 0;
    for (int top = 0; top < 32; top += 8 * kDown) {
#pragma unroll 1
        for (int left = 0; left < width; left += 4 / kDown) {
            const int chunk = swizzle((top + row) * pitch + left + column, changed, shift);
            sum += fold(load_four_matrices(&tile[chunk]));  // access: load 4 matrices
        }
    }
    if (sum == wanted) *found = threadIdx.x;
}

std::optional<Unavailable> launch(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    const auto kernel = p.matrices == 1                           ? &load_single_matrices
                        : p.matrices == 2                         ? &load_matrix_pairs
                        : SharedMatrixLoad::matrices_down(p) == 2 ? &load_four_at_once<2>
                                                                  : &load_four_at_once<4>;
    const int width = SharedMatrixLoad::row_chunks(p), changed = (1 << p.swizzle_bits) - 1;
    return launch_over(SharedMatrixLoad::launch(p), stream, kernel, width, width + p.padding, changed,
                       SharedMatrixLoad::swizzle_shift(p), kNever, memory.sink);
}

}  // namespace shared_matrix_load

template <>
ScenarioKernel kernel_of<SharedMatrixLoad>() {
    return {.launch = &shared_matrix_load::launch};
}

}  // namespace warplens
