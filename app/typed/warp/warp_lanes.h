#pragma once

#include "app/typed/tree.h"
#include "kernels/warp_access.h"

#include <array>
#include <bit>
#include <cstdint>
#include <optional>

namespace warplens::typed {

/// A value of every lane. In block (x, y) of the range, and in a round of a loop whose rounds are executed at
/// once, it is `of(lane) + x per_x + y per_y + round per_round`, for all lanes alike. Most values are even,
/// which is `base + lane * step`: then no lane has to be looked at or copied. Numbers wrap round at 64 bits.
struct Lanes {
    std::int64_t base = 0, step = 0;  ///< of a pointer: bytes behind the begin of its memory
    std::int64_t per_x = 0, per_y = 0, per_round = 0;
    std::uint32_t known = 0;    ///< lanes whose value is known; the others may have any
    std::uint32_t assumed = 0;  ///< of the others: lanes with a number that stands for unknown data
    int memory = -1;            ///< of a pointer
    bool even = true;
    alignas(32) std::array<std::int64_t, kWarpLanes> at;  ///< of each lane, if it is not even

    Lanes() {}  // NOLINT: `at` is written before it is read
    Lanes(const Lanes& other) { *this = other; }
    Lanes& operator=(const Lanes& other) {
        base = other.base;
        step = other.step;
        per_x = other.per_x;
        per_y = other.per_y;
        per_round = other.per_round;
        known = other.known;
        assumed = other.assumed;
        memory = other.memory;
        even = other.even;
        if (!even) at = other.at;
        return *this;
    }

    static Lanes uniform(std::int64_t value) {
        Lanes lanes;
        lanes.base = value;
        lanes.known = kAllLanes;
        return lanes;
    }

    std::uint32_t numbers() const { return known | assumed; }  ///< lanes that have one
    /// For a result that follows from two others.
    void follow(const Lanes& a, const Lanes& b, std::uint32_t mask) {
        known = a.known & b.known & mask;
        assumed = a.numbers() & b.numbers() & mask & ~known;
    }
    bool moves() const { return per_x != 0 || per_y != 0 || per_round != 0; }
    bool moves_like(const Lanes& other) const {
        return per_x == other.per_x && per_y == other.per_y && per_round == other.per_round;
    }
    /// All lanes by so much, which wraps round.
    void advance(std::int64_t by) {
        base = multiply_add(by, 1, base);
        if (even) return;
        for (std::int64_t& one : at) one = multiply_add(by, 1, one);
    }
    /// As it is in one round.
    void settle_in(std::int64_t round) {
        advance(multiply_add(round, per_round, 0));
        per_round = 0;
    }
    bool is_uniform() const { return even && step == 0; }
    std::int64_t last() const { return multiply_add(kWarpLanes - 1, step, base); }
    std::int64_t of(int lane) const { return even ? multiply_add(lane, step, base) : at[std::size_t(lane)]; }

    void set_even(std::int64_t first, std::int64_t each) {
        base = first;
        step = each;
        even = true;
    }
    void spread();     ///< into lanes
    void find_even();  ///< from its lanes, if they are
    /// The values of `from` in some lanes. Both move alike.
    void merge(const Lanes& from, std::uint32_t lanes);

    /// a by + more, which wraps round.
    static std::int64_t multiply_add(std::int64_t a, std::int64_t by, std::int64_t more) {
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(by) +
                                         static_cast<std::uint64_t>(more));
    }
};

/// All lanes of a value, wherever they are.
class LaneValues {
public:
    explicit LaneValues(const Lanes& of) : values_(of.even ? room_.data() : of.at.data()) {
        if (!of.even) return;
        for (std::size_t l = 0; l < kWarpLanes; ++l)
            room_[l] = Lanes::multiply_add(static_cast<std::int64_t>(l), of.step, of.base);
    }
    LaneValues(const LaneValues&) = delete;
    LaneValues& operator=(const LaneValues&) = delete;
    std::int64_t operator[](std::size_t lane) const { return values_[lane]; }

private:
    alignas(32) std::array<std::int64_t, kWarpLanes> room_;
    const std::int64_t* values_;
};

struct LaneRange {
    std::uint32_t lanes;
    struct Iterator {
        std::uint32_t rest;
        int operator*() const { return std::countr_zero(rest); }
        Iterator& operator++() {
            rest &= rest - 1;
            return *this;
        }
        bool operator!=(const Iterator& other) const { return rest != other.rest; }
    };
    Iterator begin() const { return {lanes}; }
    Iterator end() const { return {0}; }
};

/// The one value of some lanes. Empty if they differ or it is not known.
std::optional<std::int64_t> single(const Lanes& lanes, std::uint32_t mask);

/// The most frequent operators of even numbers that do not move, with a result in the range of its type.
/// @return  whether `out` has it, apart from what is known
inline bool apply_quickly(Sign sign, const Lanes& a, const Lanes& b, Scalar result, Lanes& out) {
    if (!a.even || !b.even || a.moves() || b.moves()) return false;
    // Beyond these, sums might leave the type, or 64 bits.
    constexpr std::int64_t kFar = std::int64_t{1} << 30, kWide = std::int64_t{1} << 60;
    const auto within = [](const Lanes& one, std::int64_t least, std::int64_t most) {
        const std::int64_t last = one.base + (kWarpLanes - 1) * one.step;
        return one.base >= least && one.base <= most && last >= least && last <= most;
    };
    if (!within(a, -kFar, kFar) || !within(b, -kFar, kFar)) return false;
    std::int64_t base = 0, step = 0;
    switch (sign.code()) {
        case '+':
            base = a.base + b.base;
            step = a.step + b.step;
            break;
        case '-':
            base = a.base - b.base;
            step = a.step - b.step;
            break;
        case '*':
            if (a.step != 0 && b.step != 0) return false;
            base = a.base * b.base;
            step = a.step * b.base + b.step * a.base;
            break;
        default:
            return false;
    }
    out.set_even(base, step);
    switch (result) {
        case Scalar::int32:
            return within(out, -2 * kFar, 2 * kFar - 1);
        case Scalar::uint32:
            return within(out, 0, 4 * kFar - 1);
        case Scalar::int64:
            return true;
        case Scalar::uint64:
            return within(out, 0, kWide);
        default:
            return false;
    }
}

/// An operator for numbers that do not move, before the result is brought into the range of its type.
/// @param operands  the type to which both were converted
/// @return  whether `out` has it: not for what C++ leaves undefined, and rare operators
bool apply_lanes(Sign sign, const Lanes& a, const Lanes& b, Scalar operands, Lanes& out);

/// Each number in the range of an integer type.
void wrap_lanes(Lanes& lanes, Scalar type);

}  // namespace warplens::typed
