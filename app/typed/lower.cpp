#include "app/typed/lower.h"

#include "app/typed/lowering.h"
#include "app/typed/ranges.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warplens::typed {

Code Lowering::run() {
    set_launch();
    look_at_functions();
    for (const int parameter : bound_.kernel->parameters) {
        const std::size_t index = parameter;
        const Symbol& symbol = unit_.symbol(parameter);
        Value& value = variables_[index];
        value = {new_registers(register_type(symbol.type), symbol.type.lanes), bound_.memory_of[index], {}};
        value.at_begin = value.memory >= 0 && !assigned_.contains(parameter);
        for (int lane = 0; lane < symbol.type.lanes; ++lane)
            emit({.op = CodeOp::constant,
                  .type = register_type(symbol.type),
                  .to = value.at + lane,
                  .value = value.memory >= 0 ? 0 : bound_.values[index]});
    }
    execute(*bound_.kernel->body);
    emit({.op = CodeOp::finish});
    code_.slots = int(code_.registers.size());
    for (CodeMemory& memory : code_.memories) {
        if (memory.space != CodeSpace::local) continue;
        memory.slot = code_.slots;
        code_.slots += int(memory.bytes / bytes_of(memory.type));
    }
    return std::move(code_);
}

ModelCode Lowering::run_for_model() {
    model_.code = run();
    return std::move(model_);
}

void Lowering::set_launch() {
    const Launch& launch = bound_.launch;
    code_.grid_x = launch.grid_x;
    code_.grid_y = launch.grid_y;
    code_.block_x = launch.block_x;
    code_.block_y = launch.block_y;
    code_.block_z = launch.block_z;
    if (launch_ != nullptr) {
        code_.shared_bytes = launch_->shared_bytes();
        code_.local_bytes = launch_->local_bytes();
        code_.accesses = int(launch_->accesses().size());
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

void Lowering::find_sizes() {
    const auto unknown = [&](const CodeMemory& one) { return one.bytes == 0; };
    if (std::ranges::none_of(code_.memories, unknown)) return;
    std::vector<std::int64_t> ends(code_.memories.size(), 1);
    const bool all = launch_->visit_ranges({}, [&](const BlockTrace& trace) {
        for (const std::vector<Request>& warp : trace.warps) {
            for (const Request& request : warp) {
                const std::int64_t x = std::max<std::int64_t>(request.per_x * (trace.range.width - 1), 0),
                                   y = std::max<std::int64_t>(request.per_y * (trace.range.height - 1), 0);
                const std::int64_t most = std::ranges::max(request.address) + x + y + request.bytes;
                std::int64_t& end = ends[request.memory];
                end = std::max(end, most);
            }
        }
        return true;
    });
    for (std::size_t i = 0; i < code_.memories.size(); ++i) {
        if (!unknown(code_.memories[i])) continue;
        if (!all)
            throw SourceError(bound_.kernel->at,
                              fmt::format("say how large {} is, so that it can be launched: '// in {} [n]'",
                                          in_quotes(bound_.memories[i].name), bound_.memories[i].name));
        code_.memories[i].bytes = ends[i];
    }
}

void Lowering::look_at(const Expr& expr) {
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

void Lowering::note_counters(const Expr& expr) {
    if (expr.kind == ExprKind::variable && unit_.symbol(expr.symbol).counter) unrolled_.insert(expr.symbol);
    for (const ExprPtr& part : expr.parts) note_counters(*part);
}

void Lowering::look_at(const Stmt& stmt) {
    if (stmt.condition) look_at(*stmt.condition);
    if (stmt.step) look_at(*stmt.step);
    if (stmt.init) look_at(*stmt.init);
    for (const StmtPtr& part : stmt.body)
        if (part) look_at(*part);
}

void Lowering::look_at_functions() {
    for (const Function& function : unit_.functions)
        if (function.body) look_at(*function.body);
}

Code lower(const TypedLaunch& launch) {
    if (!launch.only_counted().empty())
        throw SourceError(launch.bound().kernel->at,
                          fmt::format("not launched: kernels with {} are counted, but not run on a GPU yet",
                                      launch.only_counted()));
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

ModelCode lower_for_model(const Bound& bound) {
    if (!bound.unit->only_counted.empty() || bound.launch.grid_z > 1)
        throw SourceError(bound.kernel->at, "this is executed as it is written only");
    return Lowering(nullptr, bound).run_for_model();
}

}  // namespace warplens::typed
