#pragma once

#include "app/answers/store.h"
#include "app/figures/export_job.h"
#include "app/figures/render.h"
#include "app/window/frame.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// The present state of a window, as it is needed for making figures.
struct FigureDesk {
    const State& state;
    const std::vector<DeviceFacts>& devices;
    const Recordings& recordings;
    RecordingView recording_view;
    View& view;
    Vec2 size;                          ///< of the window [points]
    TraceMode mode = TraceMode::model;  ///< how the trace buffer of heat cells is filled
    bool cpu = false;                   ///< never touch CUDA
    std::string web_address = {};       ///< that figures name, as FigureOptions has it
    std::function<void()> wake;
};

/// Work that may be done on any thread, once, while what it refers to exists.
template <class T>
struct Piece {
    std::function<Work<T>()> begin;
    mutable std::weak_ptr<void> running = {};  ///< not expired while somebody may do it
};
template <class T>
struct PieceKey {
    std::shared_ptr<const Piece<T>> piece;
    friend bool operator==(const PieceKey&, const PieceKey&) = default;
};
template <class T>
Work<T> answer(const PieceKey<T>& key, Store&) {
    struct Running : Slow<T> {
        explicit Running(const Piece<T>& piece) : work(piece.begin()) { piece.running = running; }
        bool step() override {
            const bool more = work->step();
            this->result = std::move(work->result);
            return more;
        }
        double how_far() const override { return work->how_far(); }
        const std::shared_ptr<int> running = std::make_shared<int>();  ///< first, so that it ends last
        const Work<T> work;
    };
    return std::make_unique<Running>(*key.piece);
}
inline std::size_t bytes_of(const ExportJob::Made& made) { return made.file.size() + made.frame.size(); }

/// Exports and copies of a window: the dialog's state, and figures while they are made. Drawing needs the
/// window's OpenGL, so it happens here, a few pieces per frame; everything else happens on another thread. It
/// uses the same options and the same ExportJob as `warplens export`.
class WindowFigures {
public:
    WindowFigures() = default;
    ~WindowFigures();  ///< after the store, whose jobs may be making figures
    WindowFigures(const WindowFigures&) = delete;
    WindowFigures& operator=(const WindowFigures&) = delete;

    /// Open the dialog and propose a file name.
    void open(const FigureDesk& desk);
    /// Give up what is being written, and close the dialog. If it asks about an existing file, only the
    /// question is closed.
    void close();
    /// Write the figure. If the file exists, the first call only asks.
    void start(const FigureDesk& desk);
    /// Begin to copy the picture. advance() reports the result.
    void copy_picture(const FigureDesk& desk);
    /// Begin to write a figure of a recorded request, in the form of the dialog. advance() reports the
    /// result. Errors: UsageError if it cannot be written.
    void write_request(const FigureDesk& desk, RequestFigure request, const State& state,
                       const FigureOptions& options, const std::string& path);
    /// What is made without the dialog: "copying the picture". Empty if nothing is.
    std::string busy() const;
    /// Give that up. @return  a message for the person
    std::string cancel();
    /// The picture's numbers as CSV, or the command that makes it. Errors: UsageError.
    std::string data(const FigureDesk& desk) const;
    std::string command(const FigureDesk& desk) const;

    /// Must be called once per frame. @return  a message for the person. Empty if there is no news.
    std::string advance(const FigureDesk& desk, Store& store);

    const ExportView* dialog() const { return open_ ? &dialog_ : nullptr; }

private:
    /// The figure that is being made.
    struct Work {
        explicit Work(ExportJob made, bool cpu, TraceMode mode) : job(std::move(made)), writer(cpu, mode) {}
        ExportJob job;
        FigureWriter writer;
        bool drawing = false;  ///< whether a figure was begun and is not completely drawn
        std::shared_ptr<const Piece<ExportJob::Made>> making = nullptr;
        std::shared_ptr<const Piece<std::string>> copying = nullptr;
        bool is_used() const {
            return (making && !making->running.expired()) || (copying && !copying->running.expired());
        }
        bool copy = false;
        bool request = false;
    };
    /// Everything that the preview depends on.
    struct Shown {
        State state;
        FigureForm form;
        int focus = 0, width = 0, height = 0;
        ThemeChoice look;
        std::uint64_t recordings = 0;  ///< Recordings::changes
        friend bool operator==(const Shown&, const Shown&) = default;
    };
    ExportJob make_job(const FigureDesk& desk, const std::string& path, bool picture) const;
    void propose_path(const FigureDesk& desk);
    void refresh(const FigureDesk& desk);
    void draw_preview(const FigureDesk& desk);
    void continue_preview(const FigureDesk& desk);
    std::string continue_work(const FigureDesk& desk, Store& store);
    std::string finish(const FigureDesk& desk);
    std::string path(const FigureDesk& desk) const;

    bool open_ = false;
    ExportView dialog_;
    std::string proposed_;            ///< the path that was proposed last
    std::optional<FigureForm> form_;  ///< the form for which it was proposed
    std::optional<Shown> shown_;      ///< what the preview shows
    std::unique_ptr<FigureWriter> preview_writer_;
    bool previews_ = false;                        ///< whether it is drawing
    std::unique_ptr<Work> work_;                   ///< null if nothing is being made
    std::vector<std::unique_ptr<Work>> given_up_;  ///< kept while they are used
};

/// Put a PNG file on the clipboard. GLFW cannot do that, so a program does that keeps running and hands the
/// picture out: wl-copy on Wayland, xclip on X11. Waits at most five seconds for it. Thread-safe.
/// @return  why it failed, in one sentence that says what to do. Empty if it succeeded.
std::string copy_png(std::string_view png);

}  // namespace warplens
