#include "app/typed/lowering.h"

namespace warplens::typed {

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

Value Lowering::evaluate(const Expr& expr) {
    at_ = expr.at;
    ++steps_;
    const CodeType type = register_type(expr.type);
    switch (expr.kind) {
        case ExprKind::number:
            return constant(expr.value, type);
        case ExprKind::variable: {
            const Symbol& symbol = unit_.symbol(expr.symbol);
            if (symbol.constant) return constant(*symbol.constant, type);
            Value& variable = variables_[expr.symbol];
            if (variable.known) return constant(*variable.known, type);
            if (variable.at < 0) variable.at = new_registers(type, symbol.type.lanes);
            // A later assignment must not change what was read before.
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
            return {whole.at + int(expr.value), -1, {}};
        }
        case ExprKind::address: {
            const Place place = place_of(*expr.parts[0]);
            const CodeType offset = code_.registers[place.offset];
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
            for (std::size_t i = 0; i < parts.size(); ++i) move(to + int(i), parts[i].at, type);
            return {to, -1, {}};
        }
        case ExprKind::sequence:
            evaluate(*expr.parts[0]);
            return evaluate(*expr.parts[1]);
    }
    return {};
}

Value Lowering::builtin(Builtin which) {
    const Launch& launch = bound_.launch;
    const auto special = [&](CodeSpecial of) -> Value {
        const int to = new_registers(CodeType::u32);
        emit(
            {.op = CodeOp::special, .type = CodeType::u32, .to = to, .value = static_cast<std::int64_t>(of)});
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

Value Lowering::binary(std::string_view sign, Value a, Value b, const Expr& first, const Expr& second,
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

Value Lowering::unary(const Expr& expr) {
    const Value of = evaluate(*expr.parts[0]);
    const CodeType type = code_type(expr.parts[0]->type.scalar);
    if (of.known && expr.type.is_integer() && !is_float(type)) {
        const std::int64_t value = expr.sign == "!" ? *of.known == 0
                                   : expr.sign == "~"
                                       ? ~*of.known
                                       : static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(*of.known));
        return constant(wrap(value, expr.type.scalar), code_type(expr.type.scalar));
    }
    if (expr.sign == "-") return {compute(CodeOp::sub, type, constant(0, type).at, of.at), -1, {}};
    if (expr.sign == "~") return {compute(CodeOp::bit_xor, type, of.at, constant(-1, type).at), -1, {}};
    return {compute(CodeOp::equal, type, of.at, constant(0, type).at), -1, {}};
}

Value Lowering::cast(const Expr& expr) {
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

Value Lowering::logic(const Expr& expr) {
    if (!touches_memory(*expr.parts[1])) {  // without a branch, which would part the warp
        const int a = evaluate(*expr.parts[0]).at, b = evaluate(*expr.parts[1]).at;
        return {
            compute(expr.sign == "&&" ? CodeOp::bit_and : CodeOp::bit_or, CodeType::boolean, a, b), -1, {}};
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

Value Lowering::choice(const Expr& expr) {
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

}  // namespace warplens::typed
