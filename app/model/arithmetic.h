#pragma once

#include "app/model/prediction.h"

namespace warplens {

/// Floating-point speed of a scenario that computes (Quantity::gflop_per_s): what takes longest of DRAM, L2,
/// shared memory's wavefronts, issued requests and the arithmetic itself. The peak is the device's.
/// Source: the constants in arithmetic.cpp.
/// Errors: none; a device of which too little is known gives 0.
Prediction predict_flop(const Scenario& scenario, const Params& params, const DeviceFacts& device);

}  // namespace warplens
