#pragma once

#include "kernels/warp_access.h"

#include <array>
#include <cstdint>

namespace warplens {

inline constexpr int kConstantLineBytes = 64;     ///< line size of the constant L1 [bytes]
inline constexpr int kConstantBankBytes = 65536;  ///< what a kernel may address [bytes]
inline constexpr int kConstantL1Bytes = 2048;     ///< per SM, CC 7.0 to 9.0 [bytes]

/// The cost of one warp-wide load in constant memory.
struct ConstantCount {
    int requests = 0;    ///< distinct 32-bit words; their requests are serialized (`idc__requests`)
    int lines = 0;       ///< distinct 64-byte lines of the constant L1
    int bytes_used = 0;  ///< distinct bytes that some lane requests [bytes]
};

/// One word and the lanes that get it in its request.
struct ConstantWord {
    std::uint64_t byte_address = 0;  ///< a multiple of 4
    std::uint32_t lanes = 0;         ///< bit i is set if lane i requests it
};

struct ConstantReport {
    ConstantCount count;
    /// The first `count.requests` are used, ordered by the lowest lane that requests each word. This is the
    /// order in the pictures; that of the hardware is not known.
    std::array<ConstantWord, 4 * kWarpLanes> words{};
};

/// Lanes that request the same word are served together (a broadcast); requests for different words are
/// serialized. Measured on CC 9.0: `c[lane]` is 32 requests. Lanes of more than 4 bytes request several
/// words.
/// Errors: none. Allocates nothing.
ConstantCount count_constant(const WarpAccess& access);
ConstantReport analyze_constant(const WarpAccess& access);

}  // namespace warplens
