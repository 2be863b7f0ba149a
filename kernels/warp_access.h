#pragma once

#include "kernels/host_device.h"

#include <array>
#include <cstdint>

namespace warplens {

inline constexpr int kWarpLanes = 32;
inline constexpr std::uint32_t kAllLanes = 0xffff'ffffu;

/// Which memory an instruction accesses. No instruction accesses `l2`: scenarios about caches are listed
/// under it.
enum class Space { global, shared, constant, texture, local, registers, l2, cluster };
inline constexpr int kSpaceCount = 8;

enum class Op {
    load,
    store,
    /// shared memory, `ldmatrix`: lanes 0 to 8 n - 1 supply the addresses of 16-byte rows, 8 rows for each of
    /// n matrices, n = 1, 2 or 4. The other lanes are not active.
    load_matrix,
    /// Read, change and write back as one: `atomicAdd` and the like. The lane gets what was there before.
    atomic,
    reduction,  ///< The same without a result: nobody uses what was there before.
    /// A reduction that adds the constant 1, for which shared memory has an instruction of its own: it counts
    /// the lanes of a word, all at once.
    increment,
};
inline constexpr int kOpCount = 6;
constexpr bool is_atomic(Op op) { return op >= Op::atomic; }
constexpr bool is_load(Op op) { return op == Op::load || op == Op::load_matrix; }
/// Whether lanes that access the same word of shared memory are served together: a word is given to any
/// number of lanes, but added to for one after the other.
constexpr bool shares_words(Op op) { return op != Op::atomic && op != Op::reduction; }

/// Texture: this bit is set in the address of a lane that lies outside, where it gets the border's value. The
/// rest of the address is that of the nearest texel, because hardware fetches its sector all the same
/// (measured on CC 9.0).
inline constexpr std::uint64_t kOutsideTexture = std::uint64_t{1} << 63;
constexpr bool is_outside(std::uint64_t byte_address) { return (byte_address & kOutsideTexture) != 0; }

/// Texture: which texel a lane requests, before an address mode brings it inside.
struct LaneTexel {
    std::int16_t x = 0, y = 0;                    ///< may lie outside [texels]
    std::uint8_t fraction_x = 0, fraction_y = 0;  ///< see Footprint in kernels/texture_sample.h [1/256 texel]

    WARPLENS_HD static constexpr LaneTexel of(int x, int y, int fraction_x = 0, int fraction_y = 0) {
        return {static_cast<std::int16_t>(x), static_cast<std::int16_t>(y),
                static_cast<std::uint8_t>(fraction_x), static_cast<std::uint8_t>(fraction_y)};
    }
};

/// Texture: how a texel becomes a value.
struct Sampling {
    bool linear = false;        ///< each lane gets 2 x 2 texels; the upper left one is its own
    int width = 0, height = 0;  ///< of the texture [texels]
    int border = 0;             ///< a `Border` (kernels/texture_layout.h)
};

/// One warp-wide load or store, as the memory system sees it: a byte address for each lane.
///
/// | space     | an address is counted from                                                            |
/// |-----------|---------------------------------------------------------------------------------------|
/// | global    | the buffer's start, which is 256-byte aligned                                         |
/// | shared    | the block's shared memory; cluster: the shared memory of the block that is asked      |
/// | constant  | the start of the constant bank, 64 KiB                                                 |
/// | texture   | the texture's start, in the order of kernels/texture_layout.h: 32 bytes are a sector  |
/// | local     | the start of the lane's own array: the hardware interleaves lanes (model/access/sectors.h)
/// | | registers | load: an exchange, 4 times the lane whose value is taken; store: stays where it is, 0   |
struct WarpAccess {
    std::array<std::uint64_t, kWarpLanes> byte_address{};  ///< [bytes]
    std::uint32_t active = kAllLanes;                      ///< bit i set: lane i takes part
    int bytes_per_lane = 4;  ///< 1, 2, 4, 8 or 16; each address is a multiple of it
    Space space = Space::global;
    Op op = Op::load;
    std::array<LaneTexel, kWarpLanes> texel{};  ///< texture only
    Sampling sampling = {};                     ///< texture only
};

}  // namespace warplens
