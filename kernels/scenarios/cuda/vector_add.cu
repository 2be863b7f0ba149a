// Each thread adds one element of two vectors. The block may have three dimensions; the guard stops the
// threads whose element would lie beyond the end.
#include "kernels/scenarios/vector_add.h"

#include "kernels/scenarios/cuda/scenario_kernel.cuh"
#include "kernels/scramble.h"

namespace warplens {
namespace vector_add {

__global__ void add(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n) {
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const int i = blockIdx.x * threads + thread;
    if (i >= n) return;    // the guard
    const float x = a[i];  // access: load a
    const float y = b[i];  // access: load b
    c[i] = x + y;          // access: store c
}

/// The element is counted z first: neighbouring lanes, which differ in x, lie far apart.
__global__ void add_z_first(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                            int n) {
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    const int thread = threadIdx.z + blockDim.z * (threadIdx.y + blockDim.y * threadIdx.x);
    const int i = blockIdx.x * threads + thread;
    if (i >= n) return;    // the guard
    const float x = a[i];  // access: load a
    const float y = b[i];  // access: load b
    c[i] = x + y;          // access: store c
}

std::optional<Unavailable> launch(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    const bool x_first = p.walk == int(ThreadOrder::x_first);
    const LaunchSize size{.grid = dim3_of(VectorAdd::launch(p).grid),
                          .block = {static_cast<unsigned>(p.block_x), static_cast<unsigned>(p.block_y),
                                    static_cast<unsigned>(p.block_rows)}};
    return launch_kernel(x_first ? &add : &add_z_first, size, stream, array_of<const float>(memory, 0),
                         array_of<const float>(memory, 2), array_of<float>(memory, 1), p.width);
}

/// Multiples of 1/128 from -1 to just below 1, whose sums are exact.
__host__ __device__ float entry(int element, std::uint64_t seed) {
    const int level = int(scramble(seed << 32 | static_cast<std::uint64_t>(element)) % 256) - 128;
    return float(level) / 128;
}
constexpr std::uint64_t kSeedA = 1, kSeedB = 2;

__global__ void fill(float* vector, int n, std::uint64_t seed) {
    for (int i = int(blockIdx.x * blockDim.x + threadIdx.x); i < n; i += int(gridDim.x * blockDim.x))
        vector[i] = entry(i, seed);
}

std::optional<Unavailable> prepare(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    constexpr int kBlocks = 1024, kThreads = 256;
    fill<<<kBlocks, kThreads, 0, stream>>>(array_of<float>(memory, 0), p.width, kSeedA);
    CUDA_CHECK_LAUNCH();
    fill<<<kBlocks, kThreads, 0, stream>>>(array_of<float>(memory, 2), p.width, kSeedB);
    CUDA_CHECK_LAUNCH();
    return std::nullopt;
}

ExpectedBytes expected(const Params& p) {
    ExpectedBytes right;
    for (const std::int64_t i : spread_evenly(p.width, 256)) {
        const int element = int(i);
        right.add_value(static_cast<std::uint64_t>(i) * VectorAdd::kBytes,
                        entry(element, kSeedA) + entry(element, kSeedB));
    }
    return right;
}

}  // namespace vector_add

template <>
ScenarioKernel kernel_of<VectorAdd>() {
    return {
        .prepare = &vector_add::prepare, .launch = &vector_add::launch, .expected = &vector_add::expected};
}

}  // namespace warplens
