#pragma once

#include "kernels/warp_access.h"

#include <array>
#include <cstdint>

namespace warplens {

inline constexpr int kConstantLineBytes = 64;     ///< of the constant L1 [bytes]
inline constexpr int kConstantBankBytes = 65536;  ///< what a kernel may address [bytes]
inline constexpr int kConstantL1Bytes = 2048;     ///< per SM, CC 7.0 to 9.0 [bytes]

/// What one warp-wide load costs in constant memory.
struct ConstantCount {
    int requests = 0;    ///< distinct 32-bit words: each is served in a pass of its own (`idc__requests`)
    int lines = 0;       ///< distinct 64-byte lines of the constant L1
    int bytes_used = 0;  ///< distinct bytes that some lane wants [bytes]
};

/// One word and the lanes that get it in its pass.
struct ConstantWord {
    std::uint64_t byte_address = 0;  ///< a multiple of 4
    std::uint32_t lanes = 0;         ///< bit i set: lane i wants it
};

struct ConstantReport {
    ConstantCount count;
    /// The first `count.requests` are used, in the order in which they are pictured: that of the lowest lane
    /// that wants each. The hardware's order is not known.
    std::array<ConstantWord, 4 * kWarpLanes> words{};
};

/// Lanes that want the same word are served together (a broadcast), different words one after the other.
/// Measured on CC 9.0: `c[lane]` is 32 requests. Lanes wider than 4 bytes want several words.
/// Errors: none. Allocates nothing.
ConstantCount count_constant(const WarpAccess& access);
ConstantReport analyze_constant(const WarpAccess& access);

}  // namespace warplens
