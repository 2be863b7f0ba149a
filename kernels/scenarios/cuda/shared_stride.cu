// Lane i of a warp loads or stores element offset + i * stride of a tile in shared memory. The stride decides
// how many lanes want different words of the same bank.
#include "kernels/scenarios/shared_stride.h"

#include "kernels/scenarios/cuda/scenario_kernel.cuh"

namespace warplens {
namespace shared_stride {

/// Gives the words of the tile some contents.
__device__ void fill_tile(unsigned* tile, int words) {
    for (int i = threadIdx.x; i < words; i += blockDim.x) tile[i] = filled_word(i);
    __syncthreads();
}

/// @param words  the size of the tile [4 bytes]
/// @param mask   bit i: whether lane i takes part
template <class T>
__global__ void load_strided(int words, int offset, int stride, unsigned mask, unsigned wanted,
                             unsigned* found) {
    extern __shared__ uint4 shared[];
    fill_tile(reinterpret_cast<unsigned*>(shared), words);
    if ((mask >> threadIdx.x % 32 & 1) == 0) return;
    const T* tile = reinterpret_cast<const T*>(shared);
    const int i = threadIdx.x;
    const T value = tile[offset + i * stride];  // access: load shared
    // Nobody needs the value, but without a use for it the compiler would drop the load.
    if (fold(value) == wanted) *found = i;
}

template <class T>
__global__ void store_strided(int offset, int stride, unsigned mask) {
    extern __shared__ uint4 shared[];
    if ((mask >> threadIdx.x % 32 & 1) == 0) return;
    T* tile = reinterpret_cast<T*>(shared);
    const int i = threadIdx.x;
    tile[offset + i * stride] = unfold<T>(i);  // access: store shared
}

std::optional<Unavailable> launch(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    const LaunchShape shape = SharedStride::launch(p);
    const auto mask = static_cast<unsigned>(p.mask);
    return with_element(p.element_bytes, [&]<class T>() {
        if (p.operation == 1) return launch_over(shape, stream, &store_strided<T>, p.offset, p.stride, mask);
        return launch_over(shape, stream, &load_strided<T>, int(shared_bytes_of(shape) / 4), p.offset,
                           p.stride, mask, kNever, memory.sink);
    });
}

}  // namespace shared_stride

template <>
ScenarioKernel kernel_of<SharedStride>() {
    return {.launch = &shared_stride::launch};
}

}  // namespace warplens
