#include "app/typed/lower.h"

#include "app/typed/ranges.h"
#include "kernels/typed/code_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace warplens::typed {
namespace {

constexpr std::size_t kMostInstructions = 40'000;

CodeType code_type(Scalar scalar) {
    constexpr CodeType kTypes[] = {CodeType::s32, CodeType::boolean, CodeType::s8,  CodeType::u8,
                                   CodeType::s16, CodeType::u16,     CodeType::s32, CodeType::u32,
                                   CodeType::s64, CodeType::u64,     CodeType::f32, CodeType::f64};
    return kTypes[static_cast<int>(scalar)];
}

CodeOp op_of(std::string_view sign) {
    constexpr std::pair<std::string_view, CodeOp> kOps[] = {
        {"+", CodeOp::add},          {"-", CodeOp::sub},         {"*", CodeOp::mul},
        {"/", CodeOp::div},          {"%", CodeOp::rem},         {"&", CodeOp::bit_and},
        {"|", CodeOp::bit_or},       {"^", CodeOp::bit_xor},     {"<<", CodeOp::shift_left},
        {">>", CodeOp::shift_right}, {"<", CodeOp::less},        {">", CodeOp::less},
        {"<=", CodeOp::less_equal},  {">=", CodeOp::less_equal}, {"==", CodeOp::equal},
        {"!=", CodeOp::not_equal}};
    for (const auto& [text, op] : kOps)
        if (text == sign) return op;
    return CodeOp::add;
}

/// What an expression became.
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

class Lowering {
public:
    /// @param launch  null: for the model, see lower_for_model
    Lowering(const TypedLaunch* launch, const Bound& bound)
        : launch_(launch), bound_(bound), unit_(*bound.unit), variables_(unit_.symbols.size()) {}

    Code run() {
        set_launch();
        look_at_functions();
        for (const int parameter : bound_.kernel->parameters) {
            const auto index = static_cast<std::size_t>(parameter);
            const Symbol& symbol = unit_.symbol(parameter);
            Value& value = variables_[index];
            value = {
                new_registers(register_type(symbol.type), symbol.type.lanes), bound_.memory_of[index], {}};
            value.at_begin = value.memory >= 0 && !assigned_.contains(parameter);
            for (int lane = 0; lane < symbol.type.lanes; ++lane)
                emit({.op = CodeOp::constant,
                      .type = register_type(symbol.type),
                      .to = value.at + lane,
                      .value = value.memory >= 0 ? 0 : bound_.values[index]});
        }
        execute(*bound_.kernel->body);
        emit({.op = CodeOp::finish});
        code_.slots = static_cast<int>(code_.registers.size());
        for (CodeMemory& memory : code_.memories) {
            if (memory.space != CodeSpace::local) continue;
            memory.slot = code_.slots;
            code_.slots += static_cast<int>(memory.bytes / bytes_of(memory.type));
        }
        return std::move(code_);
    }

    ModelCode run_for_model() {
        model_.code = run();
        return std::move(model_);
    }

private:
    // Memory and registers
    // -----------------------------------------------------------------------------------

    void set_launch() {
        const Launch& launch = bound_.launch;
        code_.grid_x = launch.grid_x;
        code_.grid_y = launch.grid_y;
        code_.block_x = launch.block_x;
        code_.block_y = launch.block_y;
        code_.block_z = launch.block_z;
        if (launch_ != nullptr) {
            code_.shared_bytes = launch_->shared_bytes();
            code_.local_bytes = launch_->local_bytes();
            code_.accesses = static_cast<int>(launch_->accesses().size());
        }
        for (const Memory& memory : bound_.memories) {
            CodeMemory one{.type = code_type(memory.scalar),
                           .begin = memory.begin,
                           .bytes = memory.bytes,
                           .content = memory.content};
            if (memory.storage == Storage::shared) one.space = CodeSpace::shared;
            if (memory.storage == Storage::local) one.space = CodeSpace::local;
            if (memory.storage == Storage::constant) {
                one.space = CodeSpace::constant;
                code_.constant_bytes = std::max(code_.constant_bytes, memory.begin + memory.bytes);
            }
            code_.memories.push_back(one);
        }
        if (launch_ != nullptr) find_sizes();
    }

    /// Arrays of the launch whose size the text does not say are as large as the launch needs.
    void find_sizes() {
        const auto unknown = [&](const CodeMemory& one) { return one.bytes == 0; };
        if (std::ranges::none_of(code_.memories, unknown)) return;
        std::vector<std::int64_t> ends(code_.memories.size(), 1);
        const bool all = launch_->visit_ranges({}, [&](const BlockTrace& trace) {
            for (const std::vector<Request>& warp : trace.warps) {
                for (const Request& request : warp) {
                    const std::int64_t x = std::max<std::int64_t>(request.per_x * (trace.range.width - 1), 0),
                                       y = std::max<std::int64_t>(request.per_y * (trace.range.height - 1),
                                                                  0);
                    const std::int64_t most = std::ranges::max(request.address) + x + y + request.bytes;
                    std::int64_t& end = ends[static_cast<std::size_t>(request.memory)];
                    end = std::max(end, most);
                }
            }
            return true;
        });
        for (std::size_t i = 0; i < code_.memories.size(); ++i) {
            if (!unknown(code_.memories[i])) continue;
            if (!all)
                throw SourceError(
                    bound_.kernel->at,
                    fmt::format("say how large {} is, so that it can be launched: '// in {} [n]'",
                                in_quotes(bound_.memories[i].name), bound_.memories[i].name));
            code_.memories[i].bytes = ends[i];
        }
    }

    int new_registers(CodeType type, int count = 1) {
        const auto first = static_cast<int>(code_.registers.size());
        code_.registers.insert(code_.registers.end(), static_cast<std::size_t>(count), type);
        return first;
    }

