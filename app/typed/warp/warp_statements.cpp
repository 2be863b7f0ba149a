#include "app/typed/warp/warp_executor.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warplens::typed {

namespace {

bool has_loop(const Stmt& stmt) {
    return stmt.kind == StmtKind::loop ||
           std::ranges::any_of(stmt.body, [](const StmtPtr& part) { return part && has_loop(*part); });
}

}  // namespace

WarpExecutor::WarpExecutor(const Bound& bound)
    : bound_(bound),
      unit_(*bound.unit),
      kept_(std::size_t(unit_.kept) * std::size_t(bound.launch.warps())),
      variables_(unit_.symbols.size()),
      arrays_(unit_.symbols.size()) {
    find_threads();
}

void WarpExecutor::begin_warp(int warp) {
    warp_ = warp;
    const int threads = bound_.launch.threads() - warp * kWarpLanes;
    live_ = threads >= kWarpLanes ? kAllLanes : (1u << threads) - 1;
    for (Lanes& variable : variables_) variable.known = 0;
    for (OwnArray& array : arrays_) array.clear();
    for (const int parameter : bound_.kernel->parameters) {
        const int memory = bound_.memory_of[parameter];
        Lanes& lanes = variables_[parameter];
        if (memory < 0 && (!bound_.has_value[parameter] || is_floating(unit_.symbol(parameter).type.scalar)))
            continue;
        lanes = Lanes::uniform(memory >= 0 ? 0 : bound_.values[parameter]);
        lanes.memory = memory;
    }
    left_ = next_ = 0;
    result_fresh_ = true;
    in_call_ = false;
    interval_ = warp_interval_ = 0;
    poison_ = loop_poison_ = call_poison_ = call_depth_ = 0;
    uncertain_ = false;
    kept_numbers_.clear();
    loop_.reset();
    visitor_->begin_warp();
}

void WarpExecutor::run(const BlockRange& range, WarpVisitor& visitor) {
    begin(range, visitor);
    while (step()) {
    }
}

void WarpExecutor::begin(const BlockRange& range, WarpVisitor& visitor) {
    range_ = range;
    visitor_ = &visitor;
    steps_ = requests_ = pause_at_ = 0;
    arithmetic_ = {};
    rounds_ = 1;
    assumed_.clear();
    parted_.clear();
    tickets_ = 0;
    handed_.clear();
    next_warp_ = 0;
    barriers_ = -1;
    walk_.reset();
}

bool WarpExecutor::step() {
    if (!walk_) {
        if (next_warp_ == bound_.launch.warps()) return false;
        begin_warp(next_warp_++);
        walk_ = walk(*bound_.kernel->body, live_);
    }
    if (walk_->step()) return true;
    walk_.reset();
    const int warp = next_warp_ - 1;
    if (live_ == 0) return true;  // threads that have ended are not waited for
    if (barriers_ >= 0 && interval_ != barriers_)
        throw SourceError(
            interval_ > barriers_ ? barrier_ : last_barrier_,
            fmt::format("not all warps reach this __syncthreads() equally often: warp {} {} times, warp {} "
                        "{}; those that are behind it wait for the others for ever",
                        arrived_, barriers_, warp, interval_));
    if (barriers_ < 0) arrived_ = warp;
    barriers_ = interval_;
    last_barrier_ = barrier_;
    return true;
}

std::uint32_t WarpExecutor::execute(const Stmt& stmt, std::uint32_t mask) {
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
        case StmtKind::branch: {
            const std::optional<std::uint32_t> yes = branch(stmt, mask);
            if (!yes) return mask;
            const std::uint32_t no = mask & ~*yes;
            std::uint32_t out = execute(*stmt.body[0], *yes);
            out |= stmt.body.size() > 1 ? execute(*stmt.body[1], no) : no;
            meet(stmt.at, out & *yes, out);
            return out;
        }
        case StmtKind::loop:
            return loop(stmt, mask).done();
        case StmtKind::leave:
            if (poison_ == loop_poison_) left_ |= mask;
            may_leave_ = may_leave_ || poison_ != loop_poison_;
            uncertain_ = uncertain_ || poison_ != loop_poison_;
            return 0;
        case StmtKind::next:
            if (poison_ == loop_poison_) next_ |= mask;
            uncertain_ = uncertain_ || poison_ != loop_poison_;
            return 0;
        case StmtKind::finish:
            uncertain_ = uncertain_ || poison_ != call_poison_;
            if (stmt.condition) {
                const bool vector = stmt.condition->type.lanes > 1 && !stmt.condition->type.pointer;
                OwnArray values =
                    vector ? components_of(*stmt.condition, mask) : OwnArray{evaluate(*stmt.condition, mask)};
                values.resize(std::size_t(vector ? stmt.condition->type.lanes : 1));
                const bool fresh = std::exchange(result_fresh_, false);
                result_.resize(values.size());
                for (std::size_t i = 0; i < values.size(); ++i) {
                    if (poison_ != call_poison_) values[i].known = 0;
                    choose(result_[i], values[i], mask, fresh);
                }
            }
            if (!in_call_ && poison_ == call_poison_) live_ &= ~mask;
            return 0;
    }
    return mask;
}

