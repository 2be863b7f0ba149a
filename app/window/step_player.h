#pragma once

#include <algorithm>

namespace warplens {

/// Goes through steps at an even pace, and stops at the last one. It reads no clock: callers pass the time.
class StepPlayer {
public:
    static constexpr double kSecondsPerStep = 1 / 1.5;

    bool playing() const { return playing_; }
    /// @param now  [s], of any clock that does not go backwards
    void play(double now) {
        playing_ = true;
        next_ = now + kSecondsPerStep;
    }
    void stop() { playing_ = false; }
    /// The step to show, which is the next one when its time has come. After a long sleep it advances by one
    /// step only.
    /// @param step, last  from 0
    int advance(double now, int step, int last) {
        if (step >= last) stop();
        if (!playing_ || now < next_) return step;
        next_ = std::max(next_ + kSecondsPerStep, now);
        if (step + 1 == last) stop();
        return step + 1;
    }
    /// For steps that are seen passing: the place after the time since the last call, or since play().
    /// @param place    whole steps that have passed, and the share of the present one
    /// @param last     where it stops
    /// @param seconds  that a step takes
    double glide(double now, double place, double last, double seconds) {
        if (!playing_) return place;
        const double since = now - (next_ - kSecondsPerStep);
        next_ = now + kSecondsPerStep;
        place += since / seconds;
        if (place >= last) stop();
        return std::min(place, last);
    }
    /// The time until the next step [s]. Only valid while playing.
    double seconds_left(double now) const { return std::max(0.0, next_ - now); }

private:
    bool playing_ = false;
    double next_ = 0;  ///< when the next step is due [s]
};

}  // namespace warplens
