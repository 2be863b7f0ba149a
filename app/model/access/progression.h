#pragma once

#include "kernels/warp_access.h"

#include <cstdint>
#include <optional>

namespace warplens {

/// Most requests of real programs are these: all lanes are active, and each lies the same step behind the one
/// before. What they cost follows from the step, without looking at lanes.
/// @return  the step [bytes], which may be 0 or negative; nothing for any other request
inline std::optional<std::int64_t> step_of(const WarpAccess& access) {
    if (access.active != kAllLanes) return std::nullopt;
    const auto& at = access.byte_address;
    const std::uint64_t step = at[1] - at[0];
    if (at[2] - at[1] != step) return std::nullopt;  // at once, for random addresses
    std::uint64_t other = 0;
    for (std::size_t lane = 3; lane < kWarpLanes; ++lane) other |= (at[lane] - at[lane - 1]) ^ step;
    // The address space has no end inside a request of a program, but a file may say so.
    const std::int64_t distance = step;
    constexpr std::int64_t kFar = std::int64_t{1} << 40;
    if (other != 0 || distance > kFar || distance < -kFar) return std::nullopt;
    return (distance >= 0) == (at[kWarpLanes - 1] >= at[0]) ? std::optional(distance) : std::nullopt;
}

}  // namespace warplens
