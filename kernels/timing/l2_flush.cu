// Makes the L2 cold by reading another buffer, twice as large as the cache, from end to end.
//
// Launch shape: enough blocks of 256 threads to fill the GPU. Each thread steps through the buffer by the
// size of the grid and loads 16 bytes per step, past the L1. Reading leaves no dirty lines behind that a
// later launch would have to write back. The sum of what was read is compared with a number that it never
// equals, so the loads stay.
#include "kernels/cuda/element.cuh"
#include "kernels/timing/l2_flush.cuh"

namespace warplens {
namespace {

__global__ void read_all(const uint4* data, std::int64_t count, std::uint32_t never, std::uint32_t* sink) {
    const std::int64_t threads = std::int64_t{gridDim.x} * blockDim.x;
    std::uint32_t sum = 0;
    for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += threads)
        sum ^= fold(__ldcg(data + i));
    if (sum >> 1 == never) *sink = sum;  // The shift keeps the top bit clear, so it is never true.
}

}  // namespace

void L2Flush::queue(std::int64_t l2_bytes, std::uint32_t* sink, cudaStream_t stream) {
    constexpr unsigned kThreads = 256, kBlocks = 2048;
    buffer_.reserve(2 * l2_bytes, stream);
    const std::int64_t count = buffer_.bytes() / static_cast<std::int64_t>(sizeof(uint4));
    read_all<<<kBlocks, kThreads, 0, stream>>>(reinterpret_cast<const uint4*>(buffer_.data()), count, kNever,
                                               sink);
    CUDA_CHECK_LAUNCH();
}

}  // namespace warplens
