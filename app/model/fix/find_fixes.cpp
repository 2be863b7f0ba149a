#include "app/model/fix/find_fixes.h"

#include "app/model/fix/kernel_excess.h"

#include <algorithm>
#include <cassert>
#include <cctype>
#include <cstdlib>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

namespace warplens {
namespace {

/// A set of the question's knobs: bit i for the i-th.
using KnobSet = unsigned;

constexpr bool contains(KnobSet set, KnobSet part) { return (set & part) == part; }

/// One value of a knob, and how far it is from the present one.
struct Move {
    int value, steps;
};

/// The values other than the present one, the nearest first.
std::vector<Move> moves_of(const Knob& knob, const Params& params) {
    std::vector<Move> moves;
    const int now = params.*knob.field;
    for (const int value : axis_values(without_limit(knob), params))
        if (value != now) moves.push_back({value, steps_apart(knob, now, value)});
    std::ranges::stable_sort(moves, {}, &Move::steps);
    return moves;
}

/// A candidate and what decides between two that change the same knobs. Those that are as near to the ideal
/// with as small a change are all kept.
struct FixCandidate {
    Params params;
    std::int64_t excess = 0;
    int steps = 0;
    std::int64_t shared_bytes = 0;
    std::int64_t cost = 0;
    std::array<int, kMostFixKnobs> values{};  ///< of the question's knobs, so that no two are equal

    auto size() const { return std::tie(excess, steps); }
    auto order() const { return std::tie(excess, steps, shared_bytes, cost, values); }
};

class Search {
public:
    Search(const FixQuestion& question, const DeviceFacts& device)
        : question_(question), device_(device), excess_(question, device) {
        for (const Knob* knob : question.knobs) moves_.push_back(moves_of(*knob, question.params));
        result_.now = cost_of_all(question_.params);
        result_.shared_bytes = question_.scenario->launch(question_.params).shared_bytes;
        result_.combinations = count_combinations(question_) - 1;
        best_ = result_.now.excess() - 1;
    }

    bool goes_on() const { return best_ >= 0; }

    /// Begin with a set of knobs. @return  whether there is anything to try
    bool begin(KnobSet set) {
        set_ = set;
        limit_ = best_;
        for (const auto& [part, equals] : found_)
            if (contains(set, part)) limit_ = std::min(limit_, equals.front().excess - 1);
        of_set_.clear();
        path_.clear();
        if (limit_ >= 0) path_.push_back({next_in_set(0), 0, question_.params});
        return limit_ >= 0;
    }

    /// Go on giving the knobs of the set all their values. @return  whether there is more to try
    bool try_some() {
        StepClock clock;
        while (!path_.empty()) {
            Choosing& last = path_.back();
            const std::vector<Move>& moves = moves_[last.knob];
            // The nearest come first, so none that follows is a smaller change.
            if (last.next == moves.size() || (!of_set_.empty() && of_set_[0].excess == 0 &&
                                              last.steps + moves[last.next].steps > of_set_[0].steps)) {
                path_.pop_back();
                continue;
            }
            const Move& move = moves[last.next++];
            Choosing further{next_in_set(last.knob + 1), last.steps + move.steps, last.params};
            further.params.*question_.knobs[last.knob]->field = move.value;
            if (further.knob < moves_.size())
                path_.push_back(further);
            else
                consider(further.params, further.steps);
            if (clock.is_up()) return true;
        }
        return false;
    }

    void end_set() {
        if (of_set_.empty()) return;
        best_ = std::min(best_, of_set_.front().excess);
        std::ranges::sort(of_set_, {}, &FixCandidate::order);
        level_.emplace(set_, of_set_);
    }

    /// After all sets of so many knobs those are kept that come as near to the ideal as any.
    void end_level() {
        for (auto& [set, equals] : level_)
            if (equals.front().excess == best_) found_.emplace(set, std::move(equals));
        level_.clear();
    }

    FixSearch result() {
        result_.counted = excess_.counted();
        for (const auto& [set, equals] : found_)
            for (const FixCandidate& one : equals) result_.fixes.push_back(fix_of(set, one));
        std::ranges::stable_sort(result_.fixes, {}, [](const Fix& fix) {
            return std::tuple(fix.cost.excess(), fix.changed.size(), fix.steps, fix.shared_bytes,
                              fix.cost.cost());
        });
        return std::move(result_);
    }

private:
    /// Values of the knobs up to one, while that one gets all of its own.
    struct Choosing {
        std::size_t knob;
        int steps;  ///< of the knobs before
        Params params;
        std::size_t next = 0;  ///< of its moves
    };
    std::size_t next_in_set(std::size_t knob) const {
        while (knob < moves_.size() && (set_ >> knob & 1u) == 0) ++knob;
        return knob;
    }

