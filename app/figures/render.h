#pragma once

#include "app/boards/board.h"
#include "app/experiment/evidence.h"
#include "app/experiment/recordings.h"
#include "app/figures/figure.h"
#include "app/figures/figure_options.h"
#include "app/figures/formats/drawing.h"
#include "app/figures/formats/png.h"
#include "app/gl/context.h"
#include "app/gl/offscreen.h"
#include "app/interop/textures.h"
#include "app/measure/accesses/access_list.h"

#include <memory>
#include <string>
#include <vector>

namespace warplens {

/// The content of a figure of a recorded request, which has no scenario.
struct RequestFigure {
    Evidence evidence;  ///< request_evidence
    std::string title, subtitle;
    std::string recorded;                      ///< where the request was made
    std::string command;                       ///< that makes the figure
    std::shared_ptr<const AccessGroup> group;  ///< the evidence refers to its name
};

/// A figure before it is drawn: what it shows, and the reports that its pictures refer to. All formats are
/// made from the same plan.
class FigurePlan {
public:
    /// @param recordings  drawn beside the model.
    /// Errors: UsageError when the view does not fit the scenario.
    FigurePlan(const State& state, const std::vector<DeviceFacts>& devices, const FigureOptions& options,
               const Recordings& recordings = {});
    /// The figure of one recorded request. A FigureRenderer that may not use CUDA has to draw it, because no
    /// kernel makes it.
    FigurePlan(RequestFigure request, const State& state, const std::vector<DeviceFacts>& devices,
               const FigureOptions& options);
    FigurePlan& operator=(FigurePlan&&) = delete;
    ~FigurePlan();

    /// Errors: UsageError if the size is too small for the texts. It names the smallest one that is not.
    void check_size(const TextMeasure& measure) const;
    std::vector<PlacedPicture> compose(const TextMeasure& measure) const;
    Vec2 size() const;  ///< [points]
    /// The same figure on another page: nothing is counted again.
    void set_size(int width, int height) {
        options_.width = width;
        options_.height = height;
    }
    void set_theme(ThemeName theme) { options_.look.theme = theme; }
    Color page() const;  ///< colour of the page. Transparent if there is no page.

    const State& state() const { return state_; }
    const DeviceFacts& device() const { return devices_[state_.device]; }
    const FigureOptions& options() const { return options_; }
    const FigureContent& content() const { return content_; }
    const Evidence& evidence() const { return evidence_; }
    const BoardInput& board() const { return board_; }
    /// The figure of A, if the state is compared with another one. Null if it is not.
    const FigurePlan* other() const;
    /// The numbers of both sides of a comparison.
    const std::vector<QuantityPair>& compared_numbers() const { return compared_.numbers; }
    /// The sentences of the caption, whether it is shown or not.
    std::vector<std::string> caption() const;
    /// @param out  the file's name, for the command line that makes it again; its folder does not matter.
    FigureMetadata metadata(const std::string& out) const;

private:
    struct Side;
    void compare(const Recordings& recordings);

    State state_;  ///< with the board of the view
    const std::vector<DeviceFacts>& devices_;
    FigureOptions options_;
    Evidence evidence_;
    Curve curve_;
    Heatmap heatmap_;
    FitPlot fit_;
    BoardInput board_;
    void make_slide();

    FigureContent content_;
    std::string command_;                       ///< of a recorded request. Empty if the state says it.
    std::shared_ptr<const AccessGroup> group_;  ///< of a recorded request; the evidence refers to its name
    std::unique_ptr<Side> a_;                   ///< what it is compared with. Null if there is nothing.
    ComparedContent compared_;
};

/// Draws figures without a window: a windowless GL context, the window's own drawing code, and the trace
/// buffer behind the heat cells, filled by CUDA where there is a GPU.
class FigureRenderer {
public:
    /// @param cpu    never touch CUDA.
    /// @param scale  pixels per point.
    /// Errors: NoDisplay when there is no OpenGL.
    FigureRenderer(bool cpu, float scale);
    /// The same in the current GL context of a window, which must outlive it.
    FigureRenderer(TraceMode mode, float scale);

    /// Begin a figure, draw it piece by piece, take it: as in Offscreen.
    void begin(const FigurePlan& plan);
    float draw_piece(bool wait = true) { return offscreen_->draw_piece(wait); }
    Image take() { return offscreen_->take(); }

    const GlInfo& gl() const { return context_->info(); }  ///< only if it has its own context
    const TraceBuffer& trace() const { return *trace_; }
    const ImageTexture& image() const { return *image_; }

private:
    // The context is the first member, so that it is destroyed after everything that needs it.
    std::unique_ptr<HeadlessContext> context_;
    std::unique_ptr<TraceBuffer> trace_;
    std::unique_ptr<ImageTexture> image_;
    std::unique_ptr<TraceBuffer> trace_of_a_;   ///< of A. Null before the first comparison.
    std::unique_ptr<ImageTexture> image_of_a_;  ///< the same
    std::unique_ptr<Offscreen> offscreen_;
};

/// The recordings of a figure: those that come with the program, unless they are not wanted, and the named
/// files. Errors: UsageError for a file that is no recording.
Recordings open_figure_recordings(const RecordingChoice& choice, const std::vector<DeviceFacts>& devices);

/// The instructions that a view shows: those of its memory space, or the one that was asked for.
/// Errors: UsageError when there is none.
std::vector<int> instructions_of_view(const State& state, const FigureOptions& options);

/// Packs a drawn figure, which must exist meanwhile, as a PNG file, which contains how it was made.
PngPacker figure_packer(const Image& image, const FigureMetadata& metadata, const FigureOptions& options);
std::string figure_to_png(const Image& image, const FigureMetadata& metadata, const FigureOptions& options);

}  // namespace warplens