    static CodeType register_type(const Type& type) {
        return type.pointer ? CodeType::s64 : code_type(type.scalar);
    }

    std::size_t emit(CodeInstr instr) {
        if (code_.instructions.size() >= kMostInstructions)
            throw SourceError(at_,
                              fmt::format("this kernel is too long to be launched: more than {} instructions "
                                          "with its loops unrolled",
                                          kMostInstructions));
        code_.instructions.push_back(instr);
        if (for_model()) {
            model_.steps.push_back(std::exchange(steps_, 0));
            model_.harmless.push_back(false);
        }
        return code_.instructions.size() - 1;
    }

    // What only the model asks for -------------------------------------------------------------------------

    bool for_model() const { return launch_ == nullptr; }
    /// A register that nothing writes, so its value is never known.
    int unknown(const Type& type) { return new_registers(register_type(type), std::max(type.lanes, 1)); }
    /// Forget what registers contained.
    void forget(int first, CodeType type, int count) {
        const int never_written = new_registers(type, count);
        move(first, never_written, type, count);
    }
    /// Steps that are counted where no instruction follows any more.
    void settle_steps() {
        if (steps_ > 0) emit({.op = CodeOp::meet});
    }
    static int steps_of(const Expr& expr) {
        int steps = 1;
        for (const ExprPtr& part : expr.parts) steps += steps_of(*part);
        return steps;
    }
    /// Integers of offsets: those of a GPU have 32 bits where that is enough, those of the model never wrap.
    CodeType offset_type() const { return for_model() ? CodeType::s64 : CodeType::s32; }
    /// Distances of shifts and shuffles.
    CodeType distance_type() const { return for_model() ? CodeType::s64 : CodeType::u32; }

    int compute(CodeOp op, CodeType type, int a, int b = 0) {
        const bool truth = op >= CodeOp::less && op <= CodeOp::not_equal;
        const int to = new_registers(truth ? CodeType::boolean : type);
        emit({.op = op, .type = type, .to = to, .a = a, .b = b});
        return to;
    }
    Value constant(std::int64_t value, CodeType type) {
        const int to = new_registers(type);
        if (!is_float(type)) value = code_wrap(value, type);
        emit({.op = CodeOp::constant, .type = type, .to = to, .value = value});
        return {to, -1, is_float(type) ? std::nullopt : std::optional(value)};
    }
    void move(int to, int from, CodeType type, int count = 1) {
        for (int i = 0; i < count; ++i) emit({.op = CodeOp::move, .type = type, .to = to + i, .a = from + i});
    }
    int converted(int from, CodeType of, CodeType to) {
        if (of == to) return from;
        const int out = new_registers(to);
        emit({.op = CodeOp::convert, .type = to, .from = of, .to = out, .a = from});
        return out;
    }

    // Jumps
    // --------------------------------------------------------------------------------------------------

    void jump(Label& label) { label.jumps.push_back(emit({.op = CodeOp::jump})); }
    void jump_if_zero(int truth, Label& label) {
        label.jumps.push_back(emit({.op = CodeOp::jump_if_zero, .a = truth}));
    }
    void place(Label& label) {
        if (for_model()) settle_steps();
        label.at = static_cast<int>(code_.instructions.size());
        for (const std::size_t jump : label.jumps) code_.instructions[jump].to = label.at;
    }

    // Where lanes that have gone different ways meet again is the compiler's decision, and for loops inside
    // loops the driver's lets them go on apart. The model lets them meet as soon as their ways do, and where
    // hardware counts they are told to.

    /// @return  the register of the lanes that are together here
    int part() {
        const int lanes = new_registers(CodeType::u32);
        emit({.op = CodeOp::part, .type = CodeType::u32, .to = lanes});
        return lanes;
    }
    void meet(int lanes) { emit({.op = CodeOp::meet, .type = CodeType::u32, .a = lanes}); }

    /// Whether some lanes may leave a statement by `break` or `continue` of a loop around it, or by `return`.
    static bool may_leave(const Stmt& stmt, bool in_loop = false) {
        if (stmt.kind == StmtKind::finish) return true;
        if (stmt.kind == StmtKind::leave || stmt.kind == StmtKind::next) return !in_loop;
        const bool inside = in_loop || stmt.kind == StmtKind::loop;
        return std::ranges::any_of(stmt.body,
                                   [&](const StmtPtr& one) { return one && may_leave(*one, inside); });
    }
    /// Whether some lanes may leave the loop out of its body.
    static bool may_break(const Stmt& body) {
        if (body.kind == StmtKind::finish || body.kind == StmtKind::leave) return true;
        if (body.kind == StmtKind::loop) return may_leave(body, true);
        return std::ranges::any_of(body.body, [](const StmtPtr& one) { return one && may_break(*one); });
    }

    /// Pointers that point into other arrays than before, on one of two ways to the same place.
    void check_pointers(const std::vector<Value>& before) const {
        for (std::size_t i = 0; i < before.size(); ++i)
            if (before[i].at >= 0 && before[i].memory != variables_[i].memory)
                throw SourceError(at_, fmt::format("not launched: {} points into one of two arrays here",
                                                   in_quotes(unit_.symbols[i].name)));
    }

    // Arrays of a thread
    // -------------------------------------------------------------------------------------

    static const Expr& base_of(const Expr& element) {
        const Expr* base = &element;
        while (base->kind == ExprKind::index) base = base->parts[0].get();
        return *base;
    }

