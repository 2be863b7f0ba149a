// A matrix product that reads its SM's clock, to see when tiles are fetched, waited for and used.
//
// Launch shape: one block of 9 warps for each 64 x 64 results, so much shared memory that only one fits on an
// SM. Eight warps compute: each thread 4 x 4 results. They copy the tiles of A and B with cp.async, `kStages`
// pairs at a time: as soon as one is done with, its place gets the next one. The ninth warp watches the
// barriers on which copies arrive, and notes the clock. Only block 0 notes anything.
#include "kernels/timing/timeline.h"

#include "kernels/cuda/check.h"
#include "kernels/cuda/device_buffer.cuh"
#include "kernels/cuda/launch.cuh"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <string>

namespace warplens {
namespace {

constexpr int kTile = StagedProduct::kTile, kDepth = StagedProduct::kDepth;
constexpr int kEach = 4;                                       // results of a thread each way
constexpr int kThreads = kTile / kEach * (kTile / kEach);      // that compute
constexpr int kPitch = kDepth + 4;                             // of the tile of A: rows in different banks
constexpr int kStageFloats = kTile * kPitch + kDepth * kTile;  // of A and B
static_assert(kThreads == 256 && kTile * kDepth == 4 * kThreads);  // a thread copies 16 bytes of each

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800

__device__ std::uint32_t shared_address(const void* of) {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(of));
}

__device__ void copy_ahead(float* to, const float* from) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from) : "memory");
}

/// The barrier counts the thread once all copies that it has begun have arrived.
__device__ void arrive_after_copies(std::uint64_t* barrier) {
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(shared_address(barrier)) : "memory");
}

__device__ bool has_passed(std::uint64_t* barrier, int parity) {
    std::uint32_t passed;
    asm volatile(
        "{\n.reg .pred p;\nmbarrier.test_wait.parity.shared.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
        : "=r"(passed)
        : "r"(shared_address(barrier)), "r"(parity)
        : "memory");
    return passed != 0;
}

/// The warps that compute wait for each other; the one that watches does not take part.
__device__ void compute_barrier() { asm volatile("bar.sync 1, 256;" ::: "memory"); }

template <int kStages>
__global__ void __launch_bounds__(kThreads + 32)
    multiply_staged(const float* a, const float* b, float* c, int n, TileTimes* times, long long* cycles) {
    extern __shared__ float4 shared[];
    __shared__ std::uint64_t arrived[kStages];
    float* const stages = reinterpret_cast<float*>(shared);
    const int tiles = n / kDepth, thread = int(threadIdx.x);
    const bool notes = blockIdx.x == 0 && blockIdx.y == 0;
    if (thread < kStages)
        asm volatile("mbarrier.init.shared.b64 [%0], 256;" ::"r"(shared_address(&arrived[thread]))
                     : "memory");
    __syncthreads();
    const long long start = clock64();

    if (thread >= kThreads) {
        if (!notes || thread != kThreads) return;
        for (int t = 0; t < tiles; ++t) {
            while (!has_passed(&arrived[t % kStages], t / kStages & 1)) {
            }
            times[t].arrived = clock64() - start;
        }
        return;
    }
    const bool first = notes && thread == 0;
    const float* a_rows = a + std::size_t{blockIdx.y} * kTile * n;
    const float* b_columns = b + blockIdx.x * kTile;
    const auto fetch = [&](int t) {
        float* const to = stages + t % kStages * kStageFloats;
        if (first) times[t].fetched = clock64() - start;
        const int row = thread / (kDepth / 4), column = thread % (kDepth / 4) * 4;
        copy_ahead(to + row * kPitch + column, a_rows + std::size_t(row) * n + t * kDepth + column);
        const int k = thread / (kTile / 4), j = thread % (kTile / 4) * 4;
        copy_ahead(to + kTile * kPitch + k * kTile + j, b_columns + std::size_t(t * kDepth + k) * n + j);
        arrive_after_copies(&arrived[t % kStages]);
    };

    float sum[kEach][kEach] = {};
    const int top = thread / (kTile / kEach) * kEach, left = thread % (kTile / kEach) * kEach;
    for (int t = 0; t < kStages; ++t) fetch(t);
    for (int t = 0; t < tiles; ++t) {
        if (first) times[t].awaited = clock64() - start;
        while (!has_passed(&arrived[t % kStages], t / kStages & 1)) {
        }
        if (first) times[t].used = clock64() - start;
        const float* const tile_a = stages + t % kStages * kStageFloats;
        const float* const tile_b = tile_a + kTile * kPitch;
#pragma unroll
        for (int k = 0; k < kDepth; ++k) {
            const float4 row = *reinterpret_cast<const float4*>(tile_b + k * kTile + left);
#pragma unroll
            for (int i = 0; i < kEach; ++i) {
                const float factor = tile_a[(top + i) * kPitch + k];
                sum[i][0] += factor * row.x;
                sum[i][1] += factor * row.y;
                sum[i][2] += factor * row.z;
                sum[i][3] += factor * row.w;
            }
        }
        compute_barrier();
        if (first) times[t].done = clock64() - start;
        if (t + kStages < tiles) fetch(t + kStages);
    }
    if (first) *cycles = clock64() - start;
    for (int i = 0; i < kEach; ++i) {
        for (int j = 0; j < kEach; ++j)
            c[std::size_t(blockIdx.y * kTile + top + i) * n + blockIdx.x * kTile + left + j] = sum[i][j];
    }
}

