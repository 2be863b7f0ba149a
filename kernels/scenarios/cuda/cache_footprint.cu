// Reads the same bytes repeatedly, to learn how long one load takes (a lane follows a chain through memory)
// or how fast all SMs can read (every block reads a slice).
#include "kernels/scenarios/cache_footprint.h"

#include "kernels/scenarios/cuda/scenario_kernel.cuh"

#include <algorithm>

namespace warplens {
namespace cache_footprint {

/// Each load gives the index of the next one, so none can begin before the one before it has ended.
__device__ unsigned follow(const unsigned* next, unsigned i) {
#pragma unroll 16
    for (int step = 0; step < 4096; ++step) i = next[i];  // access: follow the chain
    return i;
}

/// Read the clock before and after 4,096 loads of one lane. As many loads before them fill the L1.
/// @param first  where to begin, so that the loads before the clock end where the chain begins
/// @param never  an index that does not occur. Comparing with it means waiting for the last load.
__global__ void __launch_bounds__(32)
    chase(const unsigned* next, unsigned first, unsigned never, long long* clocks) {
    if (threadIdx.x != 0) return;
    unsigned i = follow(next, first);
    if (i == never) return;
    const long long begin = clock64();
    i = follow(next, i);
    if (i == never) return;
    const long long end = clock64();
    clocks[0] = begin;
    clocks[1] = end;
}

/// Each column of blocks reads its own slice of 256 KB, or all blocks the same n vectors if there are fewer.
/// @param n  vectors of a slice, a power of two
template <bool kPastL1>
__global__ void __launch_bounds__(256)
    read_slice(const uint4* __restrict__ in, int n, unsigned wanted, unsigned* found) {
    const uint4* slice = in + blockIdx.x * (64 * 256) + threadIdx.x;
    // Blocks begin at different steps. Otherwise those that share an SM would read the same bytes at the same
    // time, and one request to the L2 would serve them all.
    const int first = (blockIdx.y * gridDim.x + blockIdx.x) * 13;
    unsigned sum = 0;
#pragma unroll 16
    for (int step = 0; step < 64; ++step) {
        const uint4* at = slice + ((first + step) * 256 & (n - 1));
        sum ^= fold(kPastL1 ? __ldcg(at) : __ldca(at));  // access: read all
    }
    if (sum == wanted) *found = threadIdx.x;
}

static_assert(CacheFootprint::kTimedLoads == 4096 && CacheFootprint::kSteps == 64 &&
              CacheFootprint::kBlockThreads == 256);

using Word = std::uint32_t;

int lines_of(const Params& p) { return 1 << p.footprint_log2 >> 7; }
static_assert(CacheFootprint::kLineBytes == 1 << 7);

/// The index of the word that the chain visits at a step.
__host__ __device__ Word word_at(const Params& p, int step) {
    return static_cast<Word>(CacheFootprint::access(p, 0, {.step = step}).byte_address / sizeof(Word));
}

/// The order repeats after `lines` steps, so the last line leads back to the first.
__global__ void write_chain(const __grid_constant__ Params p, Word* next, int lines) {
    const int step = int(blockIdx.x * blockDim.x + threadIdx.x);
    if (step < lines) next[word_at(p, step)] = word_at(p, step + 1);
}

/// Load the lines of steps [begin, end) with one block, in the order of the chain. Afterwards the L2 holds
/// what it would hold if one lane had followed the chain, which would take far longer.
__global__ void touch(const __grid_constant__ Params p, const Word* next, int begin, int end, Word never,
                      Word* sink) {
    Word all = 0;
    for (int step = begin + int(threadIdx.x); step < end; step += int(blockDim.x))
        all ^= next[word_at(p, step)];
    if (all == never) *sink = all;
}

/// Give a kernel as much L1 as there is.
template <class Function>
void prefer_l1(Function kernel) {
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                    cudaSharedmemCarveoutMaxL1));
}

std::optional<Unavailable> prepare(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    if (!CacheFootprint::is_latency(p)) return std::nullopt;
    constexpr int kThreads = 256;
    const int lines = lines_of(p);
    const LaunchShape shape{.grid = {(lines + kThreads - 1) / kThreads, 1}, .block = {kThreads, 1}};
    return launch_over(shape, stream, &write_chain, p, array_of<Word>(memory, 0), lines);
}

std::optional<Unavailable> launch_chase(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    constexpr int kMostTouched = 4 << 20;  // lines: 512 MB, more than any L2
    constexpr LaunchShape kOneBlock{.grid = {}, .block = {1024, 1}};
    const int lines = lines_of(p);
    const auto* next = array_of<const Word>(memory, 0);
    launch_over(kOneBlock, stream, &touch, p, next, std::max(0, lines - kMostTouched), lines, kNever,
                memory.sink);
    prefer_l1(&chase);
    // The loads before the clock are whole rounds of a short chain, or the end of a long one.
    const Word first = word_at(p, std::max(0, lines - CacheFootprint::kTimedLoads));
    return launch_over(CacheFootprint::launch(p), stream, &chase, next, first, kNever, &memory.clocks->begin);
}

std::optional<Unavailable> launch(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    if (CacheFootprint::is_latency(p)) return launch_chase(p, memory, stream);
    const LaunchShape shape = CacheFootprint::launch(p);
    // A large slice is read past the L1, because parts that happen to be there would make the L2 look faster.
    const auto kernel =
        shape.buffer_bytes[0] > CacheFootprint::kSliceBytes ? &read_slice<true> : &read_slice<false>;
    prefer_l1(kernel);
    const auto n = int(std::min<std::int64_t>(shape.buffer_bytes[0], CacheFootprint::kSliceBytes) /
                       CacheFootprint::kVectorBytes);
    return launch_over(shape, stream, kernel, array_of<const uint4>(memory, 0), n, kNever, memory.sink);
}

/// The number of timed loads. 0 for bandwidth, which is timed by events only.
double requests(const Params& p) { return CacheFootprint::is_latency(p) ? CacheFootprint::kTimedLoads : 0; }

}  // namespace cache_footprint

template <>
ScenarioKernel kernel_of<CacheFootprint>() {
    return {.prepare = &cache_footprint::prepare,
            .follows_memory = true,
            .launch = &cache_footprint::launch,
            .requests = &cache_footprint::requests};
}

}  // namespace warplens
