#pragma once

#include "app/model/catalogue.h"
#include "app/model/device.h"

namespace warplens {

/// What one instruction that goes beyond the SM moves, over the whole grid [bytes]. Kind: approximate: a few
/// neighbouring blocks stand for all, and what they touch twice is fetched once.
struct Traffic {
    double read = 0, written = 0;  ///< DRAM; reads in pieces of the device's fetch granularity
    double useful = 0;             ///< asked for by active lanes
    double footprint = 0;          ///< distinct DRAM bytes
    double sectors = 0;            ///< distinct 32-byte sectors of each few blocks: what an L1 has to fetch
};

/// @param index  an instruction to global memory or a texture
Traffic count_traffic(const Scenario& scenario, const Params& params, int index, const LaunchShape& shape,
                      const DeviceFacts& device);

}  // namespace warplens
