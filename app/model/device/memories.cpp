#include "app/model/device/memories.h"

#include "app/model/time/limits.h"

namespace warplens {
namespace {

double sm_hz(const DeviceFacts& device) { return device.sm_count * device.clock_mhz * 1e6; }

MemoryInfo l1_info(const DeviceFacts& device) {
    const bool shares = device.memory.unified_bytes > 0;
    return {.there = device.l1_bytes > 0 || shares,
            .bytes = device.l1_bytes,
            .at_most = shares,
            .cycles = device.latencies.l1,
            .gb_per_s = device.memory.l1_bytes_per_clock * sm_hz(device) * 1e-9,
            .speed = SpeedSource::l1};
}

MemoryInfo info_of(Memory memory, const DeviceFacts& device) {
    constexpr int kOperandBytes = 3 * 4, kTexelBytes = 4, kTexelsOfRequest = 4;
    const double hz = sm_hz(device);
    switch (memory) {
        case Memory::registers:
            return {.bytes = device.memory.registers_bytes,
                    .gb_per_s = double(kOperandBytes) * device.fp32_lanes_per_sm * hz * 1e-9,
                    .speed = SpeedSource::operands};
        case Memory::shared:
            return {.bytes = device.memory.shared_bytes,
                    .at_most = device.memory.unified_bytes > 0,
                    .cycles = device.latencies.shared,
                    .gb_per_s = device.memory.shared_bytes_per_clock * hz * 1e-9,
                    .speed = SpeedSource::banks};
        case Memory::l1:
            return l1_info(device);
        case Memory::texture:
            return {.there = device.memory.texture_bytes > 0,
                    .bytes = device.memory.texture_bytes,
                    .cycles = device.latencies.texture,
                    // Measured and documented from Maxwell on, where the L1 is also the texture cache.
                    .gb_per_s = device.cc.major < 5 ? 0
                                                    : limits::kTextureRequestsPerClock * kTexelsOfRequest *
                                                          kTexelBytes * hz * 1e-9,
                    .speed = SpeedSource::texture};
        case Memory::constant:
            return {.bytes = device.memory.constant_bytes, .cycles = device.latencies.constant_l1};
        case Memory::other_shared:
            return {.there = device.cc.major >= 9 && device.cc.major < 12,
                    .bytes = device.memory.shared_bytes,
                    .at_most = true,
                    .cycles = device.latencies.dsmem};
        case Memory::l2:
            return {.there = has_l2(device),
                    .per_sm = false,
                    .bytes = device.l2_bytes,
                    .cycles = device.latencies.l2,
                    .gb_per_s = has_l2(device) ? limits::kL2BytesPerClock * hz * 1e-9 : 0,
                    .speed = SpeedSource::l2};
        case Memory::dram:
            break;
    }
    return {.per_sm = false,
            .bytes = device.memory_bytes,
            .cycles = device.latencies.dram,
            .gb_per_s = device.peak_gb_per_s,
            .speed = SpeedSource::datasheet};
}

}  // namespace

std::string_view memory_name(Memory memory, const DeviceFacts& device) {
    constexpr std::string_view kNames[kMemoryCount] = {"registers",
                                                       "shared memory",
                                                       "L1",
                                                       "texture cache",
                                                       "constant cache",
                                                       "another block's shared memory",
                                                       "L2",
                                                       "DRAM"};
    if (memory == texture_memory(device) && memory == Memory::l1) return "L1 and textures";
    return kNames[static_cast<int>(memory)];
}

MemoryInfo memory_info(Memory memory, const DeviceFacts& device) {
    MemoryInfo info = info_of(memory, device);
    if (info.gb_per_s <= 0) info.speed = SpeedSource::none;
    return info;
}

double clocks_of_wavefront(const DeviceFacts& device) {
    const double of_wavefront = double(device.bank_rules.banks) * (device.bank_rules.wide_banks ? 8 : 4);
    const double per_clock = device.memory.shared_bytes_per_clock;
    return per_clock > 0 ? of_wavefront / per_clock : 1;
}

Memory texture_memory(const DeviceFacts& device) {
    return device.memory.texture_bytes > 0 ? Memory::texture : Memory::l1;
}

}  // namespace warplens
