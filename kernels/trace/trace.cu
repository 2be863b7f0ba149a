// Computes the values that colour the cells of the pictures on the GPU, from the scenario's own address
// formula.
//
// Launch shape: one block of one warp for each instruction a scenario may have. One thread is one lane of the
// pictured warp: it evaluates its address, shares it with the other lanes through 424 bytes of shared memory,
// finds out in which wavefront the banks serve it, and writes its row of the TraceBlock (in global memory,
// often a mapped GL buffer). It reads nothing from global memory. Blocks beyond the last instruction write
// zeros.
//
// The bank rules are those of kernels/bank_rules.h, which the model uses too.
#include "kernels/trace/trace.h"

#include "kernels/cuda/check.h"
#include "kernels/scenarios/dispatch.h"

#include <cuda_runtime.h>

#include <algorithm>

namespace warplens {
namespace {

constexpr int kTraceGroups = 4;

/// A request as it is passed to the kernel.
struct TraceTask {
    Extent block_shape;  ///< [threads]
    Extent block;
    int warp_in_block = 0;
    BankRules rules;
    int count = 0;  ///< number of instructions
    struct {
        int bytes_per_lane;
        Op op;
        bool shares;  ///< whether lanes that access the same word are served together (shares_words)
        bool banked;  ///< whether it is served by the banks of shared memory
        int step;     ///< the pictured step, or the last one of the instruction
    } instructions[kMaxInstructions];
};

/// The request of one warp, where all lanes can read it.
struct TracedRequest {
    std::uint64_t chunk[kWarpLanes];
    int column[kWarpLanes];
    bool leads[kWarpLanes];  ///< whether the lane is the lowest active one of its group that requests its
                             ///< chunk
    std::uint32_t active;
};

__device__ bool is_active(const TracedRequest& request, int lane) {
    return (request.active >> lane & 1u) != 0;
}

/// Whether every active lane whose partner `lane ^ distance` is active has the partner's address. All lanes
/// must call it.
__device__ bool pairs_equal(std::uint64_t byte_address, std::uint32_t active, int lane, int distance) {
    const std::uint64_t partners = __shfl_xor_sync(kAllLanes, byte_address, distance);
    const bool both = (active >> lane & active >> (lane ^ distance) & 1u) != 0;
    return __all_sync(kAllLanes, !both || partners == byte_address) != 0;
}

/// Counts the distinct chunks that the lanes from `first` to `end` - 1 request from one column.
__device__ int chunks_in_column(const TracedRequest& request, int column, int first, int end) {
    int chunks = 0;
    for (int j = first; j < end; ++j) {
        if (is_active(request, j) && request.leads[j] && request.column[j] == column) ++chunks;
    }
    return chunks;
}

/// Write the wavefront of a lane and the words per bank. All lanes must call it.
__device__ void serve(TracedRequest& request, const BankRules& rules, int bytes_per_lane, Op op, bool shares,
                      std::uint64_t byte_address, int lane, TraceBlock& out) {
    const bool pairs_1 = pairs_equal(byte_address, request.active, lane, 1);
    const bool pairs_2 = pairs_equal(byte_address, request.active, lane, 2);
    const int lanes = merged_lanes_per_group(rules, bytes_per_lane, op, pairs_1, pairs_2);
    const int groups = kWarpLanes / lanes, first = lane / lanes * lanes;
    BankSlot slot = bank_slot(rules, bytes_per_lane, byte_address);
    if (!shares) slot.chunk = static_cast<std::uint64_t>(lane);  // each lane has a turn of its own
    request.chunk[lane] = slot.chunk;
    request.column[lane] = slot.column;
    __syncwarp();

    int leader = first;  // the lowest active lane of the group that requests this lane's chunk
    while (leader < lane && !(is_active(request, leader) && request.chunk[leader] == slot.chunk)) ++leader;
    request.leads[lane] = leader == lane;
    __syncwarp();

    const int number = chunks_in_column(request, slot.column, first, leader);
    const int banks_each = banks_per_column(rules, bytes_per_lane);
    int before = 0;
    for (int group = 0; group < groups; ++group) {
        const int begin = group * lanes, end = begin + lanes;
        const int words = lane < rules.banks ? chunks_in_column(request, lane / banks_each, begin, end) : 0;
        out.words[group][lane] = static_cast<std::uint32_t>(words);
        int degree = words;  // wavefronts of the group: the words of its busiest bank
        for (int distance = kWarpLanes / 2; distance > 0; distance /= 2) {
            degree = max(degree, __shfl_xor_sync(kAllLanes, degree, distance));
        }
        if (end <= lane) before += degree;
    }
    if (is_active(request, lane)) out.wavefront[lane] = static_cast<std::uint32_t>(before + number);
}

template <class S>
__global__ void __launch_bounds__(kWarpLanes)
    trace_kernel(const __grid_constant__ Params p, const __grid_constant__ TraceTask task,
                 TraceBlock* blocks) {
    __shared__ TracedRequest request;
    const int index = int(blockIdx.x), lane = int(threadIdx.x);
    const int thread = task.warp_in_block * kWarpLanes + lane;
    TraceBlock& out = blocks[index];
    const bool exists = index < task.count;

    LaneAccess access{0, false};
    if (exists && thread < task.block_shape.x * task.block_shape.y) {
        const ThreadId id{task.block.x, task.block.y, thread % task.block_shape.x,
                          thread / task.block_shape.x, task.instructions[index].step};
        access = S::access(p, index, id);
    }
    if (!access.active) access.byte_address = 0;
    const std::uint32_t active = __ballot_sync(kAllLanes, access.active);
    if (lane == 0) request.active = active;
    __syncwarp();

    out.address_low[lane] = static_cast<std::uint32_t>(access.byte_address);
    out.address_high[lane] = static_cast<std::uint32_t>(access.byte_address >> 32);
    out.active[lane] = access.active ? 1 : 0;
    out.wavefront[lane] = access.active || !exists ? 0 : kTraceInactive;
    for (int group = 0; group < kTraceGroups; ++group) out.words[group][lane] = 0;
    if (exists && task.instructions[index].banked) {
        serve(request, task.rules, task.instructions[index].bytes_per_lane, task.instructions[index].op,
              task.instructions[index].shares, access.byte_address, lane, out);
    }
}

bool is_banked(Space space) { return space == Space::shared || space == Space::cluster; }

template <class S>
TraceTask task_of(const TraceRequest& request) {
    const LaunchShape shape = S::launch(request.params);
    TraceTask task{.block_shape = shape.block,
                   .block = request.block,
                   .warp_in_block = request.warp_in_block,
                   .rules = request.rules,
                   .count = S::instruction_count(request.params),
                   .instructions = {}};
    for (int i = 0; i < task.count; ++i) {
        const Instruction instruction = S::instruction(request.params, i);
        task.instructions[i] = {instruction.bytes_per_lane, instruction.op, shares_words(instruction.op),
                                is_banked(instruction.space),
                                pictured_step(shape, instruction, request.step)};
    }
    return task;
}

template <class S>
void launch_trace_of(const TraceRequest& request, Trace* device_trace, cudaStream_t stream) {
    trace_kernel<S><<<kMaxPictured, kWarpLanes, 0, stream>>>(request.params, task_of<S>(request),
                                                             device_trace->instructions);
    CUDA_CHECK_LAUNCH();
}

}  // namespace

std::optional<Unavailable> launch_trace(const TraceRequest& request, Trace* device_trace, void* stream) {
    if (request.rules.wide_banks || request.rules.single_broadcast || request.rules.extra_16 > 0) {
        return Unavailable{
            "the trace kernel follows the banks of compute capability 5.0 and later; the model fills in"};
    }
    try {
        const bool known = with_scenario(request.scenario, [&]<class S>() {
            launch_trace_of<S>(request, device_trace, static_cast<cudaStream_t>(stream));
        });
        if (!known) return no_such_scenario(request.scenario);
        return std::nullopt;
    } catch (const CudaError& error) {
        return Unavailable{std::string("the trace kernel failed: ") + error.what()};
    }
}

struct HostTracer::State {
    cudaStream_t stream = nullptr;
    Trace* on_device = nullptr;
    Trace* on_host = nullptr;  ///< pinned memory, because otherwise the copy would wait for other streams too
    std::size_t capacity = 0;  ///< [traces]

