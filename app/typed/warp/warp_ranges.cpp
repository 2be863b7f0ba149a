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
    const bool along_x = range_.width >= range_.height;
    cut(along_x, (along_x ? range_.width : range_.height) / 2);
}

void WarpExecutor::hold(const Lanes& lanes) const {
    if (lanes.moves()) halve();
}

template <class Truth>
void WarpExecutor::same_everywhere(std::int64_t at, const Lanes& moving, const Truth& truth) const {
    const bool here = truth(at);
    const std::int64_t x = moving.per_x * (range_.width - 1), y = moving.per_y * (range_.height - 1);
    const bool corners = truth(at + x) == here && truth(at + y) == here && truth(at + x + y) == here;
    // Between corners only == can change; 0 lies between values of opposite signs.
    const std::int64_t low = at + std::min<std::int64_t>(x, 0) + std::min<std::int64_t>(y, 0),
                       high = at + std::max<std::int64_t>(x, 0) + std::max<std::int64_t>(y, 0);
    const bool crosses = low < 0 && high > 0 && truth(0) != here;
    if (corners && !crosses) return;
    if (y != 0 && x != 0) halve();
    const bool along_x = x != 0;
    const std::int64_t step = along_x ? moving.per_x : moving.per_y;
    const int count = along_x ? range_.width : range_.height;
    int first = 1;
    // The first block with another truth; a search by halves where only the last ones differ.
    if (!crosses) {
        int last = count - 1;
        while (first < last) {
            const int middle = (first + last) / 2;
            if (truth(at + step * middle) != here)
                last = middle;
            else
                first = middle + 1;
        }
    } else {
        const std::int64_t zero = -at / step;
        first = int(std::clamp<std::int64_t>(zero, 1, count - 1));
    }
    cut(along_x, first);
}

void WarpExecutor::settle(Lanes& lanes, std::uint32_t mask, Scalar type) const {
    if (type == Scalar::int64 || type == Scalar::uint64) return;
    if (!lanes.moves()) return wrap_lanes(lanes, type);
    const std::int64_t x = lanes.per_x * (range_.width - 1), y = lanes.per_y * (range_.height - 1);
    for (const int lane : LaneRange{mask & lanes.known}) {
        const std::int64_t at = lanes.of(lane);
        const auto stays = [&](std::int64_t value) { return wrap(value, type) == value; };
        if (!stays(at) || !stays(at + x) || !stays(at + y) || !stays(at + x + y)) halve();
    }
}

bool WarpExecutor::apply_moving(Sign sign, const Lanes& a, const Lanes& b, std::uint32_t mask,
                                Lanes& out) const {
    const auto move = [&](std::int64_t x, std::int64_t y) {
        out.per_x = x;
        out.per_y = y;
    };
    if (sign == "+") {
        move(a.per_x + b.per_x, a.per_y + b.per_y);
        return true;
    }
    if (sign == "-") {
        move(a.per_x - b.per_x, a.per_y - b.per_y);
        return true;
    }
    const auto right = single(b, mask), left = single(a, mask);
    if (sign == "*" && (right || left)) {
        const Lanes& moving = right ? a : b;
        const std::int64_t times = right ? *right : *left;
        move(moving.per_x * times, moving.per_y * times);
        return true;
    }
    if (!right) return false;
    if (sign == "<<" && *right >= 0 && *right < 32) {
        move(a.per_x << *right, a.per_y << *right);
        return true;
    }
    // Whole multiples of the divisor go through; numbers below 0 are divided otherwise.
    std::int64_t divisor = 0;
    if (sign == "/" || sign == "%") divisor = *right;
    if (sign == ">>" && *right >= 0 && *right < 62) divisor = std::int64_t{1} << *right;
    if (sign == "&" && *right >= 0 && *right < std::numeric_limits<std::int32_t>::max() &&
        std::has_single_bit(static_cast<std::uint64_t>(*right) + 1))
        divisor = *right + 1;
    if (divisor <= 0 || a.per_x % divisor != 0 || a.per_y % divisor != 0) return false;
    const std::int64_t x = std::min<std::int64_t>(0, a.per_x * (range_.width - 1)),
                       y = std::min<std::int64_t>(0, a.per_y * (range_.height - 1));
    for (const int lane : LaneRange{mask & a.known})
        if (a.of(lane) + x + y < 0) return false;
    if (sign == "/" || sign == ">>") move(a.per_x / divisor, a.per_y / divisor);
    return true;
}

Lanes WarpExecutor::apply(Sign sign, const Lanes& a, const Lanes& b, std::uint32_t mask, Scalar operands,
                          Scalar result, Position at) const {
    Lanes out;
    out.known = a.known & b.known & mask;
    const bool comparison = result == Scalar::boolean;
    if (a.moves() || b.moves()) {
        if (comparison) {
            Lanes difference;
            difference.per_x = a.per_x - b.per_x;
            difference.per_y = a.per_y - b.per_y;
            for (const int lane : LaneRange{out.known})
                same_everywhere(a.of(lane) - b.of(lane), difference, [&](std::int64_t value) {
                    return apply_sign(sign, value, 0, Scalar::int64).value_or(0) != 0;
                });
        } else if (!apply_moving(sign, a, b, mask, out)) {
            halve();
        }
    }
    const bool at_once = apply_lanes(sign, a, b, operands, out);
    if (!at_once) {
        out.set_even(0, 0);
        out.spread();
    }
    for (const int lane : LaneRange{at_once ? 0 : out.known}) {
        // Before it is settled, so that a number that moves is not wrapped by its first block alone.
        const bool even = sign == "+" || sign == "-" || sign == "*" || sign == "<<";
        const auto value = apply_sign(sign, a.of(lane), b.of(lane),
                                      even && operands != Scalar::uint64 ? Scalar::int64 : operands);
        if (!value)
            throw SourceError(at, sign == "/" || sign == "%"
                                      ? "this divides by 0"
                                      : fmt::format("this shifts by {} bits", b.of(lane)));
        out.at[lane] = *value;
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
        return;
    }
    if (into.per_x != from.per_x || into.per_y != from.per_y) halve();
    into.memory = from.memory;
    into.merge(from, mask);
}

}  // namespace warplens::typed
