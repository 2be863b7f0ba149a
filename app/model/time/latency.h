#pragma once

#include "app/model/time/prediction.h"

namespace warplens {

/// Cycles of one request of the pictured warp when each waits for the one before, nothing else running
/// (SpeedUnit::cycles). The memory it goes to, its size against the caches, and how often it is served.
/// Source: the latencies of the device (assets/gpus.json) and the constants in latency.cpp.
/// Errors: none; a device whose latency there is not known gives 0.
Prediction predict_cycles(const Scenario& scenario, const Params& params, const DeviceFacts& device);

}  // namespace warplens