InSteps<std::uint32_t> WarpExecutor::walk(const Stmt& stmt, std::uint32_t mask) {
    if (mask == 0 || !has_loop(stmt)) co_return execute(stmt, mask);
    count_step(stmt.at);
    const bool chooses = stmt.kind == StmtKind::branch;
    std::uint32_t others = 0, first = 0;  // lanes that take the other way, and the first one
    if (chooses) {
        const std::optional<std::uint32_t> yes = branch(stmt, mask);
        if (!yes) co_return mask;
        others = mask & ~*yes;
        mask = first = *yes;
    }
    if (stmt.kind == StmtKind::loop) {
        auto rounds = loop(stmt, mask);
        while (rounds.step()) co_yield 0;
        co_return rounds.take();
    }
    std::uint32_t out = 0;
    for (const StmtPtr& part : stmt.body) {
        auto steps = walk(*part, mask);
        while (steps.step()) co_yield 0;
        mask = steps.take();
        if (!chooses) continue;
        out |= mask;
        mask = std::exchange(others, 0u);
    }
    out |= mask;
    if (chooses) meet(stmt.at, out & first, out);
    co_return out;
}

void WarpExecutor::declare(const Stmt& stmt, std::uint32_t mask) {
    const Symbol& symbol = unit_.symbol(stmt.symbol);
    if (symbol.storage == Storage::local) {
        OwnArray& array = own_array(stmt.symbol);
        for (std::size_t i = 0; i < array.size(); ++i) {
            Lanes value = Lanes::uniform(i < symbol.initial.size() ? symbol.initial[i] : 0);
            if (symbol.initial.empty() || is_floating(symbol.type.scalar)) value.known = 0;
            choose(array[i], value, mask, true);
        }
        return;
    }
    if (symbol.storage != Storage::variable) return;
    if (is_vector(stmt.symbol))
        return set_components(stmt.symbol, stmt.condition ? components_of(*stmt.condition, mask) : OwnArray(),
                              mask, true);
    Lanes& variable = variables_[stmt.symbol];
    if (stmt.condition)
        choose(variable, to_variable(stmt.symbol, evaluate(*stmt.condition, mask)), mask, true);
    else
        variable.known &= ~mask;
}

std::optional<std::uint32_t> WarpExecutor::branch(const Stmt& stmt, std::uint32_t mask) {
    joined_[0] = joined_[1] = false;
    const Lanes truth = evaluate(*stmt.condition, mask);
    const bool has_else = stmt.body.size() > 1;
    if (joined_[1] || (joined_[0] && has_else)) parted_.insert(stmt.at);
    if ((truth.known & mask) != mask) {
        for (const StmtPtr& part : stmt.body)
            if (!only_assigns(*part)) assumed_.insert(stmt.condition->at);
        const auto way = [&](std::size_t i) {
            return [this, &stmt, mask, i] {
                if (i < stmt.body.size()) execute(*stmt.body[i], mask);
            };
        };
        perhaps(mask, true, {way(0), way(1)});
        return std::nullopt;
    }
    return lanes_where(*stmt.condition, mask, truth);
}

void WarpExecutor::keep(int symbol, std::size_t slot) {
    if (poison_ > 0) kept_numbers_.back().try_emplace({symbol, slot}, number_at(symbol, slot));
}

