#pragma once

#include "kernels/replay/replay.h"

#include <cuda_runtime.h>

#include <cstdint>

namespace warplens {

/// The CUDA type that one instruction loads or stores for a number of bytes.
template <int kBytes>
struct ElementOf;
template <>
struct ElementOf<1> {
    using type = std::uint8_t;
};
template <>
struct ElementOf<2> {
    using type = std::uint16_t;
};
template <>
struct ElementOf<4> {
    using type = std::uint32_t;
};
template <>
struct ElementOf<8> {
    using type = uint2;
};
template <>
struct ElementOf<16> {
    using type = uint4;
};
template <int kBytes>
using Element = typename ElementOf<kBytes>::type;

// Every bit of the element contributes to the result, so the compiler cannot load less than all of it.
__device__ inline std::uint32_t fold(std::uint32_t v) { return v; }
__device__ inline std::uint32_t fold(uint2 v) { return v.x ^ v.y; }
__device__ inline std::uint32_t fold(uint4 v) { return v.x ^ v.y ^ v.z ^ v.w; }

/// The first four bytes of an element, or all of it if it is smaller.
__device__ inline std::uint32_t first_word(std::uint32_t v) { return v; }
__device__ inline std::uint32_t first_word(uint2 v) { return v.x; }
__device__ inline std::uint32_t first_word(uint4 v) { return v.x; }

/// Adds word by word, as unsigned numbers; elements of 1 and 2 bytes wrap at their own width.
template <class T>
__device__ T add(T a, T b) {
    if constexpr (sizeof(T) == 16) {
        return make_uint4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
    } else if constexpr (sizeof(T) == 8) {
        return make_uint2(a.x + b.x, a.y + b.y);
    } else {
        return static_cast<T>(a + b);
    }
}

/// Makes an element from one number; its first four bytes (or as many as it has) are the number itself.
template <class T>
__device__ T unfold(std::uint32_t seed) {
    if constexpr (sizeof(T) == 16) {
        return make_uint4(seed, ~seed, seed + 1, seed + 2);
    } else if constexpr (sizeof(T) == 8) {
        return make_uint2(seed, ~seed);
    } else {
        return static_cast<T>(seed);
    }
}

/// 16 bytes of the initial contents of memory; see kernels/replay/replay.h.
__device__ inline uint4 filled_words(unsigned first) {
    return make_uint4(filled_word(first), filled_word(first + 1), filled_word(first + 2),
                      filled_word(first + 3));
}

/// Fill shared memory with contents that look random: 16-byte stores by all threads of the block, then a
/// barrier.
__device__ inline void fill_shared(uint4* words, unsigned bytes) {
    const unsigned threads = blockDim.x * blockDim.y, thread = threadIdx.y * blockDim.x + threadIdx.x;
    for (unsigned i = thread; i < bytes / sizeof(uint4); i += threads) words[i] = filled_words(4 * i);
    __syncthreads();
}

template <class To, class From>
__device__ To element_cast(From from) {
    if constexpr (sizeof(To) == sizeof(From)) {
        return from;
    } else {
        return unfold<To>(fold(from));
    }
}

/// Make the compiler believe that a value is needed, at the price of a shift and a comparison.
///
/// `never` is a kernel argument whose top bit is set. The shifted value has that bit clear, so the store
/// never happens, but the compiler cannot know that. The shift also keeps 8-bit values from being compared
/// with a constant out of their range, which the assembler would notice.
__device__ inline void pretend_to_need(std::uint32_t folded, std::uint32_t never, std::uint32_t* sink) {
    if (folded >> 1 == never) *sink = folded;
}
inline constexpr std::uint32_t kNever = 0xffff'ffffu;

}  // namespace warplens
