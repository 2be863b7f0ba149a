#pragma once

// The work of machine.h, in pieces that only warp_*.cpp and machine.cpp need.

#include "app/base/in_steps.h"
#include "app/model/catalogue.h"
#include "app/typed/machine.h"
#include "app/typed/warp/warp_lanes.h"

#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace warplens::typed {

/// One load or store of a warp, while it is executed.
struct WarpRequest {
    const Expr& element;  ///< in the text
    int memory = 0;
    bool store = false, atomic = false;  ///< see Request
    std::uint32_t active = 0;            ///< lanes, one or more
    const Lanes& offsets;                ///< in its memory [bytes]
    int interval = 0, warp_interval = 0;
    bool assumed = false;  ///< see Request
};

/// Rounds of a loop that do the same at addresses that move evenly.
struct WarpRounds {
    struct One {
        const Expr* element = nullptr;
        int memory = 0;
        bool store = false, atomic = false;
        std::uint32_t active = 0;
        Lanes offsets;
        int interval = 0, warp_interval = 0;
        bool assumed = false;

        WarpRequest request() const {
            return {*element, memory, store, atomic, active, offsets, interval, warp_interval, assumed};
        }
    };
    std::vector<One> requests;  ///< of the first round
    std::int64_t count = 0;
    int intervals = 0, warp_intervals = 0;  ///< barriers in each round
};

class WarpVisitor {
public:
    virtual ~WarpVisitor() = default;
    virtual void begin_warp() {}
    virtual void visit(const WarpRequest& request) = 0;
    virtual void visit_rounds(const WarpRounds& rounds) = 0;
    virtual void visit_mark(const OrderMark&) {}
};

/// Integers of an array that each thread has for itself; of vectors all components.
using OwnArray = std::vector<Lanes>;

/// Executes blocks, a warp at a time.
class WarpExecutor {
public:
    explicit WarpExecutor(const Bound& bound);
    WarpExecutor(const WarpExecutor&) = delete;
    WarpExecutor& operator=(const WarpExecutor&) = delete;

    /// All warps of the blocks of a range. Errors and RangeCut: as run_blocks.
    void run(const BlockRange& range, WarpVisitor& visitor);
    /// The same in pieces of a warp, one with each call of step(). @return  false behind the last one
    void begin(const BlockRange& range, WarpVisitor& visitor);
    bool step();
    // About the last range
    Work work() const { return {requests_, steps_}; }
    const Arithmetic& arithmetic() const { return arithmetic_; }  ///< of one block of the range
    const std::set<Position>& assumed() const { return assumed_; }
    const std::set<Position>& parted() const { return parted_; }

private:
    // Cutting ranges

    /// @param at  how many blocks the first part has along x, or along y
    [[noreturn]] void cut(bool along_x, int at) const;
    /// How far numbers go at most from those of the first block and round: {to less, to more}.
    std::pair<std::int64_t, std::int64_t> reach(const Lanes& moving) const;
    /// The rounds from this one on do something else than those before; 0 and 1: each does.
    struct RoundsCut {
        std::int64_t at = 0;
    };
    /// Every block does something else, along each axis along which these numbers move.
    [[noreturn]] void cut_into_single(const Lanes& lanes) const;
    [[noreturn]] void halve() const;
    [[noreturn]] void halve_blocks() const;
    /// The values cannot be one: they move differently.
    [[noreturn]] void part(const Lanes& one, const Lanes& other) const;
    /// The value must depend neither on the block nor on the round.
    void hold(const Lanes& lanes) const;
    /// Take the blocks apart where the truth about a moving number changes.
    template <class Truth>
    void same_everywhere(std::int64_t at, const Lanes& moving, const Truth& truth) const;
    /// Numbers that leave the range of their type wrap round, each for itself.
    void settle(Lanes& lanes, std::uint32_t mask, Scalar type) const;

    // Values

    void count_step(Position at) {
        if (++steps_ > bound_.most_steps) refuse_steps(at);
    }
    /// The innermost loop takes too long, wherever in it the last step falls.
    [[noreturn]] void refuse_steps(Position at) const;
    /// The threadIdx of each warp: x is fastest, then y, then z.
    void find_threads();
    void begin_warp(int warp);
    Lanes builtin(Builtin which) const;
    /// Operators that keep a number moving evenly. @return  whether the answer is complete
    bool apply_moving(Sign sign, const Lanes& a, const Lanes& b, std::uint32_t mask, Lanes& out) const;
    Lanes apply(Sign sign, const Lanes& a, const Lanes& b, std::uint32_t mask, Scalar operands, Scalar result,
                Position at) const;
    void choose(Lanes& into, const Lanes& from, std::uint32_t mask, bool fresh) const;

    // Memory

