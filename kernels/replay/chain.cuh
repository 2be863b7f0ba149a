#pragma once

// Measures how many cycles a request takes when each waits for the one before: the latency, and what the
// access pattern adds to it.
//
// Launch shape: one block of one warp. In a cluster there is one such block per rank; one of them works and
// the others wait, so that their shared memory exists. The warp does what the pictured warp does at the
// pictured step: each lane computes its addresses once, then executes the setting's instructions in order, 8
// x 64 times, after 8 iterations that warm up the caches. It accesses what the instructions say and, at the
// end, writes two clock readings to global memory.
//
// Each address depends on the value that the lane loaded last: it is `address | (loaded & zero)`, with a zero
// that the compiler cannot know. That costs one logic operation between two loads, which is part of the
// measured time. A store depends on the last load through the value it stores; after it the warp
// synchronises, because the next load may read what another lane stored.
//
// Why the compiler cannot remove a load: the next one needs its value, and every bit of it contributes to a
// sum that the kernel pretends to need.
#include "kernels/cuda/access.cuh"
#include "kernels/cuda/constant_table.cuh"
#include "kernels/cuda/device_texture.cuh"
#include "kernels/cuda/element.cuh"
#include "kernels/cuda/launch.cuh"
#include "kernels/launch_setting.h"
#include "kernels/loop_shape.h"
#include "kernels/replay/cases.h"
#include "kernels/replay/pictured.cuh"
#include "kernels/replay/replay.cuh"
#include "kernels/replay/replay.h"

