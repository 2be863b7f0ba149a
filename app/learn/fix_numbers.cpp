#include "app/learn/fix_numbers.h"

#include "app/boards/occupancy/occupancy_picture.h"
#include "app/experiment/quantities.h"
#include "app/pictures/access/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace warplens {
namespace {

std::string per_request(const Cost& one) {
    return one.requests == 0 ? "0" : fmt::format("{:.3g}", double(one.cost) / double(one.requests));
}

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
            !known ? std::string()
            : amount >= 1000
                ? fmt::format("{} {}", format_count(std::llround(amount)), cycles ? "cycles" : "µs")
                : fmt::format("{:.4g} {}", amount, cycles ? "cycles" : "µs"),
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
    // Loads that became one: of its cost each has a part.
    const auto alike = [&](const SettingCost& of) {
        return std::ranges::count(of.instructions, worst->name, &InstructionCost::name);
    };
    if (const auto joined = alike(now) / std::max<std::ptrdiff_t>(1, alike(then)); joined > 1) {
        Cost part = *after;
        part.requests *= joined;
        return fmt::format("{} to {} {} for the same data", per_request(before), per_request(part), name);
    }
    if (per_request(before) == per_request(*after))
        return fmt::format("{} to {} {}", format_count(before.cost), format_count(after->cost), name);
    const bool mixed = before.requests > 0 && before.cost % before.requests != 0;
    return fmt::format("{} to {} {} {}{}", per_request(before), per_request(*after), name, before.words.each,
                       mixed ? " on average" : "");
}

}  // namespace

const Cost* find_cost(const KernelCost& cost, std::string_view name) {
    const auto found = std::ranges::find(cost.sums, name, [](const Cost& one) { return one.words.name; });
    return found == cost.sums.end() ? nullptr : &*found;
}

SettingCost Takes::of(const Params& params, KernelCost cost) const {
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

std::vector<Params> Takes::accesses(const Params& params) const {
    std::vector<Params> all{params};
    for (const auto& also : question_.also)
        all.push_back(with_access(*question_.scenario, params, also).value_or(params));
    return all;
}

void Takes::add_instructions(std::vector<InstructionCost>& to, std::size_t access,
                             const Params& params) const {
    const Scenario& scenario = *setting_.scenario;
    const DeviceFacts& device = devices_[setting_.device];
    for (int k = 0; k < scenario.instruction_count(params); ++k) {
        const Instruction instruction = scenario.instruction(params, k);
        const Totals totals = count_grid(scenario, params, k, device);
        to.push_back({access, std::string(instruction.label), short_name(instruction),
                      cost_of(instruction, totals, device.sector_rules)});
    }
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

std::string gain_is_of(const SettingCost& now) {
    const InstructionCost* worst = judged(now);
    return worst == nullptr || now.instructions.size() < 2 ? "" : fmt::format(" ({})", worst->label);
}

}  // namespace warplens
