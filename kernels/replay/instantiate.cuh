#pragma once

#include "kernels/replay/chain.cuh"
#include "kernels/replay/scenario_kernels.cuh"
#include "kernels/replay/stream.cuh"
#include "kernels/replay/trace_kernel.cuh"
#include "kernels/scenarios/plain_kernels.cuh"
#include "kernels/timing/shared_time.cuh"

namespace warplens {

/// Names only the kernel that a scenario in the list asks for, so that a kernel can be added together with
/// its scenario.
template <Kernel kKernel>
OwnKernel own_kernel() {
    if constexpr (kKernel == Kernel::gather) return gather_kernel();
    if constexpr (kKernel == Kernel::convolve) return convolve_kernel();
    if constexpr (kKernel == Kernel::spill) return spill_kernel();
    if constexpr (kKernel == Kernel::filter) return filter_kernel();
    if constexpr (kKernel == Kernel::chase) return chase_kernel();
    if constexpr (kKernel == Kernel::multiply) return multiply_kernel();
}

template <class S>
ScenarioKernels kernels_of() {
    ScenarioKernels kernels;
    kernels.trace = &launch_trace_of<S>;
    if constexpr (some_case_is_shared<S>()) kernels.banks = &launch_banks_of<S>;
    if constexpr (S::info.kernel == Kernel::plain) {
        kernels.grid = plain_kernel<S>();
    } else if constexpr (S::info.kernel != Kernel::replay) {
        kernels.grid = own_kernel<S::info.kernel>();
    } else {
        kernels.grid.launch = &launch_replay_of<S>;
        kernels.grid.expected = [](const Params& p) { return expect_output(S::info.id, p); };
        if constexpr (S::info.speed_unit != nullptr) {
            kernels.chain.launch = &launch_chain_of<S>;
            kernels.chain.requests = &chain_requests<S>;
        }
    }
    return kernels;
}

}  // namespace warplens
