#include "app/learn/fixes.h"

#include "app/boards/access/kernel_verdict.h"
#include "app/boards/occupancy/occupancy_picture.h"
#include "app/experiment/evidence.h"
#include "app/experiment/quantities.h"
#include "app/experiment/typed_kernel.h"
#include "app/pictures/access/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <memory>
#include <span>
#include <tuple>
#include <utility>

namespace warplens {
namespace {

/// The cost of an instruction of one of the accesses over the whole grid.
struct InstructionCost {
    std::size_t access = 0;
    std::string label;  ///< "load tile, by columns"
    std::string name;   ///< without how it walks, which a change may change
    Cost cost;
};

/// One side of the numbers: what a setting takes with all accesses.
struct SettingCost {
    KernelCost cost;
    std::vector<InstructionCost> instructions;  ///< of all accesses, one access after the other
    std::int64_t shared_bytes = 0;
    Prediction prediction;  ///< of the setting's own access; its time is that of all of them
    std::optional<Occupancy> occupancy;
    Provenance occupancy_kind = Provenance::exact;
    std::string registers_from;
};

const Cost* find_cost(const KernelCost& cost, std::string_view name) {
    const auto found = std::ranges::find(cost.sums, name, [](const Cost& one) { return one.words.name; });
    return found == cost.sums.end() ? nullptr : &*found;
}

std::string per_request(const Cost& one) {
    return one.requests == 0 ? "0" : fmt::format("{:.3g}", double(one.cost) / double(one.requests));
}

/// Makes numbers of settings that differ from one in nothing but remedies.
class Takes {
public:
    Takes(const Setting& setting, const std::vector<DeviceFacts>& devices, const FixQuestion& question)
        : setting_(setting), devices_(devices), question_(question) {}

    SettingCost of(const Params& params, KernelCost cost) const {
        const Scenario& scenario = *setting_.scenario;
        SettingCost taken{.cost = std::move(cost), .shared_bytes = scenario.launch(params).shared_bytes};
        const std::vector<Params> all = accesses(params);
        for (std::size_t i = 0; i < all.size(); ++i) {
            const Params& access = all[i];
            add_instructions(taken.instructions, i, access);
            const Prediction one = predict(scenario, access, devices_[setting_.device], setting_.cold);
            if (taken.prediction.limiter == Limiter::none) {
                taken.prediction = one;
                continue;
            }
            taken.prediction.time_us += one.time_us;
            if (one.speed_unit == SpeedUnit::cycles) taken.prediction.value += one.value;
        }
        State on_board;
        static_cast<Setting&>(on_board) = setting_;
        on_board.params = params;
        const LaunchOnBoard launch = launch_on_board(on_board);
        taken.registers_from = launch.registers_from;
        if (const auto board = occupancy_setting(on_board, devices_)) {
            taken.occupancy = compute_occupancy(board->facts, board->input);
            taken.occupancy_kind = launch.registers_known ? board->facts.kind : Provenance::approximate;
        }
        return taken;
    }

    std::vector<Params> accesses(const Params& params) const {
        std::vector<Params> all{params};
        for (const auto& also : question_.also)
            all.push_back(with_access(*question_.scenario, params, also).value_or(params));
        return all;
    }

private:
    void add_instructions(std::vector<InstructionCost>& to, std::size_t access, const Params& params) const {
        const Scenario& scenario = *setting_.scenario;
        const DeviceFacts& device = devices_[setting_.device];
        for (int k = 0; k < scenario.instruction_count(params); ++k) {
            const Instruction instruction = scenario.instruction(params, k);
            const Totals totals = count_grid(scenario, params, k, device);
            to.push_back({access, std::string(instruction.label), short_name(instruction),
                          cost_of(instruction, totals, device.sector_rules)});
        }
    }

