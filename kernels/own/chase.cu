// Reads the same bytes repeatedly, to learn how long one load takes and how fast all SMs can read.
//
// Latency. `prepare` writes a chain into buffer 0: the word at the start of the 128-byte line that the
// scenario visits at step s is the index of the word that it visits at step s + 1. One block of one warp then
// loads the lines, 32 at a time, in the order of the chain, so that the caches hold what they would hold
// after one lane had followed it. (At most the last 512 MB are loaded, which is more than any L2.) Then lane
// 0 alone follows the chain, for at most kTimedLoads steps that lead to the first line, and for kTimedLoads
// more steps with a clock reading before and after them. A step is the load and the multiply-add that
// computes an address from the index. Why the compiler cannot remove a load: its value is the next index, and
// the last one is compared with a kernel argument.
//
// Bandwidth. The scenario's own grid: each thread reads its 64 vectors of 16 bytes, four in flight. Every
// block begins at a different step. Otherwise blocks that share an SM would read the same data at the same
// time, and one of them would load for all what the L1 cannot hold. Footprints that fit no L1 are read past
// it (ld.global.cg), because parts of them that happen to be in the L1 would make the L2 look faster. The
// loads are added to a sum that the kernel pretends to need.
#include "kernels/cuda/element.cuh"
#include "kernels/own/own_kernels.cuh"
#include "kernels/scenarios/cache_footprint.h"

namespace warplens {
namespace {

using Scenario = CacheFootprint;

__device__ std::uint64_t line_at(const Params& p, std::uint32_t step) {
    return Scenario::access(p, 0, {.step = static_cast<int>(step)}).byte_address;
}

__global__ void __launch_bounds__(256) write_chain(Params p, unsigned char* buffer, std::uint32_t lines) {
    const std::uint32_t place = blockIdx.x * blockDim.x + threadIdx.x;
    if (place >= lines) return;
    // The order repeats after `lines` steps, so the last line leads back to the first.
    *reinterpret_cast<std::uint32_t*>(buffer + line_at(p, place)) =
        static_cast<std::uint32_t>(line_at(p, place + 1) / sizeof(std::uint32_t));
}

/// Load the lines of steps [begin, end) with one warp, in the order of the chain. Afterwards the caches hold
/// what they would hold if one lane had followed it.
__device__ std::uint32_t touch(const Params& p, const unsigned char* buffer, std::uint32_t begin,
                               std::uint32_t end) {
    constexpr std::uint32_t kInFlight = 8;
    std::uint32_t sum = 0;
    for (std::uint32_t step = begin + threadIdx.x; step < end; step += kInFlight * kWarpLanes) {
        std::uint32_t values[kInFlight] = {};
#pragma unroll
        for (std::uint32_t i = 0; i < kInFlight; ++i) {
            const std::uint32_t at = step + i * kWarpLanes;
            if (at < end) values[i] = *reinterpret_cast<const std::uint32_t*>(buffer + line_at(p, at));
        }
#pragma unroll
        for (std::uint32_t i = 0; i < kInFlight; ++i) sum ^= values[i];
    }
    return sum;
}

constexpr int kUnroll = 16;

/// The asm is `volatile` for the compiler; a volatile load of CUDA C++ would bypass the L1.
__device__ std::uint32_t load_index(const std::uint32_t* at) {
    std::uint32_t next;
    asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(next) : "l"(at));  // access: follow the chain
    return next;
}

/// @param loads  a multiple of kUnroll
__device__ std::uint32_t follow(const std::uint32_t* words, std::uint32_t at, int loads) {
#pragma unroll 1
    for (int i = 0; i < loads; i += kUnroll) {
#pragma unroll
        for (int k = 0; k < kUnroll; ++k) at = load_index(words + at);
    }
    return at;
}

__global__ void __launch_bounds__(kWarpLanes)
    chase(Params p, unsigned char* buffer, ClockPair* clocks, std::uint32_t never, std::uint32_t* sink) {
    constexpr std::uint32_t kMostWarmUp = std::uint32_t{4} << 20;  // in lines: 512 MB, more than any L2
    const auto lines = (std::uint32_t{1} << p.footprint_log2) / std::uint32_t{Scenario::kLineBytes};
    pretend_to_need(touch(p, buffer, lines > kMostWarmUp ? lines - kMostWarmUp : 0, lines), never, sink);
    __syncwarp();
    if (threadIdx.x != 0) return;

    const auto* words = reinterpret_cast<const std::uint32_t*>(buffer);
    const auto run_up = lines < Scenario::kTimedLoads ? lines : std::uint32_t{Scenario::kTimedLoads};
    std::uint32_t at =
        follow(words, static_cast<std::uint32_t>(line_at(p, lines - run_up) / sizeof(std::uint32_t)),
               static_cast<int>(run_up));
    if (at == never)
        return;  // never true, but to know that, the load before the clock reading must have ended
    const long long begin = clock64();
    at = follow(words, at, Scenario::kTimedLoads);
    if (at == never) return;
    const long long end = clock64();
    clocks[0] = {begin, end};
}

/// Loads 16 bytes, through the L1 or past it.
template <bool kPastL1>
__device__ uint4 load_vector(const uint4* at) {
    return kPastL1 ? __ldcg(at) : __ldca(at);  // access: read all
}

template <bool kPastL1>
__global__ void __launch_bounds__(Scenario::kBlockThreads, 1024 / Scenario::kBlockThreads)
    read_often(Params p, const unsigned char* buffer, std::uint32_t never, std::uint32_t* sink) {
    constexpr int kInFlight = 8;
    static_assert((Scenario::kSteps & (Scenario::kSteps - 1)) == 0, "steps wrap round by a mask");
    const auto first = static_cast<int>((blockIdx.y * gridDim.x + blockIdx.x) * 13 & (Scenario::kSteps - 1));
    std::uint32_t sum = 0;
#pragma unroll 1
    for (int i = 0; i < Scenario::kSteps; i += kInFlight) {
        uint4 values[kInFlight];
#pragma unroll
        for (int k = 0; k < kInFlight; ++k) {
            const ThreadId id{static_cast<int>(blockIdx.x), static_cast<int>(blockIdx.y),
                              static_cast<int>(threadIdx.x), 0, (first + i + k) & (Scenario::kSteps - 1)};
            const auto* at = reinterpret_cast<const uint4*>(buffer + Scenario::access(p, 0, id).byte_address);
            values[k] = load_vector<kPastL1>(at);
        }
#pragma unroll
        for (int k = 0; k < kInFlight; ++k) sum ^= fold(values[k]);
    }
    pretend_to_need(sum, never, sink);
}

/// Give the kernel as much L1 as there is.
template <class Function>
void prefer_l1(Function kernel) {
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                    cudaSharedmemCarveoutMaxL1));
}

