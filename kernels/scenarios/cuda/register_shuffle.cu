// Each lane of a warp gets the value of another lane: by a shuffle, through shared memory, or through global
// memory.
#include "kernels/scenarios/register_shuffle.h"

#include "kernels/scenarios/cuda/scenario_kernel.cuh"

namespace warplens {
namespace register_shuffle {

__global__ void exchange_xor(int distance, unsigned wanted, unsigned* found) {
    const unsigned i = blockIdx.x * 32 + threadIdx.x;
    unsigned value = i;
    value = __shfl_xor_sync(~0u, value, distance);  // access: shuffle
    if (value == wanted) *found = i;
}

__global__ void exchange_up(int distance, unsigned wanted, unsigned* found) {
    const unsigned i = blockIdx.x * 32 + threadIdx.x;
    unsigned value = i;
    value = __shfl_up_sync(~0u, value, distance);  // access: shuffle
    if (value == wanted) *found = i;
}

__global__ void exchange_down(int distance, unsigned wanted, unsigned* found) {
    const unsigned i = blockIdx.x * 32 + threadIdx.x;
    unsigned value = i;
    value = __shfl_down_sync(~0u, value, distance);  // access: shuffle
    if (value == wanted) *found = i;
}

__global__ void exchange_rotate(int distance, unsigned wanted, unsigned* found) {
    const unsigned i = blockIdx.x * 32 + threadIdx.x;
    unsigned value = i;
    value = __shfl_sync(~0u, value, threadIdx.x + distance);  // access: shuffle
    if (value == wanted) *found = i;
}

__global__ void exchange_broadcast(int distance, unsigned wanted, unsigned* found) {
    const unsigned i = blockIdx.x * 32 + threadIdx.x;
    unsigned value = i;
    value = __shfl_sync(~0u, value, distance);  // access: shuffle
    if (value == wanted) *found = i;
}

// The lane whose value a lane gets. It is the lane itself if the partner lies outside the warp.
struct Xor {
    static __device__ int source(int lane, int distance) { return lane ^ distance; }
};
struct Up {
    static __device__ int source(int lane, int distance) { return lane < distance ? lane : lane - distance; }
};
struct Down {
    static __device__ int source(int lane, int distance) {
        return lane + distance < 32 ? lane + distance : lane;
    }
};
struct Rotate {
    static __device__ int source(int lane, int distance) { return (lane + distance) % 32; }
};
struct Broadcast {
    static __device__ int source(int, int distance) { return distance; }
};

template <class Exchange>
__global__ void exchange_shared(int distance, unsigned wanted, unsigned* found) {
    __shared__ unsigned tile[32];
    const int lane = threadIdx.x;
    const unsigned i = blockIdx.x * 32 + lane;
    unsigned value = i;
    tile[lane] = value;  // access: store shared
    __syncwarp();
    value = tile[Exchange::source(lane, distance)];  // access: load shared
    if (value == wanted) *found = i;
}

template <class Exchange>
__global__ void exchange_global(unsigned* out, int distance, unsigned wanted, unsigned* found) {
    const int lane = threadIdx.x;
    const unsigned i = blockIdx.x * 32 + lane;
    unsigned value = i;
    out[i] = value;  // access: store global
    __syncthreads();
    value = out[i - lane + Exchange::source(lane, distance)];  // access: load global
    if (value == wanted) *found = i;
}

template <class E>
std::optional<Unavailable> launch_through_memory(const Params& p, const KernelMemory& memory,
                                                 cudaStream_t stream) {
    LaunchShape shape = RegisterShuffle::launch(p);
    shape.shared_bytes = 0;  // the kernel declares its array
    if (p.variant == int(RegisterShuffle::Method::shared))
        return launch_over(shape, stream, &exchange_shared<E>, p.distance, kNever, memory.sink);
    return launch_over(shape, stream, &exchange_global<E>, array_of<unsigned>(memory, 1), p.distance, kNever,
                       memory.sink);
}

std::optional<Unavailable> launch(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    struct Ways {
        decltype(&exchange_xor) shuffle;
        decltype(&launch_through_memory<Xor>) through_memory;
    };
    constexpr Ways kWays[] = {{&exchange_xor, &launch_through_memory<Xor>},
                              {&exchange_up, &launch_through_memory<Up>},
                              {&exchange_down, &launch_through_memory<Down>},
                              {&exchange_rotate, &launch_through_memory<Rotate>},
                              {&exchange_broadcast, &launch_through_memory<Broadcast>}};
    const Ways& ways = kWays[p.pattern];
    if (p.variant != int(RegisterShuffle::Method::shuffle)) return ways.through_memory(p, memory, stream);
    return launch_over(RegisterShuffle::launch(p), stream, ways.shuffle, p.distance, kNever, memory.sink);
}

ExpectedBytes expected(const Params& p) {
    ExpectedBytes right;
    if (p.variant != int(RegisterShuffle::Method::global)) return right;
    for (const std::int64_t i : spread_evenly(std::int64_t{kWarpLanes} << p.blocks_log2, 256))
        right.add_value(static_cast<std::uint64_t>(i) * sizeof(unsigned), static_cast<unsigned>(i));
    return right;
}

}  // namespace register_shuffle

template <>
ScenarioKernel kernel_of<RegisterShuffle>() {
    return {.launch = &register_shuffle::launch, .expected = &register_shuffle::expected};
}

}  // namespace warplens
