// Stands in for pdf.cpp in builds without Cairo.
#include "app/figures/formats/pdf.h"

namespace warplens {

std::optional<Unavailable> pdf_unavailable() {
    return Unavailable{
        "this build writes no PDF, because Cairo was not there when it was built: install libcairo2-dev and "
        "build again, or write SVG"};
}

std::variant<std::string, Unavailable> write_pdf(const Drawing&, const FigureImage&, const FigureFonts&,
                                                 const FigureMetadata&, Color) {
    return *pdf_unavailable();
}

}  // namespace warplens