std::optional<Unavailable> prepare(const Params& p, const ReplayMemory& memory, cudaStream_t stream) {
    if (!Scenario::is_latency(p)) return std::nullopt;
    constexpr std::uint32_t kThreads = 256;
    const auto lines =
        static_cast<std::uint32_t>((std::int64_t{1} << p.footprint_log2) / Scenario::kLineBytes);
    write_chain<<<(lines + kThreads - 1) / kThreads, kThreads, 0, stream>>>(p, memory.buffer[0], lines);
    CUDA_CHECK_LAUNCH();
    return std::nullopt;
}

std::optional<Unavailable> launch(const Params& p, const ReplayMemory& memory, cudaStream_t stream) {
    const LaunchShape shape = Scenario::launch(p);
    const dim3 grid = dim3_of(shape.grid);
    const auto threads = static_cast<unsigned>(shape.block.x);
    if (Scenario::is_latency(p)) {
        prefer_l1(&chase);
        chase<<<grid, threads, 0, stream>>>(p, memory.buffer[0], memory.clocks, kNever, memory.sink);
    } else {
        const auto kernel =
            shape.buffer_bytes[0] > Scenario::kSliceBytes ? &read_often<true> : &read_often<false>;
        prefer_l1(kernel);
        kernel<<<grid, threads, 0, stream>>>(p, memory.buffer[0], kNever, memory.sink);
    }
    CUDA_CHECK_LAUNCH();
    return std::nullopt;
}

/// The number of timed loads. 0 for bandwidth, which is timed by events only.
double requests(const Params& p) { return Scenario::is_latency(p) ? Scenario::kTimedLoads : 0; }

}  // namespace

OwnKernel chase_kernel() { return {.prepare = &prepare, .launch = &launch, .requests = &requests}; }

}  // namespace warplens
