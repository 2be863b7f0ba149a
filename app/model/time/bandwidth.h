#pragma once

#include "app/model/time/prediction.h"

namespace warplens {

/// The bandwidth of a scenario on a device, in requested bytes, as it is measured for a launch of its grid.
///
/// The time is the longest that any part of the GPU needs (app/model/time/limits.h: bytes and rows of DRAM,
/// the path to the L2, banks, block launch overhead, bytes in flight, ...), with a smooth transition if
/// several are close, and the overhead of a measured launch. For scenarios in shared memory only: SMs * clock
/// * bytes per wavefront.
/// @param cold  whether the L2 is empty before the launch; otherwise it holds what a launch like it left
/// there, as when launches are repeated.
/// Source: see each constant; tests/data/h200_bandwidth.csv shows the error.
/// Errors: none; 0 for a device without a known peak.
Prediction predict_bandwidth(const Scenario& scenario, const Params& params, const DeviceFacts& device,
                             bool cold = false);

}  // namespace warplens
