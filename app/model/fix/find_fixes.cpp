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
    Search(const FixQuestion& question, const DeviceFacts& device, std::stop_token stop)
        : question_(question), device_(device), stop_(std::move(stop)), excess_(question, device) {
        for (const Knob* knob : question.knobs) moves_.push_back(moves_of(*knob, question.params));
    }

    FixSearch run() {
        const Scenario& scenario = *question_.scenario;
        result_.now = cost_of_all(question_.params);
        result_.shared_bytes = scenario.launch(question_.params).shared_bytes;
        result_.combinations = count_combinations(question_) - 1;
        best_ = result_.now.excess() - 1;
        const auto knobs = int(question_.knobs.size());
        for (int size = 1; size <= knobs && best_ >= 0 && !result_.stopped; ++size) try_sets_of(size);
        result_.counted = excess_.counted();
        if (result_.stopped) found_.clear();
        for (const auto& [set, equals] : found_)
            for (const FixCandidate& one : equals) result_.fixes.push_back(fix_of(set, one));
        std::ranges::stable_sort(result_.fixes, {}, [](const Fix& fix) {
            return std::tuple(fix.cost.excess(), fix.changed.size(), fix.steps, fix.shared_bytes,
                              fix.cost.cost());
        });
        return std::move(result_);
    }

private:
    /// All sets of so many knobs. Afterwards those of them are left that come as near to the ideal as any.
    void try_sets_of(int size) {
        std::map<KnobSet, std::vector<FixCandidate>> level;
        for (KnobSet set = 1; set < 1u << question_.knobs.size(); ++set) {
            if (std::popcount(set) != size) continue;
            set_ = set;
            limit_ = best_;
            for (const auto& [part, equals] : found_)
                if (contains(set, part)) limit_ = std::min(limit_, equals.front().excess - 1);
            if (limit_ < 0) continue;
            of_set_.clear();
            vary(0, 0, question_.params);
            if (result_.stopped) return;
            if (of_set_.empty()) continue;
            best_ = std::min(best_, of_set_.front().excess);
            std::ranges::sort(of_set_, {}, &FixCandidate::order);
            level.emplace(set, of_set_);
        }
        for (auto& [set, equals] : level)
            if (equals.front().excess == best_) found_.emplace(set, std::move(equals));
    }

    /// Gives the knobs of the set from this one on all their values.
    void vary(std::size_t knob, int steps, Params params) {
        while (knob < moves_.size() && (set_ >> knob & 1u) == 0) ++knob;
        if (knob == moves_.size()) return consider(params, steps);
        for (const Move& move : moves_[knob]) {
            // The nearest come first, so none that follows is a smaller change.
            if (!of_set_.empty() && of_set_[0].excess == 0 && steps + move.steps > of_set_[0].steps) return;
            params.*question_.knobs[knob]->field = move.value;
            vary(knob + 1, steps + move.steps, params);
            if (result_.stopped) return;
        }
    }

    void consider(const Params& params, int steps) {
        if (stop_.stop_requested()) result_.stopped = true;
        if (result_.stopped) return;
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
    std::stop_token stop_;
    KernelExcess excess_;
    std::vector<std::vector<Move>> moves_;  ///< by knob
    FixSearch result_;
    std::int64_t best_ = 0;  ///< the least excess with as few knobs as are tried now
    std::map<KnobSet, std::vector<FixCandidate>> found_;  ///< those of fewer knobs; none is empty
    // The set that is tried now:
    KnobSet set_ = 0;
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

FixSearch find_fixes(const FixQuestion& question, const DeviceFacts& device, std::stop_token stop) {
    assert(question.knobs.size() <= kMostFixKnobs && count_combinations(question) <= kMostCombinations);
    return Search(question, device, std::move(stop)).run();
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
