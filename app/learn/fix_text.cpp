#include "app/learn/fix_text.h"

#include "app/experiment/typed_kernel.h"
#include "app/learn/fix_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <span>
#include <utility>

namespace warplens {
namespace {

/// The lines in which two texts of equally many lines differ.
std::vector<FixAnswer::Line> other_lines(std::string_view before, std::string_view after) {
    std::vector<FixAnswer::Line> lines;
    for (int number = 1; !before.empty(); ++number) {
        const auto [was, rest] = split_once(before, "\n");
        const auto [is, rest_after] = split_once(after, "\n");
        if (was != is) lines.push_back({number, std::string(was), std::string(is)});
        before = rest;
        after = rest_after;
    }
    return lines;
}

/// Tries changes of a typed kernel's text, and counts what they bring.
class TextSearch {
public:
    TextSearch(const Setting& setting, const std::vector<DeviceFacts>& devices, const KernelCost& now)
        : setting_(setting), devices_(devices), now_(now) {}

    /// The change of each part that brings most, and all of them together, the best first.
    InSteps<std::vector<FixAnswer>> answers(SettingCost now, Provenance kind) {
        std::vector<Tried> best;
        for (typed::TextFix& fix : typed::text_fixes(*setting_.scenario, setting_.params)) {
            if (best.size() >= kMostParts) break;
            co_yield double(best.size()) / kMostParts;
            const bool first = best.empty() || best.back().fix.part != fix.part;
            if (!first && !fix_goes_on(best.back())) continue;
            auto trial = try_out(std::move(fix));
            while (trial.step()) co_yield double(best.size()) / kMostParts;
            Tried tried = trial.take();
            if (first)
                best.push_back(std::move(tried));
            else if (tried.excess < best.back().excess)
                best.back() = std::move(tried);
        }
        std::erase_if(best, [&](const Tried& one) { return one.excess >= now_.excess(); });
        std::ranges::stable_sort(best, {}, &Tried::excess);
        if (best.size() > 1) {
            typed::TextFix all = best.front().fix;
            for (const Tried& one : std::span(best).subspan(1)) {
                all.what += fmt::format(", {}", lower_first(one.fix.what));
                all.joins = all.joins || one.fix.joins;
                all.edits.insert(all.edits.end(), one.fix.edits.begin(), one.fix.edits.end());
            }
            auto trial = try_out(std::move(all));
            while (trial.step()) co_yield 1;
            Tried tried = trial.take();
            if (tried.excess < best.front().excess) best.insert(best.begin(), std::move(tried));
        }
        std::vector<FixAnswer> answers;
        for (const Tried& one : best) answers.push_back(answer(one, now, kind));
        co_return answers;
    }

private:
    static constexpr std::size_t kMostParts = 8;

    struct Tried {
        typed::TextFix fix;
        std::int64_t excess = std::numeric_limits<std::int64_t>::max();  ///< the most if it is no answer
        std::int64_t of_banks = 0;                                       ///< what of it is in shared memory
        std::string text = {};
        std::shared_ptr<const Scenario> kernel = {};
        Params params = {};
        KernelCost cost = {};
    };
    /// Longer rows of the same array may help where this one left conflicts.
    static bool fix_goes_on(const Tried& so_far) { return so_far.kernel == nullptr || so_far.of_banks > 0; }

    InSteps<Tried> try_out(typed::TextFix fix) const {
        Tried tried{std::move(fix)};
        const TypedKernel& before = *setting_.scenario->typed;
        tried.text = typed::edited(before.text(), tried.fix.edits);
        try {
            auto reading = try_kernel(tried.text, before.file());
            while (reading.step()) co_yield 0;
            tried.kernel = reading.take();
        } catch (const UsageError&) {  // such as an address that a longer row leaves unaligned
            co_return std::move(tried);
        }
        co_yield 0;
        tried.params = params_after_typing(*tried.kernel, *setting_.scenario, setting_.params);
        const DeviceFacts& device = devices_[setting_.device];
        auto counting = tried.kernel->typed->count_first(tried.params, device);
        while (counting.step()) co_yield 0;
        auto looking = tried.kernel->typed->look_for_race(tried.params);
        while (looking.step()) co_yield 0;
        if (!tried.kernel->typed->problem(tried.params).empty() ||
            !analyze(*tried.kernel, tried.params, device).does_not_fit.empty())
            co_return std::move(tried);
        co_yield 0;
        add_kernel(tried.cost, *tried.kernel, tried.params, device);
        const std::int64_t more = requests(tried.cost) - requests(now_);
        if (tried.fix.joins ? more >= 0 || ideal(tried.cost) > ideal(now_) : more != 0)
            co_return std::move(tried);  // it does something else
        tried.excess = tried.cost.excess();
        if (const Cost* banks = find_cost(tried.cost, "wavefronts")) tried.of_banks = banks->excess();
        co_return std::move(tried);
    }
    static std::int64_t ideal(const KernelCost& cost) { return cost.cost() - cost.excess(); }
    static std::int64_t requests(const KernelCost& cost) {
        std::int64_t all = 0;
        for (const Cost& one : cost.sums) all += one.requests;
        return all;
    }
    FixAnswer answer(const Tried& tried, const SettingCost& now, Provenance kind) const {
        Setting there = setting_;
        there.scenario = tried.kernel.get();
        there.params = tried.params;
        const FixQuestion question{there.scenario, there.params, {}, {}};
        FixAnswer answer = answer_of(setting_.params, tried.fix.what, now,
                                     Takes(there, devices_, question).of(there.params, tried.cost), kind);
        answer.text = tried.text;
        answer.lines = other_lines(setting_.scenario->typed->text(), tried.text);
        return answer;
    }

    const Setting& setting_;
    const std::vector<DeviceFacts>& devices_;
    const KernelCost& now_;
};

}  // namespace

InSteps<std::vector<FixAnswer>> fix_text(Setting setting, std::vector<DeviceFacts> devices, SettingCost now,
                                         Provenance kind) {
    TextSearch search(setting, devices, now.cost);
    auto answers = search.answers(now, kind);
    while (answers.step()) co_yield answers.how_far();
    co_return answers.take();
}

}  // namespace warplens
