// The browser makes PDFs by printing. What it prints is an SVG, with texts as shapes, because a picture in a
// page has no fonts of its own.
#include "app/figures/formats/pdf.h"
#include "app/figures/formats/svg.h"

namespace warplens {

std::optional<Unavailable> pdf_unavailable() { return std::nullopt; }

std::variant<std::string, Unavailable> write_pdf(const Drawing& drawing, const FigureImage& image,
                                                 const FigureFonts& fonts, const FigureMetadata& metadata,
                                                 Color page) {
    return write_svg(drawing, image, fonts, metadata, {page, true});
}

}  // namespace warplens
