// Gathers scattered bytes of a buffer, to compare them with what they must be.
//
// Launch shape: one thread for each byte, in blocks of 256. A thread loads an address and the byte there, and
// stores that byte into a list. Every load ends in a store.
#include "kernels/timing/output_check.cuh"

#include "kernels/cuda/device_buffer.cuh"

#include <algorithm>
#include <vector>

namespace warplens {
namespace {

__global__ void fetch_bytes(const unsigned char* buffer, const std::uint64_t* addresses, std::int64_t count,
                            unsigned char* fetched) {
    const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < count) fetched[i] = buffer[addresses[i]];
}

}  // namespace

std::optional<std::size_t> find_difference(const ExpectedBytes& expected, const unsigned char* buffer,
                                           cudaStream_t stream) {
    const std::size_t count = expected.bytes.size();
    if (count == 0) return std::nullopt;
    constexpr std::size_t kThreads = 256;
    DeviceBuffer addresses, fetched;
    const std::size_t address_bytes = count * sizeof(std::uint64_t);
    addresses.reserve(static_cast<std::int64_t>(address_bytes), stream);
    fetched.reserve(static_cast<std::int64_t>(count), stream);
    CUDA_CHECK(cudaMemcpyAsync(addresses.data(), expected.addresses.data(), address_bytes,
                               cudaMemcpyHostToDevice, stream));
    fetch_bytes<<<static_cast<unsigned>((count + kThreads - 1) / kThreads), kThreads, 0, stream>>>(
        buffer, reinterpret_cast<const std::uint64_t*>(addresses.data()), static_cast<std::int64_t>(count),
        fetched.data());
    CUDA_CHECK_LAUNCH();
    std::vector<unsigned char> bytes(count);
    CUDA_CHECK(cudaMemcpyAsync(bytes.data(), fetched.data(), count, cudaMemcpyDeviceToHost, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));  // after a kernel that has ended, so this cannot take long
    const auto wrong = std::mismatch(bytes.begin(), bytes.end(), expected.bytes.begin()).first;
    if (wrong == bytes.end()) return std::nullopt;
    return static_cast<std::size_t>(wrong - bytes.begin());
}

}  // namespace warplens
