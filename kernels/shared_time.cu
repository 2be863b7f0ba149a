// How many cycles a request to shared memory takes when the banks never rest.
//
// Launch shape: one block of 8 warps per SM, with the scenario's shared memory. Every warp does what the
// pictured warp does at the pictured step (Params::warp and step): each lane computes its address once, then
// executes the access 16 times in a row, 512 times over. Eight warps keep enough requests waiting, so the
// loop runs at the speed of the banks: cycles per request tend to the number of wavefronts. It touches the
// block's shared memory and, at the end, two clock readings per warp in global memory. Warps store the same
// values to the same words, so it does not matter who comes first.
//
// Why the compiler cannot remove an access: all are volatile, which also keeps the assembler from merging 16
// equal ones, and what was loaded flows into a sum that the kernel pretends to need.
#include "kernels/shared_time.cuh"

#include "kernels/dispatch.h"
#include "kernels/element.cuh"
#include "kernels/replay.cuh"
#include "kernels/replay.h"
#include "kernels/setting.h"

namespace warplens {
namespace {

/// Which warp of the grid all warps of the loop imitate.
struct Pictured {
    Extent block_shape;  ///< [threads]
    Extent block;
    int warp_in_block;
    int step;
};

Pictured pictured_warp(const LaunchShape& shape, const Params& p) {
    const int per_block = (shape.block.x * shape.block.y + kWarpLanes - 1) / kWarpLanes;
    const int block = p.warp / per_block % (shape.grid.x * shape.grid.y);
    return {shape.block, {block % shape.grid.x, block / shape.grid.x}, p.warp % per_block, p.step};
}

/// The same access kLoopUnroll times. @return what was loaded, folded into one number.
template <class T, bool kLoad>
__device__ std::uint32_t access_often(std::uint32_t address) {
    if constexpr (kLoad) {
        T values[kLoopUnroll];
#pragma unroll
        for (int i = 0; i < kLoopUnroll; ++i) values[i] = load_volatile_shared<T>(address);
        std::uint32_t sum = 0;
#pragma unroll
        for (int i = 0; i < kLoopUnroll; ++i) sum ^= fold(values[i]);
        return sum;
    } else {
        const T value = unfold<T>(stored_word(address));
#pragma unroll
        for (int i = 0; i < kLoopUnroll; ++i) store_volatile_shared<T>(address, value);
        return 0;
    }
}

/// One turn: every instruction kLoopUnroll times.
template <class S, int kCase, int kIndex = 0>
__device__ std::uint32_t turn(const LaneAccess* accesses, std::uint32_t base) {
    if constexpr (kIndex < Facts<S, kCase>::kCount) {
        using C = Code<S, kCase, kIndex>;
        std::uint32_t sum = 0;
        if (accesses[kIndex].active) {
            const auto address = base + static_cast<std::uint32_t>(accesses[kIndex].byte_address);
            sum = access_often<Element<C::kBytes>, C::kLoad>(address);
        }
        return sum + turn<S, kCase, kIndex + 1>(accesses, base);
    } else {
        return 0;
    }
}

template <class S, int kCase>
__global__ void __launch_bounds__(kLoopWarps* kWarpLanes)
    shared_loop(Params p, Pictured at, unsigned shared_bytes, ClockPair* clocks, std::uint32_t never,
                std::uint32_t* sink) {
    extern __shared__ uint4 shared_words[];
    fold_fixed<S, kCase>(p);
    fill_shared(shared_words, shared_bytes);

    const int lane = static_cast<int>(threadIdx.x) % kWarpLanes,
              warp = static_cast<int>(threadIdx.x) / kWarpLanes;
    const int thread = at.warp_in_block * kWarpLanes + lane;
    const ThreadId id{at.block.x, at.block.y, thread % at.block_shape.x, thread / at.block_shape.x, at.step};
    LaneAccess accesses[Facts<S, kCase>::kCount];
#pragma unroll
    for (int i = 0; i < Facts<S, kCase>::kCount; ++i) {
        accesses[i] = LaneAccess{0, false};
        if (thread < at.block_shape.x * at.block_shape.y) accesses[i] = S::access(p, i, id);
    }
    const auto base = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared_words));

    __syncthreads();
    const long long begin = clock64();
    std::uint32_t sum = 0;
#pragma unroll 1
    for (int i = 0; i < kLoopTurns; ++i) sum += turn<S, kCase>(accesses, base);
    __syncwarp();
    const long long end = clock64();

    pretend_to_need(sum, never, sink);
    if (lane == 0) clocks[blockIdx.x * kLoopWarps + warp] = {begin, end};
}

template <class S>
constexpr bool only_shared(const KernelCase& kernel) {
    for (int i = 0; i < kernel.count; ++i) {
        if (kernel.instructions[i].space != Space::shared) return false;
    }
    return true;
}

template <class S, int kCase>
std::optional<Unavailable> launch_case(const Params& p, int blocks, ClockPair* clocks, std::uint32_t* sink,
                                       cudaStream_t stream) {
    if constexpr (only_shared<S>(kCases<S>.cases[kCase])) {
        const LaunchShape shape = S::launch(p);
        const std::size_t shared = shared_bytes_of(shape);
        allow_shared(&shared_loop<S, kCase>, shared);
        shared_loop<S, kCase><<<static_cast<unsigned>(blocks), kLoopWarps * kWarpLanes, shared, stream>>>(
            p, pictured_warp(shape, p), static_cast<unsigned>(shared), clocks, kNever, sink);
        CUDA_CHECK_LAUNCH();
        return std::nullopt;
    } else {
        return no_such_case(S::info.id);
    }
}

}  // namespace

std::optional<Unavailable> launch_shared_loop(std::string_view scenario, const Params& params, int blocks,
                                              ClockPair* clocks, std::uint32_t* sink, cudaStream_t stream) {
    std::optional<Unavailable> why;
    const bool known = with_scenario(scenario, [&]<class S>() {
        const bool built = with_case<S>(
            params, [&]<int kCase>() { why = launch_case<S, kCase>(params, blocks, clocks, sink, stream); });
        if (!built) why = no_such_case(scenario);
    });
    return known ? why : no_such_scenario(scenario);
}

}  // namespace warplens
