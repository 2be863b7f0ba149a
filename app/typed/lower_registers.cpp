#include "app/typed/lowering.h"

#include "kernels/typed/code_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warplens::typed {
namespace {

constexpr std::size_t kMostInstructions = 40'000;

}  // namespace

CodeType code_type(Scalar scalar) {
    constexpr CodeType kTypes[] = {CodeType::s32, CodeType::boolean, CodeType::s8,  CodeType::u8,
                                   CodeType::s16, CodeType::u16,     CodeType::s32, CodeType::u32,
                                   CodeType::s64, CodeType::u64,     CodeType::u16, CodeType::f32,
                                   CodeType::f64};
    return kTypes[int(scalar)];
}

int Lowering::new_registers(CodeType type, int count) {
    const auto first = int(code_.registers.size());
    code_.registers.insert(code_.registers.end(), static_cast<std::size_t>(count), type);
    return first;
}

CodeType Lowering::register_type(const Type& type) {
    return type.pointer ? CodeType::s64 : code_type(type.scalar);
}

std::size_t Lowering::emit(CodeInstr instr) {
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

void Lowering::forget(int first, CodeType type, int count) {
    const int never_written = new_registers(type, count);
    move(first, never_written, type, count);
}

void Lowering::settle_steps() {
    if (steps_ > 0) emit({.op = CodeOp::meet});
}

int Lowering::steps_of(const Expr& expr) {
    int steps = 1;
    for (const ExprPtr& part : expr.parts) steps += steps_of(*part);
    return steps;
}

int Lowering::compute(CodeOp op, CodeType type, int a, int b) {
    const bool truth = op >= CodeOp::less && op <= CodeOp::not_equal;
    const int to = new_registers(truth ? CodeType::boolean : type);
    emit({.op = op, .type = type, .to = to, .a = a, .b = b});
    return to;
}

Value Lowering::constant(std::int64_t value, CodeType type) {
    const int to = new_registers(type);
    if (!is_float(type)) value = code_wrap(value, type);
    emit({.op = CodeOp::constant, .type = type, .to = to, .value = value});
    return {to, -1, is_float(type) ? std::nullopt : std::optional(value)};
}

void Lowering::move(int to, int from, CodeType type, int count) {
    for (int i = 0; i < count; ++i) emit({.op = CodeOp::move, .type = type, .to = to + i, .a = from + i});
}

int Lowering::converted(int from, CodeType of, CodeType to) {
    if (of == to) return from;
    const int out = new_registers(to);
    emit({.op = CodeOp::convert, .type = to, .from = of, .to = out, .a = from});
    return out;
}

void Lowering::jump_if_zero(int truth, Label& label) {
    label.jumps.push_back(emit({.op = CodeOp::jump_if_zero, .a = truth}));
}

void Lowering::place(Label& label) {
    if (for_model()) settle_steps();
    label.at = int(code_.instructions.size());
    for (const std::size_t jump : label.jumps) code_.instructions[jump].to = label.at;
}

int Lowering::part() {
    const int lanes = new_registers(CodeType::u32);
    emit({.op = CodeOp::part, .type = CodeType::u32, .to = lanes});
    return lanes;
}

bool Lowering::may_leave(const Stmt& stmt, bool in_loop) {
    if (stmt.kind == StmtKind::finish) return true;
    if (stmt.kind == StmtKind::leave || stmt.kind == StmtKind::next) return !in_loop;
    const bool inside = in_loop || stmt.kind == StmtKind::loop;
    return std::ranges::any_of(stmt.body, [&](const StmtPtr& one) { return one && may_leave(*one, inside); });
}

bool Lowering::may_break(const Stmt& body) {
    if (body.kind == StmtKind::finish || body.kind == StmtKind::leave) return true;
    if (body.kind == StmtKind::loop) return may_leave(body, true);
    return std::ranges::any_of(body.body, [](const StmtPtr& one) { return one && may_break(*one); });
}

void Lowering::check_pointers(const std::vector<Value>& before) const {
    for (std::size_t i = 0; i < before.size(); ++i)
        if (before[i].at >= 0 && before[i].memory != variables_[i].memory)
            throw SourceError(at_, fmt::format("not launched: {} points into one of two arrays here",
                                               in_quotes(unit_.symbols[i].name)));
}

}  // namespace warplens::typed
