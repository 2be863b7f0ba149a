#pragma once

#include "app/model/catalogue.h"
#include "app/model/device/device.h"
#include "app/model/time/traffic.h"

namespace warplens {

/// What a launch asks of each part of the machine, summed up over the whole grid.
struct Demand {
    Traffic traffic;              ///< beyond the SM, before the L2 has kept anything
    double l2_sectors = 0;        ///< between the SMs and the L2
    double partial_lines = 0;     ///< lines that a store's request writes in part…
    double partial_sectors = 0;   ///< …and their sectors
    double l1_wavefronts = 0;     ///< trips through the L1, of 128 bytes each
    double local_read = 0;        ///< private arrays that no cache holds, from DRAM [bytes]
    double wavefronts = 0;        ///< shared memory
    double texture_requests = 0;  ///< groups of four lanes
    double constant_words = 0;    ///< further words of requests that are not uniform
    double issued = 0;            ///< instructions of all warps, idle ones included
    bool keeps = false;           ///< values stay in registers
    double inside_bytes = 0;      ///< asked for inside the SM; in shared memory words that leave a bank
    double waits = 0;             ///< cycles that a block waits for what it loads, one load after another
    double store_waits = 0;       ///< cycles from its last stores to global memory until they have arrived
    bool leaves_sm = false;       ///< global memory or a texture is touched
    bool active = false;          ///< some lane does something
    double in_l2 = 0;             ///< share of the traffic that the L2 has from the launch before, 0 to 1
    double blocks = 0;            ///< of the grid
    int warps_of_block = 1;
    int blocks_of_sm = 1;  ///< that an SM holds at the same time
};

/// Private arrays of all threads that are resident at the same time, if threads alone limit them [bytes].
double resident_private_bytes(const LaunchShape& shape, const DeviceFacts& device);

/// @param cold  the L2 begins empty; else it holds what a launch like this one left there
Demand count_demand(const Scenario& scenario, const Params& params, const LaunchShape& shape,
                    const DeviceFacts& device, bool cold);

}  // namespace warplens
