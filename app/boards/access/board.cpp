#include "app/boards/access/kernel_verdict.h"
#include "app/boards/list.h"
#include "app/experiment/evidence.h"
#include "app/experiment/quantities.h"
#include "app/model/access/counts.h"
#include "app/model/device/caches.h"
#include "app/pictures/access/explain.h"
#include "kernels/scenarios/local_spill.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <numeric>

namespace warplens {
namespace {

/// Each instruction's cost over the whole grid.
std::vector<Cost> costs_of(const Evidence& evidence) {
    std::vector<Cost> costs;
    for (const InstructionReport& row : evidence.report.instructions)
        costs.push_back(cost_of(row.instruction, row.grid, evidence.report.sector_rules));
    return costs;
}

/// The window and figures lay out the pictures of all instructions themselves; alone stands the worst one.
Picture access_picture(const BoardInput& input, const Style& style) {
    return draw_instruction(input.evidence, int(worst_instruction(input.evidence)), input.state, style);
}

std::vector<Quantity> access_numbers(const BoardInput& input) {
    std::vector<Quantity> numbers = count_rows(input.evidence, -1, CountScope::warp, true);
    numbers.push_back(input.evidence.predicted.front());
    return numbers;
}

Explanation access_explanation(const BoardInput& input) {
    return explain_kernel(input.evidence, input.device());
}

std::vector<std::string> access_caption(const BoardInput& input) {
    const std::string settings = describe_settings(*input.state.scenario, input.state.params);
    const Provenance counts = input.evidence.report.kind;
    return {settings.empty() ? "all parameters at their defaults" : settings,
            fmt::format("{}, compute capability {}", input.device().name, input.device().cc.text()),
            fmt::format("{} {} counts", provenance_mark(counts), provenance_name(counts))};
}

Explanation explanation_of(const Evidence& evidence, std::size_t instruction) {
    return explain(view_of(evidence, int(instruction)), evidence.tiles[instruction]);
}

Explanation explain_spills(const Params& params) {
    const SpillRecord spills = LocalSpill::record(params);
    const int spilled = LocalSpill::spilled_values(params);
    if (spilled == 0)
        return said("No register is spilled",
                    fmt::format(": {} live values fit {} registers.", params.live_values, spills.registers),
                    "Local memory is not used.", true);
    return said(fmt::format("{} of {} live values are spilled", spilled, params.live_values),
                fmt::format(": {} bytes of local memory per thread.", spills.frame_bytes),
                fmt::format("With {} registers, each thread stores and loads {} bytes in every round.",
                            spills.registers, spills.load_bytes));
}

/// The memory that serves most of the loads, and how long each of them waits if it waits for the one before.
Explanation explain_footprint(const Evidence& evidence, const DeviceFacts& device) {
    const auto footprint = double(evidence.report.shape.buffer_bytes[0]);
    const std::vector<CacheLevel> levels = cache_levels(device);
    std::vector<double> shares = served_shares(footprint, levels);
    const bool waits = evidence.prediction.speed_unit == SpeedUnit::cycles;
    if (!waits) {  // many warps, each at another place
        const Missed missed = missed_by_walk(evidence.report.shape, device);
        for (std::size_t i = 0; i < levels.size(); ++i)
            shares[i] = levels[i].memory == Memory::l1                  ? 1 - missed.l1
                        : levels[i].memory == Memory::dram              ? missed.l1 * missed.l2
                        : levels[i].part == CacheLevel::Part::near_half ? 0
                                                                        : missed.l1 * (1 - missed.l2);
    }
    const std::size_t most = std::size_t(std::ranges::max_element(shares) - shares.begin());
    const CacheLevel& level = levels[most];
    const bool dram = level.memory == Memory::dram;
    // Whether next to nothing goes past this one.
    const bool all = std::reduce(shares.begin(), shares.begin() + std::ptrdiff_t(most) + 1) > 0.995;
    const double cycles = waits ? evidence.prediction.value : 0;
    std::string serves = fmt::format("{} serves {} of the loads", dram ? "DRAM" : "it",
                                     shares[most] > 0.995 ? "all" : format_percent(shares[most], 1));
    if (cycles > 0) serves += fmt::format("; each load waits about {:.0f} cycles", cycles);
    Explanation e{.good = !dram};
    if (dram)
        e.say(fmt::format("A footprint of {} fits in no cache", format_bytes(footprint)),
              fmt::format(": {}{}.",
                          double(device.l2_bytes) * 10 > footprint && footprint > double(device.l2_bytes)
                              ? fmt::format("the L2 has room for {} of it, and ",
                                            format_percent(double(device.l2_bytes), footprint))
                              : "",
                          serves));
    else
        e.say(fmt::format("A footprint of {} {} {}{} ({})", format_bytes(footprint),
                          footprint > level.bytes ? "is larger than"
                          : all                   ? "fits in"
                                                  : "nearly fills",
                          level.part == CacheLevel::Part::near_half ? "" : "the ", level.name(),
                          format_bytes(level.bytes)),
              fmt::format("; {}.", serves));
    if (waits && most > 0 && levels.front().cycles > 0)
        e.why =
            fmt::format("In the {} it would be {:.0f} cycles.", levels.front().name(), levels.front().cycles);
    return e;
}

}  // namespace

constinit const Board kAccessBoard{
    {.key = "access",
     .label = "Access",
     .tooltip = "What one warp does to memory, and the bandwidth against a parameter.",
     .about_scenario = true,
     .instructions = true},
    access_picture,
    access_numbers,
    access_explanation,
    access_caption};

std::size_t worst_instruction(const Evidence& evidence) {
    const std::vector<Cost> costs = costs_of(evidence);
    const std::size_t most = costliest(costs);
    if (costs.empty() || is_notable(costs[most].excess(), costs)) return most;
    const bool counted = std::ranges::any_of(costs, [](const Cost& one) { return one.cost > 0; });
    for (std::size_t k = 0; k < costs.size(); ++k) {
        if ((!counted || is_notable(costs[k].cost, costs)) && !explanation_of(evidence, k).good) return k;
    }
    return most;
}

std::vector<int> costliest_instructions(const Evidence& evidence, int count) {
    const std::vector<Cost> costs = costs_of(evidence);
    std::vector<int> all(costs.size());
    std::iota(all.begin(), all.end(), 0);
    std::ranges::stable_sort(all, std::greater(), [&](int k) {
        const Cost& one = costs[k];
        return std::pair(one.excess(), one.cost);
    });
    all.resize(std::min(all.size(), static_cast<std::size_t>(count)));
    std::ranges::sort(all);
    return all;
}

namespace {

double factor_of(const InstructionReport& row, const SectorRules& rules) {
    const CostWords cost = cost_of(row.instruction.space, rules);
    if (cost.name.empty()) return 1;
    return double(cost.cost(row.warp)) / double(std::max<std::int64_t>(1, cost.ideal(row.warp)));
}

/// "32x the wavefronts: 32-way bank conflict": how far from the ideal, then what the request does.
/// "32x slower" is said if nothing but the banks takes time, so that it is known to be so.
std::string headline_of(double factor, std::string_view cost, std::string words, bool banks_alone) {
    if (factor < 1.05 || words.empty()) return words;
    words.front() = char(std::tolower(static_cast<unsigned char>(words.front())));
    return fmt::format("{:.3g}x {}: {}", factor, banks_alone ? "slower" : fmt::format("the {}", cost), words);
}

/// Whether the request that is shown is as good as it can be, and others of its instruction are not.
bool others_cost_more(const Evidence& evidence, int instruction) {
    const InstructionReport& row = evidence.report.instructions[instruction];
    const std::vector<Cost> costs = costs_of(evidence);
    return row.instruction.space == Space::shared && row.warp.excessive_wavefronts() <= 0 &&
           is_notable(costs[instruction].excess(), costs);
}

/// "store C takes 16 sectors a request where 4 would do, but is only 2.5 % of what the launch takes." Of the
/// instruction with the most beyond the ideal, if the verdict is about another one that takes more.
std::string passed_over(const Evidence& evidence, const std::vector<Cost>& costs, std::size_t judged) {
    const auto most = std::ranges::max_element(costs, {}, &Cost::excess);
    const std::size_t k = most - costs.begin();
    if (k == judged || most->excess() <= 0 || is_notable(most->excess(), costs)) return {};
    double all = 0;
    for (const Cost& one : costs) all += double(one.cost);
    return fmt::format(
        "{} takes {} more {} than its ideal, but they are only {:.2g} % of what the launch takes.",
        evidence.report.instructions[k].instruction.label, format_count(most->excess()), most->words.name,
        100 * double(most->excess()) / all);
}

/// Whether the launch is predicted to reach less than half of the peak. The banks' peak is of 32 different
/// words a cycle, which says nothing about a single request.
bool is_slow(const Evidence& evidence) {
    constexpr double kSlow = 0.5;
    const Prediction& predicted = evidence.prediction;
    const bool banks_alone = evidence.report.instructions.size() == 1 && predicted.shared_memory;
    return predicted.speed_unit != SpeedUnit::cycles && predicted.peak > 0 &&
           predicted.value < kSlow * predicted.peak && !banks_alone;
}

/// Whether what limits the launch says more about it than its worst instruction does.
/// If its request is ideal, one of several instructions says nothing about the kernel, whatever other warps
/// take; and the only one says little where the launch is slow all the same, or where bytes in flight or the
/// way from the host are the subject.
bool judged_by_limit(const Evidence& evidence, bool good) {
    const bool single = evidence.report.instructions.size() == 1;
    return good && (!single || is_slow(evidence) || is_about_transfers(*evidence.setting.scenario)) &&
           evidence.prediction.limiter != Limiter::none;
}

Explanation explain_worst(const Evidence& evidence, const KernelVerdict& verdict) {
    const InstructionReport& row = evidence.report.instructions[verdict.instruction];
    Explanation e = explanation_of(evidence, verdict.instruction);
    const bool banks_alone = row.instruction.space == Space::shared && evidence.prediction.shared_memory &&
                             evidence.report.instructions.size() == 1;
    const std::string_view cost = cost_of(row.instruction.space, evidence.report.sector_rules).name;
    const std::string_view limiter = limiter_name(evidence.prediction.limiter);
    const std::vector<Cost> costs = costs_of(evidence);
    const bool ideal = !is_about_transfers(*evidence.setting.scenario) &&
                       std::ranges::all_of(costs, [](const Cost& one) { return one.excess() <= 0; });
    e.headline = verdict.kind != KernelVerdict::Kind::limit
                     ? headline_of(verdict.factor, cost, e.headline, banks_alone)
                 : ideal ? fmt::format("Ideal accesses, {}limited by {}", verdict.good ? "" : "but ", limiter)
                         : fmt::format("Limited by {}", limiter);
    e.good = verdict.good;
    e.verdict = fmt::format("{}: {}", row.instruction.label, e.verdict);
    if (others_cost_more(evidence, verdict.instruction)) {
        e.headline += " here, but not over the whole grid";
        e.verdict += fmt::format(" Only this request: the grid takes {} wavefronts, {} is the minimum.",
                                 format_count(row.grid.wavefronts), format_count(row.grid.ideal_wavefronts));
    }
    if (const std::string rest = passed_over(evidence, costs, verdict.instruction); !rest.empty())
        e.why += " " + rest;
    return e;
}

std::string headline_of(Fault fault) {
    switch (fault) {
        case Fault::out_of_bounds:
            return "Out of bounds";
        case Fault::race_of_blocks:  // for which no barrier would help
            return "A race between blocks";
        case Fault::lost_updates:
            return "Updates are lost";
        case Fault::never_stored:
            return "What is loaded was never stored";
        default:
            return "A barrier is missing";
    }
}

}  // namespace

bool judged_as_a_whole(const Scenario& scenario) { return scenario.info->judged_whole; }

KernelVerdict judge_kernel(const Evidence& evidence, const DeviceFacts& device) {
    using Kind = KernelVerdict::Kind;
    const Report& report = evidence.report;
    if (!report.does_not_fit.empty()) return {.kind = Kind::refused};
    if (report.fault != Fault::none) return {.kind = Kind::fault};
    const ScenarioInfo& info = *evidence.setting.scenario->info;
    if (info.judged_whole && info.time == TimeModel::walk)
        return {.kind = Kind::footprint, .good = explain_footprint(evidence, device).good};
    if (info.judged_whole)
        return {.kind = Kind::spills, .good = explain_spills(evidence.setting.params).good};
    const std::size_t worst = worst_instruction(evidence);
    const bool at_ideal = explanation_of(evidence, worst).good;
    const bool by_limit = judged_by_limit(evidence, at_ideal);
    const bool good = by_limit ? !is_slow(evidence) : at_ideal && !others_cost_more(evidence, int(worst));
    return {.kind = by_limit ? Kind::limit : Kind::instruction,
            .instruction = int(worst),
            .factor = factor_of(report.instructions[worst], report.sector_rules),
            .good = good,
            .slow_without_fault = at_ideal && !good};
}

Tone tone_of(const Evidence& evidence, const DeviceFacts& device) {
    constexpr double kNearPeak = 0.9;
    const KernelVerdict verdict = judge_kernel(evidence, device);
    if (!verdict.good) return verdict.slow_without_fault ? Tone::plain : Tone::bad;
    const Prediction& predicted = evidence.prediction;
    const bool at_peak = predicted.peak > 0 && predicted.value >= kNearPeak * predicted.peak;
    return verdict.kind != KernelVerdict::Kind::limit || at_peak ? Tone::good : Tone::plain;
}

Tone tone_of_board(bool good, const Evidence& evidence, const DeviceFacts& device) {
    const Tone own = good ? Tone::good : Tone::bad;
    return own == tone_of(evidence, device) ? own : Tone::plain;
}

std::string limit_sentence(const Evidence& evidence) {
    const Prediction& predicted = evidence.prediction;
    if (predicted.value <= 0 || predicted.limiter == Limiter::none) return {};
    if (predicted.speed_unit == SpeedUnit::cycles || !predicted.below_peak())
        return fmt::format("Limited by {} (predicted).", limiter_words(predicted));
    return fmt::format("Limited by {} (predicted): {} of {} {}.", limiter_name(predicted.limiter),
                       format_speed(predicted.value), format_speed(predicted.peak),
                       speed_words(predicted.speed_unit).unit);
}

Explanation explain_kernel(const Evidence& evidence, const DeviceFacts& device) {
    using Kind = KernelVerdict::Kind;
    const KernelVerdict verdict = judge_kernel(evidence, device);
    if (verdict.kind == Kind::refused)
        return {.verdict = evidence.report.does_not_fit,
                .headline =
                    evidence.setting.scenario->typed != nullptr && evidence.report.instructions.size() == 1
                        ? "The kernel is wrong"
                        : "This GPU cannot run it"};
    if (verdict.kind == Kind::fault)
        return {.verdict = evidence.report.fault_words, .headline = headline_of(evidence.report.fault)};
    Explanation e = verdict.kind == Kind::footprint ? explain_footprint(evidence, device)
                    : verdict.kind == Kind::spills  ? explain_spills(evidence.setting.params)
                                                    : explain_worst(evidence, verdict);
    const Prediction& predicted = evidence.prediction;
    if (predicted.value > 0 && predicted.limiter != Limiter::none)
        e.verdict += fmt::format(" Limited by {} (predicted).", limiter_words(predicted));
    if (const std::string comes = transfer_sentence(predicted.transfer, predicted.time_us); !comes.empty())
        e.verdict += " " + comes;
    const std::optional<Observation>& recorded = evidence.observed.recorded;
    if (recorded && !recorded->gain.empty()) e.verdict += " " + recorded->gain;
    return e;
}

}  // namespace warplens
