#pragma once

#include "app/model/time/prediction.h"

namespace warplens {

/// Cycles of one request of the pictured warp if each waits for the one before and nothing else runs
/// (SpeedUnit::cycles). They follow from the memory, from its size against that of the caches, and from how
/// often the request is served.
/// Source: the latencies of the device (assets/gpus.json) and the constants in latency.cpp.
/// Errors: none; 0 if the latency of the device is not known.
Prediction predict_cycles(const Scenario& scenario, const Params& params, const DeviceFacts& device);

}  // namespace warplens
