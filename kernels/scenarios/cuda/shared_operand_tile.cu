// A warp loads an operand of tensor cores from a tile in shared memory, in the layouts that TMA writes and
// wgmma reads: by ldmatrix, or one register of a fragment at a time; or it stores rows into the tile.
#include "kernels/scenarios/shared_operand_tile.h"

#include "kernels/scenarios/cuda/scenario_kernel.cuh"

namespace warplens {
namespace shared_operand_tile {

/// Gives the chunks of the tile some contents.
__device__ void fill_tile(uint4* tile, int chunks) {
    for (int i = threadIdx.x; i < chunks; i += blockDim.x)
        tile[i] = {filled_word(4 * i), filled_word(4 * i + 1), filled_word(4 * i + 2),
                   filled_word(4 * i + 3)};
    __syncthreads();
}

/// Where byte `column` of a row lies in the tile [bytes]. The tile has 32 rows of 128 bytes, cut into panels
/// of `span` bytes, one behind the other. The swizzle: the bits 7 to 9 of the address, which count 128 bytes,
/// change those of the bits 4 to 6 that are in `changed`, which count chunks of 16. With `changed` = 0
/// nothing changes.
/// @param pitch  from one row of a panel to the next: the span, and padding [bytes]
__device__ int place(int row, int column, int span, int pitch, int changed) {
    const int at = column / span * (32 * span) + row * pitch + column % span;
    return at ^ (at >> 3 & changed);
}

/// ldmatrix, for which CUDA C++ has no form. Lanes 8 m to 8 m + 7 pass the rows of matrix m. Each lane gets
/// two neighbouring elements of each matrix: of a row, or of a column if it is transposed.
template <int kMatrices, bool kTransposed>
__device__ uint4 load_matrices(const void* row) {
    const auto address = static_cast<unsigned>(__cvta_generic_to_shared(row));
    uint4 v{0, 0, 0, 0};
    if constexpr (kMatrices == 1 && !kTransposed)
        asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
                     : "=r"(v.x)
                     : "r"(address)
                     : "memory");
    if constexpr (kMatrices == 1 && kTransposed)
        asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];"
                     : "=r"(v.x)
                     : "r"(address)
                     : "memory");
    if constexpr (kMatrices == 2 && !kTransposed)
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                     : "=r"(v.x), "=r"(v.y)
                     : "r"(address)
                     : "memory");
    if constexpr (kMatrices == 2 && kTransposed)
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                     : "=r"(v.x), "=r"(v.y)
                     : "r"(address)
                     : "memory");
    if constexpr (kMatrices == 4 && !kTransposed)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                     : "r"(address)
                     : "memory");
    if constexpr (kMatrices == 4 && kTransposed)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                     : "r"(address)
                     : "memory");
    return v;
}

// All kernels but the last take:
// @param chunks                the size of the tile [16 bytes]
// @param span, pitch, changed  see `place`

/// Fragments of operand A, 16 x 16 elements of 2 bytes: four matrices of 8 x 8, of which the second one holds
/// the next 8 rows of A, and the third one the next 8 columns. In a tile of columns of A they are transposed.
/// @tparam kMatrices  of one instruction: 1, 2 or 4
template <int kMatrices, bool kTransposed>
__global__ void load_by_matrices(int chunks, int span, int pitch, int changed, unsigned wanted,
                                 unsigned* found) {
    extern __shared__ uint4 tile[];
    fill_tile(tile, chunks);
    const int matrix = threadIdx.x / 8 % kMatrices, row = threadIdx.x % 8;  // further lanes are ignored
    unsigned sum = 0;
    for (int top = 0; top < 32; top += 16) {
        for (int left = 0; left < 128; left += 32) {
            for (int number = matrix; number < 4; number += kMatrices) {
                const int down = kTransposed ? number / 2 : number % 2;
                const int right = kTransposed ? number % 2 : number / 2;
                const int at = place(top + 8 * down + row, left + 16 * right, span, pitch, changed);
                const uint4 all =
                    load_matrices<kMatrices, kTransposed>(&tile[at / 16]);  // access: load matrices
                sum += fold(all);
            }
        }
    }
    // Nobody needs the sum, but a use for it keeps the loads.
    if (sum == wanted) *found = threadIdx.x;
}

