#pragma once

#include "app/gl/window.h"
#include "app/learn/notes_page.h"
#include "app/panels/screen.h"
#include "app/window/host.h"
#include "app/window/session.h"

#include <optional>
#include <string>
#include <vector>

namespace warplens {

/// A real window as a session needs it.
class WindowHost final : public Host {
public:
    explicit WindowHost(Window& window) : window_(window) {}
    Vec2 size() const override;
    float scale() const override { return window_.scale(); }
    float user_scale() const override { return window_.user_scale(); }
    void set_user_scale(float scale) override { window_.set_user_scale(scale); }
    std::string renderer() const override { return window_.info().renderer; }
    bool is_full_screen() const override { return window_.is_full_screen(); }
    void toggle_full_screen() override { window_.toggle_fullscreen(); }
    double now() const override;
    void keep_awake(int frames) override { window_.keep_awake(frames); }
    void wake_within(double seconds) override { window_.wake_within(seconds); }
    void wake() override { window_.wake(); }
    void close() override { window_.close(); }
    void choose_files() override;
    void set_clipboard(const std::string& text) override;

private:
    Window& window_;
};

/// Writes the screen as JSON whenever it changes: places of the controls and the numbers shown. Only for
/// tests that drive the window with a real mouse: the environment variable WARPLENS_UI_TRACE names the file;
/// without it nothing is written.
class UiTrace {
public:
    UiTrace();
    struct Scales {
        float now, user;  ///< pixels per point; the person's choice
        long frames;      ///< drawn so far
    };
    /// @param board  the picture of the chosen board
    /// @param notes  how the notes in the second window begin. Empty if it is not open.
    void write(const Frame& frame, const View& view, const Picture& board, const Scales& scales,
               const std::string& notes);

private:
    std::string path_, written_;
};

/// A session in its window: what a person does goes in as Actions, what the Frame says is drawn.
class Shell {
public:
    /// @param start    scenario, knobs and device to begin with; knobs are in range
    /// @param devices  the table of known GPUs; start.device is an index into it. The GPU that is here joins
    ///                 it later, because starting CUDA takes half a second and the first frame must not wait.
    /// @param bench    what measures: the GPU that is here, or something predictable in tests
    Shell(Window& window, const State& start, std::vector<DeviceFacts> devices, const WindowOptions& options,
          MeasureBench bench = gpu_bench());

    /// One drawn frame, to be called by Window::run_frame: fetch what arrived, read keys, draw all panels,
    /// apply what was asked for.
    void show_frame();
    Session& session() { return session_; }
    const PanelMemory& memory() const { return memory_; }

private:
    /// Whether Tab belongs to the text being typed.
    bool indents() const;
    void read_keys();
    void let_keys_walk();
    void draw(Actions& actions);
    void show_notes();

    Window& window_;
    WindowHost host_;
    Session session_;
    PanelMemory memory_;
    /// The content of the second window. Empty if it is not open.
    struct Notes {
        NotesPage page;
        Vec2 pixels;
        const Theme* theme;
    };
    std::optional<Notes> notes_;
    UiTrace trace_;
    bool tabbed_ = false;  ///< whether a person walks through the controls of projector mode with Tab
    bool menu_ =
        false;  ///< whether a popup was open in the last frame: Dear ImGui closes it before keys are read
};

}  // namespace warplens
