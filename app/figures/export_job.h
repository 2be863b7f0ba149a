#pragma once

#include "app/answers/store.h"
#include "app/experiment/evidence.h"
#include "app/experiment/settings.h"
#include "app/experiment/state.h"
#include "app/figures/figure_options.h"
#include "app/figures/figure_writer.h"
#include "app/figures/formats/gif.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warplens {

/// The state that `export` was asked for, with the board or plot that it shows. In a comparison the state is
/// that of B, and contains A. Errors: UsageError.
Experiment make_export_experiment(const ExportRequest& command);

/// A state, and how long an animation shows it [s].
struct AnimatedState {
    State state;
    double seconds = 1;
};

/// An export of one figure or of several, one after the other. `warplens export` and the window's dialog
/// write files with it. Nothing is written before the last figure is finished, so that no files are left if
/// it is given up.
class ExportJob {
public:
    /// Errors: UsageError if the view does not fit, if there are no steps, or if this build cannot write the
    /// format.
    ExportJob(ExportRequest command, Experiment experiment, Recordings recordings);
    /// One figure of a recorded request. Errors: UsageError if this build cannot write the format.
    ExportJob(RequestFigure request, ExportRequest command, Experiment experiment);
    ~ExportJob();
    ExportJob(ExportJob&&) noexcept;
    ExportJob& operator=(ExportJob&&) = delete;

    std::size_t figures() const { return states_.size(); }  ///< one, or one for each step
    std::size_t done() const { return done_; }
    bool complete() const { return done_ == figures(); }
    const std::string& path() const { return command_.output_path; }

    /// The bytes of one figure, and of its frame in the animation if that has different texts (only the first
    /// step).
    struct Made {
        std::string file, frame;
    };
    /// Begin the next figure.
    /// Errors of this and the next two: NoDisplay, UsageError.
    void begin(FigureWriter& writer);
    /// Draw a piece of the figure, if it needs OpenGL. @return  how much is drawn, 0 to 1
    /// @param wait  as for Offscreen::draw_piece
    float draw_piece(FigureWriter& writer, bool wait = true);
    /// To be called when it is drawn. What remains may be done on any thread; job and writer must exist as
    /// long as the work does.
    Work<Made> rest(FigureWriter& writer);
    /// Take the result of that work.
    void take(Made made);

    /// Write everything. Only valid if complete() is true. @return  a line for each file: "t.svg: 1280 x 800
    /// points of 1/96 inch". Errors: UsageError if a file cannot be written.
    std::vector<std::string> write() const;
    /// The bytes of the one figure, instead of writing it.
    const std::string& bytes() const { return files_.front().bytes; }

private:
    struct File {
        std::string path, bytes, line;
    };
    struct PixelWork;
    std::string name_of(std::size_t figure) const;
    bool has_pixels() const { return command_.steps || format_ == FigureFormat::png; }
    FigureMetadata metadata_of_animation(const FigurePlan& first) const;
    std::string size_text(const FigurePlan& plan) const;

    ExportRequest command_;
    FigureFormat format_;
    std::unique_ptr<const Experiment> experiment_;  ///< a pointer, because plans refer to its devices
    std::unique_ptr<const Recordings> recordings_;
    std::unique_ptr<const RequestFigure> request_;  ///< null if the figure is of a setting
    std::vector<AnimatedState> states_;             ///< of the figures
    std::unique_ptr<FigurePlan> plan_;              ///< of the figure that was begun last
    std::size_t done_ = 0;
    std::vector<File> files_;
    std::vector<ApngFrame> frames_;   ///< of the animation, if it is a PNG
    std::unique_ptr<GifWriter> gif_;  ///< the animation, if it is a GIF
};

/// Whether something moves in a state's pictures: bytes of wavefronts or sectors, or the elements of a board
/// with steps.
bool can_play(const State& state, const std::vector<DeviceFacts>& devices);

/// The frames of the player, from the first byte that sets out to the last that has arrived. On a board with
/// steps things glide from one step to the next, and stand there.
/// @param seconds  that a step takes
/// Errors: UsageError if there is nothing to play, or more than 1,000 frames.
std::vector<AnimatedState> played_frames(const State& state, const std::vector<DeviceFacts>& devices,
                                         std::optional<double> seconds);

/// The states that a player goes through, from the first step to the last: the steps of the state's board;
/// otherwise the wavefronts of the slowest instruction; otherwise the knob `step` of the scenario.
/// @param by  what to play, if there is a choice
/// Errors: UsageError if there is nothing to play, or more than 256 steps.
std::vector<State> steps_of(const State& state, const std::vector<DeviceFacts>& devices, StepBy by);

}  // namespace warplens
