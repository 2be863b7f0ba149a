// Every thread fetches four texels of its block's tile, in one of six orders: through the texture unit, or
// from an array in global memory.
#include "kernels/scenarios/texture_walk.h"

#include "kernels/cuda/device_texture.cuh"
#include "kernels/cuda/element.cuh"
#include "kernels/scenarios/plain_kernels.cuh"

namespace warplens {
namespace {

using Order = TextureWalk::Order;

/// The texel of the tile that is number i in the walk. Each warp fetches 32 of them at once.
template <Order kOrder>
__device__ Texel texel_of(int i, int seed) {
    Params p;
    p.pattern = static_cast<int>(kOrder);
    p.seed = seed;
    return TextureWalk::in_tile(p, i);  // address of: fetch texel; load image, row by row
}

template <Order kOrder>
__global__ void __launch_bounds__(TextureWalk::kBlockThreads)
    walk_texture(cudaTextureObject_t image, TexelScale scale, int offset, int seed, std::uint32_t wanted,
                 std::uint32_t* found) {
    const int left = blockIdx.x * TextureWalk::kTile + offset, top = blockIdx.y * TextureWalk::kTile + offset;
    std::uint32_t all = 0;
#pragma unroll
    for (int step = 0; step < TextureWalk::kSteps; ++step) {
        const Texel at = texel_of<kOrder>(step * TextureWalk::kBlockThreads + threadIdx.x, seed);
        all ^= tex2D<unsigned>(image, scale.u(left + at.x), scale.v(top + at.y));  // access: fetch texel
    }
    if (all == wanted) *found = threadIdx.x;
}

/// A coordinate brought inside the image, whose size is a power of two; -1 for nothing.
/// @param at  not below 0, because the walk is shifted to the right and down
template <Border kBorder>
__device__ int inside(int at, int size) {
    if constexpr (kBorder == Border::clamp) return min(at, size - 1);
    if constexpr (kBorder == Border::border) return at < size ? at : -1;
    if constexpr (kBorder == Border::wrap) return at & (size - 1);
    return at & size ? size - 1 - (at & (size - 1)) : at & (size - 1);
}

template <Order kOrder, Border kBorder>
__global__ void __launch_bounds__(TextureWalk::kBlockThreads)
    walk_array(const unsigned* __restrict__ image, int size, int offset, int seed, std::uint32_t wanted,
               std::uint32_t* found) {
    const int left = blockIdx.x * TextureWalk::kTile + offset, top = blockIdx.y * TextureWalk::kTile + offset;
    std::uint32_t all = 0;
#pragma unroll
    for (int step = 0; step < TextureWalk::kSteps; ++step) {
        const Texel at = texel_of<kOrder>(step * TextureWalk::kBlockThreads + threadIdx.x, seed);
        const int x = inside<kBorder>(left + at.x, size), y = inside<kBorder>(top + at.y, size);
        if (x >= 0 && y >= 0) all ^= image[y * size + x];  // access: load image, row by row
    }
    if (all == wanted) *found = threadIdx.x;
}

template <Order kOrder>
void launch_order(const Params& p, const ReplayMemory& memory, cudaStream_t stream) {
    const LaunchShape shape = TextureWalk::launch(p);
    constexpr decltype(&walk_array<kOrder, Border::clamp>) kWalks[] = {
        &walk_array<kOrder, Border::clamp>, &walk_array<kOrder, Border::border>,
        &walk_array<kOrder, Border::wrap>, &walk_array<kOrder, Border::mirror>};
    if (TextureWalk::linear(p))
        launch_plain(kWalks[p.border], shape, stream, array_of<const unsigned>(memory, 0),
                     1 << p.texture_log2, p.offset, p.seed, kNever, memory.sink);
    else
        launch_plain(&walk_texture<kOrder>, shape, stream, memory.texture, texel_scale(shape), p.offset, p.seed,
                     kNever, memory.sink);
}

std::optional<Unavailable> launch(const Params& p, const ReplayMemory& memory, cudaStream_t stream) {
    switch (static_cast<Order>(p.pattern)) {
        case Order::row:
            launch_order<Order::row>(p, memory, stream);
            break;
        case Order::column:
            launch_order<Order::column>(p, memory, stream);
            break;
        case Order::wide:
            launch_order<Order::wide>(p, memory, stream);
            break;
        case Order::tall:
            launch_order<Order::tall>(p, memory, stream);
            break;
        case Order::z_order:
            launch_order<Order::z_order>(p, memory, stream);
            break;
        case Order::random:
            launch_order<Order::random>(p, memory, stream);
            break;
    }
    return std::nullopt;
}

}  // namespace

template <>
OwnKernel plain_kernel<TextureWalk>() {
    return {.launch = &launch};
}

}  // namespace warplens
