// A block walks over a 2-D tile in shared memory, in patches of its own shape: by rows, by columns or along
// diagonals. Padding at the end of each row, or a swizzle, spreads the accesses over the banks.
#include "kernels/scenarios/shared_tile.h"

#include "kernels/scenarios/cuda/scenario_kernel.cuh"

namespace warplens {
namespace shared_tile {

/// Gives the words of the tile some contents.
__device__ void fill_tile(unsigned* tile, int words) {
    const int threads = blockDim.x * blockDim.y;
    for (int i = threadIdx.y * blockDim.x + threadIdx.x; i < words; i += threads) tile[i] = filled_word(i);
    __syncthreads();
}

/// The XOR swizzle: the bits of an element's number that lie `shift` higher change its bits `changed`. With
/// `changed` = 0 nothing changes.
__device__ int swizzle(int element, int changed, int shift) { return element ^ (element >> shift & changed); }

// All kernels take:
// @param words           the size of the tile [4 bytes]
// @param pitch           elements from one row of the tile to the next: its width, and padding
// @param changed, shift  see `swizzle`

template <class T>
__global__ void load_by_rows(int words, int width, int height, int pitch, int changed, int shift,
                             unsigned wanted, unsigned* found) {
    extern __shared__ uint4 shared[];
    fill_tile(reinterpret_cast<unsigned*>(shared), words);
    const T* tile = reinterpret_cast<const T*>(shared);
    unsigned sum = 0;
    for (int top = 0; top < height; top += blockDim.y) {
        for (int left = 0; left < width; left += blockDim.x) {
            const int row = top + threadIdx.y, column = left + threadIdx.x;
            if (row >= height || column >= width) continue;
            const int element = swizzle(row * pitch + column, changed, shift);
            sum += fold(tile[element]);  // access: load tile
        }
    }
    // Nobody needs the sum, but without a use for it the compiler would drop the loads.
    if (sum == wanted) *found = threadIdx.x;
}

/// Lanes side by side load elements one below the other.
template <class T>
__global__ void load_by_columns(int words, int width, int height, int pitch, int changed, int shift,
                                unsigned wanted, unsigned* found) {
    extern __shared__ uint4 shared[];
    fill_tile(reinterpret_cast<unsigned*>(shared), words);
    const T* tile = reinterpret_cast<const T*>(shared);
    unsigned sum = 0;
    for (int top = 0; top < height; top += blockDim.x) {
        for (int left = 0; left < width; left += blockDim.y) {
            const int row = top + threadIdx.x, column = left + threadIdx.y;
            if (row >= height || column >= width) continue;
            const int element = swizzle(row * pitch + column, changed, shift);
            sum += fold(tile[element]);  // access: load tile
        }
    }
    if (sum == wanted) *found = threadIdx.x;
}

/// Lanes side by side load elements one below the other and one column further.
template <class T>
__global__ void load_diagonally(int words, int width, int height, int pitch, int changed, int shift,
                                unsigned wanted, unsigned* found) {
    extern __shared__ uint4 shared[];
    fill_tile(reinterpret_cast<unsigned*>(shared), words);
    const T* tile = reinterpret_cast<const T*>(shared);
    unsigned sum = 0;
    for (int top = 0; top < height; top += blockDim.x) {
        for (int left = 0; left < width; left += blockDim.y) {
            const int row = top + threadIdx.x, column = left + threadIdx.y;
            if (row >= height || column >= width) continue;
            const int element = swizzle(row * pitch + (column + row) % width, changed, shift);
            sum += fold(tile[element]);  // access: load tile
        }
    }
    if (sum == wanted) *found = threadIdx.x;
}

template <class T>
__global__ void store_by_rows(int width, int height, int pitch, int changed, int shift) {
    extern __shared__ uint4 shared[];
    T* tile = reinterpret_cast<T*>(shared);
    for (int top = 0; top < height; top += blockDim.y) {
        for (int left = 0; left < width; left += blockDim.x) {
            const int row = top + threadIdx.y, column = left + threadIdx.x;
            if (row >= height || column >= width) continue;
            const int element = swizzle(row * pitch + column, changed, shift);
            tile[element] = unfold<T>(element);  // access: store tile
        }
    }
}

/// Lanes side by side store elements one below the other.
template <class T>
__global__ void store_by_columns(int width, int height, int pitch, int changed, int shift) {
    extern __shared__ uint4 shared[];
    T* tile = reinterpret_cast<T*>(shared);
    for (int top = 0; top < height; top += blockDim.x) {
        for (int left = 0; left < width; left += blockDim.y) {
            const int row = top + threadIdx.x, column = left + threadIdx.y;
            if (row >= height || column >= width) continue;
            const int element = swizzle(row * pitch + column, changed, shift);
            tile[element] = unfold<T>(element);  // access: store tile
        }
    }
}

/// Lanes side by side store elements one below the other and one column further.
template <class T>
__global__ void store_diagonally(int width, int height, int pitch, int changed, int shift) {
    extern __shared__ uint4 shared[];
    T* tile = reinterpret_cast<T*>(shared);
    for (int top = 0; top < height; top += blockDim.x) {
        for (int left = 0; left < width; left += blockDim.y) {
            const int row = top + threadIdx.x, column = left + threadIdx.y;
            if (row >= height || column >= width) continue;
            const int element = swizzle(row * pitch + (column + row) % width, changed, shift);
            tile[element] = unfold<T>(element);  // access: store tile
        }
    }
}

std::optional<Unavailable> launch(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    const LaunchShape shape = SharedTile::launch(p);
    const auto walk = static_cast<Walk>(p.walk);
    const int words = int(shared_bytes_of(shape) / 4), pitch = p.width + p.padding;
    const int changed = ((1 << p.swizzle_bits) - 1) << p.swizzle_base;
    return with_element(p.element_bytes, [&]<class T>() {
        if (p.operation == 1) {
            const auto kernel = walk == Walk::row      ? &store_by_rows<T>
                                : walk == Walk::column ? &store_by_columns<T>
                                                       : &store_diagonally<T>;
            return launch_over(shape, stream, kernel, p.width, p.height, pitch, changed, p.swizzle_shift);
        }
        const auto kernel = walk == Walk::row      ? &load_by_rows<T>
                            : walk == Walk::column ? &load_by_columns<T>
                                                   : &load_diagonally<T>;
        return launch_over(shape, stream, kernel, words, p.width, p.height, pitch, changed, p.swizzle_shift,
                           kNever, memory.sink);
    });
}

}  // namespace shared_tile

template <>
ScenarioKernel kernel_of<SharedTile>() {
    return {.launch = &shared_tile::launch};
}

}  // namespace warplens
