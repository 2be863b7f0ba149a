#pragma once

#include "kernels/warp_access.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace warplens {

/// Counts the distinct small numbers of a request's lanes: each lane writes itself at the place of its
/// number, and those that still stand there when all have written are as many as there are numbers. So
/// nothing has to be cleared before a request. Without branches, and no read waits for a write, for the inner
/// loops over lanes.
template <std::size_t size>
class LastLane {
public:
    static constexpr std::size_t kSize = size;

    /// Numbers have to be below kSize, which the caller has to check once for all lanes: here it would take
    /// longer than all else.
    void write(std::size_t number, std::size_t lane) {
        lanes_.data()[number] = static_cast<std::uint8_t>(lane);
    }
    /// Whether the lane was the last one with this number.
    bool is_last(std::size_t number, std::size_t lane) const { return lanes_.data()[number] == lane; }

private:
    std::array<std::uint8_t, size> lanes_{};
};

/// The addresses of the chosen lanes, one after the other.
/// @param lanes   not 0
/// @param chosen  where they are put, unless they are neighbours in the request
inline std::span<const std::uint64_t> addresses_of(const WarpAccess& access, std::uint32_t lanes,
                                                   std::array<std::uint64_t, kWarpLanes>& chosen) {
    const int first = std::countr_zero(lanes), count = std::popcount(lanes);
    if (std::countr_one(lanes >> first) == count)
        return std::span(access.byte_address)
            .subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
    std::size_t at = 0;
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1)
        chosen[at++] = access.byte_address[static_cast<std::size_t>(std::countr_zero(rest))];
    return std::span(chosen).first(at);
}

}  // namespace warplens
