// The lanes of a warp load a few distinct words of shared memory: lanes side by side share a word, or every
// words-th lane does.
#include "kernels/scenarios/shared_broadcast.h"

#include "kernels/scenarios/cuda/scenario_kernel.cuh"

namespace warplens {
namespace shared_broadcast {

/// Gives the words of the tile some contents.
__device__ void fill_tile(unsigned* tile, int words) {
    for (int i = threadIdx.x; i < words; i += blockDim.x) tile[i] = filled_word(i);
    __syncthreads();
}

/// Lanes side by side load the same element.
/// @param tile_words  the size of the tile [4 bytes]
/// @param words       how many distinct words the 32 lanes load
/// @param distance    from one of these words to the next
/// @param mask        bit i: whether lane i takes part
template <class T>
__global__ void load_by_neighbours(int tile_words, int words, int distance, unsigned mask, unsigned wanted,
                                   unsigned* found) {
    extern __shared__ uint4 shared[];
    fill_tile(reinterpret_cast<unsigned*>(shared), tile_words);
    if ((mask >> threadIdx.x % 32 & 1) == 0) return;
    const T* tile = reinterpret_cast<const T*>(shared);
    constexpr int kApart = sizeof(T) < 4 ? 4 / sizeof(T) : 1;  // each element lies in a word of its own
    const int lane = threadIdx.x, k = lane * words / 32;
    const T value = tile[k * distance * kApart];  // access: load shared
    // Nobody needs the value, but without a use for it the compiler would drop the load.
    if (fold(value) == wanted) *found = lane;
}

/// Lanes that are `words` apart load the same element.
template <class T>
__global__ void load_interleaved(int tile_words, int words, int distance, unsigned mask, unsigned wanted,
                                 unsigned* found) {
    extern __shared__ uint4 shared[];
    fill_tile(reinterpret_cast<unsigned*>(shared), tile_words);
    if ((mask >> threadIdx.x % 32 & 1) == 0) return;
    const T* tile = reinterpret_cast<const T*>(shared);
    constexpr int kApart = sizeof(T) < 4 ? 4 / sizeof(T) : 1;  // each element lies in a word of its own
    const int lane = threadIdx.x, k = lane % words;
    const T value = tile[k * distance * kApart];  // access: load shared
    if (fold(value) == wanted) *found = lane;
}

std::optional<Unavailable> launch(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    const LaunchShape shape = SharedBroadcast::launch(p);
    const bool neighbours = p.pattern == int(SharingPattern::neighbours);
    return with_element(p.element_bytes, [&]<class T>() {
        return launch_over(shape, stream, neighbours ? &load_by_neighbours<T> : &load_interleaved<T>,
                           int(shared_bytes_of(shape) / 4), p.words, p.stride, static_cast<unsigned>(p.mask),
                           kNever, memory.sink);
    });
}

}  // namespace shared_broadcast

template <>
ScenarioKernel kernel_of<SharedBroadcast>() {
    return {.launch = &shared_broadcast::launch};
}

}  // namespace warplens
