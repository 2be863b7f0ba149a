#pragma once

#include "kernels/host_device.h"

#include <cstdint>

namespace warplens {

/// A hash: its values look random and are the same on host and device. Every bit of the result depends on
/// every bit of x. The constants are those of "lowbias32" (Chris Wellons, hash-prospector, public domain).
WARPLENS_HD constexpr std::uint32_t mix_bits(std::uint32_t x) {
    x ^= x >> 16;
    x *= 0x7feb'352du;
    x ^= x >> 15;
    x *= 0x846c'a68bu;
    return x ^ x >> 16;
}

/// Shuffle the numbers below 2^bits. Different x give different results, because each step is invertible.
/// @param x     must be below 2^bits
/// @param bits  2 to 31
WARPLENS_HD constexpr std::uint32_t shuffle_bits(std::uint32_t x, int bits, std::uint32_t seed) {
    const std::uint32_t mask = (1u << bits) - 1;
    x = (x * 0x9e37'79b1u + mix_bits(seed)) & mask;
    x ^= x >> bits / 2;
    x = x * 0x85eb'ca6bu & mask;
    return x ^ x >> bits / 2;
}

}  // namespace warplens
