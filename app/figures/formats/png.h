#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace warplens {

/// A text inside the file, as UTF-8, for example {"Command", "warplens export …"}.
struct PngText {
    std::string keyword;  ///< 1 to 79 characters
    std::string text;
};

/// Encode pixels as PNG, marked as sRGB. The same input gives the same bytes.
///
/// @param rgba             top row first, 4 bytes per pixel.
/// @param pixels_per_point 1 for 96 pixels per inch. It is written to the file, so that figures of any scale
///                         are shown in their size in points.
/// @param with_alpha       whether to write the opacity of each pixel
/// @return                 the bytes of the file.
/// Errors: std::runtime_error if libpng refuses, for example a size of 0.
std::string encode_png(int width, int height, std::span<const std::uint8_t> rgba, double pixels_per_point,
                       const std::vector<PngText>& texts, bool with_alpha = false);

}  // namespace warplens
