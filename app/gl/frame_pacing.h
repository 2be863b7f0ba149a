#pragma once

namespace warplens {

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

}  // namespace warplens
