#pragma once

#include "app/figures/export_job.h"
#include "app/window/frame.h"

#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warplens {

/// What a window lends for making figures: how it stands.
struct FigureDesk {
    const State& state;
    const std::vector<DeviceFacts>& devices;
    const Recordings& recordings;
    RecordingView recording_view;
    View& view;
    Vec2 size;                          ///< of the window [points]
    TraceMode mode = TraceMode::model;  ///< how values get behind heat cells
    bool cpu = false;                   ///< never touch CUDA
    std::uint64_t generation = 0;       ///< of what is drawn
    std::function<void()> wake;         ///< from any thread
};

/// Exports and copies of a window: the dialog's state, and figures while they are made. Drawing needs the
/// window's OpenGL and happens here, a few pieces a frame; all else happens on another thread. The same
/// options and the same ExportJob as `warplens export`.
class WindowFigures {
public:
    WindowFigures() = default;
    ~WindowFigures();  ///< waits for what is being made
    WindowFigures(const WindowFigures&) = delete;
    WindowFigures& operator=(const WindowFigures&) = delete;

    /// Open the dialog, with a name for the file.
    void open(const FigureDesk& desk);
    /// Close it, and give up what is being made; a question is only taken back.
    void close();
    /// Write the figure; where there is such a file the first call only asks.
    void start(const FigureDesk& desk);
    /// Begin to copy the picture; advance says how it went.
    void copy_picture(const FigureDesk& desk);
    bool copying() const { return work_ != nullptr && work_->copy; }
    void cancel_copy();
    /// The picture's numbers as CSV, or the command that makes it. Errors: UsageError.
    std::string data(const FigureDesk& desk) const;
    std::string command(const FigureDesk& desk) const;

    /// Once a frame. @return  what a person should know; empty: nothing new.
    std::string advance(const FigureDesk& desk);

    const ExportView* dialog() const { return open_ ? &dialog_ : nullptr; }

private:
    /// What is being made.
    struct Work {
        explicit Work(ExportJob made, bool cpu, TraceMode mode) : job(std::move(made)), writer(cpu, mode) {}
        ExportJob job;
        FigureWriter writer;
        bool drawing = false;  ///< a figure was begun, and not all of it is drawn
        std::future<ExportJob::Made> making;
        std::future<std::string> copying;
        bool copy = false;
    };
    /// What the preview depends on.
    struct Shown {
        State state;
        FigureForm form;
        int focus = 0, width = 0, height = 0;
        ThemeChoice look;
        std::uint64_t generation = 0;
        friend bool operator==(const Shown&, const Shown&) = default;
    };
    ExportJob make_job(const FigureDesk& desk, const std::string& path, bool picture) const;
    void propose_path(const FigureDesk& desk);
    void refresh(const FigureDesk& desk);
    void draw_preview(const FigureDesk& desk);
    std::string continue_work(const FigureDesk& desk);
    std::string finish(const FigureDesk& desk);
    std::string path(const FigureDesk& desk) const;

    bool open_ = false;
    ExportView dialog_;
    std::string proposed_;            ///< the path that was proposed last
    std::optional<FigureForm> form_;  ///< that it was proposed for
    std::optional<Shown> shown_;      ///< in the preview
    std::unique_ptr<FigureWriter> preview_writer_;
    std::unique_ptr<Work> work_;                   ///< null: nothing is being made
    std::vector<std::unique_ptr<Work>> given_up_;  ///< until their threads are through
};

}  // namespace warplens
