#pragma once

#include "kernels/typed/code.h"
#include "kernels/warp_access.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace warplens::typed {

/// An integer of every lane of a warp. Most are `base + lane * step`, and then no lane has to be looked at.
/// A truth (CodeType::boolean) uses only `bits`: bit i is that of lane i.
struct alignas(32) WarpValue {
    std::int64_t at[kWarpLanes]{};  ///< of each lane, if has_lanes
    // Base and step stand apart: read as one vector they would have to wait for two writes.
    std::int64_t base = 0;
    std::uint32_t known = 0;  ///< lanes whose number the model knows; the others may have any
    std::uint32_t bits = 0;
    std::int64_t step = 0;
    bool even = true;  ///< whether base and step say all
    bool has_lanes = false;

    std::int64_t last() const { return base + (kWarpLanes - 1) * step; }
    bool is_uniform() const { return even && step == 0; }
    /// Those of lanes, not below 0.
    std::span<const std::uint64_t, kWarpLanes> addresses() const {
        return std::span<const std::uint64_t, kWarpLanes>(reinterpret_cast<const std::uint64_t*>(at),
                                                          static_cast<std::size_t>(kWarpLanes));
    }
};

/// Even numbers keep away from the ends of 64 bits, so that their sums do not wrap round.
inline constexpr std::int64_t kMostEven = std::int64_t{1} << 60;

/// The numbers of an integer type.
struct WarpType {
    CodeType type;
    std::uint64_t bits = ~std::uint64_t{0};  ///< all of its bits
    std::uint64_t sign = 0;                  ///< the bit of the sign, of those with less than 64 bits
    std::int64_t least = -kMostEven, most = kMostEven;  ///< of even numbers

    explicit WarpType(CodeType of);
};

inline void set_even(WarpValue& value, std::int64_t base, std::int64_t step) {
    value.base = base;
    value.step = step;
    value.even = true;
    value.has_lanes = false;
}

void fill_lanes(WarpValue& value);  ///< from base and step
inline void need_lanes(WarpValue& value) {
    if (!value.has_lanes) fill_lanes(value);
}
void find_even(WarpValue& value);  ///< base and step from the lanes, if they are even

/// An integer of each lane from one or two others. All have lanes; `out` may be one of them.
/// @param op    one of those that compute integers; divisors have to be above 0, shifts below 64
/// @param type  of the result; also of the operands
void compute_lanes(CodeOp op, WarpValue& out, const WarpValue& a, const WarpValue& b, const WarpType& type);
/// Each number and so many bits of 0 behind it, of 64 bits. `a` has lanes; `out` may be it.
void shift_lanes_left(WarpValue& out, const WarpValue& a, int bits);
/// @param op  less, less_equal, equal or not_equal
/// @return    the lanes for which it holds
std::uint32_t compare_lanes(CodeOp op, const WarpValue& a, const WarpValue& b, const WarpType& type);
void lanes_of_bits(WarpValue& out, std::uint32_t bits);  ///< 0 or 1
/// The numbers of `yes` in some lanes, those of `no` in the others. All have lanes; `out` may be one of them.
void choose_lanes(WarpValue& out, const WarpValue& yes, const WarpValue& no, std::uint32_t lanes);

/// Each number and `more`. The value has lanes.
void add_to_lanes(std::uint64_t* out, const WarpValue& offsets, std::int64_t more);
/// Whether some of these lanes lie outside 0 to most, or are no multiple of a power of two.
bool any_outside(const WarpValue& offsets, std::uint32_t lanes, std::int64_t most, std::int64_t multiple);
/// The contents of an index array of `count` elements at these elements, which lie in it; see CodeContent.
void content_of_lanes(WarpValue& out, const WarpValue& elements, CodeContent content, std::int64_t count,
                      std::uint32_t lanes);

}  // namespace warplens::typed
