#pragma once

#include "app/pictures/kit/picture.h"

#include <string>

namespace warplens {

/// What a session needs of the window that shows it: a real one (app/panels/shell.h), or one of a test.
class Host {
public:
    virtual ~Host() = default;

    virtual Vec2 size() const = 0;    ///< [screen coordinates]
    virtual float scale() const = 0;  ///< pixels per point
    /// The person's own choice of size, 0.5 to 3; scale() follows before the next frame.
    virtual float user_scale() const = 0;
    virtual void set_user_scale(float scale) = 0;
    virtual std::string renderer() const = 0;  ///< what draws the window, as OpenGL names it
    virtual bool is_full_screen() const = 0;
    virtual void toggle_full_screen() = 0;
    virtual double now() const = 0;  ///< [s], of a clock that does not go backwards
    /// Draw this many more frames before the window sleeps.
    virtual void keep_awake(int frames) = 0;
    /// Draw the next frame after at most this time [s].
    virtual void wake_within(double seconds) = 0;
    /// End the window's sleep. May be called from any thread.
    virtual void wake() = 0;
    /// The next frame is the last one.
    virtual void close() = 0;
    /// If a person names no paths (kHasPaths), ask for files to open.
    virtual void choose_files() {}
    virtual void set_clipboard(const std::string& text) = 0;
};

}  // namespace warplens