namespace warplens {

/// The address of one instruction, for one lane.
struct Link {
    /// The low half of the address in the window of its space; for textures the bits of u.
    std::uint32_t low = 0;
    /// For global and local memory the high half of the address; for textures the bits of v.
    std::uint32_t high = 0;
    bool active = false;
};

/// What a lane passes from one access to the next.
struct Chain {
    cudaTextureObject_t texture;
    std::uint32_t zero;
    std::uint32_t value;  ///< the value that was loaded last
    std::uint32_t sum;    ///< the sum of every bit that was loaded
};

/// The arguments of the launch.
struct ChainOrders {
    Pictured at;
    int ranks_away[kMaxInstructions];
    unsigned shared_bytes, local_bytes;
    TexelScale scale;
    std::uint32_t never;
};

__device__ inline std::uint64_t join(std::uint32_t low, std::uint32_t high) {
    std::uint64_t both;
    asm("mov.b64 %0, {%1, %2};" : "=l"(both) : "r"(low), "r"(high));
    return both;
}

/// The address of instruction kIndex.
/// @param local  the thread's own array, in the local window
template <class S, int kCase, int kIndex>
__device__ Link link_of(const Params& p, const ChainOrders& orders, const ReplayMemory& memory,
                        std::uint32_t shared, std::uint64_t local) {
    using C = Code<S, kCase, kIndex>;
    const LaneAccess access = pictured_access<S>(p, orders.at, kIndex, static_cast<int>(threadIdx.x));
    Link link{static_cast<std::uint32_t>(access.byte_address), 0, access.active};
    if constexpr (C::kSpace == Space::global) {
        const auto address = reinterpret_cast<std::uint64_t>(memory.buffer[C::kBuffer]) + access.byte_address;
        link.low = static_cast<std::uint32_t>(address);
        link.high = static_cast<std::uint32_t>(address >> 32);
    } else if constexpr (C::kSpace == Space::local) {
        const std::uint64_t address = local + access.byte_address;
        link.low = static_cast<std::uint32_t>(address);
        link.high = static_cast<std::uint32_t>(address >> 32);
    } else if constexpr (C::kSpace == Space::shared) {
        link.low += shared;
    } else if constexpr (C::kSpace == Space::cluster) {
        const auto away = static_cast<std::uint32_t>(orders.ranks_away[kIndex]);
        link.low = peer_address(shared + link.low, (rank_in_cluster() + away) % blocks_of_cluster());
    } else if constexpr (C::kSpace == Space::texture) {
        link.low = __float_as_uint(orders.scale.u(access.x));
        link.high = __float_as_uint(orders.scale.v(access.y));
    } else if constexpr (C::kSpace == Space::registers) {
        link.low /= 4;
    }
    return link;
}

template <class S, int kCase, int kIndex>
__device__ auto follow_load(const Params& p, const Link& link, std::uint32_t low, const Chain& chain) {
    using C = Code<S, kCase, kIndex>;
    using T = Element<C::kBytes>;
    if constexpr (C::kOp == Op::load_matrix) {
        return load_matrices(low, p.matrices);  // access: matrix load
    } else if constexpr (C::kSpace == Space::global && C::kPastL1) {
        return load_global_past_l1<T>(join(low, link.high));  // access: global load, past the L1
    } else if constexpr (C::kSpace == Space::global) {
        return load_global<T>(join(low, link.high));  // access: global load, through the L1
    } else if constexpr (C::kSpace == Space::shared) {
        return load_volatile_shared<T>(low);  // access: shared load
    } else if constexpr (C::kSpace == Space::cluster) {
        return load_peer<T>(low);  // access: cluster load
    } else if constexpr (C::kSpace == Space::local) {
        return load_local<T>(join(low, link.high));  // access: local load
    } else if constexpr (C::kSpace == Space::constant) {
        return load_constant<S, T>(low);  // access: constant load
    } else {
        const float u = __uint_as_float(low), v = __uint_as_float(link.high);
        return tex2D<std::uint32_t>(chain.texture, u, v);  // access: texture load
    }
}

template <class C, class T>
__device__ void follow_store(const Link& link, std::uint32_t low, T value) {
    if constexpr (C::kSpace == Space::global) {
        store_global(join(low, link.high), value);  // access: global store
    } else if constexpr (C::kSpace == Space::shared) {
        store_volatile_shared(low, value);  // access: shared store
    } else if constexpr (C::kSpace == Space::cluster) {
        store_peer(low, value);  // access: cluster store
    } else {
        static_assert(C::kSpace == Space::local, "constant memory and textures cannot be stored to");
        store_local(join(low, link.high), value);  // access: local store
    }
}

/// Execute all instructions from kIndex on, once each. All lanes must call it.
/// @tparam kAll  whether every lane is active in every access, so that no branches are needed
template <class S, int kCase, bool kAll, int kIndex = 0>
__device__ void follow(const Params& p, const Link* links, Chain& chain) {
    if constexpr (kIndex < Facts<S, kCase>::kCount) {
        using C = Code<S, kCase, kIndex>;
        const Link& link = links[kIndex];
        const std::uint32_t low = link.low | (chain.value & chain.zero);
        if constexpr (C::kSpace == Space::registers) {
            if constexpr (C::kLoad) {
                const int source = static_cast<int>(link.low);
                const std::uint32_t moved = __shfl_sync(kAllLanes, chain.value, source);  // access: exchange
                if (kAll || link.active) chain.value = C::kAdds ? chain.value + moved : moved;
            } else {
                asm volatile("" : "+r"(chain.value));  // access: kept value
            }
        } else if constexpr (C::kLoad) {
            if (kAll || C::kOp == Op::load_matrix || link.active) {
                const auto loaded = follow_load<S, kCase, kIndex>(p, link, low, chain);
                chain.value = first_word(loaded);
                chain.sum ^= fold(loaded);
            }
        } else {
            if (kAll || link.active) follow_store<C>(link, low, unfold<Element<C::kBytes>>(chain.value));
            __syncwarp();
        }
        follow<S, kCase, kAll, kIndex + 1>(p, links, chain);
    } else if constexpr (Facts<S, kCase>::kStores) {
        __syncwarp();  // The next iteration stores where other lanes have loaded.
    }
}

/// Warm up, then execute the chain between two clock readings.
template <class S, int kCase, bool kAll>
__device__ ClockPair time_links(const Params& p, const Link* links, Chain& chain) {
#pragma unroll 1
    for (int i = 0; i < kChainUnroll; ++i) follow<S, kCase, kAll>(p, links, chain);
    __syncwarp();
    const long long begin = clock64();
    chain.value ^= static_cast<std::uint32_t>(begin);  // nothing starts before the clock has been read
#pragma unroll 1
    for (int turn = 0; turn < kChainTurns; ++turn) {
#pragma unroll
        for (int i = 0; i < kChainUnroll; ++i) follow<S, kCase, kAll>(p, links, chain);
    }
    __syncwarp();
    return {begin, clock64()};
}

template <class S, int kCase>
__device__ void run_chain(const Params& p, const ChainOrders& orders, const ReplayMemory& memory,
                          std::uint32_t shared, std::uint64_t local) {
    Link links[Facts<S, kCase>::kCount];
    bool all_active = true;
    [&]<int... kIndex>(std::integer_sequence<int, kIndex...>) {
        ((links[kIndex] = link_of<S, kCase, kIndex>(p, orders, memory, shared, local)), ...);
        ((all_active = all_active && links[kIndex].active), ...);
    }
    (std::make_integer_sequence<int, Facts<S, kCase>::kCount>{});

    Chain chain{memory.texture, orders.never + 1, threadIdx.x, 0};
    const ClockPair clocks = __all_sync(kAllLanes, all_active) != 0
                                 ? time_links<S, kCase, true>(p, links, chain)
                                 : time_links<S, kCase, false>(p, links, chain);
    pretend_to_need(chain.sum ^ chain.value, orders.never, memory.sink);
    if (threadIdx.x == 0) memory.clocks[0] = clocks;
}

template <class S, int kCase>
__global__ void __launch_bounds__(kWarpLanes)
    chain_kernel(Params p, const __grid_constant__ ChainOrders orders,
                 const __grid_constant__ ReplayMemory memory) {
    using F = Facts<S, kCase>;
    extern __shared__ uint4 shared_words[];
    alignas(16) unsigned char array[F::kUsesLocal ? kMostLocalBytes : 16];
    fold_fixed<S, kCase>(p);
    fill_shared(shared_words, orders.shared_bytes);
    std::uint64_t local = 0;
    if constexpr (F::kUsesLocal) {
        local = __cvta_generic_to_local(array);
        fill_local(local, orders.local_bytes);
    }
    const auto shared = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared_words));
    if constexpr (F::kUsesCluster) {
        cluster_barrier();
        const auto works = static_cast<std::uint32_t>(orders.at.block.x) % blocks_of_cluster();
        if (rank_in_cluster() == works) run_chain<S, kCase>(p, orders, memory, shared, local);
        cluster_barrier();
    } else {
        run_chain<S, kCase>(p, orders, memory, shared, local);
    }
}

