#include "app/gl/frame_pacing.h"

#include <algorithm>
#include <utility>

namespace warplens {
namespace {
constexpr int kFramesAfterEvent = 3;
constexpr int kTooltipFrames = 4;
constexpr double kTooltipSeconds = 0.15;
constexpr double kCaretSeconds = 0.4;
}  // namespace

void FramePacing::event() {
    keep_awake(kFramesAfterEvent);
    frames_soon_ = kTooltipFrames;
}

void FramePacing::keep_awake(int frames) { frames_now_ = std::max(frames_now_, frames); }

void FramePacing::wake_within(double seconds) { longest_ = std::clamp(seconds, 0.0, longest_); }

double FramePacing::next_wait(bool caret_blinks) {
    const double longest = std::exchange(longest_, kIdleSeconds);
    if (frames_now_ > 0) {
        --frames_now_;
        return 0;
    }
    if (frames_soon_ > 0) {
        --frames_soon_;
        return std::min(longest, kTooltipSeconds);
    }
    return std::min(longest, caret_blinks ? kCaretSeconds : kIdleSeconds);
}

}  // namespace warplens
