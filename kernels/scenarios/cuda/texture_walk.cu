// Every thread fetches four texels of its block's tile of 32 x 32, in one of six orders: through the texture
// unit, or from an array in global memory.
#include "kernels/scenarios/texture_walk.h"

#include "kernels/cuda/device_texture.cuh"
#include "kernels/scenarios/cuda/scenario_kernel.cuh"

namespace warplens {
namespace texture_walk {

// Orders: which texel of the tile is number i. Each warp fetches 32 of them at once. Numbers without a sign
// make the divisions cheap.
struct Row {
    static __device__ uint2 texel(unsigned i, unsigned) { return {i % 32, i / 32}; }
};
struct Column {
    static __device__ uint2 texel(unsigned i, unsigned) { return {i / 32, i % 32}; }
};
/// Blocks of 8 x 4 texels, four side by side.
struct Wide {
    static __device__ uint2 texel(unsigned i, unsigned) {
        const unsigned lane = i % 32, warp = i / 32;
        return {warp % 4 * 8 + lane % 8, warp / 4 * 4 + lane / 8};
    }
};
/// Blocks of 4 x 8 texels, eight side by side.
struct Tall {
    static __device__ uint2 texel(unsigned i, unsigned) {
        const unsigned lane = i % 32, warp = i / 32;
        return {warp % 8 * 4 + lane % 4, warp / 8 * 8 + lane / 4};
    }
};
/// Along a curve like a Z: the even bits of i are x, the odd bits are y.
struct ZOrder {
    static __device__ uint2 texel(unsigned i, unsigned) {
        uint2 at = {0, 0};
#pragma unroll
        for (int bit = 0; bit < 5; ++bit) {
            at.x |= (i >> 2 * bit & 1) << bit;
            at.y |= (i >> (2 * bit + 1) & 1) << bit;
        }
        return at;
    }
};
/// Any texel of the tile, each once, because every step of the mixing can be undone.
struct Random {
    static __device__ uint2 texel(unsigned i, unsigned seed) {
#pragma unroll
        for (int round = 0; round < 3; ++round) {
            i = (i * 0x2c5 + seed * 0x9e5 + round * 0x155) % 1024;
            i ^= i / 32;
        }
        return {i % 32, i / 32};
    }
};

/// Look for a value that the four texels give together, so that all of them are needed.
/// @param scale  1, or 1 / size for an address mode that needs coordinates from 0 to 1: wrap and mirror
template <class Order>
__global__ void walk_texture(cudaTextureObject_t image, float scale, int offset, int seed, unsigned wanted,
                             unsigned* found) {
    const unsigned left = blockIdx.x * 32 + offset, top = blockIdx.y * 32 + offset;
    unsigned all = 0;
#pragma unroll
    for (int step = 0; step < 4; ++step) {
        const uint2 at = Order::texel(step * 256 + threadIdx.x, seed);
        const float u = (left + at.x + 0.5f) * scale, v = (top + at.y + 0.5f) * scale;
        all ^= tex2D<unsigned>(image, u, v);  // access: fetch texel
    }
    if (all == wanted) *found = threadIdx.x;
}

// Borders: a coordinate brought inside the image. It is less than twice the image's size, because the walk is
// shifted to the right and down by one tile at most.
struct Clamp {
    static __device__ unsigned inside(unsigned at, unsigned size) { return min(at, size - 1); }
};
struct Wrap {
    static __device__ unsigned inside(unsigned at, unsigned size) { return at < size ? at : at - size; }
};
struct Mirror {
    static __device__ unsigned inside(unsigned at, unsigned size) {
        return at < size ? at : 2 * size - 1 - at;
    }
};

/// Look for a value that four texels of an array give together, so that all of them are needed.
template <class Order, class Border>
__global__ void walk_array(const unsigned* __restrict__ image, int size, int offset, int seed,
                           unsigned wanted, unsigned* found) {
    const unsigned left = blockIdx.x * 32 + offset, top = blockIdx.y * 32 + offset;
    unsigned all = 0;
#pragma unroll
    for (int step = 0; step < 4; ++step) {
        const uint2 at = Order::texel(step * 256 + threadIdx.x, seed);
        const int x = Border::inside(left + at.x, size), y = Border::inside(top + at.y, size);
        all ^= image[y * size + x];  // access: load image, row by row
    }
    if (all == wanted) *found = threadIdx.x;
}

/// Look for a value that four texels of an array give together. Around the image all texels are zero.
template <class Order>
__global__ void walk_array_with_border(const unsigned* __restrict__ image, int size, int offset, int seed,
                                       unsigned wanted, unsigned* found) {
    const int left = blockIdx.x * 32 + offset, top = blockIdx.y * 32 + offset;
    unsigned all = 0;
#pragma unroll
    for (int step = 0; step < 4; ++step) {
        const uint2 at = Order::texel(step * 256 + threadIdx.x, seed);
        const int x = left + at.x, y = top + at.y;
        if (x < size && y < size) all ^= image[y * size + x];  // access: load image, row by row
    }
    if (all == wanted) *found = threadIdx.x;
}

template <class Order>
std::optional<Unavailable> launch_order(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    const LaunchShape shape = TextureWalk::launch(p);
    if (!TextureWalk::linear(p))
        return launch_over(shape, stream, &walk_texture<Order>, memory.texture, texel_scale(shape).x,
                           p.offset, p.seed, kNever, memory.sink);
    constexpr decltype(&walk_array_with_border<Order>) kByBorder[] = {
        &walk_array<Order, Clamp>, &walk_array_with_border<Order>, &walk_array<Order, Wrap>,
        &walk_array<Order, Mirror>};
    return launch_over(shape, stream, kByBorder[p.border], array_of<const unsigned>(memory, 0),
                       1 << p.texture_log2, p.offset, p.seed, kNever, memory.sink);
}

std::optional<Unavailable> launch(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    constexpr decltype(&launch) kByOrder[] = {&launch_order<Row>,    &launch_order<Column>,
                                              &launch_order<Wide>,   &launch_order<Tall>,
                                              &launch_order<ZOrder>, &launch_order<Random>};
    return kByOrder[p.pattern](p, memory, stream);
}

}  // namespace texture_walk

template <>
ScenarioKernel kernel_of<TextureWalk>() {
    return {.launch = &texture_walk::launch};
}

}  // namespace warplens
