#pragma once

#include "app/pictures/kit/warp_canvas.h"

#include <vector>

namespace warplens {

inline constexpr float kAddressRow = 19;  ///< height of a row of addresses [points]

/// The 64-byte lines that a request touches, in pieces as large as the constant L1, so that what stands
/// beyond the first piece is seen. Measured on CC 9.0: 32 words at a stride of 32 words, 32 lines spread over
/// 4 KB, do not stay in it.
struct LineStrip {
    struct Piece {
        std::uint64_t first_line = 0;  ///< address / 64 of its first line
        std::uint32_t touched = 0;     ///< bit i: line first_line + i
    };
    std::vector<Piece> pieces;   ///< those with a touched line, by rising address
    int rows = 0;                ///< pieces that are drawn; 0: no room for the strip
    int lines = 0;               ///< touched in all
    std::uint64_t end_line = 0;  ///< one past the last
    float height = 0;            ///< with its text [points]

    bool fits() const { return pieces.size() <= 1; }
};
LineStrip lay_out_strip(const Canvas& canvas, const WarpAccess& access, const ConstantReport& report,
                        float room);
void draw_strip(const WarpCanvas& d, const LineStrip& strip, float x, float y, float width);

}  // namespace warplens
