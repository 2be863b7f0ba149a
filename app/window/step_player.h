#pragma once

namespace warplens {

/// Lets steps go by at an even pace, and stops at the last one. Knows no clock: the time is told.
class StepPlayer {
public:
    static constexpr double kSecondsPerStep = 1 / 1.5;

    bool playing() const { return playing_; }
    /// @param now  [s], of any clock that does not go backwards
    void play(double now);
    void stop() { playing_ = false; }
    /// The step to show: the next one once its time has come. After a long sleep only one is made up for.
    /// @param step, last  from 0
    int advance(double now, int step, int last);
    /// Until the next step [s]; only while playing.
    double seconds_left(double now) const;

private:
    bool playing_ = false;
    double next_ = 0;  ///< when the next step is due [s]
};

}  // namespace warplens
