#pragma once

#include "app/model/prediction.h"

namespace warplens {

/// Useful bandwidth of a scenario on a device.
///
/// Global memory: useful = share of peak * peak * useful bytes / moved bytes, with reads rounded up to the
/// fetch granularity and a fill read for each partly written sector. Shared memory: SMs * clock * bytes per
/// wavefront. Source: the constants in bandwidth.cpp; tests/data/h200_stride_times.csv says how
/// far off it is. Errors:
/// none; a device without a known peak gives 0.
Prediction predict_bandwidth(const Scenario& scenario, const Params& params, const DeviceFacts& device);

}  // namespace warplens
