#pragma once

#include "kernels/host_device.h"

#include <cstdint>

namespace warplens {

/// The item that comes `place`-th when 2^bits items are visited in an order that looks random.
///
/// Every item is visited once: multiplying by an odd factor, adding a constant and XOR-ing with a shifted
/// copy are invertible among `bits` bits, and so is their sequence. The multiplication carries low bits
/// upwards, the shift brings high bits down. Three rounds leave no stride that a prefetcher or an open page
/// of DRAM could exploit.
///
/// @param place  only its low `bits` bits count
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
