#pragma once

#include "kernels/host_device.h"

#include <cstdint>

namespace warplens {

/// The item that comes `place`-th when 2^bits items are taken in an order that looks random.
///
/// Every item comes once: an odd factor, an added constant and a shift that is XOR-ed in can each be undone
/// among `bits` bits, so that their product can be undone too. Multiplying carries low bits upwards, the
/// shift brings high bits down; three rounds leave no stride that a prefetcher or an open page of DRAM could
/// use.
///
/// @param place  its low `bits` bits count
/// @param bits   1 to 31
WARPLENS_HD constexpr std::uint32_t shuffled(std::uint32_t place, int bits) {
    const std::uint32_t mask = (1u << bits) - 1;
    constexpr std::uint32_t kFactors[] = {0x9e37'79b1u, 0x85eb'ca6bu, 0xc2b2'ae35u};
    std::uint32_t item = place & mask;
    for (const std::uint32_t factor : kFactors) {
        item = (item * factor + 0x7f4a'7c15u) & mask;
        item ^= item >> (bits + 1) / 2;
    }
    return item;
}

}  // namespace warplens