    void look_at(const Expr& expr) {
        const bool assigns = expr.kind == ExprKind::assign || expr.kind == ExprKind::step;
        if (assigns && expr.parts[0]->kind == ExprKind::variable) assigned_.insert(expr.parts[0]->symbol);
        if (expr.kind == ExprKind::index && !expr.type.is_array()) {
            const Expr& base = base_of(expr);
            if (base.kind == ExprKind::variable && unit_.symbol(base.symbol).storage == Storage::local) {
                for (const Expr* at = &expr; at->kind == ExprKind::index; at = at->parts[0].get()) {
                    if (!compiler_knows(unit_, *at->parts[1])) in_memory_.insert(base.symbol);
                    note_counters(*at->parts[1]);
                }
            }
        }
        for (const ExprPtr& part : expr.parts) look_at(*part);
    }
    void note_counters(const Expr& expr) {
        if (expr.kind == ExprKind::variable && unit_.symbol(expr.symbol).counter)
            unrolled_.insert(expr.symbol);
        for (const ExprPtr& part : expr.parts) note_counters(*part);
    }
    void look_at(const Stmt& stmt) {
        if (stmt.condition) look_at(*stmt.condition);
        if (stmt.step) look_at(*stmt.step);
        if (stmt.init) look_at(*stmt.init);
        for (const StmtPtr& part : stmt.body)
            if (part) look_at(*part);
    }
    /// Which variables are assigned to, which arrays of a thread cannot be in registers, and which counters
    /// choose their elements.
    void look_at_functions() {
        for (const Function& function : unit_.functions)
            if (function.body) look_at(*function.body);
    }

    // Elements
    // -----------------------------------------------------------------------------------------------

    struct Place {
        int offset = -1;  ///< register: bytes in its memory
        int memory = -1;
        int element = -1;  ///< instead: the first register of an element that is in registers
        bool counted = true;
        int index = -1;  ///< see CodeOp::load
    };

    int as_offset(const Value& value, const Type& type) {
        return converted(value.at, code_type(type.scalar), CodeType::s64);
    }

    Place place_of(const Expr& element) {
        const Expr* base = &element;
        std::vector<const Expr*> indices;
        while (base->kind == ExprKind::index) {
            indices.push_back(base->parts[1].get());
            base = base->parts[0].get();
            if (!base->type.is_array()) break;
        }
        std::ranges::reverse(indices);
        if (base->type.is_array() && base->kind == ExprKind::variable) {
            const Symbol& symbol = unit_.symbol(base->symbol);
            std::optional<std::int64_t> known = 0;
            bool all_constant = true;
            int place = -1;
            for (std::size_t i = 0; i < indices.size(); ++i) {
                const std::int64_t size = symbol.type.dims[i];
                const Value index = evaluate(*indices[i]);
                all_constant = all_constant && compiler_knows(unit_, *indices[i]);
                known = known && index.known ? std::optional(*known * size + *index.known) : std::nullopt;
                const int offset = converted(index.at, code_type(indices[i]->type.scalar), offset_type());
                place = place < 0 ? offset : compute(CodeOp::add, offset_type(), times(place, size), offset);
            }
            const bool own = symbol.storage == Storage::local;
            if (own && !in_memory_.contains(base->symbol)) {
                if (!known || *known < 0 || *known >= symbol.type.elements())
                    throw SourceError(element.at,
                                      "not launched: this index is not known when it is compiled");
                const Value& array = own_array(base->symbol);
                return {.element = array.at + static_cast<int>(*known) * symbol.type.lanes +
                                   static_cast<int>(element.value) / bytes_of(symbol.type.scalar)};
            }
            return {behind(times(place, symbol.type.element_bytes()), element.value),
                    bound_.memory_of[static_cast<std::size_t>(base->symbol)], -1, !own || !all_constant};
        }
        const Value pointer = evaluate(*base), index = evaluate(*indices.back());
        const Scalar scalar = indices.back()->type.scalar;
        if (bytes_of(scalar) == 8) {
            const int bytes = compute(CodeOp::mul, CodeType::s64, index.at,
                                      constant(base->type.element_bytes(), CodeType::s64).at);
            return {behind(compute(CodeOp::add, CodeType::s64, bytes, pointer.at), element.value),
                    pointer.memory};
        }
        const CodeType type = scalar == Scalar::uint32 ? CodeType::u32 : CodeType::s32;
        const int narrow = converted(index.at, code_type(scalar), type), bytes = new_registers(CodeType::s64);
        emit({.op = CodeOp::mul_wide,
              .type = type,
              .to = bytes,
              .a = narrow,
              .value = base->type.element_bytes()});
        const bool whole = element.type.lanes == base->type.lanes;
        if (pointer.at_begin && whole) return {bytes, pointer.memory, -1, true, narrow};
        return {behind(compute(CodeOp::add, CodeType::s64, bytes, pointer.at), element.value),
                pointer.memory};
    }

    /// @param bytes  from the begin of an element to its component
    int behind(int offset, std::int64_t bytes) {
        const CodeType type = code_.registers[static_cast<std::size_t>(offset)];
        return bytes == 0 ? offset : compute(CodeOp::add, type, offset, constant(bytes, type).at);
    }

    int times(int value, std::int64_t by) {
        return by == 1 ? value : compute(CodeOp::mul, offset_type(), value, constant(by, offset_type()).at);
    }

    const Value& own_array(int symbol) {
        Value& array = variables_[static_cast<std::size_t>(symbol)];
        const Type& type = unit_.symbol(symbol).type;
        if (array.at < 0)
            array.at = new_registers(code_type(type.scalar), static_cast<int>(type.elements()) * type.lanes);
        return array;
    }

    CodeInstr access(const Expr& element, const Place& place, bool store) {
        CodeInstr instr{.op = store ? CodeOp::store : CodeOp::load,
                        .type = code_type(element.type.scalar),
                        .lanes = static_cast<std::uint8_t>(element.type.lanes),
                        .counted = place.counted,
                        .memory = static_cast<std::int16_t>(place.memory),
                        .a = place.offset,
                        .c = place.index};
        if (for_model()) {
            instr.value = model_.site_of({&element, place.memory, store});
            return instr;
        }
        const Request request{.site = &element, .memory = place.memory, .store = store};
        instr.value = std::max(launch_->access_of(request), 0);
        // A place in the text that no block reached while accesses were looked for has no number.
        if (launch_->access_of(request) < 0) instr.counted = false;
        return instr;
    }

