#pragma once

#include "app/commands/render.h"
#include "app/export/drawing.h"
#include "app/export/figure_fonts.h"

#include <memory>
#include <string>

namespace warplens {

/// The fonts that figures are set in: those of the window, from the same files.
std::unique_ptr<FigureFonts> open_figure_fonts();

/// Turns figures into files of any format. OpenGL is started for the first PNG, and not needed for the
/// others.
class FigureWriter {
public:
    /// @param cpu  never touch CUDA.
    explicit FigureWriter(bool cpu) : cpu_(cpu) {}

    /// @param out  the file's name, for the command line inside it
    /// @return     the bytes of the file.
    /// Errors: NoDisplay for a PNG without OpenGL, UsageError for a PDF in a build that writes none.
    std::string write(const FigurePlan& plan, FigureFormat format, const std::string& out);

    /// The figure as pixels. Errors: NoDisplay.
    Image draw(const FigurePlan& plan);

private:
    Drawing lower(const FigurePlan& plan, const FigureImage& image);
    FigureImage image_of(const FigurePlan& plan) const;

    bool cpu_;
    std::unique_ptr<FigureFonts> fonts_;
    std::unique_ptr<FigureRenderer> renderer_;
    float renderer_scale_ = 0;  ///< [pixels per point]
};

}  // namespace warplens
