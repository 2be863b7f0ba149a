#pragma once

#include "app/model/device/device.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace warplens {

/// The memories and caches between a thread's registers and DRAM.
enum class Memory {
    registers,
    shared,
    l1,            ///< where textures have no cache of their own, theirs as well
    texture,       ///< a texture cache of its own (CC 1.x to 3.x)
    constant,      ///< the constant cache
    other_shared,  ///< another block's shared memory, in the same cluster (CC 9.0 and later)
    l2,
    dram,
};
inline constexpr int kMemoryCount = 8;
inline constexpr std::array<Memory, kMemoryCount> kMemories{
    Memory::registers, Memory::shared,       Memory::l1, Memory::texture,
    Memory::constant,  Memory::other_shared, Memory::l2, Memory::dram};

/// What a memory is called on a device: "L1 and texture cache", "L2".
std::string_view memory_name(Memory memory, const DeviceFacts& device);

/// Where bandwidth numbers come from.
enum class SpeedSource {
    none,       ///< not known
    datasheet,  ///< DRAM
    banks,      ///< bytes per clock and SM of shared memory, SMs and clock
    l1,         ///< bytes per clock and SM that loads got where it was measured, SMs and clock
    l2,         ///< limits::kL2BytesPerClock, SMs and clock
    texture,    ///< four texels of 4 bytes per clock and SM
    operands,   ///< three operands for each lane's multiply-add per clock
};

/// One memory of a device. Numbers that are 0 are not known.
struct MemoryInfo {
    bool there = true;       ///< the device has it
    bool per_sm = true;      ///< else the whole device has one
    std::int64_t bytes = 0;  ///< capacity, of one SM or of the device [bytes]
    bool at_most = false;  ///< the capacity is the most that this memory can have of an array that it shares
    double cycles = 0;     ///< of a load that it answers
    double gb_per_s = 0;   ///< all SMs together [10^9 bytes/s]
    SpeedSource speed = SpeedSource::none;
};

/// Source: assets/gpus.json (DeviceFacts, MemoryFacts, Latencies) and app/model/time/limits.h. Errors: none.
MemoryInfo memory_info(Memory memory, const DeviceFacts& device);

/// Clocks of one trip through the banks of shared memory: 2 on CC 1.x and 2.x, whose banks give a word every
/// other clock; 1 later, and where it is not known.
double clocks_of_wavefront(const DeviceFacts& device);

/// The memory that loads of a texture are served from.
Memory texture_memory(const DeviceFacts& device);

}  // namespace warplens
