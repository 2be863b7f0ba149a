#pragma once

// The folder app/gl/ contains everything that uses OpenGL and GLFW, and the connection of Dear ImGui to
// them: the window, contexts without a window, fonts, and the painter that draws a Picture. It knows no
// scenario and no CUDA; which pictures and panels are drawn is decided elsewhere.

#include "app/gl/context.h"
#include "app/gl/offscreen.h"
#include "app/pictures/kit/palette.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace warplens {

/// A key press that the window delivers itself, because ImGui before 1.87 loses short taps. `key` is a
/// GLFW_KEY_ code.
struct KeyTap {
    int key = 0;
    char printed = 0;  ///< the character on the key in the person's layout, if it is one ASCII character
    bool ctrl = false, shift = false, alt = false;
    bool repeat = false;  ///< whether the key is held down and this is a repetition
};

/// The desktop window: GLFW, OpenGL 3.3 core, Dear ImGui. It sleeps until something happens.
class Window {
public:
    struct Options {
        int width = 1280, height = 800;  ///< [screen coordinates]
        std::string title = "Warplens";
        bool visible = true;
        bool takes_focus = true;
    };
    /// Tries the native context first, then EGL.
    /// @return  the window, or why there is none, as one sentence for a person: no display, no OpenGL 3.3, no
    /// libGL.
    static std::variant<std::unique_ptr<Window>, Unavailable> open(const Options& options);
    virtual ~Window() = default;

    virtual const GlInfo& info() const = 0;
    virtual Fonts& fonts() = 0;
    virtual Painter& painter() = 0;

    /// Pixels per point: content scale of the screen times the person's choice, or the value of fix_scale.
    virtual float scale() const = 0;
    /// Sets the pixels per point regardless of the person's choice, for presentations; 0 returns to that
    /// choice.
    virtual void fix_scale(float pixels_per_point) = 0;
    /// Sets the person's choice, 0.5 to 3; fonts and styles are renewed before the next frame.
    virtual void set_user_scale(float scale) = 0;
    virtual float user_scale() const = 0;
    /// Sets colours and sizes of all controls (apply_theme) from the next frame on. The theme is dark before
    /// the first call.
    virtual void set_theme(const Theme& theme) = 0;

    /// Sleep until there is input, a wake() or the timeout (seconds); then call `frame` between
    /// ImGui::NewFrame and Render, and show the result. Returns false after close(). Draws a few
    /// more frames after each event, because ImGui needs them. Returns without calling `frame` while the
    /// window is minimised, and before the time where a program must not sleep (a browser).
    virtual bool run_frame(const std::function<void()>& frame) = 0;

    /// Key presses since the last frame, in order, including taps shorter than a frame.
    virtual const std::vector<KeyTap>& taps() const = 0;
    /// Files dropped on the window since the last frame.
    virtual const std::vector<std::string>& dropped() const = 0;
    /// Whether a person asked, since the last frame, to close the window: it stays open until close().
    virtual bool close_asked() const = 0;
    /// Request `frames` more frames without waiting, for animations and new results.
    virtual void keep_awake(int frames) = 0;
    /// Limit the sleep of the next run_frame [s]. To be called in each frame.
    virtual void wake_within(double seconds) = 0;
    /// Wake a sleeping run_frame. May be called from any thread.
    virtual void wake() = 0;
    /// Let the next run_frame return false. May be called from any thread; wake() must follow if it may be
    /// asleep.
    virtual void close() = 0;
    virtual void toggle_fullscreen() = 0;
    virtual bool is_full_screen() const = 0;
    /// Pass the pixels of the frame that is being shown to `done`, at the end of the present run_frame.
    virtual void capture_next(std::function<void(Image)> done) = 0;
    /// The number of frames drawn so far, for benchmarks and tests of sleeping.
    virtual long frames_drawn() const = 0;

    // A second window that shows one picture, for what a lecturer reads. Its keys count as this one's (taps).
    /// On another screen, if there is one. @return  why it cannot be opened. Empty if it was.
    virtual std::string open_beside(const std::string& title) = 0;
    virtual void close_beside() = 0;
    /// [pixels]. Empty if none is open, or if the person has closed it.
    virtual std::optional<Vec2> beside_size() const = 0;
    /// From the end of the present frame on, on a page of the theme. @param scale  pixels per point
    virtual void show_beside(Picture picture, float scale) = 0;
};

/// How long a window may sleep before its next frame. It has no clock and no window.
///
/// ImGui needs a few frames until an event has had all its effects, and tooltips appear a moment after the
/// mouse has come to rest. Afterwards there is nothing to draw until something happens.
class FramePacing {
public:
    static constexpr double kIdleSeconds = 30;

    /// Reports that something happened: input, or the arrival of a result.
    void event();
    void keep_awake(int frames);
    /// Limits the next sleep [s], because an animation has its next step then.
    void wake_within(double seconds);
    /// @param caret_blinks  whether a text field has the keyboard
    /// @return  the longest sleep before the next frame [s]; 0 to draw at once
    double next_wait(bool caret_blinks);

private:
    int frames_now_ = 3;
    int frames_soon_ = 0;
    double longest_ = kIdleSeconds;  ///< the limit of the next sleep [s]
};

/// Give the current ImGui context the look of a theme, with 6-pixel corners and spaces in steps of four.
/// @param scale  pixels per point; every size is set anew, so that repeated calls do not add up.
void apply_theme(const Theme& theme, float scale);

}  // namespace warplens
