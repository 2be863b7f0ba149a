#pragma once

#include "kernels/host_device.h"
#include "kernels/warp_access.h"

#include <cstdint>

namespace warplens {

inline constexpr int kTexelBytes = 4;
inline constexpr int kSectorTexelsX = 4, kSectorTexelsY = 2;  ///< texels of one 32-byte sector

/// The address of a texel. NVIDIA does not document how arrays are laid out. It is known that a 32-byte
/// sector holds 4 texels across by 2 rows (measured on CC 9.0): so the sectors are exact, while their order,
/// row by row, is illustrative.
/// @param width  of the texture, a multiple of 4 [texels]; x and y must lie inside.
/// @return  [bytes]
WARPLENS_HD constexpr std::uint64_t texel_address(int x, int y, int width) {
    const std::uint64_t sector = static_cast<std::uint64_t>(y / kSectorTexelsY) * (width / kSectorTexelsX) +
                                 static_cast<std::uint64_t>(x / kSectorTexelsX);
    const int inside = y % kSectorTexelsY * kSectorTexelsX + x % kSectorTexelsX;
    return (sector * kSectorTexelsX * kSectorTexelsY + static_cast<std::uint64_t>(inside)) * kTexelBytes;
}

struct Texel {
    int x = 0, y = 0;
};

/// The texel at an address: the inverse of texel_address.
WARPLENS_HD constexpr Texel texel_at(std::uint64_t byte_address, int width) {
    const std::int64_t texel = byte_address / kTexelBytes;
    const std::int64_t sector = texel / (kSectorTexelsX * kSectorTexelsY);
    const int inside = int(texel % (kSectorTexelsX * kSectorTexelsY));
    const int across = width / kSectorTexelsX;
    return {int(sector % across) * kSectorTexelsX + inside % kSectorTexelsX,
            int(sector / across) * kSectorTexelsY + inside / kSectorTexelsX};
}

/// The value of a texture outside its edges: CUDA's address modes.
enum class Border : int { clamp, border, wrap, mirror };

/// One coordinate, brought inside by an address mode.
/// @return  -1 if it lies outside and the mode is Border::border.
WARPLENS_HD constexpr int inside_texture(int at, int size, Border border) {
    if (at >= 0 && at < size) return at;
    switch (border) {
        case Border::clamp:
            return at < 0 ? 0 : size - 1;
        case Border::border:
            return -1;
        case Border::wrap:
            return (at % size + size) % size;
        case Border::mirror: {
            const int turn = (at % (2 * size) + 2 * size) % (2 * size);
            return turn < size ? turn : 2 * size - 1 - turn;
        }
    }
    return -1;
}

/// The address of the texel that a lane gets. Outside, with Border::border, it is that of the nearest texel
/// with kOutsideTexture set.
WARPLENS_HD constexpr std::uint64_t sampled_address(Texel at, Texel size, Border border) {
    const int x = inside_texture(at.x, size.x, border), y = inside_texture(at.y, size.y, border);
    if (x >= 0 && y >= 0) return texel_address(x, y, size.x);
    const int edge_x = inside_texture(at.x, size.x, Border::clamp),
              edge_y = inside_texture(at.y, size.y, Border::clamp);
    return texel_address(edge_x, edge_y, size.x) | kOutsideTexture;
}

}  // namespace warplens
