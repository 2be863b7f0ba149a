#pragma once

#include <array>
#include <cstdint>

namespace warplens {

inline constexpr int kWarpLanes = 32;
inline constexpr std::uint32_t kAllLanes = 0xffff'ffffu;

/// Which memory an instruction goes to. The list grows with the scenarios.
enum class Space { global, shared };

enum class Op { load, store };

/// One warp-wide load or store, as the memory system sees it: a byte address for each lane.
struct WarpAccess {
    std::array<std::uint64_t, kWarpLanes>
        byte_address{};                ///< global: from the buffer's start (256-byte aligned);
                                       ///< shared: from the block's shared memory [bytes]
    std::uint32_t active = kAllLanes;  ///< bit i set: lane i takes part
    int bytes_per_lane = 4;            ///< 1, 2, 4, 8 or 16; each address is a multiple of it
    Space space = Space::global;
    Op op = Op::load;
};

}  // namespace warplens