/// Fragments of operand A whose rows are rows of the tile, register by register: each lane loads 4 bytes, two
/// elements or one, of one of 8 rows.
__global__ void load_along_rows(int chunks, int span, int pitch, int changed, unsigned wanted,
                                unsigned* found) {
    extern __shared__ uint4 tile[];
    fill_tile(tile, chunks);
    const unsigned* words = reinterpret_cast<const unsigned*>(tile);
    const int group = threadIdx.x / 4, in_group = threadIdx.x % 4;
    unsigned sum = 0;
    for (int top = 0; top < 32; top += 16) {
        for (int left = 0; left < 128; left += 32) {
            for (int number = 0; number < 4; ++number) {
                const int row = top + number % 2 * 8 + group, column = left + number / 2 * 16 + 4 * in_group;
                sum += words[place(row, column, span, pitch, changed) / 4];  // access: load a fragment
            }
        }
    }
    if (sum == wanted) *found = threadIdx.x;
}

/// Fragments of operand A whose columns are rows of the tile: the two elements of a register lie in two rows.
__global__ void load_halves_down_rows(int chunks, int span, int pitch, int changed, unsigned wanted,
                                      unsigned* found) {
    extern __shared__ uint4 tile[];
    fill_tile(tile, chunks);
    const unsigned short* halves = reinterpret_cast<const unsigned short*>(tile);
    const int group = threadIdx.x / 4, in_group = threadIdx.x % 4;
    unsigned sum = 0;
    for (int top = 0; top < 32; top += 16) {
        for (int left = 0; left < 128; left += 32) {
            for (int number = 0; number < 4; ++number) {
                const int row = top + number / 2 * 8 + 2 * in_group,
                          column = left + number % 2 * 16 + 2 * group;
                const int first = place(row, column, span, pitch, changed) / 2;
                const int second = place(row + 1, column, span, pitch, changed) / 2;
                const unsigned low = halves[first], high = halves[second];  // access: load a fragment
                sum += low | high << 16;
            }
        }
    }
    if (sum == wanted) *found = threadIdx.x;
}

/// The same for elements of 4 bytes: 4 columns of A, 8 of its rows.
__global__ void load_words_down_rows(int chunks, int span, int pitch, int changed, unsigned wanted,
                                     unsigned* found) {
    extern __shared__ uint4 tile[];
    fill_tile(tile, chunks);
    const unsigned* words = reinterpret_cast<const unsigned*>(tile);
    const int group = threadIdx.x / 4, in_group = threadIdx.x % 4;
    unsigned sum = 0;
    for (int top = 0; top < 32; top += 8) {
        for (int left = 0; left < 128; left += 64) {
            for (int number = 0; number < 4; ++number) {
                const int row = top + number / 2 * 4 + in_group, column = left + number % 2 * 32 + 4 * group;
                sum += words[place(row, column, span, pitch, changed) / 4];  // access: load a fragment
            }
        }
    }
    if (sum == wanted) *found = threadIdx.x;
}

/// Eight lanes store one row.
__global__ void store_rows(int span, int pitch, int changed) {
    extern __shared__ uint4 tile[];
    for (int chunk = threadIdx.x; chunk < 32 * 8; chunk += 32) {
        const int at = place(chunk / 8, chunk % 8 * 16, span, pitch, changed);
        tile[at / 16] = unfold<uint4>(at);  // access: store rows
    }
}

/// Either form of ldmatrix.
template <int kMatrices>
auto matrix_loads(bool transposed) {
    return transposed ? &load_by_matrices<kMatrices, true> : &load_by_matrices<kMatrices, false>;
}

std::optional<Unavailable> launch(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    using S = SharedOperandTile;
    const LaunchShape shape = S::launch(p);
    const int span = S::span(p), pitch = span + S::padding(p) * S::kChunkBytes;
    const int changed = ((1 << p.swizzle_bits) - 1) << S::kSwizzleBase;
    if (S::accesses(p, S::Access::rows)) return launch_over(shape, stream, &store_rows, span, pitch, changed);
    const bool down_rows = S::mn_major(p);
    const auto fragments = !down_rows             ? &load_along_rows
                           : p.element_bytes == 2 ? &load_halves_down_rows
                                                  : &load_words_down_rows;
    const auto kernel = S::accesses(p, S::Access::fragments) ? fragments
                        : p.matrices == 1                    ? matrix_loads<1>(down_rows)
                        : p.matrices == 2                    ? matrix_loads<2>(down_rows)
                                                             : matrix_loads<4>(down_rows);
    const int chunks = int(shape.shared_bytes / S::kChunkBytes);
    return launch_over(shape, stream, kernel, chunks, span, pitch, changed, kNever, memory.sink);
}

}  // namespace shared_operand_tile

template <>
ScenarioKernel kernel_of<SharedOperandTile>() {
    return {.launch = &shared_operand_tile::launch};
}

}  // namespace warplens