    const Setting& setting_;
    const std::vector<DeviceFacts>& devices_;
    const FixQuestion& question_;
};

/// The counts of one name: for a request on average, for the grid, and beyond the ideal.
void add_counts(std::vector<FixAnswer::Number>& numbers, const CostWords& words, const SettingCost& now,
                const SettingCost& then, Provenance kind) {
    const std::string name(words.name), key(words.key);
    const Cost none{};
    const Cost *a = find_cost(now.cost, name), *b = find_cost(then.cost, name);
    const auto add = [&](bool on_average, std::string title, std::string keyed, std::string source,
                         const auto& value) {
        const auto side = [&](const Cost* one) {
            const auto [text, amount] = value(one == nullptr ? none : *one);
            return Quantity{title, text, kind, source, amount, Better::less, keyed};
        };
        numbers.push_back({{side(a), side(b)}, on_average});
    };
    const auto whole = [](std::int64_t value) { return std::pair(format_count(value), double(value)); };
    add(true, fmt::format("{} {}", name, words.each), key + "_per_request",
        "On average over the whole grid, over all instructions and accesses.", [](const Cost& one) {
            return std::pair(per_request(one),
                             one.requests == 0 ? 0.0 : double(one.cost) / double(one.requests));
        });
    add(false, name, key, "Of the whole grid: all instructions, warps, steps and accesses.",
        [&](const Cost& one) { return whole(one.cost); });
    add(false, name + " beyond the ideal", "excessive_" + key,
        "What the same requests would not take at their ideal.",
        [&](const Cost& one) { return whole(one.excess()); });
}

Quantity time_of(const SettingCost& taken) {
    const Prediction& of = taken.prediction;
    const bool cycles = of.time_us <= 0;
    const double amount = cycles ? of.value : of.time_us;
    const bool known = amount > 0 && (!cycles || of.speed_unit == SpeedUnit::cycles);
    return {"time",
            known ? fmt::format("{:.4g} {}", amount, cycles ? "cycles" : "µs") : std::string(),
            Provenance::approximate,
            cycles ? "Predicted for one request, as in the plot." : "Predicted for one launch of the grid.",
            known ? std::optional(amount) : std::nullopt,
            Better::less,
            cycles ? "predicted_cycles" : "predicted_time",
            cycles ? "cycles" : "us"};
}

Quantity occupancy_of(const SettingCost& taken) {
    if (!taken.occupancy) return {.name = "occupancy", .text = {}, .source = {}, .key = "occupancy"};
    const Occupancy& of = *taken.occupancy;
    return {"occupancy",
            format_percent(of.warps(), of.max_warps),
            taken.occupancy_kind,
            fmt::format("Resident warps, {} of {}. {}.", of.warps(), of.max_warps, taken.registers_from),
            of.max_warps > 0 ? 100.0 * of.warps() / of.max_warps : 0,
            Better::more,
            "occupancy",
            "%"};
}

Quantity shared_of(const SettingCost& taken) {
    return {"shared memory",
            format_bytes(double(taken.shared_bytes)),
            Provenance::exact,
            "Of a block.",
            double(taken.shared_bytes),
            Better::less,
            "shared_bytes",
            "bytes"};
}

/// The instruction that the verdict on the kernel is about (see costliest), or the one with the most beyond
/// the ideal if that one has nothing. Null if there is none.
const InstructionCost* judged(const SettingCost& now) {
    const std::vector<InstructionCost>& all = now.instructions;
    if (all.empty()) return nullptr;
    std::vector<Cost> costs;
    for (const InstructionCost& one : all) costs.push_back(one.cost);
    const InstructionCost& most = all[costliest(costs)];
    if (most.cost.excess() > 0) return &most;
    return &*std::ranges::max_element(all, {}, [](const InstructionCost& one) { return one.cost.excess(); });
}

/// The same instruction after a change: of the same label, else of the same name. Null if it is gone.
const Cost* find_same(const SettingCost& then, const InstructionCost& now) {
    for (const bool by_label : {true, false})
        for (const InstructionCost& one : then.instructions)
            if (one.access == now.access && one.cost.words.name == now.cost.words.name &&
                (by_label ? one.label == now.label : one.name == now.name))
                return &one.cost;
    return nullptr;
}

/// "32 to 1 wavefronts a request", or "3.92 to 1 wavefronts a request on average": of the instruction that
/// the verdict is about.
std::string gain_of(const SettingCost& now, const SettingCost& then) {
    const InstructionCost* worst = judged(now);
    if (worst == nullptr) return {};
    const Cost& before = worst->cost;
    const std::string_view name = before.words.name;
    const Cost* after = find_same(then, *worst);
    if (after == nullptr) after = find_cost(then.cost, name);
    if (after == nullptr || after->cost == 0)
        return fmt::format("{} to 0 {} {}", per_request(before), name, before.words.each);
    if (per_request(before) == per_request(*after))
        return fmt::format("{} to {} {}", format_count(before.cost), format_count(after->cost), name);
    const bool mixed = before.requests > 0 && before.cost % before.requests != 0;
    return fmt::format("{} to {} {} {}{}", per_request(before), per_request(*after), name, before.words.each,
                       mixed ? " on average" : "");
}

/// " (load tile, by columns)": what a gain is about, where that is not the only instruction.
std::string gain_is_of(const SettingCost& now) {
    const InstructionCost* worst = judged(now);
    return worst == nullptr || now.instructions.size() < 2 ? "" : fmt::format(" ({})", worst->label);
}

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

FixAnswer answer_of(const Params& params, std::string change, const SettingCost& now, const SettingCost& then,
                    Provenance kind) {
    FixAnswer answer{.params = params,
                     .change = std::move(change),
                     .gain = gain_of(now, then),
                     .ideal = then.cost.excess() == 0};
    std::vector<CostWords> names;
    for (const KernelCost* cost : {&now.cost, &then.cost})
        for (const Cost& one : cost->sums)
            if (std::ranges::find(names, one.words.name, &CostWords::name) == names.end())
                names.push_back(one.words);
    for (const CostWords& words : names) add_counts(answer.numbers, words, now, then, kind);
    answer.numbers.push_back({{time_of(now), time_of(then)}});
    answer.numbers.push_back({{shared_of(now), shared_of(then)}});
    answer.numbers.push_back({{occupancy_of(now), occupancy_of(then)}});
    const FixAnswer::Number* time = answer.number("predicted_time");
    if (time == nullptr) time = answer.number("predicted_cycles");
    answer.slower =
        time != nullptr && time->a.amount && time->b.amount && *time->b.amount > *time->a.amount * 1.0005;
    return answer;
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
    std::vector<FixAnswer> answers(const SettingCost& now, Provenance kind, const std::stop_token& stop) {
        std::vector<Tried> best;
        for (typed::TextFix& fix : typed::text_fixes(*setting_.scenario, setting_.params)) {
            if (stop.stop_requested() || best.size() >= kMostParts) break;
            const bool first = best.empty() || best.back().fix.part != fix.part;
            if (!first && !fix_goes_on(best.back())) continue;
            Tried tried = try_out(std::move(fix));
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
                all.edits.insert(all.edits.end(), one.fix.edits.begin(), one.fix.edits.end());
            }
            Tried tried = try_out(std::move(all));
            if (tried.excess < best.front().excess) best.insert(best.begin(), std::move(tried));
        }
        std::vector<FixAnswer> answers;
        for (const Tried& one : best) answers.push_back(answer(one, now, kind));
        return answers;
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

    Tried try_out(typed::TextFix fix) const {
        Tried tried{std::move(fix)};
        const TypedKernel& before = *setting_.scenario->typed;
        tried.text = typed::edited(before.text(), tried.fix.edits);
        try {
            tried.kernel = try_kernel(tried.text, before.file());
        } catch (const UsageError&) {  // such as an address that a longer row leaves unaligned
            return tried;
        }
        tried.params = params_after_typing(*tried.kernel, *setting_.scenario, setting_.params);
        const DeviceFacts& device = devices_[setting_.device];
        if (!tried.kernel->typed->problem(tried.params).empty() ||
            !analyze(*tried.kernel, tried.params, device).does_not_fit.empty())
            return tried;
        add_kernel(tried.cost, *tried.kernel, tried.params, device);
        if (requests(tried.cost) != requests(now_)) return tried;  // it does something else
        tried.excess = tried.cost.excess();
        if (const Cost* banks = find_cost(tried.cost, "wavefronts")) tried.of_banks = banks->excess();
        return tried;
    }
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

/// Why there is nothing to search for. No verdict if there is.
Explanation nothing_to_search(const FixQuestion& question, std::size_t remedies) {
    const Scenario& scenario = *question.scenario;
    if (remedies == 0 && scenario.typed != nullptr)
        return {.verdict = "No change of the text that is tried here fixes it.",
                .why = "Longer rows of arrays in shared memory are, and threadIdx.x and .y exchanged."};
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

}  // namespace

Fixes find_fixes(const Setting& setting, const std::vector<DeviceFacts>& devices, const FixChoice& choice,
                 std::stop_token stop) {
    const Scenario& scenario = *setting.scenario;
    std::vector<DeviceFacts> table = devices;
    set_bank_mode(table, setting.bank_mode);
    const DeviceFacts& device = table[setting.device];
    FixQuestion question{&scenario, setting.params, {}, choice.also};
    const std::vector<const Knob*> remedies = knobs_of(scenario, KnobRole::remedy);
    std::ranges::copy_if(remedies, std::back_inserter(question.knobs), [&](const Knob* knob) {
        return std::ranges::find(choice.kept, knob) == choice.kept.end();
    });
    std::erase_if(question.also,
                  [&](const auto& also) { return !with_access(scenario, setting.params, also); });
    Fixes fixes{.knobs = question.knobs};
    const Report report = analyze(scenario, setting.params, device);
    if (!report.does_not_fit.empty()) {
        fixes.words = {.verdict = report.does_not_fit, .why = "What cannot run has nothing to fix."};
        return fixes;
    }
    const Takes takes(setting, table, question);
    KernelCost cost;
    for (const Params& access : takes.accesses(setting.params)) add_kernel(cost, scenario, access, device);
    if (cost.excess() == 0) {
        fixes.words = {
            .verdict = "Every access is at its ideal: nothing needs a fix.",
            .why = cost.sums.empty() || cost.cost() == 0
                       ? std::string("No memory is accessed.")
                       : fmt::format("The whole grid takes {}, and no other layout of the same "
                                     "requests takes fewer.{}",
                                     all_text(cost), size_of_requests(scenario, setting.params, device)),
            .good = true};
        return fixes;
    }
    const Explanation reason = reason_of(setting, table, takes.accesses(setting.params));
    fixes.words = nothing_to_search(question, remedies.size());
    const SettingCost now = takes.of(setting.params, cost);
    FixSearch search;
    if (fixes.words.verdict.empty()) {
        search = find_fixes(question, device, stop);
        fixes.combinations = search.combinations;
        fixes.counted = search.counted;
        if (search.stopped) return fixes;
    }
    for (const Fix& fix : search.fixes) {
        if (stop.stop_requested()) return {};
        fixes.answers.push_back(answer_of(fix.params, knobs_text(fix.changed, fix.params), now,
                                          takes.of(fix.params, fix.cost), report.kind));
    }
    if (scenario.typed != nullptr && question.also.empty()) {
        for (FixAnswer& answer : TextSearch(setting, table, cost).answers(now, report.kind, stop))
            fixes.answers.push_back(std::move(answer));
        if (stop.stop_requested()) return {};
        std::stable_partition(fixes.answers.begin(), fixes.answers.end(),
                              [](const FixAnswer& one) { return one.ideal; });
    }
    const auto next = std::ranges::find(fixes.answers, false, &FixAnswer::slower);
    if (next != fixes.answers.end()) fixes.next = int(next - fixes.answers.begin());
    if (fixes.answers.empty() && !fixes.words.verdict.empty()) {
        fixes.words.why += fmt::format(" {} {}", reason.verdict, reason.why);
        return fixes;
    }
    if (fixes.answers.empty()) {
        fixes.words = {
            .verdict = "Nothing that may change here fixes it.",
            .why = fmt::format("{} {}{}", reason.verdict, reason.why, tried_text(question, search))};
        return fixes;
    }
    const FixAnswer& first = fixes.answers.front();
    if (first.ideal) {
        fixes.words = {.verdict = fmt::format("{} makes every access ideal: {}{}.{}", first.change,
                                              first.gain, gain_is_of(now), equals_of(search)),
                       .good = true};
        return fixes;
    }
    if (!first.text.empty()) {
        fixes.words = {.verdict = fmt::format("{}: {}{}.", first.change, first.gain, gain_is_of(now)),
                       .why = "It does not make every access ideal."};
        return fixes;
    }
    const Explanation left = reason_of(setting, table, takes.accesses(first.params));
    fixes.words = {.verdict = fmt::format("Nothing makes every access ideal. {} comes nearest: {}{}.{}",
                                          first.change, first.gain, gain_is_of(now), equals_of(search)),
                   .why = fmt::format("What is left then: {} {}", left.verdict, left.why)};
    return fixes;
}

}  // namespace warplens
