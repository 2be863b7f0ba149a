// Each thread fills a small array and reads it again. What the compiler knows about the index decides whether
// the array lies in registers or in local memory.
#include "kernels/scenarios/local_array.h"

#include "kernels/scenarios/cuda/scenario_kernel.cuh"

namespace warplens {
namespace local_array {

/// Once the loops are unrolled, the compiler knows every index: the array stays in registers.
template <int kWords>
__global__ void array_known(float factor, unsigned wanted, unsigned* found) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a[kWords], value = i, sum = 0;
#pragma unroll
    for (int k = 0; k < kWords; ++k) {
        value = fmaf(value, factor, 1.0f);
        a[k] = value;  // access: keep in a register
    }
#pragma unroll
    for (int k = 0; k < kWords; ++k) sum = fmaf(sum, factor, a[k]);
    // Nobody needs the sum, but without a use for it the compiler would drop everything.
    if (__float_as_uint(sum) == wanted) *found = i;
}

/// The compiler does not know that `stride` is 1, so it does not know the indices. Registers cannot be
/// indexed: the array lies in local memory. All lanes have the same index.
template <int kWords>
__global__ void array_uniform(int stride, float factor, unsigned wanted, unsigned* found) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a[kWords], value = i, sum = 0;
    // Unrolled by half: completely unrolled, the word that is stored last would not be loaded.
#pragma unroll(kWords / 2)
    for (int k = 0; k < kWords; ++k) {
        value = fmaf(value, factor, 1.0f);
        a[k * stride] = value;  // access: store to its own array
    }
#pragma unroll(kWords / 2)
    for (int k = 0; k < kWords; ++k)
        sum = fmaf(sum, factor, a[k * stride]);  // access: load from its own array
    if (__float_as_uint(sum) == wanted) *found = i;
}

/// @param stride  by how many words the indices of lanes side by side differ
template <int kWords>
__global__ void array_different(int stride, float factor, unsigned wanted, unsigned* found) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned first = threadIdx.x % 32 * stride;
    float a[kWords], value = i, sum = 0;
#pragma unroll(kWords / 2)
    for (int k = 0; k < kWords; ++k) {
        value = fmaf(value, factor, 1.0f);
        a[(first + k) % kWords] = value;  // access: store to its own array
    }
#pragma unroll(kWords / 2)
    for (int k = 0; k < kWords; ++k)
        sum = fmaf(sum, factor, a[(first + k) % kWords]);  // access: load from its own array
    if (__float_as_uint(sum) == wanted) *found = i;
}

template <int kWords>
std::optional<Unavailable> launch_words(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    using Index = LocalArray::Index;
    const LaunchShape shape = LocalArray::launch(p);
    constexpr float kFactor = 0.75f;
    switch (static_cast<Index>(p.variant)) {
        case Index::known:
            return launch_over(shape, stream, &array_known<kWords>, kFactor, kNever, memory.sink);
        case Index::uniform:
            return launch_over(shape, stream, &array_uniform<kWords>, 1, kFactor, kNever, memory.sink);
        case Index::different:
            break;
    }
    return launch_over(shape, stream, &array_different<kWords>, p.stride, kFactor, kNever, memory.sink);
}

std::optional<Unavailable> launch(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    switch (p.array_words) {
        case 8:
            return launch_words<8>(p, memory, stream);
        case 16:
            return launch_words<16>(p, memory, stream);
        case 32:
            return launch_words<32>(p, memory, stream);
        case 64:
            return launch_words<64>(p, memory, stream);
        default:
            return launch_words<128>(p, memory, stream);
    }
}

}  // namespace local_array

template <>
ScenarioKernel kernel_of<LocalArray>() {
    return {.launch = &local_array::launch};
}

}  // namespace warplens
