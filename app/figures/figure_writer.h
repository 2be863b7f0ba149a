#pragma once

#include "app/figures/figure_fonts.h"
#include "app/figures/render.h"

#include <memory>
#include <optional>
#include <string>

namespace warplens {

/// The fonts of figures: those of the window, from the same files.
std::unique_ptr<FigureFonts> open_figure_fonts();

/// Turns figures into files of any format. OpenGL is initialised for the first PNG; the other formats do not
/// need it.
class FigureWriter {
public:
    /// @param cpu  never touch CUDA.
    explicit FigureWriter(bool cpu) : cpu_(cpu) {}
    /// Draws PNGs in the current GL context of a window, which must outlive it.
    /// @param mode  how the trace buffer of heat cells is filled
    FigureWriter(bool cpu, TraceMode mode) : cpu_(cpu), in_window_(mode) {}

    /// Only PNG needs OpenGL, and must be written on its thread.
    /// @param out  the file's name, for the command line inside it
    /// @return     the bytes of the file.
    /// Errors: NoDisplay for a PNG without OpenGL, UsageError for a PDF in a build that writes none.
    std::string write(const FigurePlan& plan, FigureFormat format, const std::string& out);

    /// The figure as pixels. Errors: NoDisplay.
    Image draw(const FigurePlan& plan);
    /// The same piece by piece, as in Offscreen, for callers that do other things in between.
    void begin(const FigurePlan& plan);
    float draw_piece(bool wait = true) { return renderer_->draw_piece(wait); }
    Image take() { return renderer_->take(); }
    /// Take it as a GL texture of the current context, which is valid until the next call.
    unsigned take_texture() {
        texture_.update(take());
        return texture_.gl_texture();
    }

private:
    std::string write_vectors(const FigurePlan& plan, FigureFormat format, const std::string& out);

    bool cpu_;
    std::optional<TraceMode> in_window_;
    std::unique_ptr<FigureFonts> fonts_;
    std::unique_ptr<FigureRenderer> renderer_;
    float renderer_scale_ = 0;  ///< [pixels per point]
    PixelTexture texture_;
};

}  // namespace warplens
