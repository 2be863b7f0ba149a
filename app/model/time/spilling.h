#pragma once

#include "app/model/device/caches.h"
#include "app/model/time/prediction.h"

namespace warplens {

/// Floating-point speed of a kernel whose threads hold more values than registers (Kernel::spill): what takes
/// longest of the chain of multiply-adds with as many warps as the registers let in, the issued instructions,
/// and the way of the spilled words through the L1, the L2 and DRAM. Source: the constants in spilling.cpp,
/// and what the assembler spilled (kernels/own/spill_record.h). Errors: none; a device of which too little is
/// known gives 0.
Prediction predict_spill(const Scenario& scenario, const Params& params, const DeviceFacts& device);

/// Shares of the spilled loads that L1 and L2 cannot answer: the frames of as many warps as the registers let
/// in use them over and over.
Missed missed_by_spills(const Scenario& scenario, const Params& params, const DeviceFacts& device);

}  // namespace warplens
