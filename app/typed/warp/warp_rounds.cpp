#include "app/typed/warp/warp_executor.h"

#include <algorithm>
#include <utility>

namespace warplens::typed {
namespace {

/// Keeps the requests of one round.
class OneRound final : public WarpVisitor {
public:
    void visit(const WarpRequest& one) override {
        rounds.requests.push_back({&one.element, one.memory, one.store, one.atomic, one.active, one.offsets,
                                   one.interval, one.warp_interval, one.assumed});
    }
    void visit_rounds(const WarpRounds&) override {}  // none are within others
    WarpRounds rounds;
};

/// The number by which all running lanes grew in a round. Empty if there is none, or if something else
/// changed.
std::optional<std::int64_t> growth(const Lanes& before, const Lanes& now, std::uint32_t running) {
    const std::uint32_t lanes = now.known & running;
    if (before.known != now.known || before.memory != now.memory || !before.moves_like(now))
        return std::nullopt;
    if (lanes == 0) return 0;
    const int first = std::countr_zero(lanes);
    const std::int64_t grew = Lanes::multiply_add(before.of(first), -1, now.of(first));
    for (const int lane : LaneRange{now.known}) {
        const bool runs = (running >> lane & 1u) != 0;
        if (Lanes::multiply_add(before.of(lane), -1, now.of(lane)) != (runs ? grew : 0)) return std::nullopt;
    }
    // Lanes that wait keep what they have.
    if (grew != 0 && (now.known & ~running) != 0) return std::nullopt;
    return grew;
}

}  // namespace

WarpExecutor::Beginning WarpExecutor::beginning(std::uint32_t running) const {
    return {.variables_ = variables_,
            .arrays_ = arrays_,
            .result = result_,
            .result_fresh = result_fresh_,
            .in_call = in_call_,
            .live = live_,
            .running = running,
            .interval = interval_,
            .warp_interval = warp_interval_,
            .poison = poison_,
            .loop_poison = loop_poison_,
            .call_poison = call_poison_,
            .call_depth = call_depth_,
            .loop = loop_,
            .requests = requests_,
            .arithmetic = arithmetic_};
}

void WarpExecutor::begin_again(const Beginning& beginning) {
    variables_ = beginning.variables_;
    arrays_ = beginning.arrays_;
    result_ = beginning.result;
    result_fresh_ = beginning.result_fresh;
    in_call_ = beginning.in_call;
    live_ = beginning.live;
    interval_ = beginning.interval;
    warp_interval_ = beginning.warp_interval;
    loop_poison_ = beginning.loop_poison;
    call_poison_ = beginning.call_poison;
    call_depth_ = beginning.call_depth;
    loop_ = beginning.loop;
    requests_ = beginning.requests;
    arithmetic_ = beginning.arithmetic;
    poison_ = beginning.poison;
    kept_numbers_.resize(std::size_t(poison_));
    left_ = next_ = 0;
}

/// Calls visit(one, other) for the variables and array elements of two states; those that the others have.
template <class State, class Visit>
void WarpExecutor::each_number(State& of, const Visit& visit, const Beginning& others) {
    for (std::size_t i = 0; i < of.variables_.size(); ++i) visit(of.variables_[i], others.variables_[i]);
    for (std::size_t i = 0; i < of.arrays_.size(); ++i)
        for (std::size_t k = 0; k < others.arrays_[i].size(); ++k)
            visit(of.arrays_[i][k], others.arrays_[i][k]);
}

InSteps<bool> WarpExecutor::execute_rounds(const Stmt& stmt, std::uint32_t running) {
    if (stmt.condition) {
        const Lanes truth = evaluate(*stmt.condition, running);
        if ((truth.known & running) != running || lanes_where(*stmt.condition, running, truth) != running)
            co_return false;
    }
    const std::uint32_t live = live_;
    auto round = walk(*stmt.body.front(), running);
    while (round.step()) co_yield 0;
    const std::uint32_t behind = round.take() | std::exchange(next_, 0u);
    if (behind != running || left_ != 0 || live_ != live) co_return false;
    if (stmt.step) evaluate(*stmt.step, running);
    co_return true;
}

/// That the next round does as the last one does not mean that all do. So it is supposed that each variable
/// grows by as much in each round as in the last one, and one round is executed for all of them at once: any
/// condition, address or number that is not the same in all of them, or does not move evenly, ends it. If
/// behind that round each variable is what was supposed of the next one, it is so in all rounds.
InSteps<std::int64_t> WarpExecutor::leap(const Stmt& stmt, const Beginning& before, std::uint32_t running) {
    constexpr std::int64_t kMostRounds = 1 << 30, kLeastRounds = 4;
    constexpr int kMostTries = 24;
    const Beginning now = beginning(running);
    if (before.running != running || before.live != live_) co_return 0;
    Beginning last = before;
    for (std::size_t i = 0; i < arrays_.size(); ++i)  // that the last round declared
        if (last.arrays_[i].size() != arrays_[i].size()) last.arrays_[i] = arrays_[i];
    Growths grows;  // empty: it may have any value when a round begins
    each_number(
        now, [&](const Lanes& is, const Lanes& was) { grows.push_back(growth(was, is, running)); }, last);
    const auto assumed = assumed_, parted = parted_;
    OneRound round;
    WarpVisitor* const visitor = std::exchange(visitor_, &round);
    std::int64_t rounds = kMostRounds, done = 0;
    for (int tried = 0; tried < kMostTries && rounds >= kLeastRounds; ++tried) {
        begin_again(now);
        round.rounds.requests.clear();
        auto grow = grows.begin();
        each_number(
            *this,
            [&](Lanes& one, const Lanes&) {
                if (*grow)
                    one.per_round = **grow;
                else
                    one.known &= ~running;
                ++grow;
            },
            now);
        rounds_ = rounds;
        try {
            auto all = execute_rounds(stmt, running);
            while (all.step()) co_yield 0;
            if (all.take() && assumed_.size() == assumed.size() && are_as_supposed(now, grows)) done = rounds;
            break;
        } catch (const RoundsCut& cut) {
            rounds = std::min(cut.at, rounds - 1);
        } catch (const SourceError& error) {
            if (error.kind() == SourceError::Kind::too_much) throw;
            break;  // if it is one, the next round meets it
        }
    }
    rounds_ = 1;
    visitor_ = visitor;
    if (done == 0) {
        begin_again(now);
        assumed_ = assumed;
        parted_ = parted;
        ++hopeless_[&stmt];
        co_return 0;
    }
    each_number(
        *this, [&](Lanes& one, const Lanes&) { one.settle_in(done - 1); }, now);
    arithmetic_ += (arithmetic_ + now.arithmetic * -1) * double(done - 1);
    round.rounds.count = done;
    round.rounds.intervals = interval_ - now.interval;
    round.rounds.warp_intervals = warp_interval_ - now.warp_interval;
    interval_ = now.interval + int(done) * round.rounds.intervals;
    warp_interval_ = now.warp_interval + int(done) * round.rounds.warp_intervals;
    visitor_->visit_rounds(round.rounds);
    co_return done;
}

bool WarpExecutor::are_as_supposed(const Beginning& now, const Growths& grows) {
    bool all = true;
    auto grow = grows.begin();
    each_number(
        *this,
        [&](const Lanes& is, const Lanes& was) {
            const std::optional<std::int64_t> grew = *grow++;
            all = all && (was.known & ~is.known) == 0;
            if (!all || !grew || was.known == 0) return;
            all = was.memory == is.memory && was.per_x == is.per_x && was.per_y == is.per_y &&
                  is.per_round == *grew;
            for (const int lane : LaneRange{all ? was.known : 0})
                all = all && Lanes::multiply_add(was.of(lane), 1, *grew) == is.of(lane);
        },
        now);
    return all;
}

}  // namespace warplens::typed
