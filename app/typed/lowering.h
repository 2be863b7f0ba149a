#pragma once

// The work of lower.h, in pieces that only lower*.cpp need.

#include "app/typed/lower.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace warplens::typed {

CodeType code_type(Scalar scalar);
CodeOp op_of(std::string_view sign);  ///< > and >= are < and <= with their operands swapped

/// The registers that an expression became.
struct Value {
    int at = -1;                        ///< the first register: of a vector, the others follow
    int memory = -1;                    ///< of a pointer, whose register holds a byte offset in it
    std::optional<std::int64_t> known;  ///< the number, where it is the same for all threads
    bool at_begin = false;              ///< of a pointer: whether the offset is 0
};

/// Numbers the jumps to a place that is not known yet.
struct Label {
    int at = -1;
    std::vector<std::size_t> jumps;
};

/// Makes instructions of a kernel.
class Lowering {
public:
    /// @param launch  null: for the model, see lower_for_model
    Lowering(const TypedLaunch* launch, const Bound& bound)
        : launch_(launch), bound_(bound), unit_(*bound.unit), variables_(unit_.symbols.size()) {}
    Code run();
    ModelCode run_for_model();

private:
    // The launch, and registers

    void set_launch();
    /// Arrays of the launch whose size the text does not say are as large as the launch needs.
    void find_sizes();
    int new_registers(CodeType type, int count = 1);
    static CodeType register_type(const Type& type);
    std::size_t emit(CodeInstr instr);

    // Asked for by the model alone

    bool for_model() const { return launch_ == nullptr; }
    /// A register that nothing writes, so its value is never known.
    int unknown(const Type& type) { return new_registers(register_type(type), std::max(type.lanes, 1)); }
    /// Forget what registers contained.
    void forget(int first, CodeType type, int count);
    /// Steps that are counted where no instruction follows any more.
    void settle_steps();
    static int steps_of(const Expr& expr);
    /// Integers of offsets: those of a GPU have 32 bits where that is enough, those of the model never wrap.
    CodeType offset_type() const { return for_model() ? CodeType::s64 : CodeType::s32; }
    /// Distances of shifts and shuffles.
    CodeType distance_type() const { return for_model() ? CodeType::s64 : CodeType::u32; }
    int compute(CodeOp op, CodeType type, int a, int b = 0);
    Value constant(std::int64_t value, CodeType type);
    void move(int to, int from, CodeType type, int count = 1);
    int converted(int from, CodeType of, CodeType to);

    // Jumps

    void jump(Label& label) { label.jumps.push_back(emit({.op = CodeOp::jump})); }
    void jump_if_zero(int truth, Label& label);
    void place(Label& label);

    // The compiler decides where lanes that have gone different ways meet again, and for loops inside
    // loops the driver's lets them go on apart. The model lets them meet as soon as their ways do, and where
    // hardware counts they are told to.

    /// @return  the register of the lanes that are together here
    int part();
    void meet(int lanes) { emit({.op = CodeOp::meet, .type = CodeType::u32, .a = lanes}); }
    /// Whether some lanes may leave a statement by `break` or `continue` of a loop around it, or by `return`.
    static bool may_leave(const Stmt& stmt, bool in_loop = false);
    /// Whether some lanes may leave the loop out of its body.
    static bool may_break(const Stmt& body);
    /// Pointers that point into other arrays than before, on one of two ways to the same place.
    void check_pointers(const std::vector<Value>& before) const;

    // Arrays of a thread

    static const Expr& base_of(const Expr& element);
    void look_at(const Expr& expr);
    void note_counters(const Expr& expr);
    void look_at(const Stmt& stmt);
    /// Which variables are assigned to, which arrays of a thread cannot be in registers, and which counters
    /// choose their elements.
    void look_at_functions();

    // Elements

    struct Place {
        int offset = -1;  ///< register: bytes in its memory
        int memory = -1;
        int element = -1;  ///< instead: the first register of an element that is in registers
        bool counted = true;
        int index = -1;  ///< see CodeOp::load
    };
    int as_offset(const Value& value, const Type& type);
    Place place_of(const Expr& element);
    /// @param bytes  from the begin of an element to its component
    int behind(int offset, std::int64_t bytes);
    int times(int value, std::int64_t by);
    const Value& own_array(int symbol);
    CodeInstr access(const Expr& element, const Place& place, bool store);
    Value load(const Expr& element) { return load_from(element, place_of(element)); }
    Value load_from(const Expr& element, const Place& place);
    void store_to(const Expr& element, const Place& place, int from);

    // Expressions

    Value evaluate(const Expr& expr);
    Value builtin(Builtin which);
    Value binary(std::string_view sign, Value a, Value b, const Expr& first, const Expr& second,
                 Scalar result);
    Value unary(const Expr& expr);
    Value cast(const Expr& expr);
    Value logic(const Expr& expr);
    Value choice(const Expr& expr);
    void write(const Expr& target, const Value& value);
    void set_variable(int symbol, const Value& value);
    Value assign(const Expr& expr);
    /// Reads a target, changes it by change(before), and writes it, with its index evaluated once.
    /// @return  the values before and after
    std::pair<Value, Value> update(const Expr& target, const auto& change);
    /// The value after a compound assignment.
    Value changed(const Expr& expr, const Value& before, const Value& by);
    Value step(const Expr& expr);
    Value call(const Expr& expr);
    Value math(const Expr& expr, const std::vector<Value>& parts);
    Value intrinsic(const Expr& expr);

    // Statements

    void execute(const Stmt& stmt);
    void declare(const Stmt& stmt);
    void branch(const Stmt& stmt);
    /// Whether the body of a loop is written once for each round.
    bool is_unrolled(const Stmt& stmt) const;
    /// Whether a loop with constant bounds has few rounds, so that a compiler unrolls it.
    bool is_short(const Stmt& stmt) const;
    /// The value of an expression in which one variable has a value.
    std::optional<std::int64_t> fold_with(const Expr& expr, int symbol, std::int64_t value) const;
    std::optional<std::int64_t> next_counter(const Expr& step, int symbol, std::int64_t value) const;
    void loop(const Stmt& stmt);

    struct Loop {
        Label *leave = nullptr, *next = nullptr;
    };
    struct Call {
        const Function* function = nullptr;
        int result = -1;
        Label* end = nullptr;
    };

    const TypedLaunch* launch_;
    const Bound& bound_;
    const Unit& unit_;
    Code code_;
    std::vector<Value> variables_;  ///< by symbol
    std::set<int> assigned_;        ///< variables that change
    std::set<int> in_memory_;       ///< arrays of a thread
    std::set<int> unrolled_;        ///< counters
    std::set<int> unrolling_;       ///< those whose loop is being written
    Loop loop_;
    Call call_;
    int call_depth_ = 0;
    Position at_;
    ModelCode model_;
    int steps_ = 0;  ///< of the model, since the last instruction
};

}  // namespace warplens::typed
