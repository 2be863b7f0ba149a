#include "app/typed/warp/warp_executor.h"

#include <fmt/format.h>

namespace warplens::typed {

void WarpExecutor::refuse_steps(Position at) const {
    throw SourceError(
        loop_.value_or(at),
        fmt::format("a block takes more than {} steps; make its loops shorter", bound_.most_steps),
        SourceError::Kind::too_much);
}

void WarpExecutor::find_threads() {
    const Launch& launch = bound_.launch;
    threads_.resize(std::size_t(launch.warps()));
    int x = 0, y = 0, z = 0;
    for (std::array<Lanes, 3>& warp : threads_) {
        for (Lanes& lanes : warp) {
            lanes.spread();
            lanes.known = kAllLanes;
        }
        for (std::size_t l = 0; l < kWarpLanes; ++l) {
            warp[0].at[l] = x;
            warp[1].at[l] = y;
            warp[2].at[l] = z;
            if (++x == launch.block_x) x = 0, ++y;
            if (y == launch.block_y) y = 0, ++z;
        }
        for (Lanes& lanes : warp) lanes.find_even();
    }
}

Lanes WarpExecutor::builtin(Builtin which) const {
    if (which <= Builtin::thread_z) return threads_[warp_][int(which)];
    Lanes lanes = Lanes::uniform(0);
    const Launch& launch = bound_.launch;
    switch (which) {
        case Builtin::block_x:
            lanes = Lanes::uniform(range_.x);
            lanes.per_x = range_.width > 1;
            break;
        case Builtin::block_y:
            lanes = Lanes::uniform(range_.y % launch.grid_y);
            lanes.per_y = range_.height > 1;
            break;
        case Builtin::block_z:
            return Lanes::uniform(range_.y / launch.grid_y);
        case Builtin::block_dim_x:
            return Lanes::uniform(launch.block_x);
        case Builtin::block_dim_y:
            return Lanes::uniform(launch.block_y);
        case Builtin::grid_dim_x:
            return Lanes::uniform(launch.grid_x);
        case Builtin::grid_dim_y:
            return Lanes::uniform(launch.grid_y);
        case Builtin::block_dim_z:
            return Lanes::uniform(launch.block_z);
        case Builtin::grid_dim_z:
            return Lanes::uniform(launch.grid_z);
        case Builtin::warp_size:
            return Lanes::uniform(kWarpLanes);
        default:
            break;
    }
    return lanes;
}

}  // namespace warplens::typed
