// The lanes of a warp look up words of a table in constant memory: lanes side by side share a word, or every
// words-th lane does.
#include "kernels/scenarios/constant_lookup.h"

#include "kernels/scenarios/cuda/scenario_kernel.cuh"

namespace warplens {
namespace constant_lookup {

/// All 64 KB of constant memory.
struct Table {
    unsigned word[16384];
};

constexpr Table filled_table() {
    Table filled{};
    for (int i = 0; i < 16384; ++i) filled.word[i] = filled_word(i);
    return filled;
}

__constant__ Table table = filled_table();

/// Lanes side by side look up the same word.
/// @param words   how many distinct words the 32 lanes look up
/// @param stride  from one of these words to the next
/// @param mask    bit i: whether lane i takes part
__global__ void look_up_by_neighbours(int words, int stride, unsigned mask, unsigned wanted,
                                      unsigned* found) {
    if ((mask >> threadIdx.x % 32 & 1) == 0) return;
    const int lane = threadIdx.x, k = lane * words / 32;
    const unsigned value = table.word[k * stride];  // access: load constant
    // Nobody needs the value, but without a use for it the compiler would drop the load.
    if (value == wanted) *found = lane;
}

/// Lanes that are `words` apart look up the same word.
__global__ void look_up_interleaved(int words, int stride, unsigned mask, unsigned wanted, unsigned* found) {
    if ((mask >> threadIdx.x % 32 & 1) == 0) return;
    const int lane = threadIdx.x, k = lane % words;
    const unsigned value = table.word[k * stride];  // access: load constant
    if (value == wanted) *found = lane;
}

std::optional<Unavailable> launch(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    const bool neighbours = p.pattern == int(ConstantLookup::Pattern::neighbours);
    return launch_over(ConstantLookup::launch(p), stream,
                       neighbours ? &look_up_by_neighbours : &look_up_interleaved, p.words, p.stride,
                       static_cast<unsigned>(p.mask), kNever, memory.sink);
}

}  // namespace constant_lookup

template <>
ScenarioKernel kernel_of<ConstantLookup>() {
    return {.launch = &constant_lookup::launch};
}

}  // namespace warplens
