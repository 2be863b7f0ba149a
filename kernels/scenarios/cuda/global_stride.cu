// Thread i loads or stores element offset + i * stride of an array. Copies read there, and write side by side
// or with the same stride.
#include "kernels/scenarios/global_stride.h"

#include "kernels/scenarios/cuda/scenario_kernel.cuh"

namespace warplens {
namespace global_stride {

/// Look for a value, so that each element is needed.
template <class T>
__global__ void load_strided(const T* __restrict__ in, int n, int stride, int offset, unsigned mask,
                             unsigned wanted, unsigned* found) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if ((mask >> threadIdx.x % 32 & 1) == 0) return;
    const T value = in[offset + static_cast<long long>(i) * stride];  // access: load in, strided
    if (fold(value) == wanted) *found = i;
}

/// Make each element from the low half of its own address.
template <class T>
__global__ void store_strided(T* __restrict__ out, int n, int stride, int offset, unsigned mask) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if ((mask >> threadIdx.x % 32 & 1) == 0) return;
    const long long at = offset + static_cast<long long>(i) * stride;
    out[at] = unfold<T>(at * sizeof(T));  // access: store out, strided
}

template <class T>
__global__ void copy_strided(const T* __restrict__ in, T* __restrict__ out, int n, int stride, int offset,
                             unsigned mask) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if ((mask >> threadIdx.x % 32 & 1) == 0) return;
    const T value = in[offset + static_cast<long long>(i) * stride];  // access: load in, strided
    out[i] = value;                                                   // access: store out, coalesced
}

template <class T>
__global__ void copy_both_strided(const T* __restrict__ in, T* __restrict__ out, int n, int stride,
                                  int offset, unsigned mask) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if ((mask >> threadIdx.x % 32 & 1) == 0) return;
    const long long at = offset + static_cast<long long>(i) * stride;
    const T value = in[at];  // access: load in, strided
    out[at] = value;         // access: store out, strided
}

std::optional<Unavailable> launch(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    return with_element(p.element_bytes, [&]<class T>() {
        const LaunchShape shape = GlobalStride::launch(p);
        const int n = 1 << p.elements_log2;
        const auto mask = static_cast<unsigned>(p.mask);
        const auto* in = array_of<const T>(memory, 0);
        auto* out = array_of<T>(memory, 1);
        switch (static_cast<Operation>(p.operation)) {
            case Operation::load:
                return launch_over(shape, stream, &load_strided<T>, in, n, p.stride, p.offset, mask, kNever,
                                   memory.sink);
            case Operation::store:
                return launch_over(shape, stream, &store_strided<T>, out, n, p.stride, p.offset, mask);
            case Operation::copy:
                return launch_over(shape, stream, &copy_strided<T>, in, out, n, p.stride, p.offset, mask);
            case Operation::copy_both:
                break;
        }
        return launch_over(shape, stream, &copy_both_strided<T>, in, out, n, p.stride, p.offset, mask);
    });
}

/// All active lanes of some warps.
ExpectedBytes expected(const Params& p) {
    ExpectedBytes right;
    const auto operation = static_cast<Operation>(p.operation);
    if (operation == Operation::load) return right;
    for (const std::int64_t warp : spread_evenly((std::int64_t{1} << p.elements_log2) / kWarpLanes, 16)) {
        for (int lane = 0; lane < kWarpLanes; ++lane) {
            if (!lane_in_mask(p, lane)) continue;
            const std::int64_t i = warp * kWarpLanes + lane;
            const auto bytes = static_cast<std::uint64_t>(p.element_bytes);
            const std::uint64_t strided = static_cast<std::uint64_t>(p.offset + i * p.stride) * bytes;
            const std::uint64_t to =
                operation == Operation::copy ? static_cast<std::uint64_t>(i) * bytes : strided;
            if (operation == Operation::store) {
                with_element(p.element_bytes, [&]<class T>() {
                    right.add_value(to, unfold<T>(static_cast<std::uint32_t>(to)));
                });
                continue;
            }
            for (std::uint64_t b = 0; b < bytes; ++b) right.add(to + b, initial_byte(strided + b));
        }
    }
    return right;
}

}  // namespace global_stride

template <>
ScenarioKernel kernel_of<GlobalStride>() {
    return {.launch = &global_stride::launch, .expected = &global_stride::expected};
}

}  // namespace warplens