    Value load(const Expr& element) { return load_from(element, place_of(element)); }

    Value load_from(const Expr& element, const Place& place) {
        const CodeType type = code_type(element.type.scalar);
        const int to = new_registers(type, element.type.lanes);
        if (place.element >= 0) {
            move(to, place.element, type, element.type.lanes);
            return {to, -1, {}};
        }
        CodeInstr instr = access(element, place, false);
        instr.to = to;
        emit(instr);
        return {to, -1, {}};
    }

    void store_to(const Expr& element, const Place& place, int from) {
        if (place.element >= 0)
            return move(place.element, from, code_type(element.type.scalar), element.type.lanes);
        CodeInstr instr = access(element, place, true);
        instr.b = from;
        emit(instr);
    }

    // Expressions
    // --------------------------------------------------------------------------------------------

    Value evaluate(const Expr& expr) {
        at_ = expr.at;
        ++steps_;
        const CodeType type = register_type(expr.type);
        switch (expr.kind) {
            case ExprKind::number:
                return constant(expr.value, type);
            case ExprKind::variable: {
                const Symbol& symbol = unit_.symbol(expr.symbol);
                if (symbol.constant) return constant(*symbol.constant, type);
                Value& variable = variables_[static_cast<std::size_t>(expr.symbol)];
                if (variable.known) return constant(*variable.known, type);
                if (variable.at < 0) variable.at = new_registers(type, symbol.type.lanes);
                // What is assigned later must not change what was read before.
                const int copy = new_registers(type, symbol.type.lanes);
                move(copy, variable.at, type, symbol.type.lanes);
                return {copy, variable.memory, {}, variable.at_begin};
            }
            case ExprKind::builtin:
                return builtin(static_cast<Builtin>(expr.value));
            case ExprKind::unary:
                return unary(expr);
            case ExprKind::binary: {
                const Value a = evaluate(*expr.parts[0]), b = evaluate(*expr.parts[1]);
                return binary(expr.sign, a, b, *expr.parts[0], *expr.parts[1], expr.type.scalar);
            }
            case ExprKind::logic:
                return logic(expr);
            case ExprKind::choice:
                return choice(expr);
            case ExprKind::assign:
                return assign(expr);
            case ExprKind::step:
                return step(expr);
            case ExprKind::index:
                return load(expr);
            case ExprKind::member: {
                const Value whole = evaluate(*expr.parts[0]);
                if (for_model()) return {unknown(expr.type), -1, {}};
                return {whole.at + static_cast<int>(expr.value), -1, {}};
            }
            case ExprKind::address: {
                const Place place = place_of(*expr.parts[0]);
                const CodeType offset = code_.registers[static_cast<std::size_t>(place.offset)];
                return {converted(place.offset, offset, CodeType::s64), place.memory, {}};
            }
            case ExprKind::cast:
                return cast(expr);
            case ExprKind::call:
                return call(expr);
            case ExprKind::intrinsic:
                return intrinsic(expr);
            case ExprKind::make_vector: {
                std::vector<Value> parts;
                for (const ExprPtr& part : expr.parts) parts.push_back(evaluate(*part));
                if (for_model()) return {unknown(expr.type), -1, {}};
                const int to = new_registers(type, expr.type.lanes);
                for (std::size_t i = 0; i < parts.size(); ++i)
                    move(to + static_cast<int>(i), parts[i].at, type);
                return {to, -1, {}};
            }
            case ExprKind::sequence:
                evaluate(*expr.parts[0]);
                return evaluate(*expr.parts[1]);
        }
        return {};
    }

    Value builtin(Builtin which) {
        const Launch& launch = bound_.launch;
        const auto special = [&](CodeSpecial of) -> Value {
            const int to = new_registers(CodeType::u32);
            emit({.op = CodeOp::special,
                  .type = CodeType::u32,
                  .to = to,
                  .value = static_cast<std::int64_t>(of)});
            return {to, -1, {}};
        };
        switch (which) {
            case Builtin::thread_x:
                return special(CodeSpecial::thread_x);
            case Builtin::thread_y:
                return special(CodeSpecial::thread_y);
            case Builtin::thread_z:
                return special(CodeSpecial::thread_z);
            case Builtin::block_x:
                return special(CodeSpecial::block_x);
            case Builtin::block_y:
                return special(CodeSpecial::block_y);
            case Builtin::block_z:
                return constant(0, CodeType::u32);
            case Builtin::block_dim_x:
                return constant(launch.block_x, CodeType::u32);
            case Builtin::block_dim_y:
                return constant(launch.block_y, CodeType::u32);
            case Builtin::block_dim_z:
                return constant(launch.block_z, CodeType::u32);
            case Builtin::grid_dim_x:
                return constant(launch.grid_x, CodeType::u32);
            case Builtin::grid_dim_y:
                return constant(launch.grid_y, CodeType::u32);
            case Builtin::grid_dim_z:
                return constant(1, CodeType::u32);
            case Builtin::warp_size:
                return constant(32, CodeType::s32);
        }
        return {};
    }

    Value binary(std::string_view sign, Value a, Value b, const Expr& first, const Expr& second,
                 Scalar result) {
        const Scalar operands = first.type.scalar;
        const CodeType type = code_type(operands);
        const bool shift = sign == "<<" || sign == ">>";
        if (a.known && b.known && first.type.is_integer() && second.type.is_integer())
            if (const auto value = apply_sign(sign, *a.known, *b.known, operands))
                return constant(*value, code_type(result));
        int left = a.at, right = b.at;
        if (shift) right = converted(right, code_type(second.type.scalar), distance_type());
        if (sign == ">" || sign == ">=") std::swap(left, right);
        return {compute(op_of(sign), type, left, right), -1, {}};
    }

