// A block of one warp loads from a tile: in its own shared memory, in the shared memory of another block of
// its cluster, or in global memory.
#include "kernels/scenarios/cluster_shared.h"

#include "kernels/scenarios/cuda/scenario_kernel.cuh"

#include <cooperative_groups.h>

namespace warplens {
namespace cluster_shared {

/// Gives the words of the tile some contents.
__device__ void fill_tile(unsigned* tile, int words) {
    for (int i = threadIdx.x; i < words; i += blockDim.x) tile[i] = filled_word(i);
    __syncthreads();
}

/// @param words  the size of the tile [4 bytes]
template <class T>
__global__ void load_own(int words, int stride, unsigned wanted, unsigned* found) {
    extern __shared__ uint4 shared[];
    fill_tile(reinterpret_cast<unsigned*>(shared), words);
    const T* tile = reinterpret_cast<const T*>(shared);
    const int lane = threadIdx.x;
    const T value = tile[lane * stride];  // access: load own shared
    // Nobody needs the value, but without a use for it the compiler would drop the load.
    if (fold(value) == wanted) *found = lane;
}

/// @param words     the size of the tile [4 bytes]
/// @param distance  from the block's own rank in the cluster to that of the block whose tile it loads from
template <class T>
__global__ void load_neighbour(int words, int distance, int stride, unsigned wanted, unsigned* found) {
#if __CUDA_ARCH__ >= 900  // There are clusters from compute capability 9.0 on.
    extern __shared__ uint4 shared[];
    const auto cluster = cooperative_groups::this_cluster();
    fill_tile(reinterpret_cast<unsigned*>(shared), words);
    cluster.sync();  // now all tiles are filled
    const int rank = (cluster.block_rank() + distance) % cluster.num_blocks(), lane = threadIdx.x;
    const T* tile = reinterpret_cast<const T*>(cluster.map_shared_rank(shared, rank));
    const T value = tile[lane * stride];  // access: load a neighbour's shared
    if (fold(value) == wanted) *found = lane;
    cluster.sync();  // No block may end while another one loads from its shared memory.
#endif
}

/// @param pitch  from one block's tile to the next [elements]
template <class T>
__global__ void load_global(const T* __restrict__ in, int pitch, int stride, unsigned wanted,
                            unsigned* found) {
    const int lane = threadIdx.x;
    const T value = __ldcg(&in[blockIdx.x * pitch + lane * stride]);  // access: load global, past the L1
    if (fold(value) == wanted) *found = lane;
}

template <class T>
std::optional<Unavailable> launch_with(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    using Place = ClusterShared::Place;
    const LaunchShape shape = ClusterShared::launch(p);
    const int words = int(shared_bytes_of(shape) / 4);
    switch (static_cast<Place>(p.variant)) {
        case Place::own:
            return launch_over(shape, stream, &load_own<T>, words, p.stride, kNever, memory.sink);
        case Place::neighbour:
            return launch_over(shape, stream, &load_neighbour<T>, words, p.distance, p.stride, kNever,
                               memory.sink);
        case Place::global:
            break;
    }
    const auto pitch = ClusterShared::tile_pitch(p) / static_cast<std::int64_t>(sizeof(T));
    return launch_over(shape, stream, &load_global<T>, array_of<T>(memory, 0), int(pitch), p.stride, kNever,
                       memory.sink);
}

std::optional<Unavailable> launch(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    return p.element_bytes == 4   ? launch_with<unsigned>(p, memory, stream)
           : p.element_bytes == 8 ? launch_with<uint2>(p, memory, stream)
                                  : launch_with<uint4>(p, memory, stream);
}

}  // namespace cluster_shared

template <>
ScenarioKernel kernel_of<ClusterShared>() {
    return {.launch = &cluster_shared::launch};
}

}  // namespace warplens
