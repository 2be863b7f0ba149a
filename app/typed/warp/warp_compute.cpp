#include "app/typed/warp/warp_compute.h"

#include "kernels/typed/code_step.h"

#include <algorithm>
#include <bit>

namespace warplens::typed {
namespace {

bool any_negative(const WarpValue& of, std::uint32_t lanes) {
    return any_outside(of, lanes, std::numeric_limits<std::int64_t>::max(), 1);
}

void compute_from_lanes(CodeOp op, WarpValue& out, WarpValue& a, WarpValue& b, const WarpType& type) {
    need_lanes(a);
    need_lanes(b);
    compute_lanes(op, out, a, b, type);
}

/// 2^n - 1 above 0.
bool is_mask(const WarpValue& value) {
    return value.is_uniform() && value.base > 0 &&
           std::has_single_bit(static_cast<std::uint64_t>(value.base) + 1);
}

}  // namespace

void set_uniform(WarpValue& out, std::int64_t number) {
    set_even(out, number, 0);
    if (number >= -kMostEven && number <= kMostEven) return;
    std::ranges::fill(out.at, number);
    out.even = false;
    out.has_lanes = true;
}

void copy(WarpValue& out, const WarpValue& from) {
    if (&out == &from) return;
    out.bits = from.bits;
    out.even = from.even;
    out.base = from.base;
    out.step = from.step;
    out.has_lanes = !from.even;
    if (!from.even) std::ranges::copy(from.at, out.at);
}

bool divide_even(bool quotient, WarpValue& out, const WarpValue& a, std::int64_t by) {
    const std::int64_t base = a.base, step = a.step, last = a.last();
    if (step == 0) {
        set_even(out, quotient ? base / by : base % by, 0);
        return true;
    }
    if (base < 0 || last < 0) return false;
    const bool power = std::has_single_bit(static_cast<std::uint64_t>(by));
    const int log2 = std::countr_zero(static_cast<std::uint64_t>(by));
    const std::int64_t first = power ? base >> log2 : base / by;
    if (first == (power ? last >> log2 : last / by))
        set_even(out, quotient ? first : base - first * by, quotient ? 0 : step);
    else if (power ? (step & (by - 1)) == 0 : step % by == 0)
        set_even(out, quotient ? first : base - first * by, !quotient ? 0 : power ? step >> log2 : step / by);
    else
        return false;
    return true;
}

std::uint32_t compare(const WarpInstr& instr, WarpValue& a, WarpValue& b) {
    const auto uniform = [](bool holds) { return holds ? kAllLanes : 0u; };
    const CodeOp op = instr.op;
    if (a.even && b.even) {
        const std::int64_t first = a.base - b.base, last = a.last() - b.last();
        const bool below = std::max(first, last)<0, above = std::min(first, last)> 0;
        const bool differ = below || above, same = first == 0 && last == 0;
        if (op == CodeOp::equal && (differ || same)) return uniform(same);
        if (op == CodeOp::not_equal && (differ || same)) return uniform(differ);
    }
    need_lanes(a);
    need_lanes(b);
    return compare_lanes(op, a, b, instr.type);
}

bool WarpCompute::compute(const WarpInstr& instr, WarpValue& out, WarpValue& a, WarpValue& b, WarpValue& c,
                          std::uint32_t lanes) {
    const bool truths = instr.type.type == CodeType::boolean;
    switch (instr.op) {
        case CodeOp::constant:
            out.known = lanes;
            out.bits = instr.value != 0 ? kAllLanes : 0;
            set_uniform(out, instr.value);
            return true;
        case CodeOp::move:
            copy(out, a);
            out.known = a.known & lanes;
            return true;
        case CodeOp::select: {
            // Nothing is known if it is not known of every lane which number it takes.
            const std::uint32_t yes = a.bits, known = (a.known & lanes) != lanes
                                                          ? 0
                                                          : ((b.known & yes) | (c.known & ~yes)) & lanes;
            if (truths) {
                out.bits = (b.bits & yes) | (c.bits & ~yes);
            } else if ((yes & lanes) == 0 || (yes & lanes) == lanes) {
                copy(out, (yes & lanes) == 0 ? c : b);
            } else {
                need_lanes(b);
                need_lanes(c);
                choose_lanes(out, b, c, yes);
            }
            out.known = known;
            return true;
        }
        case CodeOp::convert:
            convert(instr, out, a, a.known & lanes);
            out.known = a.known & lanes;
            return true;
        case CodeOp::mul_wide: {
            const std::uint32_t known = a.known & lanes;
            need_lanes(a);
            shift_lanes_left(out, a, std::countr_zero(static_cast<std::uint64_t>(instr.value)));
            out.known = known;
            return true;
        }
        case CodeOp::absolute:
        case CodeOp::popcount:
        case CodeOp::leading_zeros:
        case CodeOp::find_first: {
            const std::uint32_t known = a.known & lanes;
            if (a.is_uniform())
                set_uniform(out, code_result({.op = instr.op, .type = instr.type.type}, a.base, 0));
            else
                compute_from_lanes(instr.op, out, a, a, instr.type);
            out.known = known;
            return true;
        }
        default:
            break;
    }
    std::uint32_t known = a.known & b.known & lanes;
    bool allowed = true;
    if (truths) {
        const bool both = instr.op == CodeOp::bit_and, any = instr.op == CodeOp::bit_or;
        // As && and ||: the second is not asked where the first decides, and nothing is known if that is not
        // known of every lane.
        if (both || any)
            known = (a.known & lanes) != lanes ? 0 : (b.known | (both ? ~a.bits : a.bits)) & lanes;
        const std::uint32_t differ = a.bits ^ b.bits;
        out.bits = both                        ? a.bits & b.bits
                   : any                       ? a.bits | b.bits
                   : instr.op == CodeOp::equal ? ~differ
                                               : differ;
    } else if (known == 0) {  // then nobody reads the result
    } else if (instr.op >= CodeOp::less && instr.op <= CodeOp::not_equal) {
        out.bits = compare(instr, a, b);
    } else if (instr.op == CodeOp::div || instr.op == CodeOp::rem) {
        allowed = divide(instr, out, a, b, known);
    } else if (instr.op == CodeOp::shift_left || instr.op == CodeOp::shift_right) {
        allowed = shift(instr, out, a, b, known);
    } else {
        combine(instr, out, a, b);
    }
    out.known = known;
    return allowed;
}

void WarpCompute::combine(const WarpInstr& instr, WarpValue& out, WarpValue& a, WarpValue& b) {
    const WarpType& type = instr.type;
    if (instr.op == CodeOp::mul) return multiply(out, a, b, type);
    if (a.even && b.even) {
        switch (instr.op) {
            case CodeOp::add:  // not even, as compute_even found out
            case CodeOp::sub:
                break;
            case CodeOp::least:
            case CodeOp::most: {
                const std::int64_t first = a.base - b.base, last = a.last() - b.last();
                const bool least = instr.op == CodeOp::least;
                if (std::max(first, last) <= 0) return copy(out, least ? a : b);
                if (std::min(first, last) >= 0) return copy(out, least ? b : a);
                break;
            }
            default:
                if (a.step == 0 && b.step == 0)
                    return set_uniform(out, code_result({.op = instr.op, .type = type.type}, a.base, b.base));
                if (instr.op != CodeOp::bit_and || !is_mask(a.step == 0 ? a : b)) break;
                if (divide_even(false, out, a.step == 0 ? b : a, (a.step == 0 ? a : b).base + 1)) return;
                break;
        }
    }
    compute_from_lanes(instr.op, out, a, b, type);
}

void WarpCompute::multiply(WarpValue& out, WarpValue& a, WarpValue& b, const WarpType& type) {
    if (a.even && b.even && (a.step == 0 || b.step == 0)) {
        const WarpValue& even = b.step == 0 ? a : b;
        const std::int64_t by = b.step == 0 ? b.base : a.base;
        std::int64_t base = 0, step = 0, span = 0;
        const bool too_large = __builtin_mul_overflow(even.base, by, &base) ||
                               __builtin_mul_overflow(even.step, by, &step) ||
                               __builtin_mul_overflow(step, std::int64_t{4 * kWarpLanes}, &span) ||
                               base < -kMostEven || base > kMostEven;
        if (!too_large && set_if_even(out, base, step, type)) return;
    }
    compute_from_lanes(CodeOp::mul, out, a, b, type);
}

bool WarpCompute::divide(const WarpInstr& instr, WarpValue& out, WarpValue& a, WarpValue& b,
                         std::uint32_t known) {
    const bool quotient = instr.op == CodeOp::div;
    if (!b.is_uniform()) {
        need_lanes(b);
        need_lanes(zero_);
        if ((compare_lanes(CodeOp::less_equal, b, zero_, WarpType(CodeType::s64)) & known) != 0) return false;
        compute_from_lanes(instr.op, out, a, b, instr.type);
        return true;
    }
    const std::int64_t by = b.base;
    if (by <= 0) return false;
    if (a.even && divide_even(quotient, out, a, by)) return true;
    need_lanes(a);
    if (std::has_single_bit(static_cast<std::uint64_t>(by)) && !any_negative(a, known)) {
        set_uniform(room_, quotient ? std::countr_zero(static_cast<std::uint64_t>(by)) : by - 1);
        compute_from_lanes(quotient ? CodeOp::shift_right : CodeOp::bit_and, out, a, room_, instr.type);
    } else {
        compute_from_lanes(instr.op, out, a, b, instr.type);
    }
    return true;
}

bool WarpCompute::shift(const WarpInstr& instr, WarpValue& out, WarpValue& a, WarpValue& b,
                        std::uint32_t known) {
    const int width = 8 * bytes_of(instr.type.type);
    const bool left = instr.op == CodeOp::shift_left;
    if (!b.is_uniform()) {
        need_lanes(a);
        need_lanes(b);
        if (any_outside(b, known, width - 1, 1)) return false;
        // Distances of lanes that do not matter may be any.
        const CodeInstr each{.op = instr.op, .type = instr.type.type};
        for (int i = 0; i < kWarpLanes; ++i) out.at[i] = code_result(each, a.at[i], b.at[i]);
        out.even = false;
        out.has_lanes = true;
        return true;
    }
    const std::int64_t by = b.base;
    if (by < 0 || by >= width) return false;
    constexpr int kMostEvenShift = 40;
    if (by < kMostEvenShift && left) {
        set_uniform(room_, std::int64_t{1} << by);
        multiply(out, a, room_, instr.type);
        return true;
    }
    if (by < kMostEvenShift && a.even) {
        if (a.step == 0) {
            set_even(out, a.base >> by, 0);
            return true;
        }
        if (divide_even(true, out, a, std::int64_t{1} << by)) return true;
    }
    compute_from_lanes(instr.op, out, a, b, instr.type);
    return true;
}

void WarpCompute::convert(const WarpInstr& instr, WarpValue& out, WarpValue& a, std::uint32_t known) {
    if (instr.from == CodeType::boolean) {
        const std::uint32_t bits = a.bits;
        if ((bits & known) == 0 || (bits & known) == known)
            set_even(out, (bits & known) != 0, 0);
        else
            lanes_of_bits(out, bits);
        return;
    }
    if (instr.type.type == CodeType::boolean) {
        const WarpInstr differs{.op = CodeOp::not_equal, .type = WarpType(instr.from)};
        out.bits = warplens::typed::compare(differs, a, zero_);
        return;
    }
    need_lanes(a);
    compute_lanes(CodeOp::convert, out, a, a, instr.type);
}

}  // namespace warplens::typed