template <class S, int kCase>
std::optional<Unavailable> launch_chain_case(const Params& p, const ReplayMemory& memory,
                                             cudaStream_t stream) {
    const LaunchShape shape = S::launch(p);
    const int cluster = Facts<S, kCase>::kUsesCluster ? shape.cluster : 1;
    const LaunchSize size{.grid = dim3(static_cast<unsigned>(cluster)),
                          .block = dim3(kWarpLanes),
                          .shared = shared_bytes_of(shape),
                          .cluster = cluster};
    ChainOrders orders{.at = pictured_warp<S>(p),
                       .ranks_away = {},
                       .shared_bytes = static_cast<unsigned>(shared_bytes_of(shape)),
                       .local_bytes = static_cast<unsigned>(shape.local_bytes),
                       .scale = texel_scale(shape),
                       .never = kNever};
    for (int i = 0; i < S::instruction_count(p); ++i) orders.ranks_away[i] = S::instruction(p, i).ranks_away;
    return launch_kernel(&chain_kernel<S, kCase>, size, stream, p, orders, memory);
}

template <class S>
std::optional<Unavailable> launch_chain_of(const Params& p, const ReplayMemory& memory, cudaStream_t stream) {
    if (auto why = refuse_local(S::launch(p))) return why;
    std::optional<Unavailable> why;
    const bool built =
        with_case<S>(p, [&]<int kCase>() { why = launch_chain_case<S, kCase>(p, memory, stream); });
    return built ? why : no_such_case(S::info.id);
}

/// Rounds between the two clock readings. Each round executes all instructions of the setting once. A round
/// of one load is a request; a round of an exchange through memory is a store and a load.
template <class S>
double chain_requests(const Params&) {
    return static_cast<double>(kChainTurns) * kChainUnroll;
}

}  // namespace warplens
