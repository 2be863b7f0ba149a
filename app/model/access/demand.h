#pragma once

#include "app/model/catalogue.h"
#include "app/model/device/caches.h"
#include "app/model/time/traffic.h"

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

struct Atomics {
    double cycles = 0;   ///< of the slice of the L2 that they keep busy longest
    double sectors = 0;  ///< how often they come to one
};

/// The demands of a launch on each part of the GPU, summed over the whole grid.
struct Demand {
    Traffic traffic;                  ///< traffic beyond the SM, before the L2 has kept anything
    double l2_sectors = 0;            ///< sectors between the SMs and the L2
    double local_stores = 0;          ///< those of them that stores to per-thread arrays send
    double partial_lines = 0;         ///< lines that a request of a store writes in part
    double partial_sectors = 0;       ///< the sectors of these lines
    double l2_requests = 0;           ///< lines that loads ask the L2 for, request by request
    double l1_cycles = 0;             ///< of the pipe of L1 and shared memory, for global loads
    double local_cycles = 0;          ///< of the L1, for per-thread arrays
    double local_missed = 0;          ///< lines of per-thread arrays that the L2 misses
    double local_read = 0;            ///< per-thread arrays that no cache holds, read from DRAM [bytes]
    double local_written = 0;         ///< the same, written back to DRAM [bytes]
    double wavefronts = 0;            ///< wavefronts of shared memory
    double excessive_wavefronts = 0;  ///< those of them that bank conflicts cost
    /// The same of the slowest warp of a block, over all steps after which the block waits for all its
    /// threads.
    double awaited_wavefronts = 0;
    double same_sector_stores = 0;  ///< how often the grid stores to each sector of its output, on average
    Atomics atomics;                ///< in global memory
    Atomics last_atomics;           ///< those of them that stand behind a barrier, at the end of blocks
    double value_cycles = 0;        ///< of all SMs, while warps look for lanes with equal values
    double texture_requests = 0;    ///< groups of four lanes
    double texture_sectors = 0;     ///< distinct ones of each warp
    double constant_words = 0;      ///< further words of requests to constant memory that are not uniform
    Arithmetic computed;            ///< of all warps of a typed kernel
    double issued = 0;              ///< instructions of all warps, including those without an active lane
    bool keeps = false;             ///< whether values stay in registers
    double inside_bytes =
        0;             ///< requested inside the SM; for shared memory the words that leave a bank [bytes]
    double waits = 0;  ///< cycles that a block waits for its loads, one after the other
    double busy_waits = 0;   ///< the same while all SMs load, so that DRAM takes longer
    double last_waits = 0;   ///< the same of its last rounds, which are waited for behind all others
    double barriers = 0;     ///< how often a block waits for all of its threads
    bool in_turns = true;    ///< blocks load, wait and store one after the other
    double store_waits = 0;  ///< cycles from its last stores to global memory until the L2 has them
    bool leaves_sm = false;  ///< whether global memory or a texture is accessed
    bool active = false;     ///< whether any lane is active
    double in_l2 = 0;   ///< share of the traffic that the L2 still holds from the previous launch, 0 to 1
    double blocks = 0;  ///< blocks of the grid
    int warps_of_block = 1;
    int blocks_of_sm = 1;  ///< blocks that an SM holds at the same time
};

/// Local memory: the share of the sectors of a step that the step before did not access. Lanes that come to
/// the words of their neighbours one step later find the sector in the L2. 1 if there is one step.
double fresh_share(const Scenario& scenario, const Params& params, int index, const LaunchShape& shape);

/// Per-thread arrays: the bytes of one instruction that the caches do not keep, over the whole grid [bytes].
struct LocalTraffic {
    double past_l1 = 0;
    double read = 0;     ///< from DRAM; a sector that is written in part is read first
    double written = 0;  ///< to DRAM
};
/// @param fresh  the share of the sectors of a step that the step before did not access
LocalTraffic count_local_traffic(Op op, const Totals& grid, Missed missed, double fresh,
                                 const DeviceFacts& device);

/// Per-thread arrays of all threads that are resident at the same time, if threads alone limit them [bytes].
double resident_private_bytes(const LaunchShape& shape, const DeviceFacts& device);

/// @param cold  whether the L2 is empty at first; otherwise it holds what a launch like this one left there
Demand count_demand(LaunchCounts& launch, bool cold);

}  // namespace warplens