    void consider(const Params& params, int steps) {
        for (std::size_t k = 0; k < moves_.size(); ++k)
            if ((set_ >> k & 1u) != 0 && !why_idle(*question_.knobs[k], params).empty()) return;
        const std::optional<Params> there = with_access(*question_.scenario, params, {});
        if (!there) return;
        FixCandidate one{.params = *there,
                         .steps = steps,
                         .shared_bytes = question_.scenario->launch(*there).shared_bytes};
        for (std::size_t k = 0; k < moves_.size(); ++k) one.values[k] = params.*question_.knobs[k]->field;
        // A setting that could not replace the known one need not be counted to the end.
        std::int64_t limit = limit_;
        if (!of_set_.empty()) limit = std::min(limit, of_set_.front().excess);
        const std::optional<std::int64_t> excess = excess_.of(*there, limit);
        if (!excess) return;
        one.excess = *excess;
        if (!of_set_.empty() && one.size() > of_set_.front().size()) return;
        if (excess_.asks_for_less(*there)) return;
        one.cost = cost_of_all(*there).cost();
        if (one.cost >= result_.now.cost()) return;
        if (!of_set_.empty() && one.size() < of_set_.front().size()) of_set_.clear();
        of_set_.push_back(one);
    }

    KernelCost cost_of_all(const Params& params) const {
        KernelCost sum;
        for (const Params& access : excess_.accesses(params))
            add_kernel(sum, *question_.scenario, access, device_);
        return sum;
    }

    Fix fix_of(KnobSet set, const FixCandidate& one) const {
        Fix fix{.params = one.params,
                .changed = {},
                .steps = one.steps,
                .cost = cost_of_all(one.params),
                .shared_bytes = one.shared_bytes};
        for (std::size_t k = 0; k < question_.knobs.size(); ++k)
            if ((set >> k & 1u) != 0) fix.changed.push_back(question_.knobs[k]);
        return fix;
    }

    const FixQuestion& question_;
    const DeviceFacts& device_;
    KernelExcess excess_;
    std::vector<std::vector<Move>> moves_;  ///< by knob
    FixSearch result_;
    std::int64_t best_ = 0;  ///< the least excess with as few knobs as are tried now
    std::map<KnobSet, std::vector<FixCandidate>> found_;  ///< those of fewer knobs; none is empty
    std::map<KnobSet, std::vector<FixCandidate>> level_;  ///< those of as many knobs as are tried now
    // The set that is tried now:
    KnobSet set_ = 0;
    std::vector<Choosing> path_;
    std::int64_t limit_ = 0;            ///< the most that a fix may take beyond the ideal
    std::vector<FixCandidate> of_set_;  ///< all of one size
};

/// Whether the values of a knob stand in an order: all numbers, also where one is a word ("none", "32",
/// "64").
bool has_order(const Knob& knob) {
    return knob.kind != KnobKind::choice || std::ranges::any_of(knob.choices, [](const Choice& choice) {
               return std::isdigit(static_cast<unsigned char>(choice.name.front())) != 0;
           });
}

}  // namespace

std::int64_t count_combinations(const FixQuestion& question) {
    std::int64_t all = 1;
    for (const Knob* knob : question.knobs) {
        const auto values = std::ssize(axis_values(without_limit(*knob), question.params));
        all = all > kMostCombinations ? all : all * values;
    }
    return all;
}

InSteps<FixSearch> find_fixes(FixQuestion question, DeviceFacts device) {
    assert(question.knobs.size() <= kMostFixKnobs && count_combinations(question) <= kMostCombinations);
    Search search(question, device);
    const auto knobs = int(question.knobs.size());
    const KnobSet all = 1u << knobs;
    double tried = 0;
    for (int size = 1; size <= knobs && search.goes_on(); ++size) {
        for (KnobSet set = 1; set < all; ++set) {
            if (std::popcount(set) != size) continue;
            ++tried;
            if (!search.begin(set)) continue;
            while (search.try_some()) co_yield tried / all;
            search.end_set();
        }
        search.end_level();
    }
    co_return search.result();
}

std::optional<Params> with_access(const Scenario& scenario, const Params& params,
                                  std::span<const KnobValue> access) {
    Params set = params;
    for (const KnobValue& one : access) set.*one.knob->field = one.value;
    Params clamped = set;
    clamp_knobs(scenario, clamped);
    return same_work(scenario, clamped, set) ? std::optional(clamped) : std::nullopt;
}

int steps_apart(const Knob& knob, int a, int b) {
    if (!has_order(knob)) return a == b ? 0 : 1;
    if (knob.kind != KnobKind::choice) return std::abs(a - b);
    const auto place = [&](int value) { return std::ranges::find(knob.choices, value, &Choice::value); };
    return int(std::abs(place(a) - place(b)));
}

}  // namespace warplens
