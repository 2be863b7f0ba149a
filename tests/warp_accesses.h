#pragma once

#include "kernels/warp_access.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>

namespace warplens::test {

/// Lane i at address_of(i), all lanes active.
WarpAccess lanes_at(Space space, int bytes_per_lane, auto address_of) {
    WarpAccess access{.bytes_per_lane = bytes_per_lane, .space = space};
    for (int lane = 0; lane < kWarpLanes; ++lane)
        access.byte_address[lane] = static_cast<std::uint64_t>(address_of(lane));
    return access;
}

/// Random elements of an array, so few now and then that lanes share them; random lanes. The same seed, the
/// same access.
inline WarpAccess random_access(Space space, std::mt19937& random) {
    const int bytes = 1 << random() % 5;
    const unsigned elements = 1u << random() % 10;
    WarpAccess access =
        lanes_at(space, bytes, [&](int) { return random() % elements * static_cast<unsigned>(bytes); });
    if (random() % 2 == 0) access.active = static_cast<std::uint32_t>(random());
    return access;
}

/// Lane i takes the place of lane order[i], address and mask.
inline WarpAccess reordered(const WarpAccess& access, const std::array<int, kWarpLanes>& order) {
    WarpAccess result = access;
    result.active = 0;
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        result.byte_address[lane] = access.byte_address[order[lane]];
        result.active |= (access.active >> order[lane] & 1u) << lane;
    }
    return result;
}

/// A random order of the lanes in which each stays in its group of `group` neighbours.
inline std::array<int, kWarpLanes> order_within(int group, std::mt19937& random) {
    std::array<int, kWarpLanes> order;
    for (int lane = 0; lane < kWarpLanes; ++lane) order[lane] = lane;
    for (auto at = order.begin(); at != order.end(); at += group) std::shuffle(at, at + group, random);
    return order;
}

/// The lanes that take no part get other addresses.
inline WarpAccess with_other_idle_lanes(WarpAccess access, std::mt19937& random) {
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        if ((access.active >> lane & 1u) == 0)
            access.byte_address[lane] = random() % 4096 * static_cast<unsigned>(access.bytes_per_lane);
    }
    return access;
}

/// One lane asks for what another one of its group of `group` neighbours asks for.
inline WarpAccess with_a_duplicate(WarpAccess access, int group, std::mt19937& random) {
    const int to = static_cast<int>(random() % kWarpLanes);
    const int from = to / group * group + static_cast<int>(random() % static_cast<unsigned>(group));
    if ((access.active >> from & 1u) != 0) access.byte_address[to] = access.byte_address[from];
    return access;
}

}  // namespace warplens::test
