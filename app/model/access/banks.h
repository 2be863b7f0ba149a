#pragma once

#include "kernels/bank_rules.h"
#include "kernels/warp_access.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace warplens {

inline constexpr int kMaxBanks = 32;
inline constexpr int kMaxGroups = 4;
inline constexpr std::uint8_t kNotServed = 0xff;

/// The cost of one warp-wide request in shared memory.
struct BankCount {
    int wavefronts = 0;  ///< 0 if no lane was active
    /// The cost without conflicts: groups with an active lane, and on CC 1.x the words of 4 bytes that each
    /// lane wants, one after the other.
    int ideal = 0;
    int excessive() const { return wavefronts - ideal; }
};

/// The same with all details that a picture of it needs.
struct BankReport {
    BankCount count;
    int lanes_per_group = kWarpLanes;  ///< after merging
    bool merged = false;               ///< whether it is a wide load whose equal neighbours were merged
    int banks = kMaxBanks;
    int rounds = 1;  ///< in which a group is served, of 4 bytes a lane each (CC 1.x); elsewhere 1
    int groups = 1;  ///< groups of lanes into which the warp is divided, active or not [1..kMaxGroups]
    /// distinct words per group and bank; lanes where each is served on its own (shares_words)
    std::array<std::array<std::uint8_t, kMaxBanks>, kMaxGroups> words{};
    std::array<int, kMaxGroups> group_wavefronts{};  ///< wavefronts of each group
    /// In which wavefront a lane is served, counted from 0 over all groups; kNotServed if it is not active.
    std::array<std::uint8_t, kWarpLanes> wavefront{};

    /// The n of an "n-way bank conflict" as the CUDA Programming Guide counts: of one round of one group.
    int ways() const { return *std::ranges::max_element(group_wavefronts) / rounds; }
};

/// Count the wavefronts that shared memory needs for one warp-wide request.
///
/// Lanes conflict if they request *different* words of one bank; lanes that request the same word share a
/// wavefront, unless they add to it (shares_words).
///
/// @param access  byte addresses relative to the block's shared memory [bytes], multiples of bytes_per_lane;
/// inactive lanes are ignored.
/// @param rules   the rules of the device's compute capability: DeviceFacts::bank_rules.
/// Errors: none. Allocates nothing.
BankCount count_banks(const WarpAccess& access, const BankRules& rules);

/// The same with the words per bank and the wavefront of every lane.
BankReport analyze_banks(const WarpAccess& access, const BankRules& rules);

}  // namespace warplens