    ~State() {
        release();
        if (stream != nullptr) CUDA_FORGET(cudaStreamDestroy(stream));
    }
    void release() {
        CUDA_FORGET(cudaFree(on_device));
        CUDA_FORGET(cudaFreeHost(on_host));
        on_device = on_host = nullptr;
        capacity = 0;
    }
    void reserve(std::size_t count) {
        if (stream == nullptr) {
            int lowest = 0, highest = 0;
            CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&lowest, &highest));
            CUDA_CHECK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, highest));
        }
        if (count <= capacity) return;
        release();
        CUDA_CHECK(cudaMalloc(&on_device, count * sizeof(Trace)));
        CUDA_CHECK(cudaMallocHost(&on_host, count * sizeof(Trace)));
        capacity = count;
    }
};

HostTracer::HostTracer() : state_(std::make_unique<State>()) {}
HostTracer::~HostTracer() = default;

std::optional<Unavailable> HostTracer::trace(std::span<const TraceRequest> requests,
                                             std::span<Trace> traces) {
    if (requests.empty()) return std::nullopt;
    State& state = *state_;
    try {
        state.reserve(requests.size());
        for (std::size_t i = 0; i < requests.size(); ++i) {
            if (auto why = launch_trace(requests[i], state.on_device + i, state.stream)) return why;
        }
        const std::size_t bytes = requests.size() * sizeof(Trace);
        CUDA_CHECK(
            cudaMemcpyAsync(state.on_host, state.on_device, bytes, cudaMemcpyDeviceToHost, state.stream));
        CUDA_CHECK(cudaStreamSynchronize(state.stream));
        std::copy_n(state.on_host, requests.size(), traces.begin());
        return std::nullopt;
    } catch (const CudaError& error) {
        return Unavailable{std::string("the trace could not be computed on the GPU: ") + error.what()};
    }
}

std::optional<Unavailable> trace_to_host(std::span<const TraceRequest> requests, std::span<Trace> traces) {
    return HostTracer().trace(requests, traces);
}

}  // namespace warplens
