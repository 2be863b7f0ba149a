#include "app/typed/tree.h"

#include <algorithm>
#include <limits>

namespace warplens::typed {

int bytes_of(Scalar scalar) {
    constexpr int kBytes[] = {0, 1, 1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8};
    return kBytes[int(scalar)];
}

bool is_signed(Scalar scalar) {
    return scalar == Scalar::int8 || scalar == Scalar::int16 || scalar == Scalar::int32 ||
           scalar == Scalar::int64;
}

std::int64_t Type::elements() const {
    std::int64_t product = 1;
    for (const int dim : dims) product *= dim;
    return product;
}

std::int64_t wrap(std::int64_t value, Scalar type) {
    switch (type) {
        case Scalar::boolean:
            return value != 0;
        case Scalar::int8:
            return static_cast<std::int8_t>(value);
        case Scalar::uint8:
            return static_cast<std::uint8_t>(value);
        case Scalar::int16:
            return static_cast<std::int16_t>(value);
        case Scalar::uint16:
            return static_cast<std::uint16_t>(value);
        case Scalar::int32:
            return static_cast<std::int32_t>(value);
        case Scalar::uint32:
            return static_cast<std::uint32_t>(value);
        default:
            return value;
    }
}

std::optional<std::int64_t> apply_sign(Sign sign, std::int64_t a, std::int64_t b, Scalar type) {
    const auto ua = static_cast<std::uint64_t>(a), ub = static_cast<std::uint64_t>(b);
    const bool unsigned_wide = type == Scalar::uint64;
    const auto whole = [](std::uint64_t value) { return static_cast<std::int64_t>(value); };
    if (sign == "+") return wrap(whole(ua + ub), type);
    if (sign == "-") return wrap(whole(ua - ub), type);
    if (sign == "*") return wrap(whole(ua * ub), type);
    if (sign == "&") return a & b;
    if (sign == "|") return a | b;
    if (sign == "^") return a ^ b;
    if (sign == "/" || sign == "%") {
        if (b == 0) return std::nullopt;
        if (unsigned_wide) return whole(sign == "/" ? ua / ub : ua % ub);
        if (a == std::numeric_limits<std::int64_t>::min() && b == -1) return std::nullopt;
        return wrap(sign == "/" ? a / b : a % b, type);
    }
    if (sign == "<<" || sign == ">>") {
        if (b < 0) return std::nullopt;
        if (b >= 8 * bytes_of(type)) return sign == ">>" && !unsigned_wide && a < 0 ? -1 : 0;
        if (sign == "<<") return wrap(whole(ua << b), type);
        return unsigned_wide ? whole(ua >> b) : a >> b;
    }
    const bool less = unsigned_wide ? ua < ub : a < b;
    if (sign == "<") return less;
    if (sign == ">=") return !less;
    if (sign == "==") return a == b;
    if (sign == "!=") return a != b;
    if (sign == "<=") return less || a == b;
    if (sign == ">") return !less && a != b;
    return std::nullopt;
}

ExprPtr clone(const Expr& expr) {
    auto copy = std::make_unique<Expr>();
    copy->kind = expr.kind;
    copy->type = expr.type;
    copy->at = expr.at;
    copy->sign = expr.sign;
    copy->value = expr.value;
    copy->symbol = expr.symbol;
    copy->joined = expr.joined;
    copy->changed = expr.changed;
    copy->instructions = expr.instructions;
    copy->special = expr.special;
    copy->of_numbers = expr.of_numbers;
    for (const ExprPtr& part : expr.parts) copy->parts.push_back(clone(*part));
    return copy;
}

bool is_of_thread(const Unit& unit, const Expr& expr) {
    if (!expr.type.is_integer()) return false;
    switch (expr.kind) {
        case ExprKind::number:
            return true;
        case ExprKind::variable:
            return unit.symbol(expr.symbol).constant.has_value();
        case ExprKind::builtin: {
            const auto which = static_cast<Builtin>(expr.value);
            return which < Builtin::block_x || which > Builtin::block_z;
        }
        case ExprKind::binary:
            if (expr.sign == "/" || expr.sign == "%" || expr.sign == "<<" || expr.sign == ">>") {
                const auto by = fold(unit, *expr.parts[1]);
                const bool divides = expr.sign == "/" || expr.sign == "%";
                if (!by || (divides ? *by <= 0 : *by < 0 || *by > 31)) return false;
            }
            [[fallthrough]];
        case ExprKind::unary:
        case ExprKind::cast:
            return std::ranges::all_of(expr.parts,
                                       [&](const ExprPtr& part) { return is_of_thread(unit, *part); });
        default:
            return false;
    }
}

bool touches_memory(const Expr& expr) {
    if (expr.kind == ExprKind::index || expr.kind == ExprKind::call || expr.kind == ExprKind::assign ||
        expr.kind == ExprKind::step)
        return true;
    if (expr.kind == ExprKind::intrinsic) {
        const auto which = static_cast<Intrinsic>(expr.value);
        if (which >= Intrinsic::load_cached && which <= Intrinsic::fence) return true;
        if (which == Intrinsic::atomic) return true;
    }
    return std::ranges::any_of(expr.parts, [](const ExprPtr& part) { return touches_memory(*part); });
}

bool only_assigns(const Expr& expr) {
    if (expr.kind == ExprKind::assign || expr.kind == ExprKind::step) {
        const Expr& target = *expr.parts[0];
        const Expr& whole = target.kind == ExprKind::member ? *target.parts[0] : target;
        if (whole.kind != ExprKind::variable) return false;
        return std::ranges::all_of(expr.parts, [](const ExprPtr& part) { return only_assigns(*part); });
    }
    if (expr.kind == ExprKind::index || expr.kind == ExprKind::call) return false;
    if (expr.kind == ExprKind::intrinsic && touches_memory(expr)) return false;
    return std::ranges::all_of(expr.parts, [](const ExprPtr& part) { return only_assigns(*part); });
}
bool only_assigns(const Stmt& stmt) {
    switch (stmt.kind) {
        case StmtKind::empty:
            return true;
        case StmtKind::expression:
        case StmtKind::declare:
        case StmtKind::branch:
        case StmtKind::block:
            break;
        default:
            return false;
    }
    if (stmt.condition && !only_assigns(*stmt.condition)) return false;
    return std::ranges::all_of(stmt.body, [](const StmtPtr& part) { return only_assigns(*part); });
}

namespace {

/// Whether an element is in a register: of an array of the thread, at an index that the compiler knows.
bool is_in_register(const Unit& unit, const Expr& element) {
    const Expr* base = &element;
    bool known = true;
    for (; base->kind == ExprKind::index; base = base->parts[0].get())
        known = known && compiler_knows(unit, *base->parts[1]);
    return known && base->kind == ExprKind::variable && unit.symbol(base->symbol).storage == Storage::local;
}

void visit_accesses(const Unit& unit, const Expr& expr, const VisitAccess& visit, bool loads, bool stores,
                    AccessBy by) {
    if ((loads || stores) && expr.kind == ExprKind::index && !expr.type.is_array() &&
        !expr.type.is_record() && !expr.joined && !is_in_register(unit, expr))
        visit(expr, loads, stores, by == AccessBy::itself && expr.by_pointer ? AccessBy::pointer : by);
    const bool intrinsic = expr.kind == ExprKind::intrinsic;
    const bool atomic = intrinsic && static_cast<Intrinsic>(expr.value) == Intrinsic::atomic,
               cached = intrinsic && static_cast<Intrinsic>(expr.value) == Intrinsic::load_cached;
    for (std::size_t i = 0; i < expr.parts.size(); ++i) {
        const bool first = i == 0, assigns = first && expr.kind == ExprKind::assign,
                   steps = first && expr.kind == ExprKind::step,
                   addresses = first && expr.kind == ExprKind::address;
        const bool reads = !addresses && !(first && atomic) && (!assigns || expr.sign != "=");
        visit_accesses(unit, *expr.parts[i], visit, reads, assigns || steps || (first && atomic),
                       first && atomic   ? AccessBy::pointer
                       : first && cached ? AccessBy::cached_load
                                         : AccessBy::itself);
    }
}
}  // namespace

void visit_accesses(const Unit& unit, const Stmt& stmt, const VisitAccess& visit) {
    if (stmt.condition) visit_accesses(unit, *stmt.condition, visit, true, false, AccessBy::itself);
    if (stmt.step) visit_accesses(unit, *stmt.step, visit, true, false, AccessBy::itself);
    if (stmt.init) visit_accesses(unit, *stmt.init, visit);
    for (const StmtPtr& part : stmt.body)
        if (part) visit_accesses(unit, *part, visit);
}

void visit_accesses(const Unit& unit, const VisitAccess& visit) {
    for (const Function& function : unit.functions)
        if (function.body) visit_accesses(unit, *function.body, visit);
}

bool compiler_knows(const Unit& unit, const Expr& index) {
    if (index.kind == ExprKind::number) return true;
    if (index.kind == ExprKind::variable) {
        const Symbol& symbol = unit.symbol(index.symbol);
        return symbol.constant || symbol.counter;
    }
    if (index.kind != ExprKind::binary && index.kind != ExprKind::cast && index.kind != ExprKind::unary)
        return false;
    return std::ranges::all_of(index.parts, [&](const ExprPtr& part) { return compiler_knows(unit, *part); });
}

std::optional<std::int64_t> fold(const Unit& unit, const Expr& expr) {
    const auto part = [&](std::size_t i) { return fold(unit, *expr.parts[i]); };
    switch (expr.kind) {
        case ExprKind::number:
            return expr.type.is_integer() ? std::optional(expr.value) : std::nullopt;
        case ExprKind::variable:
            return unit.symbol(expr.symbol).constant;
        case ExprKind::builtin:
            return static_cast<Builtin>(expr.value) == Builtin::warp_size ? std::optional<std::int64_t>(32)
                                                                          : std::nullopt;
        case ExprKind::cast:
            if (const auto value = part(0); value && expr.type.is_integer())
                return wrap(*value, expr.type.scalar);
            return std::nullopt;
        case ExprKind::unary: {
            const auto value = part(0);
            if (!value || !expr.type.is_integer()) return std::nullopt;
            if (expr.sign == "!") return *value == 0;
            return wrap(expr.sign == "~" ? ~*value
                                         : static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(*value)),
                        expr.type.scalar);
        }
        case ExprKind::binary: {
            const auto a = part(0), b = part(1);
            const Scalar type = expr.parts[0]->type.scalar;
            return a && b ? apply_sign(expr.sign, *a, *b, type) : std::nullopt;
        }
        case ExprKind::logic: {
            const auto a = part(0);
            if (!a) return std::nullopt;
            if ((*a != 0) == (expr.sign == "||")) return *a != 0;
            const auto b = part(1);
            return b ? std::optional<std::int64_t>(*b != 0) : std::nullopt;
        }
        case ExprKind::choice: {
            const auto condition = part(0);
            return condition ? part(*condition != 0 ? 1 : 2) : std::nullopt;
        }
        case ExprKind::intrinsic: {
            const auto which = static_cast<Intrinsic>(expr.value);
            if (which != Intrinsic::min && which != Intrinsic::max) return std::nullopt;
            const auto a = part(0), b = part(1);
            if (!a || !b || !expr.type.is_integer()) return std::nullopt;
            const bool first = apply_sign("<", *a, *b, expr.type.scalar).value_or(0) != 0;
            return first == (which == Intrinsic::min) ? *a : *b;
        }
        default:
            return std::nullopt;
    }
}

}  // namespace warplens::typed
