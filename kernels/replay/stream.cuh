#pragma once

// Replays a scenario: every thread executes the scenario's instructions at the scenario's addresses.
//
// Launch shape: the scenario's own grid, block, cluster and shared memory. One thread executes the
// instructions of phase 0 in order, step by step, waits for its block, and continues with the next phase.
// Loads read elements into registers; a store writes the sum of what its phase and step have loaded before
// it. A thread accesses what the instructions say and nothing else, with one exception: if the first access
// to shared (or local) memory is a load, all threads fill this memory with 16-byte stores first. In a cluster
// all blocks wait for each other before the first and after the last access.
//
// Registers: each lane has one value that it keeps from phase to phase. A load from registers is an exchange:
// the value is copied to the lanes that ask for it, or added to theirs if the line of code contains "+=".
//
// Why the compiler cannot remove a load: its value is stored, or compared with a kernel argument that it
// never equals (pretend_to_need). Why it cannot merge two loads: shared ones are volatile, unless barriers of
// the block stand between stores and loads; and the compiler must assume that addresses in constant and local
// memory and in other blocks differ. Why it cannot remove a store: global memory and other blocks outlive the
// thread, shared stores are volatile like the loads, and which words of a per-thread array are loaded later
// is not known at compile time.
//
// There is one kernel for each list of instructions that a scenario can have (kernels/replay/program.h), so
// spaces, widths and the choices behind them are constants, and the kernel is as lean as one written by hand.
#include "kernels/cuda/access.cuh"
#include "kernels/cuda/constant_table.cuh"
#include "kernels/cuda/device_texture.cuh"
#include "kernels/cuda/element.cuh"
#include "kernels/cuda/launch.cuh"
#include "kernels/launch_setting.h"
#include "kernels/replay/cases.h"
#include "kernels/replay/replay.cuh"
#include "kernels/replay/replay.h"
#include "kernels/texture_layout.h"

#include <algorithm>

namespace warplens {

/// The arguments of a launch, the same for all threads.
struct ReplayOrders {
    int steps[kMaxInstructions];       ///< by phase
    int ranks_away[kMaxInstructions];  ///< by instruction
    bool barrier_each_step;
    unsigned shared_bytes, local_bytes;
    TexelScale scale;
    std::uint32_t never;  ///< kNever, which the compiler must not know
};

/// The memory and the registers that one thread can use.
struct Reach {
    const ReplayMemory& memory;
    const ReplayOrders& orders;
    unsigned char* shared;    ///< the shared memory of the block
    std::uint64_t local;      ///< the thread's own array, in the local window
    std::uint32_t lane_mask;  ///< the lanes of this warp that exist
    std::uint32_t value;      ///< what the lane keeps from phase to phase if it takes part in exchanges

