#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace warplens {

/// The CUDA type that moves a number of bytes in one instruction.
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

// Every bit of the element counts, so the compiler cannot load less than all of it.
__device__ inline std::uint32_t fold(std::uint32_t v) { return v; }
__device__ inline std::uint32_t fold(uint2 v) { return v.x ^ v.y; }
__device__ inline std::uint32_t fold(uint4 v) { return v.x ^ v.y ^ v.z ^ v.w; }

/// An element made of one number; the first four bytes (or what fits of them) are the number itself.
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

/// Give shared memory contents that look random: 16-byte stores by all threads of the block, then a barrier.
__device__ inline void fill_shared(uint4* words, unsigned bytes) {
    const unsigned threads = blockDim.x * blockDim.y, thread = threadIdx.y * blockDim.x + threadIdx.x;
    for (unsigned i = thread; i < bytes / sizeof(uint4); i += threads) {
        const std::uint32_t seed = (i + 1) * 2654435761u;
        words[i] = make_uint4(seed, seed * 3, seed * 5, seed * 7);
    }
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

// Loads and stores that neither the compiler nor the assembler merges, moves or drops: one instruction each,
// wherever they stand. Plain ones get merged even inside asm volatile. `address` is one of the shared window:
// __cvta_generic_to_shared.

template <class T>
__device__ T load_volatile_shared(std::uint32_t address) {
    if constexpr (sizeof(T) == 16) {
        uint4 v;
        asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                     : "r"(address));
        return v;
    } else if constexpr (sizeof(T) == 8) {
        uint2 v;
        asm volatile("ld.volatile.shared.v2.u32 {%0, %1}, [%2];" : "=r"(v.x), "=r"(v.y) : "r"(address));
        return v;
    } else {
        std::uint32_t v;
        if constexpr (sizeof(T) == 4)
            asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(v) : "r"(address));
        if constexpr (sizeof(T) == 2)
            asm volatile("ld.volatile.shared.u16 %0, [%1];" : "=r"(v) : "r"(address));
        if constexpr (sizeof(T) == 1)
            asm volatile("ld.volatile.shared.u8 %0, [%1];" : "=r"(v) : "r"(address));
        return static_cast<T>(v);
    }
}

template <class T>
__device__ void store_volatile_shared(std::uint32_t address, T v) {
    if constexpr (sizeof(T) == 16) {
        asm volatile("st.volatile.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(address), "r"(v.x), "r"(v.y),
                     "r"(v.z), "r"(v.w)
                     : "memory");
    } else if constexpr (sizeof(T) == 8) {
        asm volatile("st.volatile.shared.v2.u32 [%0], {%1, %2};" ::"r"(address), "r"(v.x), "r"(v.y)
                     : "memory");
    } else {
        const std::uint32_t word = v;
        if constexpr (sizeof(T) == 4)
            asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(address), "r"(word) : "memory");
        if constexpr (sizeof(T) == 2)
            asm volatile("st.volatile.shared.u16 [%0], %1;" ::"r"(address), "r"(word) : "memory");
        if constexpr (sizeof(T) == 1)
            asm volatile("st.volatile.shared.u8 [%0], %1;" ::"r"(address), "r"(word) : "memory");
    }
}

/// Make the compiler believe that a value is needed, at the price of a shift and a comparison.
///
/// `never` is a kernel argument with its top bit set; the shifted value has that bit clear, so the store
/// never happens, but nobody can know that while compiling. The shift also keeps 8-bit values from being
/// compared with a constant out of their range, which the assembler would notice.
__device__ inline void pretend_to_need(std::uint32_t folded, std::uint32_t never, std::uint32_t* sink) {
    if (folded >> 1 == never) *sink = folded;
}
inline constexpr std::uint32_t kNever = 0xffff'ffffu;

}  // namespace warplens
