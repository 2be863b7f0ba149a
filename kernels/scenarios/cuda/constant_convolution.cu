// A filter slides over an image: each thread computes one pixel of the output. There is a kernel for each
// memory that can hold the filter's weights.
#include "kernels/scenarios/constant_convolution.h"

#include "kernels/scenarios/cuda/scenario_kernel.cuh"
#include "kernels/scramble.h"

#include <array>

namespace warplens {
namespace constant_convolution {

__constant__ float constant_weights[9 * 9];

/// @param pitch  the elements of a stored row of the image, with the halo on its right
template <int kFilter>
__global__ void convolve_constant(const float* __restrict__ in, float* __restrict__ out, int n, int pitch) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
#pragma unroll
    for (int dy = 0; dy < kFilter; ++dy) {
#pragma unroll
        for (int dx = 0; dx < kFilter; ++dx) {
            const float value = in[(y + dy) * pitch + x + dx];         // access: load in
            const float weight = constant_weights[dy * kFilter + dx];  // access: weight, an operand
            sum += value * weight;
        }
    }
    out[y * n + x] = sum;  // access: store out
}

/// The first threads of the block copy the weights to shared memory.
template <int kFilter>
__global__ void convolve_shared(const float* __restrict__ in, const float* __restrict__ weights,
                                float* __restrict__ out, int n, int pitch) {
    __shared__ float shared_weights[kFilter * kFilter];
    const int thread = threadIdx.y * blockDim.x + threadIdx.x;
    if (thread < kFilter * kFilter)
        shared_weights[thread] = weights[thread];  // access: copy weights: load; copy weights: store
    __syncthreads();
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
#pragma unroll
    for (int dy = 0; dy < kFilter; ++dy) {
#pragma unroll
        for (int dx = 0; dx < kFilter; ++dx) {
            const float value = in[(y + dy) * pitch + x + dx];  // access: load in
            const float weight =
                shared_weights[dy * kFilter + dx];  // access: load four weights; load last weight
            sum += value * weight;
        }
    }
    out[y * n + x] = sum;  // access: store out
}

template <int kFilter>
__global__ void convolve_global(const float* __restrict__ in, const float* __restrict__ weights,
                                float* __restrict__ out, int n, int pitch) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
#pragma unroll
    for (int dy = 0; dy < kFilter; ++dy) {
#pragma unroll
        for (int dx = 0; dx < kFilter; ++dx) {
            const float value = in[(y + dy) * pitch + x + dx];  // access: load in
            const float weight = weights[dy * kFilter + dx];    // access: load weight
            sum += value * weight;
        }
    }
    out[y * n + x] = sum;  // access: store out
}

using Scenario = ConstantConvolution;

template <int kFilter>
std::optional<Unavailable> launch_filter(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    LaunchShape shape = Scenario::launch(p);
    shape.shared_bytes = 0;  // convolve_shared declares its array
    const auto *in = array_of<const float>(memory, 0), *weights = array_of<const float>(memory, 2);
    auto* out = array_of<float>(memory, 1);
    const int n = p.matrix, pitch = Scenario::pitch(p);
    switch (Scenario::memory(p)) {
        case WeightMemory::constant:
            return launch_over(shape, stream, &convolve_constant<kFilter>, in, out, n, pitch);
        case WeightMemory::shared:
            return launch_over(shape, stream, &convolve_shared<kFilter>, in, weights, out, n, pitch);
        case WeightMemory::global:
            break;
    }
    return launch_over(shape, stream, &convolve_global<kFilter>, in, weights, out, n, pitch);
}

std::optional<Unavailable> launch(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    switch (p.filter) {
        case 3:
            return launch_filter<3>(p, memory, stream);
        case 5:
            return launch_filter<5>(p, memory, stream);
        case 7:
            return launch_filter<7>(p, memory, stream);
        default:
            return launch_filter<9>(p, memory, stream);
    }
}

/// Values are multiples of 1/128 from -1 to just below 1, so that sums of so few products are exact in any
/// order.
__host__ __device__ float pixel(int element) {
    const int level = int(scramble(static_cast<std::uint64_t>(element)) % 256) - 128;
    return float(level) / 128;
}

__global__ void fill_image(float* image, int elements) {
    for (int i = int(blockIdx.x * blockDim.x + threadIdx.x); i < elements; i += int(gridDim.x * blockDim.x))
        image[i] = pixel(i);
}

std::optional<Unavailable> prepare(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    constexpr int kBlocks = 1024, kThreads = 256;
    const LaunchShape shape = Scenario::launch(p);
    const int elements = int(shape.buffer_bytes[0] / Scenario::kBytes);
    fill_image<<<kBlocks, kThreads, 0, stream>>>(array_of<float>(memory, 0), elements);
    CUDA_CHECK_LAUNCH();
    std::array<float, sizeof constant_weights / sizeof(float)> weights{};
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = Scenario::weight(int(i));
    const std::size_t bytes = sizeof(float) * static_cast<std::size_t>(p.filter * p.filter);
    if (Scenario::memory(p) == WeightMemory::constant) {
        CUDA_CHECK(cudaMemcpyToSymbolAsync(constant_weights, weights.data(), bytes, 0, cudaMemcpyHostToDevice,
                                           stream));
    } else {
        CUDA_CHECK(cudaMemcpyAsync(memory.buffer[2], weights.data(), bytes, cudaMemcpyHostToDevice, stream));
    }
    return std::nullopt;
}

/// Some pixels by the definition.
ExpectedBytes expected(const Params& p) {
    constexpr int kSamples = 64;
    const int n = p.matrix, pitch = Scenario::pitch(p);
    ExpectedBytes bytes;
    for (const std::int64_t i : spread_evenly(std::int64_t{n} * n, kSamples)) {
        const int y = int(i / n), x = int(i % n);
        float sum = 0;
        for (int dy = 0; dy < p.filter; ++dy) {
            for (int dx = 0; dx < p.filter; ++dx)
                sum += pixel((y + dy) * pitch + x + dx) * Scenario::weight(dy * p.filter + dx);
        }
        bytes.add_value(static_cast<std::uint64_t>(i) * sizeof(float), sum);
    }
    return bytes;
}

}  // namespace constant_convolution

template <>
ScenarioKernel kernel_of<ConstantConvolution>() {
    return {.prepare = &constant_convolution::prepare,
            .launch = &constant_convolution::launch,
            .expected = &constant_convolution::expected};
}

}  // namespace warplens
