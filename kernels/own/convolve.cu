// A filter slides over an image; its weights lie in constant, shared or global memory.
//
// Launch shape: the scenario's own, blocks of 32 x 8 threads. One thread computes one element of the output:
// for each tap of the filter it loads one element of the image and one weight, and at the end it writes the
// sum. In the shared variant the first threads copy the weights into the block's dynamic shared memory first.
//
// No load can be removed, because each contributes to the sum that is written. The size of the filter is
// known only at run time: otherwise weights in constant memory would become operands of the multiply-adds,
// and there would be no load to count. For the same reason the compiler must believe that the index of a
// weight differs from lane to lane: the uniform datapath would load a uniform index, unlike an index that a
// program computes itself.
#include "kernels/launch_setting.h"
#include "kernels/own/own_kernels.cuh"
#include "kernels/scenarios/constant_convolution.h"
#include "kernels/scramble.h"

#include <array>

namespace warplens {
namespace {

using Scenario = ConstantConvolution;

constexpr int kMostWeights = 81;
__constant__ float constant_weights[kMostWeights];

/// Values are multiples of 1/128 from -1 to just below 1, so that sums of so few products are exact in any
/// order.
__host__ __device__ float pixel(int element) {
    const int level = static_cast<int>(scramble(static_cast<std::uint64_t>(element)) % 256) - 128;
    return static_cast<float>(level) / 128;
}

__global__ void fill_image(float* image, int elements) {
    for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < elements;
         i += static_cast<int>(gridDim.x * blockDim.x))
        image[i] = pixel(i);
}

template <WeightMemory kMemory>
__device__ float weight_at(int element, const float* weights, const float* shared_weights) {
    if constexpr (kMemory == WeightMemory::constant)
        return constant_weights[element];  // access: load weight from constant memory
    if constexpr (kMemory == WeightMemory::shared)
        return shared_weights[element];  // access: load weight from shared memory
    return weights[element];             // access: load weight from global memory
}

template <WeightMemory kMemory>
__global__ void __launch_bounds__(Scenario::kBlockX* Scenario::kBlockY)
    convolve(Params p, const float* __restrict__ in, const float* __restrict__ weights,
             float* __restrict__ out) {
    extern __shared__ float shared_weights[];
    const int thread = static_cast<int>(threadIdx.y) * Scenario::kBlockX + static_cast<int>(threadIdx.x);
    if constexpr (kMemory == WeightMemory::shared) {
        if (thread < p.filter * p.filter) {
            const float weight = weights[thread];  // access: copy weights: load
            shared_weights[thread] = weight;       // access: copy weights: store
        }
        __syncthreads();
    }
    const int x = static_cast<int>(blockIdx.x) * Scenario::kBlockX + static_cast<int>(threadIdx.x);
    const int y = static_cast<int>(blockIdx.y) * Scenario::kBlockY + static_cast<int>(threadIdx.y);
    const int zero = static_cast<int>(threadIdx.x) /
                     Scenario::kBlockX;  // 0 for every thread, which the compiler does not know
    float sum = 0;
    for (int dy = 0; dy < p.filter; ++dy) {
        for (int dx = 0; dx < p.filter; ++dx) {
            const int tap = Scenario::weight_element(p, dy, dx) + zero;
            const float value = in[Scenario::in_element(p, y + dy, x + dx)];  // access: load in
            sum = fmaf(value, weight_at<kMemory>(tap, weights, shared_weights), sum);
        }
    }
    out[Scenario::out_element(p, y, x)] = sum;  // access: store out
}

float* floats(const ReplayMemory& memory, int buffer) {
    return reinterpret_cast<float*>(memory.buffer[buffer]);
}

std::optional<Unavailable> prepare(const Params& p, const ReplayMemory& memory, cudaStream_t stream) {
    constexpr int kBlocks = 1024, kThreads = 256;
    const LaunchShape shape = Scenario::launch(p);
    const int elements = static_cast<int>(shape.buffer_bytes[0] / Scenario::kBytes);
    fill_image<<<kBlocks, kThreads, 0, stream>>>(floats(memory, 0), elements);
    CUDA_CHECK_LAUNCH();
    std::array<float, kMostWeights> weights{};
    for (int i = 0; i < kMostWeights; ++i) weights[static_cast<std::size_t>(i)] = Scenario::weight(i);
    const std::size_t bytes = sizeof(float) * static_cast<std::size_t>(p.filter * p.filter);
    if (Scenario::memory(p) == WeightMemory::constant) {
        CUDA_CHECK(cudaMemcpyToSymbolAsync(constant_weights, weights.data(), bytes, 0, cudaMemcpyHostToDevice,
                                           stream));
    } else {
        CUDA_CHECK(cudaMemcpyAsync(memory.buffer[2], weights.data(), bytes, cudaMemcpyHostToDevice, stream));
    }
    return std::nullopt;
}

std::optional<Unavailable> launch(const Params& p, const ReplayMemory& memory, cudaStream_t stream) {
    constexpr auto kKernels = [](WeightMemory where) {
        return where == WeightMemory::constant ? &convolve<WeightMemory::constant>
               : where == WeightMemory::shared ? &convolve<WeightMemory::shared>
                                               : &convolve<WeightMemory::global>;
    };
    const LaunchShape shape = Scenario::launch(p);
    kKernels(
        Scenario::memory(p))<<<dim3_of(shape.grid), dim3_of(shape.block), shared_bytes_of(shape), stream>>>(
        p, floats(memory, 0), floats(memory, 2), floats(memory, 1));
    CUDA_CHECK_LAUNCH();
    return std::nullopt;
}

/// The expected values of some pixels, computed on the CPU.
ExpectedBytes expected(const Params& p) {
    constexpr int kSamples = 64;
    ExpectedBytes bytes;
    for (const int i : spread_evenly(p.matrix * p.matrix, kSamples)) {
        const int y = i / p.matrix, x = i % p.matrix;
        float sum = 0;
        for (int dy = 0; dy < p.filter; ++dy) {
            for (int dx = 0; dx < p.filter; ++dx)
                sum += pixel(Scenario::in_element(p, y + dy, x + dx)) *
                       Scenario::weight(Scenario::weight_element(p, dy, dx));
        }
        bytes.add_float(static_cast<std::uint64_t>(Scenario::out_element(p, y, x)) * Scenario::kBytes, sum);
    }
    return bytes;
}

}  // namespace

OwnKernel convolve_kernel() { return {.prepare = &prepare, .launch = &launch, .expected = &expected}; }

}  // namespace warplens
