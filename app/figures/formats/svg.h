#pragma once

#include "app/figures/figure_fonts.h"
#include "app/figures/formats/drawing.h"

#include <string>

namespace warplens {

struct SvgOptions {
    Color page{0, 0, 0, 0};  ///< colour behind everything. Transparent for no page.
    bool outlines = false;   ///< text as shapes: looks the same everywhere, but cannot be searched or edited
};

/// A figure as an SVG 1.1 document: real text, one attribute for each property, and nothing else (no style
/// sheets, scripts, patterns, transforms or references), because slide programs support only that. One unit
/// is a point of the picture, 1/96 inch. The same input gives the same bytes.
/// @param image  embedded as PNG. Empty if there is none.
/// Errors: std::runtime_error if the image cannot be encoded.
std::string write_svg(const Drawing& drawing, const FigureImage& image, const FigureFonts& fonts,
                      const FigureMetadata& metadata, const SvgOptions& options);

/// A text escaped for use between tags or in an attribute. Characters that XML does not allow are left out.
std::string xml_text(std::string_view text);

/// A number without needless digits: two decimals, no negative zero, never a comma.
std::string svg_number(float value);

}  // namespace warplens
