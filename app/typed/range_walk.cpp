#include "app/typed/range_walk.h"

namespace warplens::typed {

RangeWalk::RangeWalk(const Launch& launch, const Patience& patience) : patience_(patience) {
    for (int z = launch.grid_z; z-- > 0;)
        waiting_.push_back({0, z * launch.grid_y, launch.grid_x, launch.grid_y});
}

std::optional<BlockRange> RangeWalk::next() {
    if (waiting_.empty() || tries_ >= patience_.ranges || sum_.requests > patience_.requests ||
        sum_.steps > patience_.steps)
        return std::nullopt;
    ++tries_;
    // Where all that are left are single blocks like those before, it is known early.
    constexpr int kEnough = 64;
    if (alone_ >= kEnough && sum_.steps / tries_ * std::int64_t(waiting_.size() - 1) > 4 * patience_.steps)
        return std::nullopt;
    now_ = waiting_.back();
    waiting_.pop_back();
    alone_ = now_.is_single() ? alone_ + 1 : 0;
    return now_;
}

void RangeWalk::did(const Work& work) {
    sum_ += work;
    if (!now_.is_single()) cuts_ = 0;
}

void RangeWalk::cut(const RangeCut& cut) {
    // If ranges are cut again and again until single blocks are left, all the rest are taken singly.
    constexpr int kOften = 48;
    const bool singly = ++cuts_ > kOften && now_.blocks() <= patience_.ranges;
    for (auto part = cut.parts.rbegin(); part != cut.parts.rend(); ++part) {
        if (singly)
            for (int y = part->height; y-- > 0;)
                for (int x = part->width; x-- > 0;) waiting_.push_back({part->x + x, part->y + y});
        else
            waiting_.push_back(*part);
    }
}

}  // namespace warplens::typed
