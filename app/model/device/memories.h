#pragma once

#include "app/model/device/device.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace warplens {

/// The memories and caches between a thread's registers and DRAM.
enum class Memory {
    registers,
    shared,
    l1,            ///< also serves textures if they have no cache of their own
    texture,       ///< a separate texture cache (CC 1.x to 3.x)
    constant,      ///< the constant cache
    other_shared,  ///< the shared memory of another block of the same cluster (CC 9.0 and later)
    l2,
    dram,
};
inline constexpr int kMemoryCount = 8;
inline constexpr std::array<Memory, kMemoryCount> kMemories{
    Memory::registers, Memory::shared,       Memory::l1, Memory::texture,
    Memory::constant,  Memory::other_shared, Memory::l2, Memory::dram};

/// The name of a memory on a device, for example "L1 and texture cache" or "L2".
std::string_view memory_name(Memory memory, const DeviceFacts& device);

/// Where a bandwidth comes from.
enum class SpeedSource {
    none,       ///< not known
    datasheet,  ///< DRAM
    banks,      ///< bytes per clock and SM of shared memory, number of SMs, and clock
    l1,         ///< bytes per clock and SM that loads got where it was measured, number of SMs, and clock
    l2,         ///< limits::kL2BytesPerClock, number of SMs, and clock
    texture,    ///< four texels of 4 bytes per clock and SM
    operands,   ///< three operands per clock for each lane's multiply-add
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

}  // namespace warplens
