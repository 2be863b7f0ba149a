#pragma once

#include "app/gl/context.h"
#include "app/gl/fonts.h"
#include "app/gl/offscreen.h"
#include "app/gl/painter.h"
#include "app/pictures/kit/palette.h"

#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace warplens {

/// A key press that the window delivers itself, because ImGui before 1.87 loses short taps. `key` is a
/// GLFW_KEY_ code.
struct KeyTap {
    int key = 0;
    char printed = 0;  ///< what the person's layout prints on the key, if that is one ASCII character
    bool ctrl = false, shift = false, alt = false;
    bool repeat = false;  ///< the key is being held down, and this is not the first time
};

/// The desktop window: GLFW, OpenGL 3.3 core, Dear ImGui. Sleeps until something happens.
class Window {
public:
    struct Options {
        int width = 1280, height = 800;  ///< [screen coordinates]
        std::string title = "Warplens";
        bool visible = true;
    };
    /// Tries the native context first, then EGL.
    /// @return  the window, or why there is none: no display, no OpenGL 3.3, no libGL; one sentence for a
    /// person.
    static std::variant<std::unique_ptr<Window>, Unavailable> open(const Options& options);
    virtual ~Window() = default;

    virtual const GlInfo& info() const = 0;
    virtual Fonts& fonts() = 0;
    virtual Painter& painter() = 0;

    /// Pixels per point: content scale of the screen times the person's choice, or what fix_scale says.
    virtual float scale() const = 0;
    /// For a class: so many pixels per point, whatever the person's choice; 0: by that choice again.
    virtual void fix_scale(float pixels_per_point) = 0;
    /// The person's choice, 0.5 to 3; fonts and styles are renewed before the next frame.
    virtual void set_user_scale(float scale) = 0;
    virtual float user_scale() const = 0;
    /// Colours and sizes of all controls (apply_theme), from the next frame on; dark before the first call.
    virtual void set_theme(const Theme& theme) = 0;

    /// Sleep until input, a wake() or the timeout (seconds); then `frame` is called between ImGui::NewFrame
    /// and Render, and the result is shown. Returns false when the window was closed. Draws a few frames more
    /// after each event, because ImGui needs them; sleeps when nothing happens. Returns without calling
    /// `frame` while the window is an icon.
    virtual bool run_frame(const std::function<void()>& frame) = 0;

    /// Key presses since the last frame, in order; also of taps shorter than a frame.
    virtual const std::vector<KeyTap>& taps() const = 0;
    /// Files dropped on the window since the last frame.
    virtual const std::vector<std::string>& dropped() const = 0;
    /// Ask for `frames` more frames without waiting: animations and fresh results.
    virtual void keep_awake(int frames) = 0;
    /// The next run_frame sleeps no longer than this [s]. Asked for anew in each frame.
    virtual void wake_within(double seconds) = 0;
    /// Wake a sleeping run_frame. From any thread.
    virtual void wake() = 0;
    /// The next run_frame returns false. From any thread; wake() too when it may be asleep.
    virtual void close() = 0;
    virtual void toggle_fullscreen() = 0;
    virtual bool is_full_screen() const = 0;
    /// The pixels of the frame that is being shown, taken at the end of the present run_frame.
    virtual void capture_next(std::function<void(Image)> done) = 0;
    /// Frames drawn so far; for benchmarks and tests of sleeping.
    virtual long frames_drawn() const = 0;
};

}  // namespace warplens
