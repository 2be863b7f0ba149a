#pragma once

#include "app/figures/figure_fonts.h"
#include "app/figures/formats/drawing.h"
#include "kernels/unavailable.h"

#include <optional>
#include <string>
#include <variant>

namespace warplens {

/// Why this build writes no PDF; empty: it does.
std::optional<Unavailable> pdf_unavailable();

/// A figure as a PDF of one page, by Cairo: text as text in the program's own fonts, which are embedded as
/// far as they are used. A point of the picture is 1/96 inch. The same input gives the same bytes.
/// @param page   behind everything; transparent: no page.
/// @param image  behind image boxes; empty: none.
/// @return       the bytes of the file, or why there are none: Cairo is not in this build, or no font file is
///               installed.
/// Errors: std::runtime_error when Cairo fails.
std::variant<std::string, Unavailable> write_pdf(const Drawing& drawing, const FigureImage& image,
                                                 const FigureFonts& fonts, const FigureMetadata& metadata,
                                                 Color page);

}  // namespace warplens
