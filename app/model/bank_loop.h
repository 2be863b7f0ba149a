#pragma once

#include "app/model/catalogue.h"
#include "app/model/device.h"

namespace warplens {

/// Whether a setting is timed by the loop of kernels/shared_time.cuh: the pictured warp's requests to shared
/// memory, over and over, in cycles per request.
bool timed_by_bank_loop(const Scenario& scenario, const Params& params);

/// What that loop is expected to take: wavefronts of the pictured warp's requests to shared memory at the
/// pictured step, on average over its instructions there; one without an active lane takes none. The banks
/// hand out one wavefront a cycle, so these are cycles, too. Kind: that of shared memory's counts on the
/// device (exact from compute capability 5.0 on).
/// @return  0: no lane is active, or the scenario is not measured in bytes.
double wavefronts_per_request(const Scenario& scenario, const Params& params, const DeviceFacts& device);

}  // namespace warplens
