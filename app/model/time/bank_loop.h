#pragma once

#include "app/model/catalogue.h"
#include "app/model/device/device.h"

namespace warplens {

/// Whether a setting has requests to shared memory. Then the loop of kernels/timing/shared_time.cuh repeats
/// those requests of the pictured warp and measures the cycles of each.
bool has_bank_loop(const Scenario& scenario, const Params& params);

/// The expected result of that loop: wavefronts of the pictured warp's requests to shared memory at the
/// pictured step, averaged over its instructions with an active lane. The banks serve one wavefront per
/// cycle, so these are also cycles. Provenance: that of the counts of shared memory on the device (exact from
/// compute capability 5.0 on).
/// @return  0 if there is no request to shared memory.
double wavefronts_per_request(const Scenario& scenario, const Params& params, const DeviceFacts& device);

}  // namespace warplens
