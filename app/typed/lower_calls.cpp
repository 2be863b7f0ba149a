#include "app/typed/lowering.h"

#include <bit>
#include <utility>

namespace warplens::typed {

void Lowering::write(const Expr& target, const Value& value) {
    if (target.kind == ExprKind::index) return store_to(target, place_of(target), value.at);
    if (target.kind == ExprKind::member) {
        if (for_model()) return;
        const Expr& whole = *target.parts[0];
        const CodeType type = code_type(whole.type.scalar);
        Value& vector = variables_[whole.symbol];
        if (vector.at < 0) vector.at = new_registers(type, whole.type.lanes);
        return move(vector.at + int(target.value), value.at, type);
    }
    set_variable(target.symbol, value);
}

void Lowering::set_variable(int symbol, const Value& value) {
    const Type& type = unit_.symbol(symbol).type;
    Value& variable = variables_[symbol];
    if (unrolling_.contains(symbol)) {
        variable.known = value.known;
        return;
    }
    if (variable.at < 0) variable.at = new_registers(register_type(type), type.lanes);
    variable.memory = value.memory;
    variable.at_begin = value.at_begin && !assigned_.contains(symbol);
    move(variable.at, value.at, register_type(type), type.lanes);
}

Value Lowering::assign(const Expr& expr) {
    const Expr &target = *expr.parts[0], &source = *expr.parts[1];
    if (expr.sign == "=") {
        const Value value = evaluate(source);
        write(target, value);
        return value;
    }
    const Value by = evaluate(source);
    return update(target, [&](const Value& before) { return changed(expr, before, by); }).second;
}

std::pair<Value, Value> Lowering::update(const Expr& target, const auto& change) {
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

Value Lowering::changed(const Expr& expr, const Value& before, const Value& by) {
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
            const int right = converted(by.at, code_type(source.type.scalar), shift ? distance_type() : type);
            value = {converted(compute(op_of(expr.sign), type, left, right), type, own), -1, {}};
        }
    }
    return value;
}

Value Lowering::step(const Expr& expr) {
    const Expr& target = *expr.parts[0];
    const CodeType type = register_type(target.type);
    const std::int64_t by = target.type.pointer ? target.type.element_bytes() : 1;
    const auto [before, after] = update(target, [&](const Value& value) -> Value {
        if (value.known)
            return constant(wrap(*value.known + (expr.sign == "++" ? by : -by), target.type.scalar), type);
        const int one = constant(is_float(type) ? std::bit_cast<std::int64_t>(1.0) : by, type).at;
        return {
            compute(expr.sign == "++" ? CodeOp::add : CodeOp::sub, type, value.at, one), value.memory, {}};
    });
    return expr.value == 1 ? before : after;
}

Value Lowering::call(const Expr& expr) {
    const Function& function = unit_.functions[expr.symbol];
    constexpr int kDeepestCall = 16;
    if (++call_depth_ > kDeepestCall) throw SourceError(expr.at, "functions call each other too deeply");
    std::vector<Value> arguments;
    for (const ExprPtr& part : expr.parts) arguments.push_back(evaluate(*part));
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        variables_[function.parameters[i]].known.reset();
        set_variable(function.parameters[i], arguments[i]);
    }
    const Value result{
        new_registers(code_type(function.result.scalar), std::max(function.result.lanes, 1)), -1, {}};
    if (for_model()) forget(result.at, register_type(function.result), std::max(function.result.lanes, 1));
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

Value Lowering::math(const Expr& expr, const std::vector<Value>& parts) {
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

Value Lowering::intrinsic(const Expr& expr) {
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
          .value =
              static_cast<std::int64_t>(which) - static_cast<std::int64_t>(Intrinsic::shuffle) + 16 * width});
    return {to, -1, {}};
}

}  // namespace warplens::typed
