#pragma once

#include "app/model/device/device.h"
#include "kernels/params.h"

namespace warplens {

/// The time of one block of matrix-ladder in an SM, as cycles of a block that has its SM to itself.
struct LadderTime {
    double issuing = 0;  ///< instructions, with what the register file makes them wait
    double waiting = 0;  ///< for loads that nothing in it or in its neighbours overlaps
};

/// @param requests       warp-wide loads and stores of the block
/// @param multiply_adds  warp-wide multiply-adds of the block
/// @param blocks_of_sm   blocks that the busiest SM executes in all, at least 1
/// Source: counts of the machine code that nvcc 13.0 makes of the kernels for sm_90, and constants fitted to
/// them on an H200 (ladder_time.cpp). For other GPUs the same code is assumed.
LadderTime time_of_ladder_block(const Params& params, double requests, double multiply_adds,
                                double blocks_of_sm, const DeviceFacts& device);

}  // namespace warplens
