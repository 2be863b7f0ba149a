#pragma once

namespace warplens {

/// How long a window may sleep before its next frame. Knows no clock and no window.
///
/// ImGui needs a few frames until an event has had all its effects, and tooltips appear a moment after the
/// mouse has come to rest; after that there is nothing to draw until something happens.
class FramePacing {
public:
    static constexpr double kIdleSeconds = 30;

    /// Something happened: input, or a result has arrived.
    void event();
    void keep_awake(int frames);
    /// The next sleep is no longer than this [s]: something that moves by itself has its next step then.
    void wake_within(double seconds);
    /// @param caret_blinks  a text field has the keyboard
    /// @return  the longest sleep before the next frame [s]; 0: draw at once
    double next_wait(bool caret_blinks);

private:
    int frames_now_ = 3;
    int frames_soon_ = 0;
    double longest_ = kIdleSeconds;  ///< of the next sleep [s]
};

}  // namespace warplens
