#pragma once

#include "kernels/host_device.h"

namespace warplens {

/// XOR some low bits of an element index with higher bits: a permutation that costs no memory.
///
///     index   ... Y Y Y . . X X X . .      base = 2: the lowest bit that changes
///                 |       |     |          bits = 3: how many change
///                 +-shift-+-----+          shift = 5: Y stands 5 above X;   X' = X xor Y
///
/// @param shift  1 or more. The bits Y are read before anything changes, so every shift gives a permutation.
/// The result is below the next multiple of 2^(base + bits) above `index`.
WARPLENS_HD constexpr int xor_swizzle(int index, int bits, int base, int shift) {
    const int changed = ((1 << bits) - 1) << base;
    return index ^ (index >> shift & changed);
}

}  // namespace warplens