    Value unary(const Expr& expr) {
        const Value of = evaluate(*expr.parts[0]);
        const CodeType type = code_type(expr.parts[0]->type.scalar);
        if (of.known && expr.type.is_integer() && !is_float(type)) {
            const std::int64_t value =
                expr.sign == "!"   ? *of.known == 0
                : expr.sign == "~" ? ~*of.known
                                   : static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(*of.known));
            return constant(wrap(value, expr.type.scalar), code_type(expr.type.scalar));
        }
        if (expr.sign == "-") return {compute(CodeOp::sub, type, constant(0, type).at, of.at), -1, {}};
        if (expr.sign == "~") return {compute(CodeOp::bit_xor, type, of.at, constant(-1, type).at), -1, {}};
        return {compute(CodeOp::equal, type, of.at, constant(0, type).at), -1, {}};
    }

    Value cast(const Expr& expr) {
        const Value of = evaluate(*expr.parts[0]);
        const Type& from = expr.parts[0]->type;
        if (expr.type.pointer) return of;
        if (expr.type.scalar == Scalar::boolean) {
            if (from.pointer) return constant(1, CodeType::boolean);
            if (from.scalar == Scalar::boolean) return of;
            const CodeType type = code_type(from.scalar);
            if (of.known) return constant(*of.known != 0, CodeType::boolean);
            return {compute(CodeOp::not_equal, type, of.at, constant(0, type).at), -1, {}};
        }
        if (of.known && expr.type.is_integer())
            return constant(wrap(*of.known, expr.type.scalar), code_type(expr.type.scalar));
        return {converted(of.at, register_type(from), code_type(expr.type.scalar)), -1, {}};
    }

    Value logic(const Expr& expr) {
        if (!touches_memory(*expr.parts[1])) {  // without a branch, which would part the warp
            const int a = evaluate(*expr.parts[0]).at, b = evaluate(*expr.parts[1]).at;
            return {compute(expr.sign == "&&" ? CodeOp::bit_and : CodeOp::bit_or, CodeType::boolean, a, b),
                    -1,
                    {}};
        }
        const int to = new_registers(CodeType::boolean);
        Label end;
        move(to, evaluate(*expr.parts[0]).at, CodeType::boolean);
        const int lanes = part();
        if (expr.sign == "&&") {
            jump_if_zero(to, end);
        } else {
            Label right;
            jump_if_zero(to, right);
            jump(end);
            place(right);
        }
        const auto before = variables_;
        move(to, evaluate(*expr.parts[1]).at, CodeType::boolean);
        place(end);
        meet(lanes);
        check_pointers(before);
        return {to, -1, {}};
    }

    Value choice(const Expr& expr) {
        const CodeType type = register_type(expr.type);
        const Value condition = evaluate(*expr.parts[0]);
        if (condition.known) return evaluate(*expr.parts[*condition.known != 0 ? 1 : 2]);
        const int to = new_registers(type, expr.type.lanes);
        if (!touches_memory(*expr.parts[1]) && !touches_memory(*expr.parts[2]) && !expr.type.pointer &&
            expr.type.lanes == 1) {
            const int yes = evaluate(*expr.parts[1]).at, no = evaluate(*expr.parts[2]).at;
            emit({.op = CodeOp::select, .type = type, .to = to, .a = condition.at, .b = yes, .c = no});
            return {to, -1, {}};
        }
        Label no, end;
        const int lanes = part();
        jump_if_zero(condition.at, no);
        const auto before = variables_;
        const Value yes = evaluate(*expr.parts[1]);
        move(to, yes.at, type, expr.type.lanes);
        jump(end);
        place(no);
        const Value other = evaluate(*expr.parts[2]);
        move(to, other.at, type, expr.type.lanes);
        place(end);
        meet(lanes);
        check_pointers(before);
        if (yes.memory != other.memory)
            throw SourceError(expr.at, "not in the subset: pointers into one of two arrays");
        return {to, yes.memory, {}};
    }

    void write(const Expr& target, const Value& value) {
        if (target.kind == ExprKind::index) return store_to(target, place_of(target), value.at);
        if (target.kind == ExprKind::member) {
            if (for_model()) return;
            const Expr& whole = *target.parts[0];
            const CodeType type = code_type(whole.type.scalar);
            Value& vector = variables_[static_cast<std::size_t>(whole.symbol)];
            if (vector.at < 0) vector.at = new_registers(type, whole.type.lanes);
            return move(vector.at + static_cast<int>(target.value), value.at, type);
        }
        set_variable(target.symbol, value);
    }

    void set_variable(int symbol, const Value& value) {
        const Type& type = unit_.symbol(symbol).type;
        Value& variable = variables_[static_cast<std::size_t>(symbol)];
        if (unrolling_.contains(symbol)) {
            variable.known = value.known;
            return;
        }
        if (variable.at < 0) variable.at = new_registers(register_type(type), type.lanes);
        variable.memory = value.memory;
        variable.at_begin = value.at_begin && !assigned_.contains(symbol);
        move(variable.at, value.at, register_type(type), type.lanes);
    }

    Value assign(const Expr& expr) {
        const Expr &target = *expr.parts[0], &source = *expr.parts[1];
        if (expr.sign == "=") {
            const Value value = evaluate(source);
            write(target, value);
            return value;
        }
        const Value by = evaluate(source);
        return update(target, [&](const Value& before) { return changed(expr, before, by); }).second;
    }

    /// Reads a target, changes it by change(before), and writes it, with its index evaluated once.
    /// @return  the values before and after
    std::pair<Value, Value> update(const Expr& target, const auto& change) {
        if (target.kind != ExprKind::index) {
            const Value before = evaluate(target), after = change(before);
            write(target, after);
            return {before, after};
        }
        ++steps_;
        const Place place = place_of(target);
        const Value before = load_from(target, place), after = change(before);
        store_to(target, place, after.at);
        return {before, after};
    }

