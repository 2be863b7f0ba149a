// Every thread reads one record, or one pack of its fields, from an array of structures or a structure of
// arrays.
#include "kernels/scenarios/global_struct.h"

#include "kernels/scenarios/cuda/scenario_kernel.cuh"

namespace warplens {
namespace global_struct {

/// The fields of a record: a pack of them is what one load reads.
template <class Pack, int kPacks>
struct Record {
    Pack pack[kPacks];
};

/// Look for a value in one pack of every record, so that each is needed.
template <class Pack, int kPacks>
__global__ void find_in_structures(const Record<Pack, kPacks>* __restrict__ in, int n, int k, unsigned wanted,
                                   unsigned* found) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const Pack value = in[i].pack[k];  // access: load from AoS
    if (fold(value) == wanted) *found = i;
}

/// Look for a record whose fields give a value together, so that all of them are needed.
template <class Pack, int kPacks>
__global__ void find_record_in_structures(const Record<Pack, kPacks>* __restrict__ in, int n, unsigned wanted,
                                          unsigned* found) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned all = 0;
#pragma unroll
    for (int k = 0; k < kPacks; ++k) all ^= fold(in[i].pack[k]);  // access: load from AoS
    if (all == wanted) *found = i;
}

/// @param n  records, and so the elements of each array; the arrays follow each other
template <class Pack>
__global__ void find_in_arrays(const Pack* __restrict__ in, int n, int k, unsigned wanted, unsigned* found) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const Pack value = in[k * n + i];  // access: load from SoA
    if (fold(value) == wanted) *found = i;
}

template <class Pack, int kPacks>
__global__ void find_record_in_arrays(const Pack* __restrict__ in, int n, unsigned wanted, unsigned* found) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned all = 0;
#pragma unroll
    for (int k = 0; k < kPacks; ++k) all ^= fold(in[k * n + i]);  // access: load from SoA
    if (all == wanted) *found = i;
}

// Records of any size are launched alike. Their kernels are called with a pointer of no type, so that the
// launch is compiled twice instead of once for each size.
using FindPack = void (*)(const void* in, int n, int k, unsigned wanted, unsigned* found);
using FindRecord = void (*)(const void* in, int n, unsigned wanted, unsigned* found);

struct Kernels {
    FindPack in_structures, in_arrays;
    FindRecord record_in_structures, record_in_arrays;
};

template <class Pack, int kPacks>
Kernels kernels_for(int packs) {
    if constexpr (kPacks > 1) {
        if (packs < kPacks) return kernels_for<Pack, kPacks - 1>(packs);
    }
    return {reinterpret_cast<FindPack>(&find_in_structures<Pack, kPacks>),
            reinterpret_cast<FindPack>(&find_in_arrays<Pack>),
            reinterpret_cast<FindRecord>(&find_record_in_structures<Pack, kPacks>),
            reinterpret_cast<FindRecord>(&find_record_in_arrays<Pack, kPacks>)};
}

std::optional<Unavailable> launch(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    const LaunchShape shape = GlobalStruct::launch(p);
    const int packs = GlobalStruct::packs(p), n = 1 << p.elements_log2;
    const Kernels kernels = p.pack_bytes == 4   ? kernels_for<Element<4>, 16>(packs)
                            : p.pack_bytes == 8 ? kernels_for<Element<8>, 8>(packs)
                                                : kernels_for<Element<16>, 4>(packs);
    const bool arrays = p.layout == 1;
    if (p.read_all == 1)
        return launch_over(shape, stream, arrays ? kernels.record_in_arrays : kernels.record_in_structures,
                           memory.buffer[0], n, kNever, memory.sink);
    return launch_over(shape, stream, arrays ? kernels.in_arrays : kernels.in_structures, memory.buffer[0], n,
                       GlobalStruct::pack_at(p, 0), kNever, memory.sink);
}

}  // namespace global_struct

template <>
ScenarioKernel kernel_of<GlobalStruct>() {
    return {.launch = &global_struct::launch};
}

}  // namespace warplens
