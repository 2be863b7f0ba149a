#pragma once

#include "kernels/host_device.h"

namespace warplens {

/// Side of the square in which the card is designed. Texels of smaller and larger cards are mapped into it.
inline constexpr int kCardSide = 1024;
inline constexpr int kCardWhite = 235, kCardBlack = 20;

/// The word on the card, with 5 rows of 5 columns for each letter. It shows when a picture is mirrored.
WARPLENS_HD constexpr bool card_letter(int letter, int row, int column) {
    constexpr unsigned kRows[3][5] = {{0b11111, 0b00100, 0b00100, 0b00100, 0b00100},   // T
                                      {0b11111, 0b10000, 0b11110, 0b10000, 0b11111},   // E
                                      {0b10001, 0b01010, 0b00100, 0b01010, 0b10001}};  // X
    return column < 5 && (kRows[letter][row] >> (4 - column) & 1u) != 0;
}

/// The source texture of `texture-filter`: a test card like those of television. It shows what filters do,
/// with edges at every angle, letters, a ramp, and stripes and squares of one and two texels.
/// @param x, y  the texel, inside the texture
/// @param size  texels a side, a power of two from 16 on
/// @return      0 for black to 255 for white
WARPLENS_HD constexpr int test_card(int x, int y, int size) {
    const int u = (2 * x + 1) * (kCardSide / 2) / size, v = (2 * y + 1) * (kCardSide / 2) / size;
    if (u < 64 || u >= kCardSide - 64 || v < 64 || v >= kCardSide - 64)
        return (u / 64 + v / 64) % 2 == 0 ? kCardWhite : kCardBlack;
    const int dx = u - kCardSide / 2, dy = v - kCardSide / 2, radius_squared = dx * dx + dy * dy;
    if (radius_squared >= 432 * 432) return 96;
    if (radius_squared >= 400 * 400) return kCardWhite;
    if (v >= 240 && v < 400) {
        const int column = (u - 240) / 32;
        const bool letter = u >= 240 && column < 17 && card_letter(column / 6, (v - 240) / 32, column % 6);
        return letter ? kCardWhite : 48;
    }
    if (v >= 448 && v < 576) return (u - 112) * 255 / 800;  // the ramp, from edge to edge of the circle
    if (v >= 624 && v < 752) {
        if (u < 368) return x % 2 == 0 ? kCardWhite : kCardBlack;
        if (u < kCardSide / 2) return x / 2 % 2 == 0 ? kCardWhite : kCardBlack;
        if (u < 656) return (x / 2 + y / 2) % 2 == 0 ? kCardWhite : kCardBlack;
        return (x + y) % 2 == 0 ? kCardWhite : kCardBlack;
    }
    return v < 240 || v >= 800 ? 160 : 128;
}

}  // namespace warplens
