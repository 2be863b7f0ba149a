// Measures how many cycles a request to shared memory takes while the banks are always busy.
//
// Launch shape: one block of 16 warps per SM, with the scenario's shared memory. Every warp executes the
// pictured warp's request: each lane loads its address once, then executes the access 16 times in a row, in
// 512 iterations. Sixteen warps keep enough requests waiting that the loop runs at the speed of the banks:
// cycles per request approach the number of wavefronts. It accesses the block's shared memory and, at the
// end, writes two clock readings per warp to global memory. Warps store the same values to the same words, so
// their order does not matter.
//
// Why the compiler cannot remove an access: all are volatile, which also keeps the assembler from merging 16
// equal ones, and what was loaded contributes to a sum that the kernel pretends to need. ldmatrix has no
// volatile form: its address advances by a zero that is not known at compile time.
#include "kernels/cuda/access.cuh"
#include "kernels/cuda/launch.cuh"
#include "kernels/loop_shape.h"
#include "kernels/timing/microbenchmarks.cuh"

#include <bit>

namespace warplens {
namespace {

/// The arguments of a launch.
struct BankLoop {
    std::uint32_t address[kWarpLanes];  ///< in the block's shared memory [bytes]
    std::uint32_t active;
    unsigned shared_bytes;
    std::uint32_t never;  ///< kNever, which the compiler must not know
};

/// kLoopUnroll loads of an element.
template <class T>
struct Loads {
    __device__ static std::uint32_t often(std::uint32_t& address, std::uint32_t) {
        T values[kLoopUnroll];
#pragma unroll
        for (int i = 0; i < kLoopUnroll; ++i) values[i] = load_volatile_shared<T>(address);
        std::uint32_t sum = 0;
#pragma unroll
        for (int i = 0; i < kLoopUnroll; ++i) sum ^= fold(values[i]);
        return sum;
    }
};

/// kLoopUnroll stores of an element.
template <class T>
struct Stores {
    __device__ static std::uint32_t often(std::uint32_t& address, std::uint32_t) {
        const T value = unfold<T>(address);  // lanes that share a word store the same value
#pragma unroll
        for (int i = 0; i < kLoopUnroll; ++i) store_volatile_shared<T>(address, value);
        return 0;
    }
};

/// kLoopUnroll times ldmatrix. All lanes must call it.
/// @param zero  0, which the compiler does not know
template <int kMatrices>
struct MatrixLoads {
    __device__ static std::uint32_t often(std::uint32_t& address, std::uint32_t zero) {
        std::uint32_t sum = 0;
#pragma unroll
        for (int i = 0; i < kLoopUnroll; ++i) {
            sum ^= fold(load_matrices<kMatrices>(address));
            address += zero;
        }
        return sum;
    }
};

template <class Access, bool kAllLanes32>
__global__ void __launch_bounds__(kLoopWarps* kWarpLanes)
    bank_loop(const __grid_constant__ BankLoop loop, ClockPair* clocks, std::uint32_t* sink) {
    extern __shared__ uint4 shared_words[];
    fill_shared(shared_words, loop.shared_bytes);
    const unsigned lane = threadIdx.x % kWarpLanes, warp = threadIdx.x / kWarpLanes;
    auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared_words)) + loop.address[lane];
    const bool active = kAllLanes32 || (loop.active >> lane & 1u) != 0;

    __syncthreads();
    const long long begin = clock64();
    std::uint32_t sum = 0;
#pragma unroll 1
    for (int i = 0; i < kLoopTurns; ++i) {
        if (active) sum += Access::often(address, loop.never + 1);
    }
    __syncwarp();
    const long long end = clock64();

    if (sum >> 1 == loop.never) *sink = sum;
    if (lane == 0) clocks[blockIdx.x * kLoopWarps + warp] = {begin, end};
}

using Function = void (*)(BankLoop, ClockPair*, std::uint32_t*);

template <template <class> class Access>
Function for_element(int bytes) {
    switch (bytes) {
        case 1:
            return &bank_loop<Access<Element<1>>, false>;
        case 2:
            return &bank_loop<Access<Element<2>>, false>;
        case 4:
            return &bank_loop<Access<Element<4>>, false>;
        case 8:
            return &bank_loop<Access<Element<8>>, false>;
        default:
            return &bank_loop<Access<Element<16>>, false>;
    }
}

Function loop_for(const PicturedRequest& request) {
    constexpr int kRowsOfMatrix = 8;
    const int bytes = request.instruction.bytes_per_lane;
    if (request.instruction.op == Op::store) return for_element<Stores>(bytes);
    if (request.instruction.op == Op::load) return for_element<Loads>(bytes);
    const int matrices = std::popcount(request.active) / kRowsOfMatrix;
    return matrices == 1   ? &bank_loop<MatrixLoads<1>, true>
           : matrices == 2 ? &bank_loop<MatrixLoads<2>, true>
                           : &bank_loop<MatrixLoads<4>, true>;
}

}  // namespace

std::optional<Unavailable> launch_bank_loop(const PicturedRequest& request, const LaunchShape& shape,
                                            int blocks, const KernelMemory& memory, cudaStream_t stream) {
    const std::size_t shared = shared_bytes_of(shape);
    BankLoop loop{.address = {},
                  .active = request.active,
                  .shared_bytes = static_cast<unsigned>(shared),
                  .never = kNever};
    for (int lane = 0; lane < kWarpLanes; ++lane)
        loop.address[lane] = static_cast<std::uint32_t>(request.byte_address[lane]);
    const Function kernel = loop_for(request);
    const LaunchSize size{.grid = dim3(static_cast<unsigned>(blocks)),
                          .block = dim3(kLoopWarps * kWarpLanes),
                          .shared = shared};
    return launch_kernel(kernel, size, stream, loop, memory.clocks, memory.sink);
}

}  // namespace warplens
