#pragma once

#include "kernels/scenario.h"

#include <algorithm>

namespace warplens {

/// The warp of the grid and the step that a timed loop repeats: those that the pictures show.
struct Pictured {
    Extent block_shape;  ///< [threads]
    Extent block;
    int warp_in_block;
    /// By instruction. It is the instruction's last step if it has fewer than the pictured one.
    int step[kMaxInstructions];
};

template <class S>
Pictured pictured_warp(const Params& p) {
    const LaunchShape shape = S::launch(p);
    const int per_block = (shape.block.x * shape.block.y + kWarpLanes - 1) / kWarpLanes;
    const int block = p.warp / per_block % (shape.grid.x * shape.grid.y);
    Pictured at{.block_shape = shape.block,
                .block = {block % shape.grid.x, block / shape.grid.x},
                .warp_in_block = p.warp % per_block,
                .step = {}};
    for (int i = 0; i < S::instruction_count(p); ++i)
        at.step[i] = std::min(p.step, steps_of(shape, S::instruction(p, i)) - 1);
    return at;
}

/// What a lane of the pictured warp does in one instruction. Lanes beyond the block's last thread do nothing.
template <class S>
__device__ LaneAccess pictured_access(const Params& p, const Pictured& at, int index, int lane) {
    const int thread = at.warp_in_block * kWarpLanes + lane;
    if (thread >= at.block_shape.x * at.block_shape.y) return {0, false};
    return S::access(
        p, index,
        {at.block.x, at.block.y, thread % at.block_shape.x, thread / at.block_shape.x, at.step[index]});
}

}  // namespace warplens
