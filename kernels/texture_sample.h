#pragma once

#include "kernels/texture_layout.h"

#include <cstdint>

// How a texture unit turns a coordinate into texels and weights, with the same integers on the CPU and in the
// kernels. Source: CUDA C++ Programming Guide, Texture Fetching.

namespace warplens {

/// Weights of linear filtering have 8 fractional bits, so coordinates finer than 1/256 texel make no
/// difference.
inline constexpr int kTexelParts = 256;

/// A point in a texture, counted from its corner. Texel i spans kTexelParts * i up to kTexelParts * (i + 1).
struct SamplePoint {
    int x = 0, y = 0;  ///< [1/256 texel]
};

/// The texels that one sample reads.
struct Footprint {
    /// The texel itself for nearest filtering; the upper left one of 2 x 2 for linear filtering.
    Texel first;
    /// For linear filtering the weights of the right and of the lower texels [1/256]; for nearest filtering
    /// where in the texel the point lies [1/256 texel].
    int fraction_x = 0, fraction_y = 0;
};

/// The texels of a sample: nearest filtering reads the texel that contains the point, linear filtering the
/// four texels whose centres surround it.
WARPLENS_HD constexpr Footprint footprint_of(SamplePoint at, bool linear) {
    const int shift = linear ? kTexelParts / 2 : 0;
    const int x = at.x - shift, y = at.y - shift;
    return {{x >> 8, y >> 8}, x & (kTexelParts - 1), y & (kTexelParts - 1)};
}

/// The value of a sample.
/// @param size   texels a side
/// @param fetch  fetch(x, y) gives the value of a texel inside, 0 to 255. Outside, with Border::border, it is
/// 0.
/// @return       0 to 255, rounded
template <class Fetch>
WARPLENS_HD constexpr int sample_texture(SamplePoint at, bool linear, int size, Border border,
                                         const Fetch& fetch) {
    const Footprint f = footprint_of(at, linear);
    const auto texel = [&](int right, int down) {
        const int x = inside_texture(f.first.x + right, size, border),
                  y = inside_texture(f.first.y + down, size, border);
        return x < 0 || y < 0 ? 0 : int(fetch(x, y));
    };
    if (!linear) return texel(0, 0);
    const int upper = texel(0, 0) * (kTexelParts - f.fraction_x) + texel(1, 0) * f.fraction_x;
    const int lower = texel(0, 1) * (kTexelParts - f.fraction_x) + texel(1, 1) * f.fraction_x;
    const int sum = upper * (kTexelParts - f.fraction_y) + lower * f.fraction_y;
    constexpr int kOne = kTexelParts * kTexelParts;
    return (sum + kOne / 2) / kOne;
}

/// Sine and cosine, times 65536.
struct Turn {
    int sine = 0, cosine = kOne;
    static constexpr int kOne = 1 << 16;
};

/// Sines of 0 to 90 degrees, times 65536, made while compiling.
struct SineTable {
    int sine[91];

    WARPLENS_HD constexpr SineTable() : sine{} {
        for (int degrees = 0; degrees <= 45; ++degrees) {
            const double x = degrees * 3.14159265358979323846 / 180, xx = x * x;
            const double sine_x = x * (1 - xx / 6 * (1 - xx / 20 * (1 - xx / 42 * (1 - xx / 72))));
            const double cosine_x =
                1 - xx / 2 * (1 - xx / 12 * (1 - xx / 30 * (1 - xx / 56 * (1 - xx / 90))));
            sine[degrees] = int(sine_x * Turn::kOne + 0.5);
            sine[90 - degrees] = int(cosine_x * Turn::kOne + 0.5);
        }
    }
};

inline constexpr SineTable kSines;

/// Computed in integers, so that the CPU and the kernels rotate a picture by exactly the same angle.
/// @param degrees  0 to 90
WARPLENS_HD constexpr Turn turn_by(int degrees) {
#if defined(__CUDA_ARCH__)
    constexpr SineTable
        kSines;  // nvcc keeps it in constant memory; a host compiler would copy it at each call
#endif
    return {kSines.sine[degrees], kSines.sine[90 - degrees]};
}

/// The places of an image's pixels in a texture: centre upon centre, enlarged and rotated clockwise.
struct SampleGrid {
    int image = 0;  ///< pixels a side
    int size = 0;   ///< texels a side
    /// Half a pixel to the right adds this much to x, and half a pixel down adds it to y [1/256 texel /
    /// 65536].
    int across = 0;
    /// Half a pixel to the right subtracts this much from y, and half a pixel down adds it to x [1/256 texel
    /// / 65536].
    int aslant = 0;

    WARPLENS_HD constexpr SamplePoint at(int pixel_x, int pixel_y) const {
        const std::int64_t u = 2 * pixel_x + 1 - image, v = 2 * pixel_y + 1 - image;  // half pixels
        constexpr std::int64_t kRound = Turn::kOne / 2;
        const int middle = size * (kTexelParts / 2);
        return {middle + int((u * across + v * aslant + kRound) >> 16),
                middle + int((v * across - u * aslant + kRound) >> 16)};
    }
};

/// @param zoom_percent  pixels for each texel, times 100: 25 to 1600
/// @param degrees       0 to 90
WARPLENS_HD constexpr SampleGrid sample_grid(int image, int size, int zoom_percent, int degrees) {
    const Turn turn = turn_by(degrees);
    const std::int64_t half_pixel = 100 * kTexelParts / 2 * Turn::kOne / zoom_percent;
    return {image, size, int(turn.cosine * half_pixel >> 16), int(turn.sine * half_pixel >> 16)};
}

}  // namespace warplens
