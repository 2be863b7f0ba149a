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

/// TMA's swizzles of byte addresses: chunks of 16 bytes change places within 128 bytes.
inline constexpr int kTmaSwizzleBase = 4, kTmaSwizzleShift = 3;

/// Boxes of a tile as TMA writes them, side by side in the tile and one behind the other in shared memory.
struct TmaBoxes {
    int rows;
    int width;  ///< of a box [bytes]
    int pitch;  ///< from one row to the next [bytes]
};
/// The place of byte `column` of a row. Swizzles of 32, 64 and 128 bytes change 1, 2 and 3 bits: CUTLASS's
/// Swizzle<bits, 4, 3>. The boxes begin at a multiple of 1024 bytes.
WARPLENS_HD constexpr int place_in_boxes(TmaBoxes boxes, int bits, int row, int column) {
    const int at =
        column / boxes.width * (boxes.rows * boxes.width) + row * boxes.pitch + column % boxes.width;
    return xor_swizzle(at, bits, kTmaSwizzleBase, kTmaSwizzleShift);
}

}  // namespace warplens
