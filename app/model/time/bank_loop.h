#pragma once

#include "app/model/catalogue.h"
#include "app/model/device/device.h"

namespace warplens {

/// Whether a setting asks shared memory for something: then the loop of kernels/timing/shared_time.cuh times
/// those requests of the pictured warp, over and over, in cycles of each.
bool has_bank_loop(const Scenario& scenario, const Params& params);

/// What that loop is expected to take: wavefronts of the pictured warp's requests to shared memory at the
/// pictured step, on average over its instructions there that have an active lane. The banks hand out one
/// wavefront a cycle, so these are cycles, too. Provenance: that of shared memory's counts on the device
/// (exact from compute capability 5.0 on).
/// @return  0: nothing is asked of shared memory.
double wavefronts_per_request(const Scenario& scenario, const Params& params, const DeviceFacts& device);

}  // namespace warplens
