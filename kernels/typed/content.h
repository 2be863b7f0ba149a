#pragma once

#include "kernels/hash.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace warplens {

/// The integers of an array before the launch.
enum class Content : std::uint8_t { unknown, sequential, reversed, permuted, random };

/// Element i of an array of `count` integers.
constexpr std::int64_t content_at(Content content, std::int64_t i, std::int64_t count) {
    if (content == Content::sequential) return i;
    if (content == Content::reversed) return count - 1 - i;
    if (content == Content::random)
        return static_cast<std::int64_t>(mix_bits(static_cast<std::uint32_t>(i) + 1) %
                                         static_cast<std::uint64_t>(count));
    if (content != Content::permuted) return 0;
    const int bits = std::clamp(int(std::bit_width(static_cast<std::uint64_t>(count - 1))), 2, 31);
    // Numbers beyond the end are shuffled again until they lie in the array.
    std::uint32_t item = shuffle_bits(static_cast<std::uint32_t>(i), bits, 1);
    while (item >= static_cast<std::uint64_t>(count)) item = shuffle_bits(item, bits, 1);
    return item;
}

}  // namespace warplens
