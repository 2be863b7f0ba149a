#include "app/learn/fixes.h"

#include "app/boards/access/kernel_verdict.h"
#include "app/experiment/evidence.h"
#include "app/learn/fix_numbers.h"
#include "app/learn/fix_text.h"
#include "app/pictures/access/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace warplens {
namespace {

/// "Variant padded is as small a change." Of the fixes that are equal to the first one.
std::string equals_of(const FixSearch& search) {
    const auto size = [](const Fix& fix) {
        return std::tuple(fix.cost.excess(), fix.changed.size(), fix.steps);
    };
    std::string text;
    std::size_t count = 0;
    for (std::size_t i = 1; i < search.fixes.size() && size(search.fixes[i]) == size(search.fixes[0]); ++i)
        if (++count <= 2)
            text += (count == 1 ? "" : " and ") + knobs_text(search.fixes[i].changed, search.fixes[i].params);
    if (count > 2) return fmt::format(" {} others are as small a change.", count);
    return count == 0 ? ""
                      : fmt::format(" {} {} as small {}.", text, count == 1 ? "is" : "are",
                                    count == 1 ? "a change" : "changes");
}

/// The reason why the accesses of a setting take more than the ideal, of the access that takes most.
Explanation reason_of(const Setting& setting, const std::vector<DeviceFacts>& devices,
                      const std::vector<Params>& accesses) {
    Setting worst = setting;
    std::int64_t most = -1;
    for (const Params& params : accesses) {
        KernelCost cost;
        add_kernel(cost, *setting.scenario, params, devices[setting.device]);
        if (cost.excess() <= most) continue;
        most = cost.excess();
        worst.params = params;
    }
    const Evidence evidence = gather_evidence(worst, devices);
    const std::size_t k = worst_instruction(evidence);
    Explanation e = explain(view_of(evidence, int(k)), evidence.tiles[k]);
    e.verdict = fmt::format("{}: {}", evidence.report.instructions[k].instruction.label, e.verdict);
    return e;
}

/// "128 to 2 wavefronts" in all, of everything.
std::string all_text(const KernelCost& cost) {
    std::string text;
    for (const Cost& one : cost.sums)
        text += fmt::format("{}{} {}", text.empty() ? "" : " and ", format_count(one.cost), one.words.name);
    return text;
}

/// Says so if requests are too large for one wavefront or sector. Empty if they are not.
std::string size_of_requests(const Scenario& scenario, const Params& params, const DeviceFacts& device) {
    for (const InstructionReport& row : pictured_requests(scenario, params, device)) {
        const int bytes = row.instruction.bytes_per_lane;
        if (row.instruction.space != Space::shared || row.warp.wavefronts < 2) continue;
        return fmt::format(
            " {} of one request cannot be fewer: its lanes request {}, and the banks deliver {} bytes in one.",
            counted(row.warp.wavefronts, "wavefront"),
            row.instruction.op == Op::load_matrix ? "matrices of 128 bytes"
                                                  : fmt::format("{} bytes each", bytes),
            device.bank_rules.banks * 4);
    }
    return {};
}

std::string names_of(const std::vector<const Knob*>& knobs) {
    std::string text;
    for (std::size_t i = 0; i < knobs.size(); ++i)
        text += fmt::format("{}{}", i == 0 ? "" : i + 1 == knobs.size() ? " and " : ", ", knobs[i]->label);
    return text;
}

/// Says what was tried without finding anything, and which knobs have no effect at all.
std::string tried_text(const FixQuestion& question, const FixSearch& search) {
    std::string text = fmt::format(" All {} other settings of {} take as much beyond the ideal, or more.",
                                   format_count(search.combinations), names_of(question.knobs));
    for (const Knob* knob : question.knobs)
        if (const std::string_view why = why_idle(*knob, question.params); !why.empty())
            text += fmt::format(" {}: {}", knob->label, why);
    return text;
}

/// Of an array in the host's memory the time is decided by the way that it comes: the ways that are predicted
/// to be faster, the fastest first.
std::vector<FixAnswer> faster_ways(const Takes& takes, const FixQuestion& question, const DeviceFacts& device,
                                   Provenance kind) {
    constexpr double kClearly = 0.9;  // of the time
    const Scenario& scenario = *question.scenario;
    const auto taken = [&](const Params& params) {
        KernelCost cost;
        add_kernel(cost, scenario, params, device);
        return takes.of(params, std::move(cost));
    };
    const SettingCost now = taken(question.params);
    std::vector<FixAnswer> faster;
    for (const Knob* knob : question.knobs) {
        for (const int value : axis_values(without_limit(*knob), question.params)) {
            const KnobValue way[] = {{knob, value}};
            const std::optional<Params> there = with_access(scenario, question.params, way);
            if (!there || !does_not_fit(scenario, *there, device).empty()) continue;
            FixAnswer answer = answer_of(*there, knobs_text({knob}, *there), now, taken(*there), kind);
            const FixAnswer::Number* time = answer.number("predicted_time");
            if (time == nullptr || time->b.amount.value_or(0) >= time->a.amount.value_or(0) * kClearly)
                continue;
            answer.gain = fmt::format("{} to {}, predicted", time->a.text, time->b.text);
            faster.push_back(std::move(answer));
        }
    }
    std::ranges::stable_sort(
        faster, {}, [](const FixAnswer& one) { return one.number("predicted_time")->b.amount.value_or(0); });
    return faster;
}

/// Why there is nothing to search for. No verdict if there is.
Explanation nothing_to_search(const FixQuestion& question, std::size_t remedies) {
    const Scenario& scenario = *question.scenario;
    if (remedies == 0 && scenario.typed != nullptr)
        return {.verdict = "No change of the text that is tried here fixes it.",
                .why =
                    "Longer rows of arrays in shared memory are, threadIdx.x and .y exchanged, and loads of "
                    "neighbours by a thread joined."};
    if (remedies == 0)
        return {.verdict = "No parameter here is a remedy.",
                .why = fmt::format("All parameters of {} say what is to be done, not how.",
                                   scenario.info->title)};
    if (question.knobs.empty())
        return {.verdict = "Nothing may change.", .why = "Choose at least one parameter that may."};
    if (count_combinations(question) > kMostCombinations || question.knobs.size() > kMostFixKnobs)
        return {.verdict = fmt::format("More than {} settings are too many to try.",
                                       format_count(kMostCombinations)),
                .why = "Let fewer parameters change."};
    return {};
}

/// @param report  of the setting, by the rules of its device in the table
InSteps<Fixes> find_for(Setting setting, std::vector<DeviceFacts> table, FixChoice choice, Report report) {
    const Scenario& scenario = *setting.scenario;
    const DeviceFacts& device = table[setting.device];
    FixQuestion question{&scenario, setting.params, {}, choice.also};
    const std::vector<const Knob*> remedies = knobs_of(scenario, KnobRole::remedy);
    std::ranges::copy_if(remedies, std::back_inserter(question.knobs), [&](const Knob* knob) {
        return std::ranges::find(choice.kept, knob) == choice.kept.end();
    });
    std::erase_if(question.also,
                  [&](const auto& also) { return !with_access(scenario, setting.params, also); });
    Fixes fixes{.knobs = question.knobs};
    if (!report.does_not_fit.empty()) {
        fixes.words = {.verdict = report.does_not_fit, .why = "What cannot run has nothing to fix."};
        co_return fixes;
    }
    const Takes takes(setting, table, question);
    KernelCost cost;
    for (const Params& access : takes.accesses(setting.params)) {
        co_yield 0;
        add_kernel(cost, scenario, access, device);
    }
    co_yield 0;
    if (scenario.info->time == TimeModel::host) {
        fixes.answers = faster_ways(takes, question, device, report.kind);
        if (!fixes.answers.empty()) {
            const FixAnswer& first = fixes.answers.front();
            fixes.next = 0;
            fixes.words = {.verdict = fmt::format("{} is faster: {}.", first.change, first.gain),
                           .why = "What takes the time is the way from the host's memory to the GPU."};
            co_return fixes;
        }
    }
    if (cost.excess() == 0) {
        fixes.words = {
            .verdict = "Every access is at its ideal: nothing needs a fix.",
            .why = cost.sums.empty() || cost.cost() == 0
                       ? std::string("No memory is accessed.")
                       : fmt::format("The whole grid takes {}, and no other layout of the same "
                                     "requests takes fewer.{}",
                                     all_text(cost), size_of_requests(scenario, setting.params, device)),
            .good = true};
        co_return fixes;
    }
    fixes.words = nothing_to_search(question, remedies.size());
    const SettingCost now = takes.of(setting.params, cost);
    FixSearch search;
    if (fixes.words.verdict.empty()) {
        auto steps = find_fixes(question, device);
        while (steps.step()) co_yield steps.how_far();
        search = steps.take();
        fixes.combinations = search.combinations;
        fixes.counted = search.counted;
    }
    for (const Fix& fix : search.fixes) {
        co_yield 1;
        fixes.answers.push_back(answer_of(fix.params, knobs_text(fix.changed, fix.params), now,
                                          takes.of(fix.params, fix.cost), report.kind));
    }
    if (scenario.typed != nullptr && question.also.empty()) {
        auto text = fix_text(setting, table, now, report.kind);
        while (text.step()) co_yield text.how_far();
        std::ranges::move(text.take(), std::back_inserter(fixes.answers));
        std::stable_partition(fixes.answers.begin(), fixes.answers.end(),
                              [](const FixAnswer& one) { return one.ideal; });
    }
    const auto next = std::ranges::find(fixes.answers, false, &FixAnswer::slower);
    if (next != fixes.answers.end()) fixes.next = int(next - fixes.answers.begin());
    co_yield 1;
    if (fixes.answers.empty()) {
        const Explanation reason = reason_of(setting, table, takes.accesses(setting.params));
        if (fixes.words.verdict.empty())
            fixes.words = {
                .verdict = "Nothing that may change here fixes it.",
                .why = fmt::format("{} {}{}", reason.verdict, reason.why, tried_text(question, search))};
        else
            fixes.words.why += fmt::format(" {} {}", reason.verdict, reason.why);
        co_return fixes;
    }
    const FixAnswer& first = fixes.answers.front();
    if (first.ideal) {
        fixes.words = {.verdict = fmt::format("{} makes every access ideal: {}{}.{}", first.change,
                                              first.gain, gain_is_of(now), equals_of(search)),
                       .good = true};
        co_return fixes;
    }
    if (!first.text.empty()) {
        fixes.words = {.verdict = fmt::format("{}: {}{}.", first.change, first.gain, gain_is_of(now)),
                       .why = "It does not make every access ideal."};
        co_return fixes;
    }
    const Explanation left = reason_of(setting, table, takes.accesses(first.params));
    fixes.words = {.verdict = fmt::format("Nothing makes every access ideal. {} comes nearest: {}{}.{}",
                                          first.change, first.gain, gain_is_of(now), equals_of(search)),
                   .why = fmt::format("What is left then: {} {}", left.verdict, left.why)};
    co_return fixes;
}

}  // namespace

InSteps<Fixes> find_fixes(Setting setting, std::vector<DeviceFacts> table, FixChoice choice) {
    set_bank_mode(table, setting.bank_mode);
    if (const TypedKernel* typed = setting.scenario->typed) {
        auto looking = typed->look_for_race(setting.params);
        while (looking.step()) co_yield 0;
    }
    const Report report = analyze(*setting.scenario, setting.params, table[setting.device]);
    auto finding = find_for(setting, table, std::move(choice), report);
    while (finding.step()) co_yield finding.how_far();
    Fixes fixes = finding.take();
    if (report.fault != Fault::none) {
        std::string others = "Mend this first; no layout does.";
        for (const std::string& words : {fixes.words.verdict, fixes.words.why})
            if (!fixes.answers.empty() && !words.empty()) others += " " + words;
        fixes.words.verdict = report.fault_words;
        fixes.words.why = std::move(others);
        fixes.words.good = false;
    }
    co_return fixes;
}

}  // namespace warplens
