#pragma once

#include "app/figures/figure_fonts.h"
#include "app/figures/formats/drawing.h"
#include "kernels/unavailable.h"

#include <optional>
#include <string>
#include <variant>

namespace warplens {

/// Why this build writes no PDF. Empty if it does.
std::optional<Unavailable> pdf_unavailable();

/// A figure as a PDF of one page, written by Cairo. Text is text, in the program's own fonts, of which the
/// used glyphs are embedded. A point of the picture is 1/96 inch. The same input gives the same bytes.
/// @param page   colour behind everything. Transparent for no page.
/// @param image  the image in image boxes. Empty if there is none.
/// @return       the bytes of the file, or why there are none, because Cairo is not in this build or no font
///               file is installed.
/// Errors: std::runtime_error when Cairo fails.
std::variant<std::string, Unavailable> write_pdf(const Drawing& drawing, const FigureImage& image,
                                                 const FigureFonts& fonts, const FigureMetadata& metadata,
                                                 Color page);

}  // namespace warplens
