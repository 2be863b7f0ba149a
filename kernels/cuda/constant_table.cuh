#pragma once

#include "kernels/replay/replay.h"

#include <cuda_runtime.h>

#include <cstdint>

namespace warplens {

/// The whole constant bank. It holds filled_word(i) when the program's code reaches the GPU.
struct ConstantTable {
    static constexpr int kWords = 64 * 1024 / 4;
    alignas(16) std::uint32_t words[kWords];
};

constexpr ConstantTable filled_constants() {
    ConstantTable table{};
    for (std::uint32_t i = 0; i < ConstantTable::kWords; ++i) table.words[i] = filled_word(i);
    return table;
}

/// One for each scenario that asks for it: a template, because 64 KB is all that one file of kernels may
/// have.
template <class S>
__constant__ ConstantTable constant_table = filled_constants();

/// @param at  a multiple of T's size below 64 KB [bytes]. Differs by lane, or seems to: else the compiler
/// would
///            emit another instruction, for an operand that is the same in all lanes.
template <class S, class T>
__device__ T load_constant(std::uint32_t at) {
    return *reinterpret_cast<const T*>(reinterpret_cast<const unsigned char*>(&constant_table<S>) + at);
}

}  // namespace warplens
