#pragma once

#include "app/model/catalogue.h"
#include "app/model/device/device.h"

namespace warplens {

/// Cycles that a request occupies the pipe of L1 and shared memory of an SM.
///
/// A global load that hits the L1 passes through banks like those of shared memory: the data wavefronts that
/// gpu-strides of gpu-benches counted on A100 and H200 are those of the bank rules for all strides. The tags
/// are looked up for four lines per clock (limits::kTagsPerClock).
/// Provenance: approximate.
double l1_pipe_cycles(const WarpAccess& access, const DeviceFacts& device);

/// The mean over some warps and steps of an instruction, for requests with an active lane. 0 if there are
/// none.
double mean_l1_pipe_cycles(const Scenario& scenario, const Params& params, int index,
                           const LaunchShape& shape, const DeviceFacts& device);

/// The distinct sectors that a warp's fetch of texels reads, as the mean over some warps and steps. The
/// texture unit looks up the same sector for several groups of lanes at once: walks along rows and columns
/// take the same time at every offset (H200 and H100).
double mean_texture_sectors(const Scenario& scenario, const Params& params, int index,
                            const LaunchShape& shape);

}  // namespace warplens
