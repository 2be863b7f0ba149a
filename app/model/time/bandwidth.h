#pragma once

#include "app/model/time/prediction.h"

namespace warplens {

/// Useful bandwidth of a scenario on a device, as a launch of its grid is measured.
///
/// The time is the longest of what each part of the machine needs (app/model/time/limits.h: DRAM's bytes and
/// rows, the way to the L2, banks, starting blocks, bytes in flight, ...), softened where several are near,
/// and what a measured launch has on top. Of scenarios in shared memory alone: SMs * clock * bytes per
/// wavefront.
/// @param cold  the L2 is empty before the launch; else it holds what a launch like it left there, as when
///              launches are repeated.
/// Source: the constants' own; tests/data/h200_bandwidth.csv says how far off it is.
/// Errors: none; a device without a known peak gives 0.
Prediction predict_bandwidth(const Scenario& scenario, const Params& params, const DeviceFacts& device,
                             bool cold = false);

}  // namespace warplens
