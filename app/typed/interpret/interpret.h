#pragma once

// The work of machine.h, in pieces that only interpret_*.cpp and machine.cpp need.

#include "app/typed/machine.h"

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace warplens::typed {

/// A value of every lane. In block (x, y) of the range it is `at + x per_x + y per_y`, for all lanes alike.
struct Lanes {
    std::array<std::int64_t, kWarpLanes> at{};  ///< of a pointer: bytes behind the begin of its memory
    std::uint32_t known = 0;                    ///< lanes whose value is known
    std::int64_t per_x = 0, per_y = 0;
    int memory = -1;  ///< of a pointer

    bool moves() const { return per_x != 0 || per_y != 0; }
};

/// Integers of an array that each thread has for itself; of vectors all components.
struct OwnArray {
    std::vector<std::array<std::int64_t, kWarpLanes>> at;
    std::vector<std::uint32_t> known;
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

/// Executes one warp of the blocks of a range.
class Interpreter {
public:
    Interpreter(const Bound& bound, const BlockRange& range, int warp, std::vector<Request>& requests,
                std::int64_t& steps_left, std::int64_t& requests_left, std::set<Position>& assumed);
    /// @return  how many barriers of the block it passed
    int run();
    /// Whether all threads of the warp have returned, so that barriers wait for none of them.
    bool has_ended() const { return live_ == 0; }

private:
    // Cutting ranges

    /// @param at  how many blocks the first part has along x, or along y
    [[noreturn]] void cut(bool along_x, int at) const;
    /// Every block does something else, along each axis along which these numbers move.
    [[noreturn]] void cut_into_single(const Lanes& lanes) const;
    [[noreturn]] void halve() const;
    /// The value must not depend on the block.
    void hold(const Lanes& lanes) const;
    /// Take the blocks apart where the truth about a moving number changes.
    template <class Truth>
    void same_everywhere(std::int64_t at, const Lanes& moving, const Truth& truth) const;
    /// Numbers that leave the range of their type wrap round, each for itself.
    void settle(Lanes& lanes, std::uint32_t mask, Scalar type) const;

    // Values

    static Lanes uniform(std::int64_t value) {
        Lanes lanes;
        lanes.at.fill(value);
        lanes.known = kAllLanes;
        return lanes;
    }
    void count_step(Position at) {
        if (--steps_left_ < 0) refuse_steps(at);
    }
    /// The innermost loop takes too long, wherever in it the last step falls.
    [[noreturn]] void refuse_steps(Position at) const;
    /// threadIdx of all lanes: x is fastest, then y, then z.
    void find_threads();
    Lanes builtin(Builtin which) const;
    /// The one value of all lanes. Empty if they differ or it is not known.
    static std::optional<std::int64_t> single(const Lanes& lanes, std::uint32_t mask);
    /// Operators that keep a number moving evenly. @return  whether the answer is complete
    bool apply_moving(std::string_view sign, const Lanes& a, const Lanes& b, std::uint32_t mask,
                      Lanes& out) const;
    /// Division by one number above 0. @return  whether it is that
    static bool divide_at_once(bool quotient, const Lanes& a, const Lanes& b, Lanes& out);
    /// The frequent operators, for all lanes at once. What it computes of lanes whose numbers are not known,
    /// nobody reads. @return  whether it was one of them
    static bool apply_at_once(std::string_view sign, const Lanes& a, const Lanes& b, Scalar operands,
                              Lanes& out);
    Lanes apply(std::string_view sign, const Lanes& a, const Lanes& b, std::uint32_t mask, Scalar operands,
                Scalar result, Position at) const;
    void choose(Lanes& into, const Lanes& from, std::uint32_t mask, bool fresh) const;

    // Memory

    struct Place {
        Lanes offset;  ///< bytes in its memory, or in an own array
        int own = -1;  ///< the symbol of a thread's own array whose elements are in registers or local memory
    };
    /// The place of an element. Evaluates the indices.
    Place place_of(const Expr& element, std::uint32_t mask);
    // Offsets have 64 bits and do not wrap round.
    static void scale(Lanes& lanes, std::int64_t by, std::int64_t more = 0);
    static void add(Lanes& lanes, const Lanes& other);
    /// a by + more, also of lanes whose numbers are not known, which may be any.
    static std::int64_t multiply_add(std::int64_t a, std::int64_t by, std::int64_t more);
    /// An index. Where it follows from values in memory, it is assumed to be any of `count`.
    Lanes known_index(const Expr& index, std::uint32_t mask, std::int64_t count);
    void record(const Expr& element, const Place& place, std::uint32_t mask, bool store, bool atomic = false);
    /// The integers that an index array contains.
    Lanes content_of(const Memory& memory, const Place& place, std::uint32_t mask, Scalar type) const;
    OwnArray& own_array(int symbol);
    /// Load or store an element of a thread's own array.
    Lanes access_own(const Expr& element, const Place& place, std::uint32_t mask, const Lanes* value);
    Lanes load(const Expr& element, std::uint32_t mask);
    Lanes load_from(const Expr& element, const Place& place, std::uint32_t mask);
    void store_to(const Expr& element, const Place& place, const Lanes& value, std::uint32_t mask);

    // Expressions

    /// As evaluate, without a copy where a variable has the value.
    /// @param next  what is evaluated while the value is in use, and must not change it
    const Lanes& value_of(const Expr& expr, std::uint32_t mask, Lanes& room, const Expr* next = nullptr);
    Lanes evaluate(const Expr& expr, std::uint32_t mask);
    Lanes unary(const Expr& expr, std::uint32_t mask);
    Lanes cast(const Expr& expr, std::uint32_t mask);
    /// The lanes for which a condition holds. It has to be known.
    std::uint32_t lanes_where(const Expr& condition, std::uint32_t mask, const Lanes& truth) const;
    Lanes logic(const Expr& expr, std::uint32_t mask);
    Lanes choice(const Expr& expr, std::uint32_t mask);
    void write(const Expr& target, const Lanes& value, std::uint32_t mask);
    /// Reads a target, changes it by change(before), and writes it, with its index evaluated once.
    /// @return  the values before and after
    template <class Change>
    std::pair<Lanes, Lanes> update(const Expr& target, std::uint32_t mask, const Change& change);
    Lanes assign(const Expr& expr, std::uint32_t mask);
    /// The value after a compound assignment.
    Lanes changed(const Expr& expr, const Lanes& before, const Lanes& by, std::uint32_t mask) const;
    Lanes call(const Expr& expr, std::uint32_t mask);
    Lanes intrinsic(const Expr& expr, std::uint32_t mask);
    void both_ways(const Expr& condition, const Stmt& body, std::uint32_t mask);
    Lanes shuffle(Intrinsic which, const std::vector<Lanes>& parts, std::uint32_t mask) const;

    // Statements

    /// The lanes that go on behind a statement, which begins with `mask`.
    std::uint32_t execute(const Stmt& stmt, std::uint32_t mask);
    void declare(const Stmt& stmt, std::uint32_t mask);
    std::uint32_t branch(const Stmt& stmt, std::uint32_t mask);
    std::uint32_t loop(const Stmt& stmt, std::uint32_t mask);

    const Bound& bound_;
    const Unit& unit_;
    BlockRange range_;
    int warp_;
    std::vector<Request>& requests_;
    std::int64_t &steps_left_, &requests_left_;
    std::set<Position>& assumed_;
    std::array<Lanes, 3> thread_;  ///< threadIdx
    std::vector<Lanes> variables_;
    std::vector<OwnArray> arrays_;
    std::uint32_t live_ = 0;             ///< lanes that have not returned from the kernel
    std::uint32_t left_ = 0, next_ = 0;  ///< lanes that met break, and continue, in the innermost loop
    Lanes result_;
    bool result_fresh_ = true, in_call_ = false;
    int interval_ = 0, warp_interval_ = 0;
    int poison_ = 0;                         ///< in branches of which it is not known whether they are taken
    int loop_poison_ = 0, call_poison_ = 0;  ///< the same where the innermost loop, or call, began
    int call_depth_ = 0;
    std::optional<Position> loop_;  ///< the innermost one
};

}  // namespace warplens::typed
