#pragma once

#include "kernels/host_device.h"

#include <cuda_runtime.h>

#include <cstdint>

namespace warplens {

/// The CUDA type that one instruction loads or stores for a number of bytes.
template <int kBytes>
struct ElementOf;
template <>
struct ElementOf<1> {
    using type = unsigned char;
};
template <>
struct ElementOf<2> {
    using type = unsigned short;
};
template <>
struct ElementOf<4> {
    using type = unsigned;
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

// Kernels that only load look for a value, `if (fold(value) == wanted) *found = i;`, because the compiler
// would remove a load whose value nobody needs. Every bit of an element contributes to `fold`, so the
// compiler cannot load less than all of it.
__device__ inline unsigned fold(unsigned v) { return v; }
__device__ inline unsigned fold(uint2 v) { return v.x ^ v.y; }
__device__ inline unsigned fold(uint4 v) { return v.x ^ v.y ^ v.z ^ v.w; }

/// Makes an element from one number; its first four bytes (or as many as it has) are the number itself.
template <class T>
__host__ __device__ T unfold(unsigned seed) {
    if constexpr (sizeof(T) == 16) {
        return uint4{seed, ~seed, seed + 1, seed + 2};
    } else if constexpr (sizeof(T) == 8) {
        return uint2{seed, ~seed};
    } else {
        return static_cast<T>(seed);
    }
}

/// The `wanted` of a timed launch. No folded element equals it: the top bit of all random words is clear
/// (kernels/scramble.h).
inline constexpr unsigned kNever = 0xffff'ffffu;

/// The contents of shared memory before a kernel reads it, word by word: numbers that look random. The top
/// bit of each is clear.
WARPLENS_HD constexpr unsigned filled_word(unsigned index) {
    unsigned word = index * 0x9e3779b1u + 0x7f4a7c15u;
    word = (word ^ word >> 15) * 0x85ebca6bu;
    return (word ^ word >> 13) & 0x7fffffffu;
}

}  // namespace warplens
