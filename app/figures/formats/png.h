#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace warplens {

/// A text that travels in the file, for example {"Command", "warplens export …"}: UTF-8.
struct PngText {
    std::string keyword;  ///< 1 to 79 characters
    std::string text;
};

/// Encode pixels as PNG, marked as sRGB. The same input gives the same bytes.
///
/// @param rgba             top row first, 4 bytes per pixel.
/// @param pixels_per_point 1: 96 pixels per inch, so that a figure of any scale comes out in its size in
/// points.
/// @param with_alpha       write how opaque each pixel is; else it is dropped.
/// @return                 the bytes of the file.
/// Errors: std::runtime_error when libpng refuses, for example a size of 0.
std::string encode_png(int width, int height, std::span<const std::uint8_t> rgba, double pixels_per_point,
                       const std::vector<PngText>& texts, bool with_alpha = false);

}  // namespace warplens