    struct Place {
        Lanes offset;  ///< bytes in its memory, or in an own array
        int own = -1;  ///< the symbol of a thread's own array whose elements are in registers or local memory
        bool assumed = false;  ///< it follows from values in memory
    };
    /// The place of an element. Evaluates the indices.
    Place place_of(const Expr& element, std::uint32_t mask);
    // Offsets have 64 bits and do not wrap round.
    static void check_reach(const Lanes& index, std::uint32_t mask, Position at);
    static void scale(Lanes& lanes, std::int64_t by, std::int64_t more);
    static void add(Lanes& lanes, const Lanes& other);
    /// An index that follows from values in memory is assumed to be any of `count`.
    Lanes assumed_index(const Expr& index, const Lanes& has, std::uint32_t mask, std::int64_t count);
    Lanes any_of(const Place& place, std::uint32_t mask) const;
    void record(const Expr& element, const Place& place, std::uint32_t mask, bool store, bool atomic = false);
    /// The integers that an index array contains.
    Lanes rows_of(const Expr& element, const Memory& memory, const Place& place, std::uint32_t mask) const;
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
    const Lanes& kept(const Expr& expr);
    /// Counts what an operator or a function takes.
    /// @param data  whether it computes with values of memory, and not with places of threads
    void compute(const Expr& expr, bool data);
    // Floating-point numbers (warp_reals.cpp). Nothing is known of what is returned where they are not
    // followed.
    bool follows(const Lanes& one, std::uint32_t mask) const;
    template <class Of>
    Lanes each_real(const Lanes& a, const Lanes& b, std::uint32_t mask, const Of& of) const;
    Lanes apply_reals(const Expr& expr, const Lanes& a, const Lanes& b, std::uint32_t mask) const;
    Lanes function_of_reals(const Expr& expr, const std::vector<Lanes>& parts, std::uint32_t mask) const;
    Lanes cast_real(const Expr& expr, Lanes of, std::uint32_t mask) const;
    /// The value that a variable gets. In a loop floating-point numbers are not followed, because no round
    /// would be as the one before, unless an index may follow from them.
    Lanes to_variable(int symbol, Lanes value) const {
        const Type& type = unit_.symbol(symbol).type;
        if (loop_ && !unit_.makes_integers && type.is_single() && is_floating(type.scalar)) value.known = 0;
        return value;
    }
    Lanes unary(const Expr& expr, std::uint32_t mask);
    Lanes binary(const Expr& expr, std::uint32_t mask);
    Lanes cast(const Expr& expr, std::uint32_t mask);
    /// The lanes for which a condition holds. It has to be known.
    std::uint32_t lanes_where(const Expr& condition, std::uint32_t mask, const Lanes& truth) const;
    Lanes logic(const Expr& expr, std::uint32_t mask);
    Lanes choice(const Expr& expr, std::uint32_t mask);
    void write(const Expr& target, const Lanes& value, std::uint32_t mask);
    // Vectors in registers, as int2: their components are kept as an array.
    bool is_vector(int symbol) const {
        const Symbol& of = unit_.symbol(symbol);
        return of.storage == Storage::variable && of.type.lanes > 1 && !of.type.pointer;
    }
    /// Evaluates it. @return  empty if nothing is known of them
    OwnArray components_of(const Expr& vector, std::uint32_t mask);
    void set_component(int symbol, std::size_t which, Lanes value, std::uint32_t mask, bool fresh);
    /// @param values  empty: none is known
    void set_components(int symbol, const OwnArray& values, std::uint32_t mask, bool fresh);
    /// Reads a target, changes it by change(before), and writes it, with its index evaluated once.
    /// @return  the values before and after
    template <class Change>
    std::pair<Lanes, Lanes> update(const Expr& target, std::uint32_t mask, const Change& change);
    Lanes assign(const Expr& expr, std::uint32_t mask);
    /// The value after a compound assignment.
    Lanes changed(const Expr& expr, const Lanes& before, const Lanes& by, std::uint32_t mask) const;
    /// @return  one value, or the components of a vector
    OwnArray call(const Expr& expr, std::uint32_t mask);
    Lanes intrinsic(const Expr& expr, std::uint32_t mask);
    void mark(OrderMark::Kind kind, std::uint32_t mask);
    /// The number that an atomic operation gets from a counter of blocks. Not known of any other.
    Lanes ticket(const Expr& expr, const Place& place, const Lanes& by, std::uint32_t mask);
    /// A number that one thread hands to its block, as whether this is the last one.
    void hand_out(const Expr& element, int memory, const Lanes& value, std::uint32_t mask);
    /// It is not known which lanes take which of some ways, so all lanes take each of them, from the same
    /// values on. What they assign is not known behind them.
    /// @param once  whether a lane takes one of them, and not one again and again: then the numbers from
    /// before
    ///              are as good as others
    void perhaps(std::uint32_t mask, bool once, std::initializer_list<std::function<void()>> ways);
    /// Keeps a number that a way is about to change. @param slot  of an array's element, and 1 more; or 0
    void keep(int symbol, std::size_t slot);
    Lanes& number_at(int symbol, std::size_t slot) {
        return slot == 0 ? variables_[symbol] : arrays_[symbol][slot - 1];
    }
    /// Errors: SourceError if a lane executes a shuffle whose mask does not name it.
    void check_mask(const Expr& expr, const Lanes& said, std::uint32_t mask) const;
    Lanes shuffle(Intrinsic which, const std::vector<Lanes>& parts, std::uint32_t mask) const;

