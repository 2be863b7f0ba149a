// A chain of multiply-adds through more values than a thread may have registers: the assembler keeps the rest
// in local memory and adds the loads and stores that this takes.
//
// Every value depends on the one before and on itself a round earlier, so none can be dropped, recomputed or
// reordered, and all of them are live where the loop begins again.
#include "kernels/scenarios/local_spill.h"

#include "kernels/scenarios/cuda/scenario_kernel.cuh"
#include "kernels/timing/timed.h"

#include <iterator>
#include <string>
#include <utility>

// A register limit for one kernel exists from CUDA 12.4 on. Earlier, it follows from how many blocks of 256
// threads must fit on an SM, and is rounded up to a divisor of its 65,536 registers.
#ifndef __maxnreg__
#define __maxnreg__(count) __launch_bounds__(256, 65536 / (256 * (count)))
#endif

namespace warplens {
namespace local_spill {

/// @tparam kLive       how many values a thread holds at the same time
/// @tparam kRegisters  the most registers that it may have
template <int kLive, int kRegisters>
__global__ void __maxnreg__(kRegisters) spill(int rounds, float factor, unsigned wanted, unsigned* found) {
    float values[kLive], carry = 0;
#pragma unroll
    for (int i = 0; i < kLive; ++i) values[i] = threadIdx.x + i;
#pragma unroll 1
    for (int round = 0; round < rounds; ++round) {
#pragma unroll
        for (int i = 0; i < kLive; ++i) {
            carry = fmaf(carry, factor, values[i]);  // access: spill load
            values[i] = carry;                       // access: keep in registers; spill store
        }
    }
    // Nobody needs the carry, but without a use for it the compiler would drop everything.
    if (__float_as_uint(carry) == wanted) *found = 1;
}

using Function = void (*)(int, float, unsigned, unsigned*);

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
          ? void(found = with_budget<kSpillLiveValues[kRow]>(LocalSpill::budget(p), kColumns))
          : void()),
     ...);
    return found;
}

/// There is one kernel for each number of values and each budget of registers.
Function kernel_for(const Params& p) {
    return kernel_for(p, std::make_index_sequence<std::size(kSpillLiveValues)>{});
}

Unavailable no_such_kernel(const Params& p) {
    return {"no kernel was built for " + std::to_string(p.live_values) + " values and " +
            std::to_string(LocalSpill::budget(p)) + " registers"};
}

std::optional<Unavailable> launch(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    const Function kernel = kernel_for(p);
    if (kernel == nullptr) return no_such_kernel(p);
    constexpr float kFactor = 0.01f;  // so small that the values stay finite
    return launch_over(LocalSpill::launch(p), stream, kernel, LocalSpill::kRounds, kFactor, kNever,
                       memory.sink);
}

}  // namespace local_spill

template <>
ScenarioKernel kernel_of<LocalSpill>() {
    return {.launch = &local_spill::launch};
}

std::variant<SpillFacts, Unavailable> spill_facts(const Params& params) {
    const auto kernel = local_spill::kernel_for(params);
    if (kernel == nullptr) return local_spill::no_such_kernel(params);
    cudaFuncAttributes attributes{};
    try {
        CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel));
    } catch (const CudaError& error) {
        return Unavailable{error.what()};
    }
    return SpillFacts{attributes.numRegs, int(attributes.localSizeBytes)};
}

}  // namespace warplens
