// A chain of multiply-adds over more values than there are registers.
//
// Launch shape: the scenario's own grid, blocks of 256 threads. A thread initialises `kLive` values, then
// updates all of them kRounds times: carry = carry * factor + value; value = carry. Every value depends on
// the one before and on itself a round earlier, so none can be dropped, recomputed or reordered, and all of
// them are live where the loop begins again. It accesses no memory except what the assembler adds: local
// memory for the values that do not fit into `kRegisters` registers.
//
// There is one kernel for each number of values and each budget of registers. Why the compiler cannot shorten
// the chain: the number of rounds and the factor are kernel arguments, and floating-point sums may not be
// regrouped. Why it cannot drop it: the sum of all values is compared with a number that it never equals.
#include "kernels/own/spill.h"

#include "kernels/cuda/check.h"
#include "kernels/cuda/element.cuh"
#include "kernels/own/own_kernels.cuh"
#include "kernels/scenarios/local_spill.h"

#include <cuda_runtime.h>

#include <iterator>
#include <string>
#include <utility>

// A register limit for one kernel is supported from CUDA 12.4 on. Earlier, the limit follows from how many
// blocks must fit on an SM, and is rounded up to a divisor of its 65,536 registers.
#if CUDART_VERSION >= 12040
#define WARPLENS_MOST_REGISTERS(count) __maxnreg__(count)
#else
#define WARPLENS_MOST_REGISTERS(count) \
    __launch_bounds__(LocalSpill::kBlockThreads, 65536 / (LocalSpill::kBlockThreads * (count)))
#endif

namespace warplens {
namespace {

template <int kLive, int kRegisters>
__global__ void WARPLENS_MOST_REGISTERS(kRegisters)
    spill(int rounds, float factor, std::uint32_t never, std::uint32_t* sink) {
    float values[kLive];
    float carry = static_cast<float>(threadIdx.x);
#pragma unroll
    for (int i = 0; i < kLive; ++i) {
        carry = fmaf(carry, factor, 1.0f);
        values[i] = carry;
    }
#pragma unroll 1
    for (int round = 0; round < rounds; ++round) {
#pragma unroll
        for (int i = 0; i < kLive; ++i) {
            carry = fmaf(carry, factor, values[i]);  // access: spill load
            values[i] = carry;                       // access: keep in registers; spill store
        }
    }
    float sum = 0;
#pragma unroll
    for (int i = 0; i < kLive; ++i) sum += values[i];
    pretend_to_need(__float_as_uint(sum), never, sink);
}

using Function = void (*)(int, float, std::uint32_t, std::uint32_t*);

template <int kLive, std::size_t... kColumn>
Function with_budget(int registers, std::index_sequence<kColumn...>) {
    Function found = nullptr;
    ((kSpillRegisters[kColumn] == registers ? void(found = &spill<kLive, kSpillRegisters[kColumn]>) : void()),
     ...);
    return found;
}

template <std::size_t... kRow>
Function kernel_for(const Params& p, std::index_sequence<kRow...>) {
    constexpr auto kColumns = std::make_index_sequence<std::size(kSpillRegisters)>{};
    Function found = nullptr;
    ((kSpillLiveValues[kRow] == p.live_values
          ? void(found = with_budget<kSpillLiveValues[kRow]>(p.registers, kColumns))
          : void()),
     ...);
    return found;
}

Function kernel_for(const Params& p) {
    return kernel_for(p, std::make_index_sequence<std::size(kSpillLiveValues)>{});
}

Unavailable no_such_kernel(const Params& p) {
    return {"no kernel was built for " + std::to_string(p.live_values) + " values and " +
            std::to_string(p.registers) + " registers"};
}

std::optional<Unavailable> launch(const Params& p, const ReplayMemory& memory, cudaStream_t stream) {
    const Function kernel = kernel_for(p);
    if (kernel == nullptr) return no_such_kernel(p);
    constexpr float kFactor = -0.5f;  // keeps the sums from growing
    const LaunchShape shape = LocalSpill::launch(p);
    kernel<<<dim3_of(shape.grid), dim3_of(shape.block), 0, stream>>>(LocalSpill::kRounds, kFactor, kNever,
                                                                     memory.sink);
    CUDA_CHECK_LAUNCH();
    return std::nullopt;
}

}  // namespace

OwnKernel spill_kernel() { return {.launch = &launch}; }

std::variant<SpillFacts, Unavailable> spill_facts(const Params& params) {
    const Function kernel = kernel_for(params);
    if (kernel == nullptr) return no_such_kernel(params);
    cudaFuncAttributes attributes{};
    try {
        CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel));
    } catch (const CudaError& error) {
        return Unavailable{error.what()};
    }
    return SpillFacts{attributes.numRegs, static_cast<int>(attributes.localSizeBytes)};
}

}  // namespace warplens
