#pragma once

#include "app/model/access/report.h"
#include "app/model/device/caches.h"
#include "app/model/time/prediction.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// How the bytes of a flow were counted.
enum class FlowRule {
    words,             ///< shared memory: distinct bytes of each request, which leave or enter the banks once
    constants,         ///< distinct bytes of each request to the constant cache
    sectors,           ///< 32-byte sectors of each request
    fetched,           ///< sectors that an L1 or a texture cache fetches: distinct ones of a few blocks
    fetched_by_block,  ///< the same for a scenario that computes: distinct ones of each block
    passing,           ///< stores: the sectors of each request, which pass through the L1
    walking,           ///< the share of repeated reads that the L1 misses
    missed,            ///< per-thread arrays and spills: the share that the L1 misses
    fetch_size,        ///< DRAM: pieces of the fetch granularity that the L2 misses
    filled,            ///< DRAM: the remainder of sectors that are written in part, read first
    written,           ///< DRAM: sectors that the L2 writes back
    link,              ///< the link to the host: what is copied or moved, or the sectors of each request
    uncached,          ///< CC 1.x: the transactions of each request go all the way to DRAM
};

/// The bytes that one kind of instruction transfers from one memory to the next, over the whole launch.
struct Flow {
    Memory from = Memory::dram,
           to = Memory::l2;       ///< the direction of the data, which for loads is towards the registers
    Space space = Space::global;  ///< of the instructions
    FlowRule rule = FlowRule::sectors;
    Provenance kind = Provenance::approximate;
    double bytes = 0;  ///< bytes that leave or enter the memory [bytes]
    /// At the registers the bytes that lanes get or give [bytes]; otherwise the same as `bytes`.
    double wanted = 0;
    /// At the registers the requests as the profiler counts them in that space; otherwise 0.
    double requests = 0;

    bool is_store() const { return int(to) > int(from); }
    bool at_registers() const { return from == Memory::registers || to == Memory::registers; }
};

/// An array or other object that a launch uses, and the memory that holds it.
struct Allocation {
    std::string name;  ///< as "A", "in", "per-thread arrays"
    Memory home = Memory::dram;
    /// In shared memory the size for one block; for per-thread arrays that for all resident threads [bytes].
    double bytes = 0;
};

/// All bytes that are transferred in one launch of a scenario's whole grid.
struct FlowReport {
    std::vector<Flow> flows;  ///< nearest to the registers first; none is empty
    std::vector<Allocation> allocations;
    double kept = 0;     ///< bytes of instructions that stay in registers or go from lane to lane [bytes]
    double in_l2 = 0;    ///< share of the footprint that the L2 still holds at the next launch, 0 to 1
    double touched = 0;  ///< footprint of the launch beyond the SMs: distinct bytes [bytes]
    double time_us = 0;  ///< predicted time of the launch [us]; 0 if not known
    /// The time that each memory alone would need for its part, by `Memory` [seconds]. 0 if it is not used,
    /// or if the time is not known.
    std::array<double, kMemoryCount> busy{};
    /// Bandwidth of those memories whose utilization is counted in bytes: DRAM and the L2 [10^9 bytes/s]. 0
    /// for the others, or if it is not known.
    std::array<double, kMemoryCount> gb_per_s{};
    /// The memory that limits the predicted speed. Empty if something else does.
    std::optional<Memory> limiting;
    Transfer transfer{};              ///< of the prediction
    Limiter limiter = Limiter::none;  ///< of the prediction; none if nothing is predicted

    double bytes(Memory from, Memory to) const;     ///< the sum of these flows
    double wanted(Memory from, Memory to) const;    ///< the same at the registers
    Provenance kind(Memory from, Memory to) const;  ///< of that sum: exact if each of its flows is
    double through(Memory memory) const;  ///< all bytes that leave or enter it on the side of the registers
    /// The one definition of every board and text, 0 to 1; 0 if not known. DRAM and the L2: bytes that pass
    /// it in a second, as a share of its bandwidth. A memory that serves requests one after the other: the
    /// share of the launch's time that its requests take, conflicts among them.
    double utilization(Memory memory) const;
};

/// Follow every byte of a launch.
///
/// Counts at the registers are those of the report; beyond the SM they are those of the models that
/// predictions use (traffic.h, arithmetic.h, caches.h, spilling.h), so that boards and predictions agree.
/// Fills of the constant cache and fetches of instructions are left out.
/// @param report      analyze(scenario, params, device)
/// @param prediction  predict(scenario, params, device, cold)
/// @param cold        whether the L2 is empty at first; otherwise it holds what a launch like this one left
/// there
/// Errors: none.
FlowReport follow_bytes(const Scenario& scenario, const Params& params, const DeviceFacts& device,
                        const Report& report, const Prediction& prediction, bool cold);

}  // namespace warplens
