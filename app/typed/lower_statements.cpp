#include "app/typed/lowering.h"

#include <utility>

namespace warplens::typed {

void Lowering::execute(const Stmt& stmt) {
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

void Lowering::declare(const Stmt& stmt) {
    const Symbol& symbol = unit_.symbol(stmt.symbol);
    if (symbol.storage == Storage::local) {
        const CodeType type = code_type(symbol.type.scalar);
        if (for_model() && symbol.initial.empty() && !in_memory_.contains(stmt.symbol))
            forget(own_array(stmt.symbol).at, type, int(symbol.type.elements()) * symbol.type.lanes);
        if (symbol.initial.empty()) return;
        for (std::int64_t i = 0; i < symbol.type.elements(); ++i) {
            const std::size_t k = i;
            const int value = constant(k < symbol.initial.size() ? symbol.initial[k] : 0, type).at;
            if (in_memory_.contains(stmt.symbol))
                emit({.op = CodeOp::store,
                      .type = type,
                      .counted = false,
                      .memory = static_cast<std::int16_t>(bound_.memory_of[stmt.symbol]),
                      .a = constant(i * symbol.type.element_bytes(), CodeType::s64).at,
                      .b = value,
                      .c = -1});
            else
                move(own_array(stmt.symbol).at + int(i), value, type);
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

void Lowering::branch(const Stmt& stmt) {
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
        model_.harmless.back() = only_assigns(*stmt.body[0]) && (!has_else || only_assigns(*stmt.body[1]));
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

bool Lowering::is_unrolled(const Stmt& stmt) const {
    if (!stmt.init || stmt.init->kind != StmtKind::declare || !stmt.init->condition || !stmt.condition ||
        !unit_.symbol(stmt.init->symbol).counter)
        return false;
    return unrolled_.contains(stmt.init->symbol) || (!for_model() && is_short(stmt));
}

bool Lowering::is_short(const Stmt& stmt) const {
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

std::optional<std::int64_t> Lowering::fold_with(const Expr& expr, int symbol, std::int64_t value) const {
    if (expr.kind == ExprKind::variable && expr.symbol == symbol) return value;
    if (expr.kind == ExprKind::cast && expr.type.is_integer()) {
        const auto of = fold_with(*expr.parts[0], symbol, value);
        return of ? std::optional(wrap(*of, expr.type.scalar)) : std::nullopt;
    }
    if (expr.kind != ExprKind::binary || !expr.type.is_integer()) return fold(unit_, expr);
    const auto a = fold_with(*expr.parts[0], symbol, value), b = fold_with(*expr.parts[1], symbol, value);
    return a && b ? apply_sign(expr.sign, *a, *b, expr.parts[0]->type.scalar) : std::nullopt;
}

std::optional<std::int64_t> Lowering::next_counter(const Expr& step, int symbol, std::int64_t value) const {
    const Expr* target = step.parts.empty() ? nullptr : step.parts[0].get();
    if (target == nullptr || target->kind != ExprKind::variable || target->symbol != symbol)
        return std::nullopt;
    if (step.kind == ExprKind::step) return wrap(value + (step.sign == "++" ? 1 : -1), target->type.scalar);
    if (step.kind != ExprKind::assign || !step.parts[1]->type.is_integer()) return std::nullopt;
    const auto by = fold_with(*step.parts[1], symbol, value);
    if (!by || step.sign == "=") return by;
    const auto next = apply_sign(step.sign, value, *by, static_cast<Scalar>(step.value));
    return next ? std::optional(wrap(*next, target->type.scalar)) : std::nullopt;
}

void Lowering::loop(const Stmt& stmt) {
    Label leave, next;
    const auto outer = std::exchange(loop_, Loop{&leave, &next});
    const Stmt& body = *stmt.body.front();
    const bool all_rounds = !may_break(body);
    const int lanes = part();
    if (is_unrolled(stmt)) {
        const int counter = stmt.init->symbol;
        unrolling_.insert(counter);
        ++steps_;
        variables_[counter].known = evaluate(*stmt.init->condition).known;
        while (true) {
            ++steps_;
            const Value goes_on = evaluate(*stmt.condition);
            if (!goes_on.known || !variables_[counter].known)
                throw SourceError(stmt.at,
                                  "not launched: how often this loop runs is not known when it is compiled");
            if (*goes_on.known == 0) break;
            Label here;
            loop_.next = &here;
            execute(body);
            place(here);
            if (all_rounds) meet(lanes);
            if (stmt.step) evaluate(*stmt.step);
        }
        unrolling_.erase(counter);
        variables_[counter].known.reset();
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

}  // namespace warplens::typed