    // Statements

    /// Lanes meet of which some went one way. Quotients and roots of real numbers are functions with branches
    /// of their own, around which nvcc brings lanes together late: an H200 made more requests in 5 of 900
    /// random kernels.
    void meet(Position at, std::uint32_t some, std::uint32_t mask) {
        if (unit_.makes_integers && some != 0 && some != mask) parted_.insert(at);
    }
    /// The lanes that go on behind a statement, which begins with `mask`.
    std::uint32_t execute(const Stmt& stmt, std::uint32_t mask);
    /// The same; what has a loop in pieces.
    InSteps<std::uint32_t> walk(const Stmt& stmt, std::uint32_t mask);
    void declare(const Stmt& stmt, std::uint32_t mask);
    /// @return  the lanes that take the first way; empty if that is not known, and both were taken
    std::optional<std::uint32_t> branch(const Stmt& stmt, std::uint32_t mask);
    InSteps<std::uint32_t> loop(const Stmt& stmt, std::uint32_t mask);

    // Rounds of loops at once (warp_rounds.cpp)

    /// The values with which a round of a loop begins.
    struct Beginning {
        std::vector<Lanes> variables_;
        std::vector<OwnArray> arrays_;
        OwnArray result;
        bool result_fresh = true, in_call = false;
        std::uint32_t live = 0, running = 0;
        int interval = 0, warp_interval = 0, poison = 0, loop_poison = 0, call_poison = 0, call_depth = 0;
        std::optional<Position> loop;
        std::int64_t requests = 0;
        Arithmetic arithmetic;
    };
    Beginning beginning(std::uint32_t running) const;
    void begin_again(const Beginning& beginning);
    /// Executes as many rounds as do the same as the next one. @return  how many; 0 if each has to be
    /// executed
    InSteps<std::int64_t> leap(const Stmt& stmt, const Beginning& before, std::uint32_t running);
    using Growths = std::vector<std::optional<std::int64_t>>;
    bool are_as_supposed(const Beginning& now, const Growths& grows);
    template <class State, class Visit>
    static void each_number(State& of, const Visit& visit, const Beginning& others);
    /// The next round in all of them. @return  false if lanes leave the loop
    InSteps<bool> execute_rounds(const Stmt& stmt, std::uint32_t running);

    const Bound& bound_;
    const Unit& unit_;
    BlockRange range_;
    int warp_ = 0;
    int next_warp_ = 0;
    int barriers_ = -1, arrived_ = 0;  ///< that a warp of the block has passed to its end, and which it was
    WarpVisitor* visitor_ = nullptr;
    std::optional<InSteps<std::uint32_t>> walk_;  ///< the warp that is executed
    std::int64_t steps_ = 0, requests_ = 0;
    std::int64_t pause_at_ = 0;  ///< the step at which a piece ends
    Arithmetic arithmetic_;
    std::int64_t rounds_ = 1;              ///< that are executed at once
    std::map<const Stmt*, int> hopeless_;  ///< how often a loop was tried in vain
    std::set<Position> assumed_;
    std::set<Position> parted_;                  ///< as in BlockTrace
    std::vector<std::array<Lanes, 3>> threads_;  ///< threadIdx of each warp
    std::vector<Lanes> kept_;                    ///< see Expr::kept, of each warp
    std::vector<Lanes> variables_;
    std::vector<OwnArray> arrays_;
    std::uint32_t live_ = 0;  ///< lanes that have not returned from the kernel
    bool joined_[2] = {};     ///< lanes for which the last condition fails, or holds, by several tests
    bool may_leave_ = false;  ///< a break of the innermost loop stands behind a condition that is not known
    std::uint32_t left_ = 0, next_ = 0;  ///< lanes that met break, and continue, in the innermost loop
    OwnArray result_;                    ///< of the innermost call
    bool result_fresh_ = true, in_call_ = false;
    int interval_ = 0, warp_interval_ = 0;
    int poison_ = 0;  ///< in branches of which it is not known whether they are taken
    using Numbers = std::map<std::pair<int, std::size_t>, Lanes>;
    std::vector<Numbers> kept_numbers_;      ///< before each of these, by symbol and slot: see keep
    int loop_poison_ = 0, call_poison_ = 0;  ///< the same where the innermost loop, or call, began
    bool uncertain_ = false;                 ///< lanes may have left, or wait for others, by values in memory
    Position barrier_, last_barrier_;  ///< the last one that the warp reached, and that a warp before it did
    int call_depth_ = 0;
    std::optional<Position> loop_;  ///< the innermost one
    int tickets_ = 0;               ///< drawn by the block
    std::map<int, Lanes> handed_;   ///< see hand_out, by memory
};

}  // namespace warplens::typed
