#pragma once

#include "app/experiment/settings.h"
#include "app/figures/figure_writer.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warplens {

/// What `export` was asked for as a state: with the board or plot that it shows, and what it is
/// compared with (the state is then B's).
/// Errors: UsageError.
Experiment make_export_experiment(const ExportRequest& command);

/// An export, one figure after the other: `warplens export` and the window's dialog write files through it.
/// Nothing is written before the last figure is done, so that nothing is left over when it is given up.
class ExportJob {
public:
    /// Errors: UsageError when the view does not fit, there are no steps, or this build cannot write the
    /// format.
    ExportJob(ExportRequest command, Experiment experiment, Recordings recordings);
    ~ExportJob();
    ExportJob(ExportJob&&) noexcept;
    ExportJob& operator=(ExportJob&&) = delete;

    std::size_t figures() const { return states_.size(); }  ///< one, or one for each step
    std::size_t done() const { return done_; }
    bool complete() const { return done_ == figures(); }
    const std::string& path() const { return command_.output_path; }

    /// The bytes of one figure, and of a first step also as the animation has it.
    struct Made {
        std::string file, frame;
    };
    /// Begin the next figure.
    /// Errors of this and the next two: NoDisplay, UsageError.
    void begin(FigureWriter& writer);
    /// Draw a piece of it, where it needs OpenGL. @return  how much is drawn, 0 to 1
    float draw_piece(FigureWriter& writer);
    /// Once it is drawn: the function does the rest, on any thread, once. Job and writer live until then.
    std::function<Made()> rest(FigureWriter& writer);
    /// Take what that function made.
    void take(Made made);

    /// Once complete: write everything. @return  a line for each file: "t.svg: 1280 x 800 points of 1/96
    /// inch". Errors: UsageError when a file cannot be written.
    std::vector<std::string> write() const;
    /// The bytes of the one figure, instead of writing it.
    const std::string& bytes() const { return files_.front().bytes; }

private:
    struct File {
        std::string path, bytes, line;
    };
    std::string name_of(std::size_t figure) const;
    bool has_pixels() const { return command_.steps || format_ == FigureFormat::png; }
    FigureMetadata metadata_of_animation(const FigurePlan& first) const;
    std::string size_text(const FigurePlan& plan) const;

    ExportRequest command_;
    FigureFormat format_;
    std::unique_ptr<const Experiment> experiment_;  ///< at a fixed place: plans refer to its devices
    std::unique_ptr<const Recordings> recordings_;
    std::vector<State> states_;         ///< of the figures
    std::unique_ptr<FigurePlan> plan_;  ///< of the figure that was begun last
    std::size_t done_ = 0;
    std::vector<File> files_;
    std::vector<std::string> frames_;  ///< of the animation
};

}  // namespace warplens