    /// Zero. The compiler must assume that it differs for each lane, step and instruction.
    __device__ std::uint32_t hidden(int step, int index) const {
        return (threadIdx.x + static_cast<std::uint32_t>(step + index)) & (orders.never + 1);
    }
    __device__ std::uint32_t shared_address(std::uint64_t byte_address) const {
        return static_cast<std::uint32_t>(__cvta_generic_to_shared(shared + byte_address));
    }
};

__device__ inline std::uint32_t thread_in_block() { return threadIdx.y * blockDim.x + threadIdx.x; }

/// The lanes of the calling thread's warp that exist: the last warp of a block may have fewer than 32.
__device__ inline std::uint32_t existing_lanes() {
    const std::uint32_t left = blockDim.x * blockDim.y - thread_in_block() / kWarpLanes * kWarpLanes;
    return left >= kWarpLanes ? kAllLanes : (1u << left) - 1;
}

/// The same address in another block of the cluster.
__device__ inline std::uint32_t address_of_peer(const Reach& reach, int index, std::uint64_t byte_address) {
    const auto away = static_cast<std::uint32_t>(reach.orders.ranks_away[index]);
    return peer_address(reach.shared_address(byte_address), (rank_in_cluster() + away) % blocks_of_cluster());
}

/// Execute a load that is not an exchange. All lanes of the warp must call it; those that are not active get
/// zeros.
template <class S, int kCase, int kIndex>
__device__ auto replay_load(const Params& p, const LaneAccess& access, int step, const Reach& reach) {
    using C = Code<S, kCase, kIndex>;
    using T = Element<C::kBytes>;
    const auto at = access.byte_address;
    if constexpr (C::kOp == Op::load_matrix) {
        __syncwarp();
        return load_matrices(reach.shared_address(at), p.matrices);  // access: matrix load
    } else {
        T value{};
        if (!access.active) return value;
        const std::uint32_t hidden = reach.hidden(step, kIndex);
        if constexpr (C::kSpace == Space::global) {
            const unsigned char* const from = reach.memory.buffer[C::kBuffer] + at;
            if constexpr (C::kPastL1)
                value = __ldcg(reinterpret_cast<const T*>(from));  // access: global load, past the L1
            else
                value = *reinterpret_cast<const T*>(from);  // access: global load, through the L1
        } else if constexpr (C::kSpace == Space::shared) {
            if constexpr (Facts<S, kCase>::kPlainShared)
                value =
                    *reinterpret_cast<const T*>(reach.shared + at);  // access: shared load, between barriers
            else
                value = load_volatile_shared<T>(reach.shared_address(at));  // access: shared load, volatile
        } else if constexpr (C::kSpace == Space::cluster) {
            value = load_peer<T>(address_of_peer(reach, kIndex, at) | hidden);  // access: cluster load
        } else if constexpr (C::kSpace == Space::local) {
            value = load_local<T>((reach.local + at) | hidden);  // access: local load
        } else if constexpr (C::kSpace == Space::constant) {
            value = load_constant<S, T>(static_cast<std::uint32_t>(at) | hidden);  // access: constant load
        } else {
            static_assert(C::kSpace == Space::texture && C::kBytes == kTexelBytes);
            const float u = reach.orders.scale.u(access.x), v = reach.orders.scale.v(access.y);
            value = tex2D<std::uint32_t>(reach.memory.texture, u, v);  // access: texture load
        }
        return value;
    }
}

template <class S, int kCase, int kIndex, class T>
__device__ void replay_store(const LaneAccess& access, int step, const Reach& reach, T value) {
    using C = Code<S, kCase, kIndex>;
    const auto at = access.byte_address;
    if (!access.active) return;
    if constexpr (C::kSpace == Space::global) {
        *reinterpret_cast<T*>(reach.memory.buffer[C::kBuffer] + at) = value;  // access: global store
    } else if constexpr (C::kSpace == Space::shared && Facts<S, kCase>::kPlainShared) {
        *reinterpret_cast<T*>(reach.shared + at) = value;  // access: shared store, between barriers
    } else if constexpr (C::kSpace == Space::shared) {
        store_volatile_shared(reach.shared_address(at), value);  // access: shared store, volatile
    } else if constexpr (C::kSpace == Space::cluster) {
        store_peer(address_of_peer(reach, kIndex, at), value);  // access: cluster store
    } else {
        static_assert(C::kSpace == Space::local, "constant memory and textures cannot be stored to");
        store_local((reach.local + at) | reach.hidden(step, kIndex), value);  // access: local store
    }
}

/// Execute an instruction in registers: an exchange, or a value that stays in its register. All lanes must
/// call it.
template <class C>
__device__ void replay_registers(const LaneAccess& access, Reach& reach) {
    static_assert(C::kBytes == 4, "lanes exchange words");
    if constexpr (C::kLoad) {
        const int source = static_cast<int>(access.byte_address / 4);
        const std::uint32_t moved = __shfl_sync(reach.lane_mask, reach.value, source);  // access: exchange
        if (access.active) reach.value = C::kAdds ? reach.value + moved : moved;
    } else {
        asm volatile("" : "+r"(reach.value));  // access: kept value
    }
}

/// Execute the instructions of one phase from kIndex on, for one step.
/// @param carried  if kLoaded, the sum of what has been loaded; if kPending, it has not been stored or kept
/// in the lane yet
template <class S, int kCase, int kPhase, int kIndex, bool kLoaded, bool kPending, class Carried>
__device__ void run_from(const Params& p, const ThreadId& thread, Reach& reach, Carried carried) {
    if constexpr (kIndex == Facts<S, kCase>::kCount) {
        if constexpr (kPending) pretend_to_need(fold(carried), reach.orders.never, reach.memory.sink);
    } else if constexpr (Code<S, kCase, kIndex>::kPhase != kPhase) {
        run_from<S, kCase, kPhase, kIndex + 1, kLoaded, kPending>(p, thread, reach, carried);
    } else {
        using C = Code<S, kCase, kIndex>;
        using T = Element<C::kBytes>;
        const LaneAccess access = S::access(p, kIndex, thread);
        if constexpr (C::kSpace == Space::registers) {
            replay_registers<C>(access, reach);
            run_from<S, kCase, kPhase, kIndex + 1, true, false>(p, thread, reach, reach.value);
        } else if constexpr (C::kLoad) {
            auto sum = replay_load<S, kCase, kIndex>(p, access, thread.step, reach);
            if constexpr (kLoaded) sum = add(element_cast<decltype(sum)>(carried), sum);
            if constexpr (Facts<S, kCase>::kUsesRegisters) reach.value = first_word(sum);
            run_from<S, kCase, kPhase, kIndex + 1, true, true>(p, thread, reach, sum);
        } else {
            T value{};
            if constexpr (kLoaded)
                value = element_cast<T>(carried);
            else if constexpr (Facts<S, kCase>::kUsesRegisters)
                value = unfold<T>(reach.value);
            else
                value = unfold<T>(stored_word(access.byte_address));
            replay_store<S, kCase, kIndex>(access, thread.step, reach, value);
            run_from<S, kCase, kPhase, kIndex + 1, kLoaded, false>(p, thread, reach, carried);
        }
    }
}

/// The whole block waits, or the whole cluster if blocks access each other's shared memory.
template <class S, int kCase>
__device__ void wait_for_others() {
    if constexpr (Facts<S, kCase>::kUsesCluster)
        cluster_barrier();
    else
        __syncthreads();
}

template <class S, int kCase, bool kOneStep, int kPhase = 0>
__device__ void run_phases(const Params& p, Reach& reach) {
    ThreadId thread{static_cast<int>(blockIdx.x), static_cast<int>(blockIdx.y), static_cast<int>(threadIdx.x),
                    static_cast<int>(threadIdx.y), 0};
    if constexpr (kOneStep) {
        run_from<S, kCase, kPhase, 0, false, false>(p, thread, reach, std::uint32_t{0});
    } else {
        const int steps = reach.orders.steps[kPhase];
#pragma unroll 4
        for (thread.step = 0; thread.step < steps; ++thread.step) {
            run_from<S, kCase, kPhase, 0, false, false>(p, thread, reach, std::uint32_t{0});
            if (reach.orders.barrier_each_step && thread.step + 1 < steps) wait_for_others<S, kCase>();
        }
    }
    if constexpr (kPhase < Facts<S, kCase>::kLastPhase) {
        wait_for_others<S, kCase>();
        run_phases<S, kCase, kOneStep, kPhase + 1>(p, reach);
    }
}

template <class S, int kCase, bool kOneStep>
__global__ void __launch_bounds__(1024) replay_kernel(Params p, const __grid_constant__ ReplayOrders orders,
                                                      const __grid_constant__ ReplayMemory memory) {
    using F = Facts<S, kCase>;
    extern __shared__ uint4 shared_words[];
    alignas(16) unsigned char array[F::kUsesLocal ? kMostLocalBytes : 16];
    fold_fixed<S, kCase>(p);
    Reach reach{memory, orders,           reinterpret_cast<unsigned char*>(shared_words),
                0,      existing_lanes(), filled_word(thread_in_block())};
    if constexpr (F::kUsesLocal) reach.local = __cvta_generic_to_local(array);
    if constexpr (F::kFillsLocal) fill_local(reach.local, orders.local_bytes);
    if constexpr (F::kFillsShared) fill_shared(shared_words, orders.shared_bytes);
    if constexpr (F::kUsesCluster) cluster_barrier();
    run_phases<S, kCase, kOneStep>(p, reach);
    if constexpr (F::kUsesRegisters) pretend_to_need(reach.value, orders.never, memory.sink);
    if constexpr (F::kUsesCluster) cluster_barrier();
}

template <class S>
ReplayOrders orders_for(const Params& p, const LaunchShape& shape) {
    ReplayOrders orders{.steps = {},
                        .ranks_away = {},
                        .barrier_each_step = shape.barrier_each_step,
                        .shared_bytes = static_cast<unsigned>(shared_bytes_of(shape)),
                        .local_bytes = static_cast<unsigned>(shape.local_bytes),
                        .scale = texel_scale(shape),
                        .never = kNever};
    for (int i = 0; i < S::instruction_count(p); ++i) {
        const Instruction instruction = S::instruction(p, i);
        orders.steps[instruction.phase] = steps_of(shape, instruction);
        orders.ranks_away[i] = instruction.ranks_away;
    }
    return orders;
}

template <class S, int kCase>
std::optional<Unavailable> launch_replay_case(const Params& p, const ReplayMemory& memory,
                                              cudaStream_t stream) {
    const LaunchShape shape = S::launch(p);
    const LaunchSize size{.grid = dim3_of(shape.grid),
                          .block = dim3_of(shape.block),
                          .shared = shared_bytes_of(shape),
                          .cluster = Facts<S, kCase>::kUsesCluster ? shape.cluster : 1};
    const ReplayOrders orders = orders_for<S>(p, shape);
    const bool one_step = std::all_of(orders.steps, orders.steps + Facts<S, kCase>::kLastPhase + 1,
                                      [](int steps) { return steps <= 1; });
    const auto kernel = one_step ? &replay_kernel<S, kCase, true> : &replay_kernel<S, kCase, false>;
    return launch_kernel(kernel, size, stream, p, orders, memory);
}

template <class S>
std::optional<Unavailable> launch_replay_of(const Params& p, const ReplayMemory& memory,
                                            cudaStream_t stream) {
    if (auto why = refuse_local(S::launch(p))) return why;
    std::optional<Unavailable> why;
    const bool built =
        with_case<S>(p, [&]<int kCase>() { why = launch_replay_case<S, kCase>(p, memory, stream); });
    return built ? why : no_such_case(S::info.id);
}

}  // namespace warplens
