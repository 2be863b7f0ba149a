#pragma once

#include "app/model/catalogue.h"
#include "app/model/device/device.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace warplens {

/// The memories and caches between a thread's registers and DRAM, and the memory of the host.
enum class Memory {
    registers,
    shared,
    l1,            ///< also serves textures if they have no cache of their own
    texture,       ///< a separate texture cache (CC 1.x to 3.x)
    constant,      ///< the constant cache
    other_shared,  ///< the shared memory of another block of the same cluster (CC 9.0 and later)
    l2,
    dram,
    host,  ///< beyond the link
};
inline constexpr int kMemoryCount = 9;
inline constexpr std::array<Memory, kMemoryCount> kMemories{
    Memory::registers,    Memory::shared, Memory::l1,   Memory::texture, Memory::constant,
    Memory::other_shared, Memory::l2,     Memory::dram, Memory::host};

/// A memory on the way of a global load.
struct CacheLevel {
    enum class Part { whole, near_half, far_half };
    Memory memory = Memory::dram;
    double bytes = 0;   ///< the largest footprint that it and the levels before can hold; infinite for DRAM
    double cycles = 0;  ///< latency of a load that it serves; 0 if not known
    Part part = Part::whole;

    /// The size belongs to "L1", "half of the L2", "L2" or "DRAM".
    std::string_view name() const;
};

/// The levels that a device is known to have, nearest first, and DRAM. A level of unknown size is left out.
std::vector<CacheLevel> cache_levels(const DeviceFacts& device);

/// The share of the loads that hit a cache while `footprint` bytes are read repeatedly, 0 to 1.
///
/// The last line is fetched just before the first one is needed again. So a footprint a little larger than
/// the cache evicts everything before it is used; only hashing and an imperfect replacement policy smooth the
/// edge, here over 5 % to either side. Measured on an H200: 30 MiB of near L2 have no hits at 32 MiB, 60 MiB
/// of L2 have none at 64 MiB. Provenance: approximate.
double share_that_hits(double footprint, double cache_bytes);

/// The share of a footprint that the L2 still holds when a launch like it follows, 0 to 1.
double share_in_l2(double footprint, const DeviceFacts& device);
/// Whether that is all of it. Wherever something is said to fit in the L2, this decides.
bool fits_in_l2(double footprint, const DeviceFacts& device);

/// The shares of the loads that each level serves while `footprint` bytes are read one after the other,
/// repeatedly: what it holds of the misses of the level before it.
std::vector<double> served_shares(double footprint, const std::vector<CacheLevel>& levels);

/// The shares of the requests that a cache misses, 0 to 1.
struct Missed {
    double l1 = 1;
    double l2 = 1;  ///< of the misses of the L1
};

/// For a scenario that reads the same bytes repeatedly (TimeModel::walk).
Missed missed_by_walk(const LaunchShape& shape, const DeviceFacts& device);

/// For loads of per-thread arrays and spills that all resident threads use repeatedly. Stores pass through
/// the L1 to the L2 in any case (counted on an H200: as many sectors as the stores have).
/// @param bytes  of all SMs together
Missed missed_by_private(double bytes, const DeviceFacts& device);

/// A size on an axis of bytes, for a line in the plot.
struct CacheEdge {
    double bytes = 0;
    std::string_view name;  ///< for example "L1"
};

/// The caches that a scenario's loads pass and whose size matters while `knob` is changed, for scenarios with
/// a knob that sets the number of bytes they read repeatedly. Empty for all others.
std::vector<CacheEdge> cache_edges(const Scenario& scenario, const Params& params, const Knob& knob,
                                   const DeviceFacts& device);

/// The name of a memory on a device, for example "L1 and texture cache" or "L2".
std::string_view memory_name(Memory memory, const DeviceFacts& device);

/// The source of a bandwidth.
enum class SpeedSource {
    none,       ///< not known
    datasheet,  ///< DRAM, the link to the host
    banks,      ///< bytes per clock and SM of shared memory, number of SMs, and clock
    l1,         ///< bytes per clock and SM that loads got where it was measured, number of SMs, and clock
    l2,         ///< l2_bytes_per_clock, number of SMs, and clock
    texture,    ///< four texels of 4 bytes per clock and SM
    operands,   ///< one operand per clock for each lane, of the three of a multiply-add
};

/// One memory of a device. Numbers that are not known are 0.
struct MemoryInfo {
    bool there = true;       ///< whether the device has it
    bool per_sm = true;      ///< whether each SM has one; otherwise the device has one
    std::int64_t bytes = 0;  ///< capacity, of one SM or of the device [bytes]
    /// Whether the capacity is the most that this memory can get of an array that it shares with another one.
    bool at_most = false;
    double cycles = 0;    ///< latency of a load that it serves
    double gb_per_s = 0;  ///< bandwidth of all SMs together [10^9 bytes/s]
    SpeedSource speed = SpeedSource::none;
};

/// Source: assets/gpus.json (DeviceFacts, MemoryFacts, Latencies) and app/model/time/limits.h. Errors: none.
MemoryInfo memory_info(Memory memory, const DeviceFacts& device);

/// Clocks that one wavefront takes: 2 on CC 1.x and 2.x, whose banks deliver a word every other clock; 1 on
/// later ones, and if it is not known.
double clocks_of_wavefront(const DeviceFacts& device);

/// The memory that serves loads of a texture.
Memory texture_memory(const DeviceFacts& device);

/// The first memory beyond the registers that a load or store of global memory or of a texture reaches.
Memory first_memory(const Instruction& instruction, const DeviceFacts& device);

/// Whether an SM keeps what a load of global memory or of a texture fetches.
bool is_kept(const Instruction& instruction, const DeviceFacts& device);

}  // namespace warplens
