// Every thread reads one record, or one field of it, from an array of structures or a structure of arrays.
#include "kernels/scenarios/global_struct.h"

#include "kernels/cuda/element.cuh"
#include "kernels/scenarios/plain_kernels.cuh"

#include <utility>

namespace warplens {
namespace {

template <class Pack, int kPacks>
struct Record {
    Pack pack[kPacks];
};

/// Look for a value in one pack of every record, so that each is needed.
template <class Pack, int kPacks>
__global__ void __launch_bounds__(GlobalStruct::kBlockThreads)
    find_in_structures(const Record<Pack, kPacks>* __restrict__ in, int k, std::uint32_t wanted,
                       std::uint32_t* found) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (fold(in[i].pack[k]) == wanted) *found = i;  // access: load from AoS
}

template <class Pack, int kPacks>
__global__ void __launch_bounds__(GlobalStruct::kBlockThreads)
    find_record_in_structures(const Record<Pack, kPacks>* __restrict__ in, std::uint32_t wanted,
                              std::uint32_t* found) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    std::uint32_t all = 0;
#pragma unroll
    for (int k = 0; k < kPacks; ++k) all ^= fold(in[i].pack[k]);  // access: load from AoS
    if (all == wanted) *found = i;
}

/// @param n  records, and so the elements of each array
template <class Pack>
__global__ void __launch_bounds__(GlobalStruct::kBlockThreads)
    find_in_arrays(const Pack* __restrict__ in, int n, int k, std::uint32_t wanted, std::uint32_t* found) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (fold(in[static_cast<std::int64_t>(k) * n + i]) == wanted) *found = i;  // access: load from SoA
}

template <class Pack, int kPacks>
__global__ void __launch_bounds__(GlobalStruct::kBlockThreads)
    find_record_in_arrays(const Pack* __restrict__ in, int n, std::uint32_t wanted, std::uint32_t* found) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    std::uint32_t all = 0;
#pragma unroll
    for (int k = 0; k < kPacks; ++k)
        all ^= fold(in[static_cast<std::int64_t>(k) * n + i]);  // access: load from SoA
    if (all == wanted) *found = i;
}

template <class Pack, int kPacks>
void launch_packs(const Params& p, const LaunchShape& shape, const ReplayMemory& memory,
                  cudaStream_t stream) {
    const auto* packs = array_of<Pack>(memory, 0);
    const auto* records = array_of<Record<Pack, kPacks>>(memory, 0);
    const int n = 1 << p.elements_log2, k = GlobalStruct::pack_at(p, 0);
    const bool arrays = p.layout == 1, all = p.read_all == 1;
    if (arrays && all)
        launch_plain(&find_record_in_arrays<Pack, kPacks>, shape, stream, packs, n, kNever, memory.sink);
    else if (arrays)
        launch_plain(&find_in_arrays<Pack>, shape, stream, packs, n, k, kNever, memory.sink);
    else if (all)
        launch_plain(&find_record_in_structures<Pack, kPacks>, shape, stream, records, kNever, memory.sink);
    else
        launch_plain(&find_in_structures<Pack, kPacks>, shape, stream, records, k, kNever, memory.sink);
}

template <class Pack, int... kPacks>
void launch_pack(const Params& p, const ReplayMemory& memory, cudaStream_t stream,
                 std::integer_sequence<int, kPacks...>) {
    const LaunchShape shape = GlobalStruct::launch(p);
    const int wanted = GlobalStruct::packs(p);
    ((kPacks + 1 == wanted && (launch_packs<Pack, kPacks + 1>(p, shape, memory, stream), true)) || ...);
}

std::optional<Unavailable> launch(const Params& p, const ReplayMemory& memory, cudaStream_t stream) {
    if (p.pack_bytes == 4)
        launch_pack<Element<4>>(p, memory, stream, std::make_integer_sequence<int, 16>{});
    else if (p.pack_bytes == 8)
        launch_pack<Element<8>>(p, memory, stream, std::make_integer_sequence<int, 8>{});
    else
        launch_pack<Element<16>>(p, memory, stream, std::make_integer_sequence<int, 4>{});
    return std::nullopt;
}

}  // namespace

template <>
OwnKernel plain_kernel<GlobalStruct>() {
    return {.launch = &launch};
}

}  // namespace warplens
