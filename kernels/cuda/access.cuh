#pragma once

// Loads and stores, one instruction each. The compiler neither merges, moves nor drops the volatile ones,
// wherever they stand. The assembler may merge others that have the same address, even inside asm volatile,
// so it must not be able to see that their addresses are equal. Functions that have a state space in their
// names take addresses of that space: of the block's shared window (__cvta_generic_to_shared), of the
// cluster's (peer_address), or of global memory.
#include "kernels/cuda/element.cuh"

#include <cuda_runtime.h>

#include <cstdint>

namespace warplens {

#define WARPLENS_LOAD(name, operation, Address, constraint)                                                 \
    template <class T>                                                                                      \
    __device__ T name(Address address) {                                                                    \
        if constexpr (sizeof(T) == 16) {                                                                    \
            uint4 v;                                                                                        \
            asm volatile(operation ".v4.u32 {%0, %1, %2, %3}, [%4];"                                        \
                         : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)                                       \
                         : constraint(address));                                                            \
            return v;                                                                                       \
        } else if constexpr (sizeof(T) == 8) {                                                              \
            uint2 v;                                                                                        \
            asm volatile(operation ".v2.u32 {%0, %1}, [%2];" : "=r"(v.x), "=r"(v.y) : constraint(address)); \
            return v;                                                                                       \
        } else {                                                                                            \
            std::uint32_t v;                                                                                \
            if constexpr (sizeof(T) == 4)                                                                   \
                asm volatile(operation ".u32 %0, [%1];" : "=r"(v) : constraint(address));                   \
            if constexpr (sizeof(T) == 2)                                                                   \
                asm volatile(operation ".u16 %0, [%1];" : "=r"(v) : constraint(address));                   \
            if constexpr (sizeof(T) == 1)                                                                   \
                asm volatile(operation ".u8 %0, [%1];" : "=r"(v) : constraint(address));                    \
            return static_cast<T>(v);                                                                       \
        }                                                                                                   \
    }
#define WARPLENS_STORE(name, operation, Address, constraint)                                           \
    template <class T>                                                                                 \
    __device__ void name(Address address, T v) {                                                       \
        if constexpr (sizeof(T) == 16) {                                                               \
            asm volatile(operation ".v4.u32 [%0], {%1, %2, %3, %4};" ::constraint(address), "r"(v.x),  \
                         "r"(v.y), "r"(v.z), "r"(v.w)                                                  \
                         : "memory");                                                                  \
        } else if constexpr (sizeof(T) == 8) {                                                         \
            asm volatile(operation ".v2.u32 [%0], {%1, %2};" ::constraint(address), "r"(v.x), "r"(v.y) \
                         : "memory");                                                                  \
        } else {                                                                                       \
            const std::uint32_t word = v;                                                              \
            if constexpr (sizeof(T) == 4)                                                              \
                asm volatile(operation ".u32 [%0], %1;" ::constraint(address), "r"(word) : "memory");  \
            if constexpr (sizeof(T) == 2)                                                              \
                asm volatile(operation ".u16 [%0], %1;" ::constraint(address), "r"(word) : "memory");  \
            if constexpr (sizeof(T) == 1)                                                              \
                asm volatile(operation ".u8 [%0], %1;" ::constraint(address), "r"(word) : "memory");   \
        }                                                                                              \
    }

WARPLENS_LOAD(load_volatile_shared, "ld.volatile.shared", std::uint32_t, "r")
WARPLENS_STORE(store_volatile_shared, "st.volatile.shared", std::uint32_t, "r")
WARPLENS_LOAD(load_global, "ld.global", std::uint64_t, "l")
WARPLENS_LOAD(load_global_past_l1, "ld.global.cg", std::uint64_t, "l")
WARPLENS_STORE(store_global, "st.global", std::uint64_t, "l")
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
WARPLENS_LOAD(load_peer, "ld.shared::cluster", std::uint32_t, "r")
WARPLENS_STORE(store_peer, "st.shared::cluster", std::uint32_t, "r")
#endif
#undef WARPLENS_LOAD
#undef WARPLENS_STORE

/// 16 bytes of the initial contents of shared memory.
__device__ inline uint4 filled_words(unsigned first) {
    return make_uint4(filled_word(first), filled_word(first + 1), filled_word(first + 2),
                      filled_word(first + 3));
}

/// Fill shared memory with contents that look random: 16-byte stores by all threads of the block, then a
/// barrier.
__device__ inline void fill_shared(uint4* words, unsigned bytes) {
    for (unsigned i = threadIdx.x; i < bytes / sizeof(uint4); i += blockDim.x) words[i] = filled_words(4 * i);
    __syncthreads();
}

/// ldmatrix loads 1, 2 or 4 matrices of 8 rows of 16 bytes; lanes 0 to 8 n - 1 supply the addresses of the
/// rows. All 32 lanes must call it together.
/// @return  one word per matrix, the rest zero.
template <int kMatrices>
__device__ uint4 load_matrices(std::uint32_t address) {
    uint4 v{0, 0, 0, 0};
    if constexpr (kMatrices == 1) {
        asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(v.x) : "r"(address));
    } else if constexpr (kMatrices == 2) {
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                     : "=r"(v.x), "=r"(v.y)
                     : "r"(address));
    } else {
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                     : "r"(address));
    }
    return v;
}

// Clusters exist from compute capability 9.0 on. Code for an older one is never run, because refuse_gpu
// (kernels/launch_setting.h) comes first.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

/// All threads of all blocks of the cluster wait for each other; afterwards all of them see what was written.
__device__ inline void cluster_barrier() {
    asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
}
__device__ inline std::uint32_t rank_in_cluster() {
    std::uint32_t rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}
__device__ inline std::uint32_t blocks_of_cluster() {
    std::uint32_t blocks;
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(blocks));
    return blocks;
}
/// Translates an address of the block's own shared window to that of another block of the cluster.
__device__ inline std::uint32_t peer_address(std::uint32_t own, std::uint32_t rank) {
    std::uint32_t address;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(address) : "r"(own), "r"(rank));
    return address;
}

#else

__device__ inline void cluster_barrier() { __trap(); }
__device__ inline std::uint32_t rank_in_cluster() { return 0; }
__device__ inline std::uint32_t blocks_of_cluster() { return 1; }
__device__ inline std::uint32_t peer_address(std::uint32_t own, std::uint32_t) { return own; }
template <class T>
__device__ T load_peer(std::uint32_t) {
    __trap();
    return {};
}
template <class T>
__device__ void store_peer(std::uint32_t, T) {
    __trap();
}

#endif

}  // namespace warplens
