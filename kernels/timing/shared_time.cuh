#pragma once

// Measures how many cycles a request to shared memory takes while the banks are always busy.
//
// Launch shape: one block of 8 warps per SM, with the scenario's shared memory. Every warp does what the
// pictured warp does at the pictured step (Params::warp and step): each lane computes its address once, then
// executes the access 16 times in a row, in 512 iterations. Eight warps keep enough requests waiting that the
// loop runs at the speed of the banks: cycles per request approach the number of wavefronts. It accesses the
// block's shared memory and, at the end, writes two clock readings per warp to global memory. Warps store the
// same values to the same words, so their order does not matter.
//
// Why the compiler cannot remove an access: all are volatile, which also keeps the assembler from merging 16
// equal ones, and what was loaded contributes to a sum that the kernel pretends to need. ldmatrix has no
// volatile form: its address advances by a zero that is not known at compile time.
#include "kernels/cuda/access.cuh"
#include "kernels/cuda/element.cuh"
#include "kernels/cuda/launch.cuh"
#include "kernels/launch_setting.h"
#include "kernels/loop_shape.h"
#include "kernels/replay/cases.h"
#include "kernels/replay/pictured.cuh"
#include "kernels/replay/replay.cuh"
#include "kernels/replay/replay.h"

namespace warplens {

/// The same access kLoopUnroll times.
/// @return  the loaded values, combined into one number.
template <class T, bool kLoad>
__device__ std::uint32_t access_often(std::uint32_t address) {
    if constexpr (kLoad) {
        T values[kLoopUnroll];
#pragma unroll
        for (int i = 0; i < kLoopUnroll; ++i)
            values[i] = load_volatile_shared<T>(address);  // access: shared load
        std::uint32_t sum = 0;
#pragma unroll
        for (int i = 0; i < kLoopUnroll; ++i) sum ^= fold(values[i]);
        return sum;
    } else {
        const T value = unfold<T>(stored_word(address));
#pragma unroll
        for (int i = 0; i < kLoopUnroll; ++i)
            store_volatile_shared<T>(address, value);  // access: shared store
        return 0;
    }
}

/// The same ldmatrix kLoopUnroll times. All lanes must call it.
__device__ inline std::uint32_t load_matrices_often(std::uint32_t& address, int matrices,
                                                    std::uint32_t zero) {
    std::uint32_t sum = 0;
#pragma unroll
    for (int i = 0; i < kLoopUnroll; ++i) {
        sum ^= fold(load_matrices(address, matrices));  // access: matrix load
        address += zero;
    }
    return sum;
}

/// One iteration: every instruction that goes to shared memory, kLoopUnroll times each.
template <class S, int kCase, int kIndex = 0>
__device__ std::uint32_t turn(const Params& p, std::uint32_t* addresses, std::uint32_t active,
                              std::uint32_t zero) {
    if constexpr (kIndex < Facts<S, kCase>::kCount) {
        using C = Code<S, kCase, kIndex>;
        std::uint32_t sum = 0;
        if constexpr (C::kSpace != Space::shared) {
            // It goes to another memory and is not timed here.
        } else if constexpr (C::kOp == Op::load_matrix) {
            sum = load_matrices_often(addresses[kIndex], p.matrices, zero);
        } else if ((active >> kIndex & 1u) != 0) {
            sum = access_often<Element<C::kBytes>, C::kLoad>(addresses[kIndex]);
        }
        return sum + turn<S, kCase, kIndex + 1>(p, addresses, active, zero);
    } else {
        return 0;
    }
}

template <class S, int kCase>
__global__ void __launch_bounds__(kLoopWarps* kWarpLanes)
    shared_loop(Params p, const __grid_constant__ Pictured at, unsigned shared_bytes, ClockPair* clocks,
                std::uint32_t never, std::uint32_t* sink) {
    extern __shared__ uint4 shared_words[];
    fold_fixed<S, kCase>(p);
    fill_shared(shared_words, shared_bytes);

    const int lane = static_cast<int>(threadIdx.x) % kWarpLanes,
              warp = static_cast<int>(threadIdx.x) / kWarpLanes;
    const auto base = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared_words));
    std::uint32_t addresses[Facts<S, kCase>::kCount], active = 0;
#pragma unroll
    for (int i = 0; i < Facts<S, kCase>::kCount; ++i) {
        const LaneAccess access = pictured_access<S>(p, at, i, lane);
        addresses[i] = base + static_cast<std::uint32_t>(access.byte_address);
        active |= access.active ? 1u << i : 0;
    }

    __syncthreads();
    const long long begin = clock64();
    std::uint32_t sum = 0;
#pragma unroll 1
    for (int i = 0; i < kLoopTurns; ++i) sum += turn<S, kCase>(p, addresses, active, never + 1);
    __syncwarp();
    const long long end = clock64();

    pretend_to_need(sum, never, sink);
    if (lane == 0) clocks[blockIdx.x * kLoopWarps + warp] = {begin, end};
}

template <class S>
constexpr bool some_case_is_shared() {
    for (int k = 0; k < kCases<S>.count; ++k) {
        if (uses(kCases<S>.cases[k], Space::shared)) return true;
    }
    return false;
}

template <class S, int kCase>
std::optional<Unavailable> launch_banks_case(const Params& p, int blocks, const ReplayMemory& memory,
                                             cudaStream_t stream) {
    if constexpr (Facts<S, kCase>::kUsesShared) {
        const std::size_t shared = shared_bytes_of(S::launch(p));
        const LaunchSize size{.grid = dim3(static_cast<unsigned>(blocks)),
                              .block = dim3(kLoopWarps * kWarpLanes),
                              .shared = shared};
        return launch_kernel(&shared_loop<S, kCase>, size, stream, p, pictured_warp<S>(p),
                             static_cast<unsigned>(shared), memory.clocks, kNever, memory.sink);
    } else {
        return no_such_case(S::info.id);
    }
}

template <class S>
std::optional<Unavailable> launch_banks_of(const Params& p, int blocks, const ReplayMemory& memory,
                                           cudaStream_t stream) {
    std::optional<Unavailable> why;
    const bool built =
        with_case<S>(p, [&]<int kCase>() { why = launch_banks_case<S, kCase>(p, blocks, memory, stream); });
    return built ? why : no_such_case(S::info.id);
}

}  // namespace warplens
