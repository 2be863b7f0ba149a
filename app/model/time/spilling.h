#pragma once

#include "app/model/device/caches.h"
#include "app/model/time/prediction.h"

namespace warplens {

/// Floating-point speed of a kernel whose threads hold more values than registers (TimeModel::spills): the
/// longest time among the chain of multiply-adds with as many warps as the registers allow, the issued
/// instructions, and the transfer of the spilled words through the L1, the L2 and DRAM. Source: the constants
/// in spilling.cpp, and what the assembler spilled (kernels/scenarios/spill_record.h).
/// Errors: none; 0 if too little is known about the device.
Prediction predict_spill(const Scenario& scenario, const Params& params, const DeviceFacts& device);

/// The shares of the spill loads that miss the L1 and the L2: the frames of as many warps as the registers
/// allow use these caches repeatedly.
Missed missed_by_spills(const Scenario& scenario, const Params& params, const DeviceFacts& device);

}  // namespace warplens