    /// What a compound assignment makes of a value.
    Value changed(const Expr& expr, const Value& before, const Value& by) {
        const Expr &target = *expr.parts[0], &source = *expr.parts[1];
        Value value;
        if (target.type.pointer) {
            const int bytes = compute(CodeOp::mul, CodeType::s64, as_offset(by, source.type),
                                      constant(target.type.element_bytes(), CodeType::s64).at);
            value = {compute(op_of(expr.sign), CodeType::s64, before.at, bytes), before.memory, {}};
        } else {
            const auto common = static_cast<Scalar>(expr.value);
            const CodeType type = code_type(common), own = code_type(target.type.scalar);
            const bool shift = expr.sign == "<<" || expr.sign == ">>";
            if (before.known && by.known && target.type.is_integer() && source.type.is_integer()) {
                if (const auto result = apply_sign(expr.sign, *before.known, *by.known, common))
                    value = constant(wrap(*result, target.type.scalar), own);
            }
            if (value.at < 0) {
                const int left = converted(before.at, own, type);
                const int right =
                    converted(by.at, code_type(source.type.scalar), shift ? distance_type() : type);
                value = {converted(compute(op_of(expr.sign), type, left, right), type, own), -1, {}};
            }
        }
        return value;
    }

    Value step(const Expr& expr) {
        const Expr& target = *expr.parts[0];
        const CodeType type = register_type(target.type);
        const std::int64_t by = target.type.pointer ? target.type.element_bytes() : 1;
        const auto [before, after] = update(target, [&](const Value& value) -> Value {
            if (value.known)
                return constant(wrap(*value.known + (expr.sign == "++" ? by : -by), target.type.scalar),
                                type);
            const int one = constant(is_float(type) ? std::bit_cast<std::int64_t>(1.0) : by, type).at;
            return {compute(expr.sign == "++" ? CodeOp::add : CodeOp::sub, type, value.at, one),
                    value.memory,
                    {}};
        });
        return expr.value == 1 ? before : after;
    }

