#include "app/typed/warp/warp_executor.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

namespace warplens::typed {

void WarpExecutor::cut(bool along_x, int at) const {
    BlockRange first = range_, second = range_;
    (along_x ? first.width : first.height) = at;
    (along_x ? second.width : second.height) -= at;
    (along_x ? second.x : second.y) += at;
    throw RangeCut{{first, second}};
}

void WarpExecutor::cut_into_single(const Lanes& lanes) const {
    if (rounds_ > 1) throw RoundsCut{};
    constexpr int kMostParts = 1 << 16;
    const bool along_x = lanes.per_x != 0;
    const int count = along_x ? range_.width : range_.height;
    if (count > kMostParts) halve();
    RangeCut cut;
    for (int i = 0; i < count; ++i) {
        BlockRange& part = cut.parts.emplace_back(range_);
        (along_x ? part.x : part.y) += i;
        (along_x ? part.width : part.height) = 1;
    }
    throw cut;
}

void WarpExecutor::halve() const {
    if (rounds_ > 1) throw RoundsCut{rounds_ / 2};
    halve_blocks();
}

void WarpExecutor::halve_blocks() const {
    const bool along_x = range_.width >= range_.height;
    cut(along_x, (along_x ? range_.width : range_.height) / 2);
}

void WarpExecutor::part(const Lanes& one, const Lanes& other) const {
    if (one.per_round != other.per_round || range_.is_single()) throw RoundsCut{};
    halve_blocks();
}

void WarpExecutor::hold(const Lanes& lanes) const {
    if (lanes.per_round != 0) throw RoundsCut{};
    if (lanes.moves()) halve_blocks();
}

std::pair<std::int64_t, std::int64_t> WarpExecutor::reach(const Lanes& moving) const {
    std::int64_t low = 0, high = 0;
    for (const auto& [each, count] : {std::pair<std::int64_t, std::int64_t>{moving.per_x, range_.width},
                                      {moving.per_y, range_.height},
                                      {moving.per_round, rounds_}}) {
        constexpr std::int64_t kFar = std::int64_t{1} << 60;  // beyond it, sums leave 64 bits
        std::int64_t far = 0;
        if (__builtin_mul_overflow(each, count - 1, &far) || far > kFar || far < -kFar) halve();
        low += std::min<std::int64_t>(far, 0);
        high += std::max<std::int64_t>(far, 0);
    }
    return {low, high};
}

/// Where along an axis the truth about a number becomes another one; `count` if it never does. It is that of
/// a comparison with 0: between the ends only == can change.
template <class Truth>
static std::int64_t first_other(std::int64_t at, std::int64_t step, std::int64_t count, const Truth& truth) {
    const bool here = truth(at);
    const std::int64_t end = at + step * (count - 1);
    if (std::min(at, end) < 0 && std::max(at, end) > 0 && truth(0) != here)
        return std::clamp<std::int64_t>(-at / step, 1, count - 1);
    if (truth(end) == here) return count;
    std::int64_t first = 1, last = count - 1;
    while (first < last) {
        const std::int64_t middle = (first + last) / 2;
        if (truth(at + step * middle) != here)
            last = middle;
        else
            first = middle + 1;
    }
    return first;
}

template <class Truth>
void WarpExecutor::same_everywhere(std::int64_t at, const Lanes& moving, const Truth& truth) const {
    const bool here = truth(at);
    const auto [low, high] = reach(moving);
    // Between the ends only == can change; 0 lies between values of opposite signs.
    const bool crosses = at + low < 0 && at + high > 0 && truth(0) != here;
    if (truth(at + low) == here && truth(at + high) == here && !crosses) return;
    if (moving.per_round != 0 && rounds_ > 1) {
        const std::int64_t first = first_other(at, moving.per_round, rounds_, truth);
        if (first < rounds_) throw RoundsCut{first};
        halve();
    }
    const bool along_x = moving.per_x != 0 && range_.width > 1;
    if (along_x && moving.per_y != 0 && range_.height > 1) halve_blocks();
    cut(along_x, int(first_other(at, along_x ? moving.per_x : moving.per_y,
                                 along_x ? range_.width : range_.height, truth)));
}

void WarpExecutor::settle(Lanes& lanes, std::uint32_t mask, Scalar type) const {
    if (type == Scalar::int64 || type == Scalar::uint64) return;
    if (!lanes.moves()) return wrap_lanes(lanes, type);
    const auto [low, high] = reach(lanes);
    const auto shift_of = [&](std::int64_t value) { return wrap(value, type) - value; };
    bool wraps = false;
    for (const int lane : LaneRange{mask & lanes.known}) {
        const std::int64_t at = lanes.of(lane), shift = shift_of(at + low);
        if (shift != shift_of(at + high)) halve();
        wraps = wraps || shift != 0;
    }
    if (wraps) wrap_lanes(lanes, type);  // all blocks and rounds alike, so they move as before
}

bool WarpExecutor::apply_moving(Sign sign, const Lanes& a, const Lanes& b, std::uint32_t mask,
                                Lanes& out) const {
    const auto move = [&](const auto& of) {
        out.per_x = of(&Lanes::per_x);
        out.per_y = of(&Lanes::per_y);
        out.per_round = of(&Lanes::per_round);
    };
    if (sign == "+") {
        move([&](auto per) { return a.*per + b.*per; });
        return true;
    }
    if (sign == "-") {
        move([&](auto per) { return a.*per - b.*per; });
        return true;
    }
    const auto right = single(b, mask), left = single(a, mask);
    if (sign == "*" && (right || left)) {
        const Lanes& moving = right ? a : b;
        const std::int64_t times = right ? *right : *left;
        move([&](auto per) { return moving.*per * times; });
        return true;
    }
    if (!right) return false;
    if (sign == "<<" && *right >= 0 && *right < 32) {
        move([&](auto per) { return a.*per << *right; });
        return true;
    }
    // Whole multiples of the divisor go through; numbers below 0 are divided otherwise.
    std::int64_t divisor = 0;
    if (sign == "/" || sign == "%") divisor = *right;
    if (sign == ">>" && *right >= 0 && *right < 62) divisor = std::int64_t{1} << *right;
    if (sign == "&" && *right >= 0 && *right < std::numeric_limits<std::int32_t>::max() &&
        std::has_single_bit(static_cast<std::uint64_t>(*right) + 1))
        divisor = *right + 1;
    if (divisor <= 0 || a.per_x % divisor != 0 || a.per_y % divisor != 0 || a.per_round % divisor != 0)
        return false;
    const std::int64_t low = reach(a).first;
    for (const int lane : LaneRange{mask & a.known})
        if (a.of(lane) + low < 0) return false;
    if (sign == "/" || sign == ">>") move([&](auto per) { return a.*per / divisor; });
    return true;
}

Lanes WarpExecutor::apply(Sign sign, const Lanes& a, const Lanes& b, std::uint32_t mask, Scalar operands,
                          Scalar result, Position at) const {
    Lanes out;
    out.follow(a, b, mask);
    const bool comparison = result == Scalar::boolean;
    if (comparison) out.assumed = 0;  // of a condition that is not known both ways are taken
    if (a.moves() || b.moves()) {
        if (comparison) {
            Lanes difference;
            difference.per_x = a.per_x - b.per_x;
            difference.per_y = a.per_y - b.per_y;
            difference.per_round = a.per_round - b.per_round;
            for (const int lane : LaneRange{out.known})
                same_everywhere(a.of(lane) - b.of(lane), difference, [&](std::int64_t value) {
                    return apply_sign(sign, value, 0, Scalar::int64).value_or(0) != 0;
                });
        } else if (!apply_moving(sign, a, b, mask, out)) {
            if (a.per_round != 0 || b.per_round != 0) throw RoundsCut{};
            halve_blocks();
        }
    }
    const bool at_once = apply_lanes(sign, a, b, operands, out);
    if (!at_once) {
        out.set_even(0, 0);
        out.spread();
    }
    for (const int lane : LaneRange{at_once ? 0 : out.numbers()}) {
        // Before it is settled, so that a number that moves is not wrapped by its first block alone.
        const bool even = sign == "+" || sign == "-" || sign == "*" || sign == "<<";
        const auto value = apply_sign(sign, a.of(lane), b.of(lane),
                                      even && operands != Scalar::uint64 ? Scalar::int64 : operands);
        if (!value && (out.assumed >> lane & 1u) != 0)
            out.assumed &= ~(1u << lane);
        else if (!value)
            throw SourceError(at, sign == "/" || sign == "%"
                                      ? b.of(lane) == 0 ? "this divides by 0"
                                                        : "this divides the least number by -1, and no type "
                                                          "has the result"
                                      : fmt::format("this shifts by {} bits", b.of(lane)));
        out.at[lane] = value.value_or(0);
    }
    if (!comparison) settle(out, mask, result);
    return out;
}

void WarpExecutor::choose(Lanes& into, const Lanes& from, std::uint32_t mask, bool fresh) const {
    if (mask == 0) return;
    // Lanes that keep what they have.
    const std::uint32_t others = fresh ? 0 : into.known & live_ & ~mask;
    if (others == 0 || (into.memory != from.memory && into.memory >= 0)) {  // which array is not known
        into = from;
        into.known &= mask;
        into.assumed &= mask;
        return;
    }
    if (!into.moves_like(from)) part(into, from);
    into.memory = from.memory;
    into.merge(from, mask);
}

}  // namespace warplens::typed
