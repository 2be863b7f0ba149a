#pragma once

#include "kernels/replay/replay.h"

#include <cuda_runtime.h>

#include <cstdint>

namespace warplens {

/// The whole constant bank. Its words hold filled_word(i) from the moment that the program's code is loaded
/// to the GPU.
struct ConstantTable {
    static constexpr int kWords = 64 * 1024 / 4;
    alignas(16) std::uint32_t words[kWords];
};

constexpr ConstantTable filled_constants() {
    ConstantTable table{};
    for (std::uint32_t i = 0; i < ConstantTable::kWords; ++i) table.words[i] = filled_word(i);
    return table;
}

/// One table for each scenario that uses one. It is a template because one file of kernels may have no more
/// than 64 KB.
template <class S>
__constant__ ConstantTable constant_table = filled_constants();

/// @param at  a multiple of the size of T, below 64 KB [bytes]. It must differ from lane to lane, or seem to:
///            for an operand that is the same in all lanes the compiler would emit another instruction.
template <class S, class T>
__device__ T load_constant(std::uint32_t at) {
    return *reinterpret_cast<const T*>(reinterpret_cast<const unsigned char*>(&constant_table<S>) + at);
}

}  // namespace warplens
