#pragma once

#include "app/model/access/report.h"
#include "app/model/device/memories.h"
#include "app/model/time/prediction.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// How the bytes of a flow were counted.
enum class FlowRule {
    words,             ///< shared memory: distinct bytes of each request, which leave or enter banks once
    constants,         ///< distinct bytes of each request to the constant cache
    sectors,           ///< 32-byte sectors of each request
    fetched,           ///< sectors that an L1 or a texture cache fetches: distinct ones of a few blocks
    fetched_by_block,  ///< the same where the scenario computes: distinct ones of each block
    passing,           ///< stores: the sectors of each request, through the L1
    walking,           ///< the share of the walk that the L1 cannot hold
    missed,            ///< private arrays and spills: the share that the L1 cannot hold
    fetch_size,        ///< DRAM: pieces of the fetch granularity that the L2 does not hold
    filled,            ///< DRAM: the rest of sectors that are written in part, read first
    written,           ///< DRAM: sectors that the L2 writes back
    uncached,          ///< CC 1.x: what the coalescing rules make of each request goes the whole way
};

/// Bytes that one kind of instruction sends from one memory to the next, over the whole launch.
struct Flow {
    Memory from = Memory::dram, to = Memory::l2;  ///< the way of the data: loads towards the registers
    Space space = Space::global;                  ///< of the instructions
    FlowRule rule = FlowRule::sectors;
    Provenance kind = Provenance::approximate;
    double bytes = 0;     ///< that leave or enter the memory [bytes]
    double wanted = 0;    ///< at the registers: what lanes get or give [bytes]; else as `bytes`
    double requests = 0;  ///< at the registers: as the profiler counts them in that space; else 0

    bool is_store() const { return static_cast<int>(to) > static_cast<int>(from); }
    bool at_registers() const { return from == Memory::registers || to == Memory::registers; }
};

/// Something that a launch works on, and where it lies.
struct Allocation {
    std::string name;  ///< "A", "in", "private arrays"
    Memory home = Memory::dram;
    double bytes = 0;  ///< in shared memory: of one block; private arrays: of all resident threads [bytes]
};

/// All that flows in one launch of a scenario's whole grid.
struct FlowReport {
    std::vector<Flow> flows;  ///< nearest to the registers first; none is empty
    std::vector<Allocation> allocations;
    double kept = 0;     ///< bytes of instructions that stay in registers or move between lanes [bytes]
    double in_l2 = 0;    ///< share of the touched bytes that the L2 still holds at the next launch, 0 to 1
    double touched = 0;  ///< distinct bytes beyond the SMs that the launch touches [bytes]
    double time_us = 0;  ///< of the launch, predicted; 0: not known [us]
    /// What each memory alone would need for its part, by `Memory` [seconds]; 0: nothing, or not known.
    std::array<double, kMemoryCount> busy{};
    std::optional<Memory> limiter;  ///< the memory that sets the predicted speed; none: something else does
    std::string_view limiter_name;  ///< as the prediction calls it; empty: nothing is predicted

    double bytes(Memory from, Memory to) const;     ///< sum of the flows that way
    double wanted(Memory from, Memory to) const;    ///< the same at the registers
    Provenance kind(Memory from, Memory to) const;  ///< of that sum: exact where each of its flows is
    double through(Memory memory) const;            ///< all bytes that leave or enter it on its near side
    double busy_share(Memory memory) const;         ///< of the launch's time, 0 to 1; 0: not known
};

/// The memory that a limiter of a prediction is about (Prediction::limiter); none: it is no memory's.
std::optional<Memory> memory_of_limiter(std::string_view limiter, const DeviceFacts& device);

/// Follow every byte of a launch.
///
/// Counts at the registers are those of the report; beyond the SM those of the models that predictions use
/// (traffic.h, arithmetic.h, caches.h, spilling.h), so that boards and predictions say the same. What fills
/// the constant cache, and instructions themselves, are left out.
/// @param report      analyze(scenario, params, device)
/// @param prediction  predict(scenario, params, device, cold)
/// @param cold        the L2 begins empty; else it holds what a launch like this one left there
/// Errors: none.
FlowReport follow_bytes(const Scenario& scenario, const Params& params, const DeviceFacts& device,
                        const Report& report, const Prediction& prediction, bool cold);

}  // namespace warplens