void WarpExecutor::perhaps(std::uint32_t mask, bool once, std::initializer_list<std::function<void()>> ways) {
    Numbers changed;
    for (const std::function<void()>& way : ways) {
        ++poison_;
        kept_numbers_.emplace_back();
        way();
        --poison_;
        Numbers before = std::move(kept_numbers_.back());
        kept_numbers_.pop_back();
        for (auto& [place, number] : before) {
            if (place.second > arrays_[place.first].size()) continue;  // of a round that was taken back
            Lanes& now = number_at(place.first, place.second);
            changed.insert_or_assign(place, now);
            now = std::move(number);
        }
    }
    for (const auto& [place, number] : changed) {
        keep(place.first, place.second);
        Lanes& now = number_at(place.first, place.second);
        if (now.memory < 0 || now.known == 0) now = number;  // a pointer goes on pointing somewhere
        now.assumed = once && !now.moves() ? now.numbers() & mask : 0;
        now.known &= ~mask;
    }
}

InSteps<std::uint32_t> WarpExecutor::loop(const Stmt& stmt, std::uint32_t mask) {
    // So many rounds go first: most loops are short, and first rounds often differ from the others.
    constexpr std::int64_t kFirstLeap = 6;
    constexpr int kMostInVain = 3;
    constexpr std::int64_t kEndless = std::int64_t{1} << 31, kStepsOfAPiece = 250;
    const std::uint32_t outer_left = std::exchange(left_, 0u), outer_next = std::exchange(next_, 0u);
    const std::optional<Position> outer_loop = std::exchange(loop_, stmt.at);
    const int outer_poison = std::exchange(loop_poison_, poison_);
    const bool outer_may_leave = std::exchange(may_leave_, false);
    const bool endless = !stmt.condition || fold(unit_, *stmt.condition).value_or(0) != 0;
    if (stmt.init) mask = execute(*stmt.init, mask);
    std::uint32_t running = mask, done = 0;
    bool check = stmt.check_first;
    std::int64_t rounds = 0, leaps_at = kFirstLeap;
    std::optional<Beginning> before;
    const Stmt& body = *stmt.body.front();
    const bool nested = has_loop(body);
    while (running != 0) {
        count_step(stmt.at);
        if (steps_ >= pause_at_) {
            pause_at_ = steps_ + kStepsOfAPiece;
            co_yield 0;
        }
        if (rounds + 1 >= leaps_at && check && rounds_ == 1 && bound_.leaps) {
            if (rounds + 1 == leaps_at && hopeless_[&stmt] < kMostInVain) {
                before = beginning(running);
            } else if (before) {
                auto leaping = leap(stmt, *before, running);
                while (leaping.step()) co_yield 0;
                const std::int64_t leapt = leaping.take();
                rounds += leapt;
                if (rounds > kEndless) refuse_steps(stmt.at);
                before.reset();
                leaps_at = leapt > 0 ? rounds + kFirstLeap : leaps_at * kFirstLeap;
            }
        }
        if (check && stmt.condition) {
            const Lanes truth = evaluate(*stmt.condition, running);
            if ((truth.known & running) != running) {  // once, and no more
                if (rounds == 0)
                    perhaps(running, false, {[&] {
                                execute(body, running);
                                if (stmt.step) evaluate(*stmt.step, running);
                            }});
                assumed_.insert(stmt.condition->at);
                uncertain_ = true;
                done |= running;
                break;
            }
            const std::uint32_t yes = lanes_where(*stmt.condition, running, truth);
            meet(stmt.at, yes, running);
            done |= running & ~yes;
            running = yes;
            if (running == 0) break;
        }
        check = true;
        ++rounds;
        std::uint32_t behind = 0;
        if (nested) {
            auto round = walk(body, running);
            while (round.step()) co_yield 0;
            behind = round.take();
        } else {
            behind = execute(body, running);
        }
        const std::uint32_t early = std::exchange(next_, 0u), left = std::exchange(left_, 0u);
        if ((behind != 0) + (early != 0) + (left != 0) > 1) parted_.insert(stmt.at);
        running = behind | early;
        done |= left;
        if (endless && may_leave_) {  // whether it goes on is not known: once, and no more
            assumed_.insert(stmt.at);
            done |= running;
            break;
        }
        if (stmt.step && running != 0) evaluate(*stmt.step, running);
    }
    may_leave_ = outer_may_leave;
    left_ = outer_left;
    next_ = outer_next;
    loop_ = outer_loop;
    loop_poison_ = outer_poison;
    co_return done;
}

}  // namespace warplens::typed
