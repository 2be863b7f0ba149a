#include "app/typed/interpret/interpret.h"

#include <utility>

namespace warplens::typed {

Interpreter::Interpreter(const Bound& bound, const BlockRange& range, int warp,
                         std::vector<Request>& requests, std::int64_t& steps_left,
                         std::int64_t& requests_left, std::set<Position>& assumed)
    : bound_(bound),
      unit_(*bound.unit),
      range_(range),
      warp_(warp),
      requests_(requests),
      steps_left_(steps_left),
      requests_left_(requests_left),
      assumed_(assumed),
      variables_(unit_.symbols.size()),
      arrays_(unit_.symbols.size()) {
    const int threads = bound.launch.threads() - warp * kWarpLanes;
    live_ = threads >= kWarpLanes ? kAllLanes : (1u << threads) - 1;
    find_threads();
    for (const int parameter : bound.kernel->parameters) {
        const std::size_t index = parameter;
        Lanes& lanes = variables_[index];
        lanes.memory = bound.memory_of[index];
        if (lanes.memory < 0 && !bound.has_value[index]) continue;
        lanes.at.fill(lanes.memory >= 0 ? 0 : bound.values[index]);
        lanes.known = kAllLanes;
    }
}

int Interpreter::run() {
    execute(*bound_.kernel->body, live_);
    return interval_;
}

std::uint32_t Interpreter::execute(const Stmt& stmt, std::uint32_t mask) {
    if (mask == 0) return 0;
    count_step(stmt.at);
    switch (stmt.kind) {
        case StmtKind::empty:
            return mask;
        case StmtKind::expression:
            evaluate(*stmt.condition, mask);
            return mask;
        case StmtKind::declare:
            declare(stmt, mask);
            return mask;
        case StmtKind::block:
            for (const StmtPtr& part : stmt.body) mask = execute(*part, mask);
            return mask;
        case StmtKind::branch:
            return branch(stmt, mask);
        case StmtKind::loop:
            return loop(stmt, mask);
        case StmtKind::leave:
            if (poison_ == loop_poison_) left_ |= mask;
            return 0;
        case StmtKind::next:
            if (poison_ == loop_poison_) next_ |= mask;
            return 0;
        case StmtKind::finish:
            if (stmt.condition) {
                Lanes value = evaluate(*stmt.condition, mask);
                if (poison_ != call_poison_) value.known = 0;
                choose(result_, value, mask, std::exchange(result_fresh_, false));
            }
            if (!in_call_ && poison_ == call_poison_) live_ &= ~mask;
            return 0;
    }
    return mask;
}

void Interpreter::declare(const Stmt& stmt, std::uint32_t mask) {
    const Symbol& symbol = unit_.symbol(stmt.symbol);
    if (symbol.storage == Storage::local) {
        OwnArray& array = own_array(stmt.symbol);
        for (std::size_t i = 0; i < array.at.size(); ++i) {
            const bool given = !symbol.initial.empty();
            const std::int64_t value = i < symbol.initial.size() ? symbol.initial[i] : 0;
            for (const int lane : LaneRange{mask}) array.at[i][lane] = value;
            array.known[i] = given ? array.known[i] | mask : array.known[i] & ~mask;
        }
        return;
    }
    if (symbol.storage != Storage::variable) return;
    Lanes& variable = variables_[stmt.symbol];
    if (stmt.condition)
        choose(variable, evaluate(*stmt.condition, mask), mask, true);
    else
        variable.known &= ~mask;
    if (poison_ > 0) variable.known &= ~mask;
}

std::uint32_t Interpreter::branch(const Stmt& stmt, std::uint32_t mask) {
    const Lanes truth = evaluate(*stmt.condition, mask);
    const bool has_else = stmt.body.size() > 1;
    if ((truth.known & mask) != mask) {
        for (const StmtPtr& part : stmt.body) both_ways(*stmt.condition, *part, mask);
        return mask;
    }
    const std::uint32_t yes = lanes_where(*stmt.condition, mask, truth);
    std::uint32_t out = execute(*stmt.body[0], yes);
    out |= has_else ? execute(*stmt.body[1], mask & ~yes) : mask & ~yes;
    return out;
}

/// It is not known which lanes execute a statement, so it is executed by all, and what it assigns is not
/// known behind it.
void Interpreter::both_ways(const Expr& condition, const Stmt& body, std::uint32_t mask) {
    if (!only_assigns(body)) assumed_.insert(condition.at);
    ++poison_;
    execute(body, mask);
    --poison_;
}

std::uint32_t Interpreter::loop(const Stmt& stmt, std::uint32_t mask) {
    const std::uint32_t outer_left = std::exchange(left_, 0u), outer_next = std::exchange(next_, 0u);
    const std::optional<Position> outer_loop = std::exchange(loop_, stmt.at);
    const int outer_poison = std::exchange(loop_poison_, poison_);
    if (stmt.init) mask = execute(*stmt.init, mask);
    std::uint32_t running = mask, done = 0;
    bool check = stmt.check_first;
    std::int64_t rounds = 0;
    while (running != 0) {
        count_step(stmt.at);
        if (check && stmt.condition) {
            const Lanes truth = evaluate(*stmt.condition, running);
            if ((truth.known & running) != running) {  // once, and no more
                if (rounds == 0) {
                    both_ways(*stmt.condition, *stmt.body.front(), running);
                    if (stmt.step) {
                        ++poison_;
                        evaluate(*stmt.step, running);
                        --poison_;
                    }
                }
                assumed_.insert(stmt.condition->at);
                done |= running;
                break;
            }
            const std::uint32_t yes = lanes_where(*stmt.condition, running, truth);
            done |= running & ~yes;
            running = yes;
            if (running == 0) break;
        }
        check = true;
        ++rounds;
        running = execute(*stmt.body.front(), running);
        running |= std::exchange(next_, 0u);
        done |= std::exchange(left_, 0u);
        if (stmt.step && running != 0) evaluate(*stmt.step, running);
    }
    left_ = outer_left;
    next_ = outer_next;
    loop_ = outer_loop;
    loop_poison_ = outer_poison;
    return done;
}

}  // namespace warplens::typed
