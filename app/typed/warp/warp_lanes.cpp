#include "app/typed/warp/warp_lanes.h"

#include <algorithm>
#include <bit>

namespace warplens::typed {
namespace {

/// Even numbers keep so far away from the ends of 64 bits that sums and differences do not wrap round.
constexpr std::int64_t kMostEven = std::int64_t{1} << 60;

bool is_small(const Lanes& lanes) {
    const auto small = [](std::int64_t number) { return number >= -kMostEven && number <= kMostEven; };
    return small(lanes.base) && lanes.step > -(kMostEven >> 5) && lanes.step < kMostEven >> 5;
}

bool is_power_of_two(std::int64_t number) { return std::has_single_bit(static_cast<std::uint64_t>(number)); }

/// By a number above 0; of numbers that are not below 0, or uniform.
bool divide_even(bool quotient, const Lanes& a, std::int64_t by, Lanes& out) {
    if (a.step == 0) {
        out.set_even(quotient ? a.base / by : a.base % by, 0);
        return true;
    }
    const std::int64_t last = a.last();
    if (a.base < 0 || last < 0) return false;
    const std::int64_t first = a.base / by;
    if (first == last / by)
        out.set_even(quotient ? first : a.base - first * by, quotient ? 0 : a.step);
    else if (a.step % by == 0)
        out.set_even(quotient ? first : a.base - first * by, quotient ? a.step / by : 0);
    else
        return false;
    return true;
}

bool compare_even(Sign sign, const Lanes& a, const Lanes& b, Lanes& out) {
    const std::int64_t first = a.base - b.base, last = a.last() - b.last();
    const auto same = [&](bool one, bool other) {
        out.set_even(one, 0);
        return one == other;
    };
    if (sign == "<") return same(first < 0, last < 0);
    if (sign == "<=") return same(first <= 0, last <= 0);
    if (sign == ">") return same(first > 0, last > 0);
    if (sign == ">=") return same(first >= 0, last >= 0);
    const bool equal = first == 0 && last == 0, differ = (first < 0 && last < 0) || (first > 0 && last > 0);
    out.set_even(sign == "==" ? equal : !equal, 0);
    return (sign == "==" || sign == "!=") && (equal || differ);
}

bool apply_even(Sign sign, const Lanes& a, const Lanes& b, Scalar operands, Lanes& out) {
    if (!is_small(a) || !is_small(b)) return false;
    // Numbers of 64 bits without a sign stand here as those with one, so only those below 2^60 are alike.
    const bool is_wide = operands == Scalar::uint64;
    if (is_wide && std::min({a.base, a.last(), b.base, b.last()}) < 0) return false;
    switch (sign.code()) {
        case '+':
            out.set_even(a.base + b.base, a.step + b.step);
            return true;
        case '-':
            out.set_even(a.base - b.base, a.step - b.step);
            return true;
        case '*': {
            if (a.step != 0 && b.step != 0) return false;
            const Lanes& even = b.step == 0 ? a : b;
            const std::int64_t by = b.step == 0 ? b.base : a.base;
            std::int64_t base = 0, step = 0;
            if (__builtin_mul_overflow(even.base, by, &base) || __builtin_mul_overflow(even.step, by, &step))
                return false;
            out.set_even(base, step);
            return is_small(out);
        }
        case '/':
        case '%':
            return b.step == 0 && b.base > 0 && divide_even(sign == "/", a, b.base, out);
        case '&': {
            if (a.step == 0 && b.step == 0) {
                out.set_even(a.base & b.base, 0);
                return true;
            }
            const Lanes &number = b.step == 0 ? a : b, &bits = b.step == 0 ? b : a;
            return bits.step == 0 && bits.base >= 0 && is_power_of_two(bits.base + 1) &&
                   divide_even(false, number, bits.base + 1, out);
        }
        case '|':
        case '^':
            out.set_even(sign == "|" ? a.base | b.base : a.base ^ b.base, 0);
            return a.step == 0 && b.step == 0;
        default:
            break;
    }
    if (sign == "<<" || sign == ">>") {
        const int width = 8 * bytes_of(operands);
        if (b.step != 0 || b.base < 0 || b.base >= std::min(width, 60)) return false;
        const std::int64_t by = std::int64_t{1} << b.base;
        if (sign == "<<") return apply_even("*", a, Lanes::uniform(by), operands, out);
        if (a.step != 0) return divide_even(true, a, by, out);
        out.set_even(a.base >> b.base, 0);
        return true;
    }
    return compare_even(sign, a, b, out);
}

/// The same by a shift, where a division would take long.
bool divide_lanes(bool quotient, const LaneValues& a, std::int64_t by, Lanes& out) {
    std::int64_t signs = 0;
    for (std::size_t l = 0; l < kWarpLanes; ++l) signs |= a[l];
    if (signs >= 0 && is_power_of_two(by)) {
        const int shift = std::countr_zero(static_cast<std::uint64_t>(by));
        for (std::size_t l = 0; l < kWarpLanes; ++l) out.at[l] = quotient ? a[l] >> shift : a[l] & (by - 1);
    } else if (signs >= 0 && signs >> 32 == 0 && by >> 32 == 0) {  // which a processor divides sooner
        for (std::size_t l = 0; l < kWarpLanes; ++l) {
            const auto number = static_cast<std::uint32_t>(a[l]), divisor = static_cast<std::uint32_t>(by);
            out.at[l] = quotient ? number / divisor : number % divisor;
        }
    } else {
        for (std::size_t l = 0; l < kWarpLanes; ++l) out.at[l] = quotient ? a[l] / by : a[l] % by;
    }
    return true;
}

}  // namespace

void Lanes::spread() {
    if (!even) return;
    for (std::size_t l = 0; l < kWarpLanes; ++l)
        at[l] = multiply_add(static_cast<std::int64_t>(l), step, base);
    even = false;
}

void Lanes::find_even() {
    if (even) return;
    const auto difference = [&](std::size_t l) {
        return static_cast<std::uint64_t>(at[l]) - static_cast<std::uint64_t>(at[l - 1]);
    };
    const std::uint64_t each = difference(1);
    for (std::size_t l = 2; l < kWarpLanes; ++l)
        if (difference(l) != each) return;
    set_even(at[0], static_cast<std::int64_t>(each));
}

void Lanes::merge(const Lanes& from, std::uint32_t lanes) {
    known = (known & ~lanes) | (from.known & lanes);
    assumed = (assumed & ~lanes) | (from.assumed & lanes);
    if (even && from.even && base == from.base && step == from.step) return;
    spread();
    const LaneValues values(from);
    for (std::size_t l = 0; l < kWarpLanes; ++l) at[l] = (lanes >> l & 1u) != 0 ? values[l] : at[l];
}

std::optional<std::int64_t> single(const Lanes& lanes, std::uint32_t mask) {
    if (mask == 0 || (lanes.known & mask) != mask || lanes.moves()) return std::nullopt;
    if (lanes.is_uniform()) return lanes.base;
    const std::int64_t value = lanes.of(std::countr_zero(mask));
    for (const int lane : LaneRange{mask})
        if (lanes.of(lane) != value) return std::nullopt;
    return value;
}

bool apply_lanes(Sign sign, const Lanes& a, const Lanes& b, Scalar operands, Lanes& out) {
    if (a.even && b.even && apply_even(sign, a, b, operands, out)) return true;
    const LaneValues x(a), y(b);
    const auto each = [&](auto&& of) {
        for (std::size_t l = 0; l < kWarpLanes; ++l)
            out.at[l] = static_cast<std::int64_t>(
                of(static_cast<std::uint64_t>(x[l]), static_cast<std::uint64_t>(y[l])));
        return true;
    };
    const auto compare = [&](auto&& of) {
        if (operands == Scalar::uint64) return false;
        for (std::size_t l = 0; l < kWarpLanes; ++l) out.at[l] = of(x[l], y[l]);
        return true;
    };
    out.even = false;
    switch (sign.code()) {
        case '+':
            return each([](std::uint64_t one, std::uint64_t other) { return one + other; });
        case '-':
            return each([](std::uint64_t one, std::uint64_t other) { return one - other; });
        case '*':
            return each([](std::uint64_t one, std::uint64_t other) { return one * other; });
        case '&':
            return each([](std::uint64_t one, std::uint64_t other) { return one & other; });
        case '|':
            return each([](std::uint64_t one, std::uint64_t other) { return one | other; });
        case '^':
            return each([](std::uint64_t one, std::uint64_t other) { return one ^ other; });
        case Sign("==").code():
            return compare([](std::int64_t one, std::int64_t other) { return one == other; });
        case Sign("!=").code():
            return compare([](std::int64_t one, std::int64_t other) { return one != other; });
        case '<':
            return compare([](std::int64_t one, std::int64_t other) { return one < other; });
        case Sign("<=").code():
            return compare([](std::int64_t one, std::int64_t other) { return one <= other; });
        case '>':
            return compare([](std::int64_t one, std::int64_t other) { return one > other; });
        case Sign(">=").code():
            return compare([](std::int64_t one, std::int64_t other) { return one >= other; });
        case '/':
        case '%':
            return operands != Scalar::uint64 && b.is_uniform() && b.base > 0 &&
                   divide_lanes(sign == "/", x, b.base, out);
        case Sign(">>").code():
            if (!b.is_uniform() || b.base < 0 || b.base >= 8 * bytes_of(operands) ||
                operands == Scalar::uint64)
                return false;
            for (std::size_t l = 0; l < kWarpLanes; ++l) out.at[l] = x[l] >> b.base;
            return true;
        default:
            return false;
    }
}

void wrap_lanes(Lanes& lanes, Scalar type) {
    if (type == Scalar::int64 || type == Scalar::uint64) return;
    if (lanes.even) {
        const auto stays = [&](std::int64_t value) { return wrap(value, type) == value; };
        if (is_small(lanes) && stays(lanes.base) && stays(lanes.last())) return;
        if (lanes.step == 0) {
            lanes.base = wrap(lanes.base, type);
            return;
        }
        lanes.spread();
    }
    if (type == Scalar::int32)
        for (std::int64_t& at : lanes.at) at = std::int64_t{static_cast<std::int32_t>(at)};
    else if (type == Scalar::uint32)
        for (std::int64_t& at : lanes.at) at = std::int64_t{static_cast<std::uint32_t>(at)};
    else
        for (std::int64_t& at : lanes.at) at = wrap(at, type);
}

}  // namespace warplens::typed
