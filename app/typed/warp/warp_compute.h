#pragma once

#include "app/typed/warp/warp_code.h"

#include <algorithm>

namespace warplens::typed {

/// @return  whether the numbers are even and of the type
inline bool set_if_even(WarpValue& out, std::int64_t base, std::int64_t step, const WarpType& type) {
    const std::int64_t last = base + (kWarpLanes - 1) * step;
    if (std::min(base, last) < type.least || std::max(base, last) > type.most) return false;
    set_even(out, base, step);
    return true;
}

/// The most frequent operations of even numbers, as WarpCompute::compute.
/// @return  whether it was one of them
inline bool compute_even(const WarpInstr& instr, WarpValue& out, const WarpValue& a, const WarpValue& b,
                         std::uint32_t lanes) {
    if (!a.even) return false;
    std::uint32_t known = a.known & lanes;
    switch (instr.op) {
        case CodeOp::add:
        case CodeOp::sub: {
            const std::int64_t sign = instr.op == CodeOp::add ? 1 : -1;
            known &= b.known;
            if (!b.even || !set_if_even(out, a.base + sign * b.base, a.step + sign * b.step, instr.type))
                return false;
            break;
        }
        case CodeOp::mul_wide:  // elements have 1, 2, 4, 8 or 16 bytes
            set_even(out, a.base * instr.value, a.step * instr.value);
            break;
        case CodeOp::convert:
            if (instr.from == CodeType::boolean || instr.type.type == CodeType::boolean ||
                !set_if_even(out, a.base, a.step, instr.type))
                return false;
            break;
        case CodeOp::less:
        case CodeOp::less_equal: {
            // Whether a - b is below 0, or below 1: so for all lanes if for the first and the last.
            const std::int64_t below = instr.op == CodeOp::less ? 0 : 1, first = a.base - b.base,
                               last = a.last() - b.last();
            if (!b.even || (first < below) != (last < below)) return false;
            known &= b.known;
            out.bits = first < below ? kAllLanes : 0;
            break;
        }
        default:
            return false;
    }
    out.known = known;
    return true;
}

/// Computes integers of all lanes at once: where operands are even, without looking at lanes.
class WarpCompute {
public:
    /// Execute one of CodeOp::constant to CodeOp::convert. Ask compute_even first.
    /// @param out    may be an operand
    /// @param lanes  those that execute it; the numbers of the others may become any
    /// @return       false where the model refuses the operation: a division by 0, a shift by too much; also
    ///               for divisors below 0, which are rare
    bool compute(const WarpInstr& instr, WarpValue& out, WarpValue& a, WarpValue& b, WarpValue& c,
                 std::uint32_t lanes);

private:
    void combine(const WarpInstr& instr, WarpValue& out, WarpValue& a, WarpValue& b);
    void multiply(WarpValue& out, WarpValue& a, WarpValue& b, const WarpType& type);
    bool divide(const WarpInstr& instr, WarpValue& out, WarpValue& a, WarpValue& b, std::uint32_t known);
    bool shift(const WarpInstr& instr, WarpValue& out, WarpValue& a, WarpValue& b, std::uint32_t known);
    void convert(const WarpInstr& instr, WarpValue& out, WarpValue& a, std::uint32_t known);

    WarpValue room_, zero_;
};

/// An operation of truths: also of those of numbers. @return  the lanes for which it holds
std::uint32_t compare(const WarpInstr& instr, WarpValue& a, WarpValue& b);
void copy(WarpValue& out, const WarpValue& from);  ///< apart from what is known
void set_uniform(WarpValue& out, std::int64_t number);
/// Divides even numbers by one above 0. @return  whether the quotients, or the rests, are even
bool divide_even(bool quotient, WarpValue& out, const WarpValue& a, std::int64_t by);

}  // namespace warplens::typed
