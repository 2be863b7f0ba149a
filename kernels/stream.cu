// Replay a scenario: every thread executes the scenario's instructions, at the scenario's addresses.
//
// Launch shape: the scenario's own grid, block and shared memory. One thread runs the instructions of phase 0
// in order, step by step, waits for its block, and goes on with the next phase. A load takes one element into
// a register; a store that follows it in the same phase writes that element on. It touches the scenario's two
// buffers in global memory and the block's dynamic shared memory, nothing else, except: when the first access
// to shared memory is a load, all threads fill shared memory with 16-byte stores first.
//
// Why the compiler cannot remove a load: its value is stored by the next instruction, or compared with a
// kernel argument that it never equals (pretend_to_need). Why it cannot remove a store: global memory
// outlives the kernel; shared memory that nobody reads does not, so stores to shared memory are volatile when
// no load of the kernel follows.
//
// There is one kernel for each list of instructions that a scenario can have (kernels/program.h), so spaces,
// widths and the choices behind them are constants, and the kernel is as lean as one written by hand.
#include "kernels/replay.cuh"

#include "kernels/dispatch.h"
#include "kernels/element.cuh"
#include "kernels/replay.h"
#include "kernels/setting.h"

namespace warplens {
namespace {

struct Memory {
    ReplayMemory global;
    unsigned char* shared;
    std::uint32_t never;
};

/// The instructions of one phase from kIndex on, for one step.
/// @param carried  the value that the instruction before has loaded, if kLoaded
template <class S, int kCase, int kPhase, int kIndex, bool kLoaded, class Carried>
__device__ void run_from(const Params& p, const ThreadId& thread, const Memory& memory, Carried carried) {
    if constexpr (kIndex < Facts<S, kCase>::kCount) {
        using C = Code<S, kCase, kIndex>;
        if constexpr (C::kPhase != kPhase) {
            run_from<S, kCase, kPhase, kIndex + 1, false>(p, thread, memory, std::uint32_t{0});
        } else {
            using T = Element<C::kBytes>;
            const LaneAccess access = S::access(p, kIndex, thread);
            unsigned char* const base = C::kShared ? memory.shared : memory.global.buffer[C::kBuffer];
            T* const at = reinterpret_cast<T*>(base + access.byte_address);
            T value{};
            if constexpr (C::kLoad) {
                if (access.active) value = *at;
                if constexpr (!C::kStoredNext) pretend_to_need(fold(value), memory.never, memory.global.sink);
            } else {
                value = kLoaded ? element_cast<T>(carried) : unfold<T>(stored_word(access.byte_address));
                if (access.active) {
                    if constexpr (C::kShared && !Facts<S, kCase>::kLoadsShared) {
                        store_volatile_shared(static_cast<std::uint32_t>(__cvta_generic_to_shared(at)),
                                              value);
                    } else {
                        *at = value;
                    }
                }
            }
            run_from<S, kCase, kPhase, kIndex + 1, C::kLoad || kLoaded>(p, thread, memory, value);
        }
    }
}

template <class S, int kCase, bool kOneStep, int kPhase = 0>
__device__ void run_phases(const Params& p, int steps, const Memory& memory) {
    ThreadId thread{static_cast<int>(blockIdx.x), static_cast<int>(blockIdx.y), static_cast<int>(threadIdx.x),
                    static_cast<int>(threadIdx.y), 0};
    if constexpr (kOneStep) {
        run_from<S, kCase, kPhase, 0, false>(p, thread, memory, std::uint32_t{0});
    } else {
#pragma unroll 4
        for (thread.step = 0; thread.step < steps; ++thread.step) {
            run_from<S, kCase, kPhase, 0, false>(p, thread, memory, std::uint32_t{0});
        }
    }
    if constexpr (kPhase < Facts<S, kCase>::kLastPhase) {
        __syncthreads();
        run_phases<S, kCase, kOneStep, kPhase + 1>(p, steps, memory);
    }
}

template <class S, int kCase, bool kOneStep>
__global__ void __launch_bounds__(1024)
    replay_kernel(Params p, int steps, unsigned shared_bytes, ReplayMemory memory, std::uint32_t never) {
    extern __shared__ uint4 shared_words[];
    fold_fixed<S, kCase>(p);
    if constexpr (Facts<S, kCase>::kFillsShared) fill_shared(shared_words, shared_bytes);
    run_phases<S, kCase, kOneStep>(p, steps, {memory, reinterpret_cast<unsigned char*>(shared_words), never});
}

template <class S, int kCase>
void launch_case(const Params& p, const ReplayMemory& memory, cudaStream_t stream) {
    const LaunchShape shape = S::launch(p);
    const dim3 grid(static_cast<unsigned>(shape.grid.x), static_cast<unsigned>(shape.grid.y));
    const dim3 block(static_cast<unsigned>(shape.block.x), static_cast<unsigned>(shape.block.y));
    const std::size_t shared = shared_bytes_of(shape);
    const auto kernel = shape.steps == 1 ? &replay_kernel<S, kCase, true> : &replay_kernel<S, kCase, false>;
    allow_shared(kernel, shared);
    kernel<<<grid, block, shared, stream>>>(p, shape.steps, static_cast<unsigned>(shared), memory, kNever);
    CUDA_CHECK_LAUNCH();
}

}  // namespace

std::optional<Unavailable> launch_replay(std::string_view scenario, const Params& params,
                                         const ReplayMemory& memory, cudaStream_t stream) {
    std::optional<Unavailable> why;
    const bool known = with_scenario(scenario, [&]<class S>() {
        const bool built =
            with_case<S>(params, [&]<int kCase>() { launch_case<S, kCase>(params, memory, stream); });
        if (!built) why = no_such_case(scenario);
    });
    return known ? why : no_such_scenario(scenario);
}

}  // namespace warplens
