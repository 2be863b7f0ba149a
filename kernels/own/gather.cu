// Gather as a program does it: the index comes from memory, and gives the address of the element.
//
// Launch shape: the scenario's grid of blocks of 256 threads. One thread loads one 4-byte index, at the
// scenario's address, then the element of 4, 8 or 16 bytes that it selects. It reads the buffer of indices
// (2) and the buffer of elements (0). `prepare` writes the indices first, from the scenario's formula, so
// that the kernel loads the same elements that the model counts.
//
// Why the compiler cannot remove a load: the index gives an address, and the element is compared with a
// kernel argument that it never equals (pretend_to_need).
#include "kernels/cuda/check.h"
#include "kernels/cuda/element.cuh"
#include "kernels/own/own_kernels.cuh"
#include "kernels/scenarios/global_gather.h"

namespace warplens {
namespace {

constexpr int kIndexAt = 0, kElementAt = 1;  // the numbers of the scenario's instructions
constexpr int kElementBuffer = GlobalGather::instruction({}, kElementAt).buffer;
constexpr int kIndexBuffer = GlobalGather::instruction({}, kIndexAt).buffer;

__device__ ThreadId this_thread() {
    return {static_cast<int>(blockIdx.x), 0, static_cast<int>(threadIdx.x), 0, 0};
}

/// Every thread writes its index, whether its lane is active or not.
__global__ void write_indices(const __grid_constant__ Params p, unsigned char* indices) {
    const ThreadId thread = this_thread();
    const std::uint64_t element = GlobalGather::access(p, kElementAt, thread).byte_address;
    const std::uint64_t at = GlobalGather::access(p, kIndexAt, thread).byte_address;
    *reinterpret_cast<std::uint32_t*>(indices + at) =
        static_cast<std::uint32_t>(element / static_cast<unsigned>(p.element_bytes));
}

template <int kBytes>
__global__ void __launch_bounds__(GlobalGather::kBlockThreads)
    gather(const __grid_constant__ Params p, const unsigned char* indices, const unsigned char* elements,
           std::uint32_t never, std::uint32_t* sink) {
    const LaneAccess access = GlobalGather::access(p, kIndexAt, this_thread());
    if (!access.active) return;
    const auto* const at = reinterpret_cast<const std::uint32_t*>(indices + access.byte_address);
    const std::uint32_t index = *at;                                               // access: load index
    const auto value = reinterpret_cast<const Element<kBytes>*>(elements)[index];  // access: load in
    pretend_to_need(fold(value), never, sink);
}

std::optional<Unavailable> prepare(const Params& p, const ReplayMemory& memory, cudaStream_t stream) {
    const auto blocks = static_cast<unsigned>(GlobalGather::launch(p).grid.x);
    write_indices<<<blocks, GlobalGather::kBlockThreads, 0, stream>>>(p, memory.buffer[kIndexBuffer]);
    CUDA_CHECK_LAUNCH();
    return std::nullopt;
}

std::optional<Unavailable> launch(const Params& p, const ReplayMemory& memory, cudaStream_t stream) {
    const auto kernel = p.element_bytes == 4 ? &gather<4> : p.element_bytes == 8 ? &gather<8> : &gather<16>;
    const auto blocks = static_cast<unsigned>(GlobalGather::launch(p).grid.x);
    kernel<<<blocks, GlobalGather::kBlockThreads, 0, stream>>>(
        p, memory.buffer[kIndexBuffer], memory.buffer[kElementBuffer], kNever, memory.sink);
    CUDA_CHECK_LAUNCH();
    return std::nullopt;
}

}  // namespace

OwnKernel gather_kernel() { return {.prepare = &prepare, .launch = &launch}; }

}  // namespace warplens
