#pragma once

#include "kernels/host_device.h"

#include <cstdint>

namespace warplens {

/// The random-looking contents of buffers and textures: the same index always gives the same
/// number. Its top bit is clear, so no word, and no XOR of words, equals kNever of kernels/cuda/element.cuh.
WARPLENS_HD inline std::uint32_t scramble(std::uint64_t index) {
    index = (index + 1) * 0x9e3779b97f4a7c15u;
    index = (index ^ index >> 30) * 0xbf58476d1ce4e5b9u;
    index = (index ^ index >> 27) * 0x94d049bb133111ebu;
    return static_cast<std::uint32_t>(index >> 33);
}

}  // namespace warplens