#else

template <int kStages>
__global__ void multiply_staged(const float*, const float*, float*, int, TileTimes*, long long*) {
    __trap();
}

#endif

/// Small whole numbers, whose sums of products are exact.
__host__ __device__ float element(int which, int row, int column) {
    return float((row * 7 + column * (which == 0 ? 13 : 5) + which) % 9 - 4);
}

__global__ void fill(float* matrix, int which, int n) {
    const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n * n) matrix[i] = element(which, i / n, i % n);
}

auto kernel_for(int stages) {
    return stages == 1   ? &multiply_staged<1>
           : stages == 2 ? &multiply_staged<2>
           : stages == 3 ? &multiply_staged<3>
                         : &multiply_staged<4>;
}

bool samples_are_right(const float* c, int n) {
    for (int sample = 0; sample < 64; ++sample) {
        const int row = sample * 997 % n, column = sample * 1409 % n;
        float found = 0, sum = 0;
        CUDA_CHECK(
            cudaMemcpy(&found, c + std::size_t(row) * n + column, sizeof found, cudaMemcpyDeviceToHost));
        for (int k = 0; k < n; ++k) sum += element(0, row, k) * element(1, k, column);
        if (found != sum) return false;
    }
    return true;
}

}  // namespace

std::variant<Timeline, Unavailable> measure_timeline(int stages) {
    int device = 0, major = 0, most_shared = 0, shared_of_sm = 0;
    if (const int status = cudaGetDevice(&device); status != cudaSuccess) {
        forget_if_failed(status);
        return Unavailable{describe_cuda_error(status)};
    }
    CUDA_CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
    if (major < 8) return Unavailable{"asynchronous copies need compute capability 8.0 or later"};
    CUDA_CHECK(cudaDeviceGetAttribute(&most_shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    CUDA_CHECK(cudaDeviceGetAttribute(&shared_of_sm, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device));
    constexpr int n = StagedProduct::kMatrix;
    constexpr std::int64_t kBytes = std::int64_t{n} * n * sizeof(float);
    DeviceBuffer memory;
    memory.reserve(3 * kBytes + std::int64_t{sizeof(TileTimes)} * StagedProduct::kTiles + 8, nullptr);
    float* const a = reinterpret_cast<float*>(memory.data());
    float *const b = a + std::int64_t{n} * n, *const c = b + std::int64_t{n} * n;
    auto* const times = reinterpret_cast<TileTimes*>(c + std::int64_t{n} * n);
    auto* const cycles = reinterpret_cast<long long*>(times + StagedProduct::kTiles);
    for (const int which : {0, 1}) {
        fill<<<n * n / 256, 256>>>(which == 0 ? a : b, which, n);
        CUDA_CHECK_LAUNCH();
    }
    // More than half of the SM's shared memory keeps other blocks away.
    const int wanted = std::min(most_shared - 1024, shared_of_sm / 2 + 1024);
    const LaunchSize size{.grid = dim3(n / kTile, n / kTile),
                          .block = dim3(kThreads + 32),
                          .shared = static_cast<std::size_t>(wanted)};
    for (int run = 0; run < 3; ++run) {  // the last one counts: caches and clocks are warm
        if (auto refused = launch_kernel(kernel_for(stages), size, nullptr, static_cast<const float*>(a),
                                         static_cast<const float*>(b), c, n, times, cycles))
            return *refused;
    }
    Timeline timeline{.stages = stages, .tiles = std::vector<TileTimes>(StagedProduct::kTiles)};
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaMemcpy(timeline.tiles.data(), times, sizeof(TileTimes) * timeline.tiles.size(),
                          cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(&timeline.cycles, cycles, sizeof(long long), cudaMemcpyDeviceToHost));
    timeline.right = samples_are_right(c, n);
    return timeline;
}

}  // namespace warplens
