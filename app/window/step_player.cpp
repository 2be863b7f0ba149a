#include "app/window/step_player.h"

#include <algorithm>

namespace warplens {

void StepPlayer::play(double now) {
    playing_ = true;
    next_ = now + kSecondsPerStep;
}

int StepPlayer::advance(double now, int step, int last) {
    if (step >= last) stop();
    if (!playing_ || now < next_) return step;
    next_ = std::max(next_ + kSecondsPerStep, now);
    if (step + 1 == last) stop();
    return step + 1;
}

double StepPlayer::seconds_left(double now) const { return std::max(0.0, next_ - now); }

}  // namespace warplens
