// Executes typed code a thread at a time, for the addresses only: each block of the grid is a block of these
// threads, and they wait for each other where the kernel does.
#include "kernels/typed/interpret.cuh"

#include "kernels/cuda/check.h"
#include "kernels/typed/code_step.h"

namespace warplens {
namespace {

/// A thread's registers, where neighbouring threads are neighbours.
struct StridedRegisters {
    std::int64_t* first;
    std::int64_t stride;
    __device__ std::int64_t& operator[](std::int64_t number) { return first[number * stride]; }
};

__global__ void interpret_code(InterpretedLaunch launch) {
    constexpr int kMostThreads = 1024;
    __shared__ std::int64_t values[kMostThreads];
    __shared__ bool exchanges[kMostThreads];
    const int threads = launch.block_x * launch.block_y * launch.block_z;
    const auto me = int(threadIdx.x);
    const std::int64_t thread = std::int64_t{blockIdx.x} * threads + me;
    const std::int64_t block = launch.first_block + blockIdx.x;
    constexpr std::int64_t kMostSteps = 50'000'000;
    CodeThread at{me % launch.block_x,
                  me / launch.block_x % launch.block_y,
                  me / (launch.block_x * launch.block_y),
                  int(block % launch.grid_x),
                  int(block / launch.grid_x),
                  0,
                  kMostSteps};
    StridedRegisters registers{launch.registers + thread, std::int64_t{gridDim.x} * threads};
    std::uint64_t* const row = launch.rows + thread * (1 + std::int64_t{launch.kept});
    std::uint64_t made = 0;
    CodeStop stop = CodeStop::at_barrier;
    bool any = true;
    while (any) {
        const bool runs = stop == CodeStop::at_barrier || stop == CodeStop::at_shuffle;
        if (runs)
            stop = run_code(launch.code, launch.memories, at, registers,
                            [&](std::int64_t access, std::int64_t offset) {
                                if (made < static_cast<std::uint64_t>(launch.kept))
                                    row[1 + made] = CodeAccess::of(access, offset).packed;
                                ++made;
                            });
        const bool exchange = stop == CodeStop::at_shuffle;
        const CodeInstr* instr = launch.code + at.next;
        exchanges[me] = exchange;
        values[me] = exchange ? registers[instr->a] : 0;
        __syncthreads();
        if (exchange) {
            const int first = me / 32 * 32, from = code_shuffle_source(*instr, me % 32, registers[instr->b]);
            const bool there = first + from < threads && exchanges[first + from];
            registers[instr->to] = there ? values[first + from] : 0;
            ++at.next;
        }
        any = __syncthreads_or(exchange || stop == CodeStop::at_barrier) != 0;
    }
    row[0] = made;
    if (stop != CodeStop::finished) *launch.status = 1 + static_cast<std::uint32_t>(stop);
}

}  // namespace

void launch_interpreter(const InterpretedLaunch& launch, int blocks, cudaStream_t stream) {
    const int threads = launch.block_x * launch.block_y * launch.block_z;
    interpret_code<<<static_cast<unsigned>(blocks), static_cast<unsigned>(threads), 0, stream>>>(launch);
    CUDA_CHECK_LAUNCH();
}

}  // namespace warplens
