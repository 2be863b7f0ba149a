#include "app/typed/interpret/interpret.h"

#include <fmt/format.h>

#include <bit>

namespace warplens::typed {

void Interpreter::refuse_steps(Position at) const {
    throw SourceError(
        loop_.value_or(at),
        fmt::format("a block takes more than {} steps; make its loops shorter", bound_.most_steps), true);
}

void Interpreter::find_threads() {
    const Launch& launch = bound_.launch;
    const int first = warp_ * kWarpLanes;
    int x = first % launch.block_x, y = first / launch.block_x % launch.block_y,
        z = first / (launch.block_x * launch.block_y);
    for (std::size_t l = 0; l < kWarpLanes; ++l) {
        thread_[0].at[l] = x;
        thread_[1].at[l] = y;
        thread_[2].at[l] = z;
        if (++x == launch.block_x) x = 0, ++y;
        if (y == launch.block_y) y = 0, ++z;
    }
    for (Lanes& lanes : thread_) lanes.known = kAllLanes;
}

Lanes Interpreter::builtin(Builtin which) const {
    if (which <= Builtin::thread_z) return thread_[int(which)];
    Lanes lanes = uniform(0);
    const Launch& launch = bound_.launch;
    switch (which) {
        case Builtin::block_x:
            lanes = uniform(range_.x);
            lanes.per_x = range_.width > 1;
            break;
        case Builtin::block_y:
            lanes = uniform(range_.y % launch.grid_y);
            lanes.per_y = range_.height > 1;
            break;
        case Builtin::block_z:
            return uniform(range_.y / launch.grid_y);
        case Builtin::block_dim_x:
            return uniform(launch.block_x);
        case Builtin::block_dim_y:
            return uniform(launch.block_y);
        case Builtin::grid_dim_x:
            return uniform(launch.grid_x);
        case Builtin::grid_dim_y:
            return uniform(launch.grid_y);
        case Builtin::block_dim_z:
            return uniform(launch.block_z);
        case Builtin::grid_dim_z:
            return uniform(launch.grid_z);
        case Builtin::warp_size:
            return uniform(kWarpLanes);
        default:
            break;
    }
    return lanes;
}

std::optional<std::int64_t> Interpreter::single(const Lanes& lanes, std::uint32_t mask) {
    if (mask == 0 || (lanes.known & mask) != mask || lanes.moves()) return std::nullopt;
    const std::int64_t value = lanes.at[std::countr_zero(mask)];
    for (const int lane : LaneRange{mask})
        if (lanes.at[lane] != value) return std::nullopt;
    return value;
}

bool Interpreter::divide_at_once(bool quotient, const Lanes& a, const Lanes& b, Lanes& out) {
    const auto by = single(b, out.known);
    if (!by || *by <= 0) return false;
    std::int64_t signs = 0;
    for (const std::int64_t at : a.at) signs |= at;
    if (signs >= 0 && std::has_single_bit(static_cast<std::uint64_t>(*by))) {
        const int shift = std::countr_zero(static_cast<std::uint64_t>(*by));
        for (std::size_t l = 0; l < kWarpLanes; ++l)
            out.at[l] = quotient ? a.at[l] >> shift : a.at[l] & (*by - 1);
        return true;
    }
    for (std::size_t l = 0; l < kWarpLanes; ++l) out.at[l] = quotient ? a.at[l] / *by : a.at[l] % *by;
    return true;
}

bool Interpreter::apply_at_once(std::string_view sign, const Lanes& a, const Lanes& b, Scalar operands,
                                Lanes& out) {
    const auto each = [&](auto&& of) {
        for (std::size_t l = 0; l < kWarpLanes; ++l)
            out.at[l] = static_cast<std::int64_t>(
                of(static_cast<std::uint64_t>(a.at[l]), static_cast<std::uint64_t>(b.at[l])));
        return true;
    };
    const auto compare = [&](auto&& of) {
        if (operands == Scalar::uint64) return false;
        for (std::size_t l = 0; l < kWarpLanes; ++l) out.at[l] = of(a.at[l], b.at[l]);
        return true;
    };
    const bool alone = sign.size() == 1;
    switch (sign.front()) {
        case '+':
            return each([](std::uint64_t x, std::uint64_t y) { return x + y; });
        case '-':
            return each([](std::uint64_t x, std::uint64_t y) { return x - y; });
        case '*':
            return each([](std::uint64_t x, std::uint64_t y) { return x * y; });
        case '&':
            return each([](std::uint64_t x, std::uint64_t y) { return x & y; });
        case '|':
            return each([](std::uint64_t x, std::uint64_t y) { return x | y; });
        case '^':
            return each([](std::uint64_t x, std::uint64_t y) { return x ^ y; });
        case '=':
            return compare([](std::int64_t x, std::int64_t y) { return x == y; });
        case '!':
            return compare([](std::int64_t x, std::int64_t y) { return x != y; });
        case '/':
        case '%':
            return operands != Scalar::uint64 && divide_at_once(sign.front() == '/', a, b, out);
        case '<':
            if (!alone && sign[1] == '<') return false;
            return alone ? compare([](std::int64_t x, std::int64_t y) { return x < y; })
                         : compare([](std::int64_t x, std::int64_t y) { return x <= y; });
        case '>':
            if (!alone && sign[1] == '>') {
                const auto by = single(b, out.known);
                if (!by || *by < 0 || *by >= 8 * bytes_of(operands) || operands == Scalar::uint64)
                    return false;
                for (std::size_t l = 0; l < kWarpLanes; ++l) out.at[l] = a.at[l] >> *by;
                return true;
            }
            return alone ? compare([](std::int64_t x, std::int64_t y) { return x > y; })
                         : compare([](std::int64_t x, std::int64_t y) { return x >= y; });
        default:
            return false;
    }
}

}  // namespace warplens::typed