    Value call(const Expr& expr) {
        const Function& function = unit_.functions[static_cast<std::size_t>(expr.symbol)];
        constexpr int kDeepestCall = 16;
        if (++call_depth_ > kDeepestCall) throw SourceError(expr.at, "functions call each other too deeply");
        std::vector<Value> arguments;
        for (const ExprPtr& part : expr.parts) arguments.push_back(evaluate(*part));
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            variables_[static_cast<std::size_t>(function.parameters[i])].known.reset();
            set_variable(function.parameters[i], arguments[i]);
        }
        const Value result{
            new_registers(code_type(function.result.scalar), std::max(function.result.lanes, 1)), -1, {}};
        if (for_model())
            forget(result.at, register_type(function.result), std::max(function.result.lanes, 1));
        Label end;
        const int lanes = part();
        const auto outer = std::exchange(call_, Call{&function, result.at, &end});
        execute(*function.body);
        call_ = outer;
        place(end);
        meet(lanes);
        --call_depth_;
        return result;
    }

    Value math(const Expr& expr, const std::vector<Value>& parts) {
        // In single precision: the values are close, and the number of operations is what matters here.
        const auto one = [&](std::size_t i) {
            return converted(parts[i].at, register_type(expr.parts[i]->type), CodeType::f32);
        };
        const auto number = [&](double value) {
            return constant(std::bit_cast<std::int64_t>(value), CodeType::f32).at;
        };
        const auto of = [&](CodeOp op, int a, int b = 0) { return compute(op, CodeType::f32, a, b); };
        std::string_view name = expr.sign;
        while (name.starts_with('_')) name.remove_prefix(1);
        if (name.size() > 1 && name.ends_with('f') && name != "erf") name.remove_suffix(1);
        const int a = one(0);
        int out = a;
        if (name == "sqrt" || name == "fsqrt_rn") out = of(CodeOp::square_root, a);
        if (name == "rsqrt") out = of(CodeOp::reciprocal_root, a);
        if (name == "frcp_rn") out = of(CodeOp::div, number(1), a);
        if (name == "exp") out = of(CodeOp::power_of_two, of(CodeOp::mul, a, number(1.4426950408889634)));
        if (name == "exp2") out = of(CodeOp::power_of_two, a);
        if (name == "log2") out = of(CodeOp::logarithm, a);
        if (name == "log") out = of(CodeOp::mul, of(CodeOp::logarithm, a), number(0.6931471805599453));
        if (name == "sin") out = of(CodeOp::sine, a);
        if (name == "cos") out = of(CodeOp::cosine, a);
        if (name == "tan") out = of(CodeOp::div, of(CodeOp::sine, a), of(CodeOp::cosine, a));
        if (name == "tanh" || name == "erf") {  // 1 - 2 / (1 + e^2a)
            const int power = of(CodeOp::power_of_two, of(CodeOp::mul, a, number(2.8853900817779268)));
            out = of(CodeOp::sub, number(1), of(CodeOp::div, number(2), of(CodeOp::add, number(1), power)));
        }
        if (name == "fabs" || name == "fab") out = of(CodeOp::absolute, a);
        if (name == "floor") out = of(CodeOp::round_down, a);
        if (name == "ceil") out = of(CodeOp::round_up, a);
        if (name == "round") out = of(CodeOp::round_nearest, a);
        if (parts.size() > 1) {
            const int b = one(1);
            if (name == "pow") out = of(CodeOp::power_of_two, of(CodeOp::mul, of(CodeOp::logarithm, a), b));
            if (name == "fmin") out = of(CodeOp::least, a, b);
            if (name == "fmax") out = of(CodeOp::most, a, b);
            if (name == "fmod")
                out = of(CodeOp::sub, a, of(CodeOp::mul, of(CodeOp::truncate, of(CodeOp::div, a, b)), b));
            if (name == "hypot")
                out = of(CodeOp::square_root, of(CodeOp::add, of(CodeOp::mul, a, a), of(CodeOp::mul, b, b)));
            if (parts.size() > 2) out = of(CodeOp::add, of(CodeOp::mul, a, b), one(2));
        }
        return {converted(out, CodeType::f32, register_type(expr.type)), -1, {}};
    }

    Value intrinsic(const Expr& expr) {
        const auto which = static_cast<Intrinsic>(expr.value);
        const CodeType type = register_type(expr.type);
        if (which == Intrinsic::sync_threads) return emit({.op = CodeOp::barrier}), Value{};
        if (which == Intrinsic::load_cached) return load(*expr.parts[0]);
        std::vector<Value> parts;
        for (const ExprPtr& part : expr.parts) parts.push_back(evaluate(*part));
        switch (which) {
            case Intrinsic::sync_warp:
                return emit({.op = CodeOp::warp_barrier}), Value{};
            case Intrinsic::min:
            case Intrinsic::max: {
                const CodeOp op = which == Intrinsic::min ? CodeOp::least : CodeOp::most;
                if (parts[0].known && parts[1].known && !is_float(type)) {
                    const bool less =
                        apply_sign("<", *parts[0].known, *parts[1].known, expr.type.scalar).value_or(0) != 0;
                    return constant(*parts[less == (op == CodeOp::least) ? 0 : 1].known, type);
                }
                return {compute(op, type, parts[0].at, parts[1].at), -1, {}};
            }
            case Intrinsic::abs:
                return {compute(CodeOp::absolute, type, parts[0].at), -1, {}};
            case Intrinsic::popcount:
                return {compute(CodeOp::popcount, CodeType::s32, parts[0].at), -1, {}};
            case Intrinsic::leading_zeros:
                return {compute(CodeOp::leading_zeros, CodeType::s32, parts[0].at), -1, {}};
            case Intrinsic::find_first:
                return {compute(CodeOp::find_first, CodeType::s32, parts[0].at), -1, {}};
            case Intrinsic::math:
                return math(expr, parts);
            default:
                break;
        }
        const int to = new_registers(type);
        const auto integer = [&](std::size_t i) {
            return converted(parts[i].at, register_type(expr.parts[i]->type), distance_type());
        };
        const int mask = integer(0), from = integer(2);
        std::int64_t width = 32;
        if (parts.size() > 3) {
            if (!parts[3].known || *parts[3].known < 1 || *parts[3].known > 32 ||
                !std::has_single_bit(static_cast<std::uint64_t>(*parts[3].known)))
                throw SourceError(expr.at,
                                  "not launched: the width of a shuffle has to be a constant power of two");
            width = *parts[3].known;
        }
        emit({.op = CodeOp::shuffle,
              .type = type,
              .memory = -1,
              .to = to,
              .a = parts[1].at,
              .b = from,
              .c = mask,
              .value = static_cast<std::int64_t>(which) - static_cast<std::int64_t>(Intrinsic::shuffle) +
                       16 * width});
        return {to, -1, {}};
    }

    // Statements
    // ---------------------------------------------------------------------------------------------

    void execute(const Stmt& stmt) {
        at_ = stmt.at;
        ++steps_;
        switch (stmt.kind) {
            case StmtKind::empty:
                return;
            case StmtKind::expression:
                evaluate(*stmt.condition);
                return;
            case StmtKind::declare:
                return declare(stmt);
            case StmtKind::block:
                for (const StmtPtr& part : stmt.body) execute(*part);
                return;
            case StmtKind::branch:
                return branch(stmt);
            case StmtKind::loop:
                return loop(stmt);
            case StmtKind::leave:
                return jump(*loop_.leave);
            case StmtKind::next:
                return jump(*loop_.next);
            case StmtKind::finish:
                if (call_.function == nullptr) {
                    emit({.op = CodeOp::finish});
                    return;
                }
                if (stmt.condition)
                    move(call_.result, evaluate(*stmt.condition).at, code_type(call_.function->result.scalar),
                         call_.function->result.lanes);
                return jump(*call_.end);
        }
    }

    void declare(const Stmt& stmt) {
        const Symbol& symbol = unit_.symbol(stmt.symbol);
        if (symbol.storage == Storage::local) {
            const CodeType type = code_type(symbol.type.scalar);
            if (for_model() && symbol.initial.empty() && !in_memory_.contains(stmt.symbol))
                forget(own_array(stmt.symbol).at, type,
                       static_cast<int>(symbol.type.elements()) * symbol.type.lanes);
            if (symbol.initial.empty()) return;
            for (std::int64_t i = 0; i < symbol.type.elements(); ++i) {
                const auto k = static_cast<std::size_t>(i);
                const int value = constant(k < symbol.initial.size() ? symbol.initial[k] : 0, type).at;
                if (in_memory_.contains(stmt.symbol))
                    emit({.op = CodeOp::store,
                          .type = type,
                          .counted = false,
                          .memory = static_cast<std::int16_t>(
                              bound_.memory_of[static_cast<std::size_t>(stmt.symbol)]),
                          .a = constant(i * symbol.type.element_bytes(), CodeType::s64).at,
                          .b = value,
                          .c = -1});
                else
                    move(own_array(stmt.symbol).at + static_cast<int>(i), value, type);
            }
            return;
        }
        if (symbol.storage != Storage::variable) return;
        if (symbol.constant) {
            if (stmt.condition) steps_ += steps_of(*stmt.condition);
            return;
        }
        if (stmt.condition) return set_variable(stmt.symbol, evaluate(*stmt.condition));
        if (for_model()) set_variable(stmt.symbol, {unknown(symbol.type), -1, {}});
    }

    void branch(const Stmt& stmt) {
        const Value truth = evaluate(*stmt.condition);
        const bool has_else = stmt.body.size() > 1;
        if (truth.known) {
            if (*truth.known != 0)
                execute(*stmt.body[0]);
            else if (has_else)
                execute(*stmt.body[1]);
            return;
        }
        Label no, end;
        const int lanes = part();
        jump_if_zero(truth.at, no);
        if (for_model())
            model_.harmless.back() =
                only_assigns(*stmt.body[0]) && (!has_else || only_assigns(*stmt.body[1]));
        const auto before = variables_;
        execute(*stmt.body[0]);
        check_pointers(before);
        if (has_else) jump(end);
        place(no);
        if (has_else) {
            execute(*stmt.body[1]);
            check_pointers(before);
            place(end);
        }
        if (!may_leave(stmt)) meet(lanes);
    }

    /// Whether the body of a loop is written once for each round.
    bool is_unrolled(const Stmt& stmt) const {
        if (!stmt.init || stmt.init->kind != StmtKind::declare || !stmt.init->condition || !stmt.condition ||
            !unit_.symbol(stmt.init->symbol).counter)
            return false;
        return unrolled_.contains(stmt.init->symbol) || (!for_model() && is_short(stmt));
    }

    /// Whether a loop with constant bounds has few rounds, so that a compiler unrolls it.
    bool is_short(const Stmt& stmt) const {
        constexpr int kMostRounds = 32;
        constexpr std::size_t kMostBefore = 4000;  // instructions
        if (!stmt.step || code_.instructions.size() > kMostBefore) return false;
        std::optional<std::int64_t> counter = fold(unit_, *stmt.init->condition);
        for (int rounds = 0; counter; ++rounds) {
            const auto goes_on = fold_with(*stmt.condition, stmt.init->symbol, *counter);
            if (!goes_on || rounds > kMostRounds) return false;
            if (*goes_on == 0) return true;
            counter = next_counter(*stmt.step, stmt.init->symbol, *counter);
        }
        return false;
    }

    /// The value of an expression in which one variable has a value.
    std::optional<std::int64_t> fold_with(const Expr& expr, int symbol, std::int64_t value) const {
        if (expr.kind == ExprKind::variable && expr.symbol == symbol) return value;
        if (expr.kind == ExprKind::cast && expr.type.is_integer()) {
            const auto of = fold_with(*expr.parts[0], symbol, value);
            return of ? std::optional(wrap(*of, expr.type.scalar)) : std::nullopt;
        }
        if (expr.kind != ExprKind::binary || !expr.type.is_integer()) return fold(unit_, expr);
        const auto a = fold_with(*expr.parts[0], symbol, value), b = fold_with(*expr.parts[1], symbol, value);
        return a && b ? apply_sign(expr.sign, *a, *b, expr.parts[0]->type.scalar) : std::nullopt;
    }

    std::optional<std::int64_t> next_counter(const Expr& step, int symbol, std::int64_t value) const {
        const Expr* target = step.parts.empty() ? nullptr : step.parts[0].get();
        if (target == nullptr || target->kind != ExprKind::variable || target->symbol != symbol)
            return std::nullopt;
        if (step.kind == ExprKind::step)
            return wrap(value + (step.sign == "++" ? 1 : -1), target->type.scalar);
        if (step.kind != ExprKind::assign || !step.parts[1]->type.is_integer()) return std::nullopt;
        const auto by = fold_with(*step.parts[1], symbol, value);
        if (!by || step.sign == "=") return by;
        const auto next = apply_sign(step.sign, value, *by, static_cast<Scalar>(step.value));
        return next ? std::optional(wrap(*next, target->type.scalar)) : std::nullopt;
    }

    void loop(const Stmt& stmt) {
        Label leave, next;
        const auto outer = std::exchange(loop_, Loop{&leave, &next});
        const Stmt& body = *stmt.body.front();
        const bool all_rounds = !may_break(body);
        const int lanes = part();
        if (is_unrolled(stmt)) {
            const int counter = stmt.init->symbol;
            unrolling_.insert(counter);
            ++steps_;
            variables_[static_cast<std::size_t>(counter)].known = evaluate(*stmt.init->condition).known;
            while (true) {
                ++steps_;
                const Value goes_on = evaluate(*stmt.condition);
                if (!goes_on.known || !variables_[static_cast<std::size_t>(counter)].known)
                    throw SourceError(
                        stmt.at, "not launched: how often this loop runs is not known when it is compiled");
                if (*goes_on.known == 0) break;
                Label here;
                loop_.next = &here;
                execute(body);
                place(here);
                if (all_rounds) meet(lanes);
                if (stmt.step) evaluate(*stmt.step);
            }
            unrolling_.erase(counter);
            variables_[static_cast<std::size_t>(counter)].known.reset();
        } else {
            if (stmt.init) execute(*stmt.init);
            if (!stmt.check_first) ++steps_;
            const auto before = variables_;
            Label again;
            place(again);
            ++steps_;
            if (stmt.check_first && stmt.condition) jump_if_zero(evaluate(*stmt.condition).at, leave);
            const int of_round = part();
            execute(body);
            place(next);
            if (all_rounds) meet(of_round);
            if (stmt.step) evaluate(*stmt.step);
            if (!stmt.check_first && stmt.condition) jump_if_zero(evaluate(*stmt.condition).at, leave);
            emit({.op = CodeOp::jump, .to = again.at});
            check_pointers(before);
        }
        place(leave);
        if (!may_leave(stmt)) meet(lanes);
        loop_ = outer;
    }

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

}  // namespace

Code lower(const TypedLaunch& launch) {
    Code code = Lowering(&launch, launch.bound()).run();
    find_inside(code);
    return code;
}

std::int64_t ModelCode::site_of(const Site& site) {
    const auto found = std::ranges::find(sites, site);
    if (found != sites.end()) return found - sites.begin();
    sites.push_back(site);
    return static_cast<std::int64_t>(sites.size()) - 1;
}

ModelCode lower_for_model(const Bound& bound) { return Lowering(nullptr, bound).run_for_model(); }

}  // namespace warplens::typed
