#pragma once

#include "app/figures/figure_fonts.h"
#include "app/figures/formats/drawing.h"

#include <string>

namespace warplens {

struct SvgOptions {
    Color page{0, 0, 0, 0};  ///< behind everything; transparent: no page
    bool outlines = false;   ///< text as shapes: looks the same everywhere, and cannot be searched or edited
};

/// A figure as an SVG 1.1 document: real text, one attribute for each property and nothing else (no style
/// sheets, scripts, patterns, transforms or references), because that is what slide programs take. One unit
/// is a point of the picture, 1/96 inch. The same input gives the same bytes.
/// @param image  as PNG inside; empty: none.
/// Errors: std::runtime_error when the image cannot be encoded.
std::string write_svg(const Drawing& drawing, const FigureImage& image, const FigureFonts& fonts,
                      const FigureMetadata& metadata, const SvgOptions& options);

/// Text between tags or in an attribute; characters that XML does not know are left out.
std::string xml_text(std::string_view text);

/// A number without needless digits: two decimals, no negative zero, never a comma.
std::string svg_number(float value);

}  // namespace warplens
