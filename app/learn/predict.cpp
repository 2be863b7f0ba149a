#include "app/learn/predict.h"

#include "app/base/parse_number.h"
#include "app/experiment/quantities.h"
#include "app/model/access/counts.h"

#include <fmt/format.h>

#include <cmath>

namespace warplens {
namespace {

constexpr double kSame = 1.1;  ///< within this factor two speeds count as the same

/// How many times faster one value is than another. 0 if not known.
double times_faster(SpeedUnit speed_unit, double value, double reference) {
    if (value <= 0 || reference <= 0) return 0;
    return speed_unit == SpeedUnit::cycles ? reference / value : value / reference;
}

double factor_between(double a, double b) {
    if (a <= 0 || b <= 0) return a == b ? 1 : INFINITY;
    return a > b ? a / b : b / a;
}

std::string times_text(double times) {
    if (pace_of(times) == Pace::same) return std::string(pace_name(Pace::same));
    return times > 1 ? fmt::format("{:.2g}× faster", times) : fmt::format("{:.2g}× slower", 1 / times);
}

CheckedGuess check_count(const Guess& guess, const Truth& truth) {
    CheckedGuess row{.guess = {}, .model = truth.count, .seen = {}};
    row.model.source =
        fmt::format("Of the pictured request; ideal: {}.", format_count(std::llround(truth.ideal)));
    if (!guess.count) return row;
    row.guess = fmt::format("{:.6g}", *guess.count);
    row.judged = judge_count(*guess.count, truth.count.amount.value_or(0));
    return row;
}

CheckedGuess check_pace(const Guess& guess, const Truth& truth) {
    CheckedGuess row;
    row.model = {
        .name = "pace",
        .text = times_text(truth.against),
        .provenance = Provenance::approximate,
        .source = "How much faster or slower than the scenario with all parameters at their defaults."};
    if (truth.seen_against && truth.seen) {
        row.seen = *truth.seen;
        row.seen.text = times_text(*truth.seen_against);
    }
    if (!guess.pace) return row;
    row.guess = pace_name(*guess.pace);
    const Pace right = pace_of(truth.seen_against.value_or(truth.against));
    const bool next_to = right == Pace::same || *guess.pace == Pace::same;
    row.judged = *guess.pace == right ? Judged::right : next_to ? Judged::near : Judged::off;
    return row;
}

CheckedGuess check_speed(const Guess& guess, const Truth& truth) {
    CheckedGuess row{.guess = {}, .model = truth.speed, .seen = truth.seen.value_or(Quantity{})};
    row.model.text = format_speed(truth.speed.amount.value_or(0));
    if (truth.seen) {
        row.seen.text = format_speed(row.seen.amount.value_or(0));
        row.model.source = row.seen.source;
    }
    if (!guess.speed) return row;
    row.guess = format_speed(*guess.speed);
    row.judged = judge_speed(*guess.speed, (truth.seen ? *truth.seen : truth.speed).amount.value_or(0));
    return row;
}

}  // namespace

Asks Truth::askable(const Asks& wanted) const {
    return {wanted.count && !count.name.empty(), wanted.pace && !at_defaults && against > 0,
            wanted.speed && speed.amount};
}

Truth truth_of(const State& state, const std::vector<DeviceFacts>& devices, const Evidence& evidence,
               int instruction, const std::optional<double>& seen_defaults) {
    Truth truth;
    const auto& rows = evidence.report.instructions;
    if (instruction >= 0 && static_cast<std::size_t>(instruction) < rows.size()) {
        const std::size_t k = instruction;
        const CostWords cost = cost_of(rows[k].instruction.space, evidence.report.sector_rules);
        if (const Quantity* count = find_quantity(evidence.counts_over(CountScope::warp, k), cost.key)) {
            truth.count = *count;
            truth.ideal = double(cost.ideal(rows[k].warp));
        }
        truth.label = rows[k].instruction.label;
        truth.load = is_load(rows[k].instruction.op);
    }
    const Params& defaults = state.scenario->info->defaults;
    truth.at_defaults = state.params == defaults;
    truth.speed_unit = evidence.prediction.speed_unit;
    truth.speed = evidence.predicted.front();
    if (const Quantity* seen = find_quantity(evidence.seen, truth.speed.key)) truth.seen = *seen;
    const Prediction usual = predict(*state.scenario, defaults, devices[state.device], state.cold);
    if (usual.speed_unit != truth.speed_unit) return truth;
    truth.against = times_faster(truth.speed_unit, truth.speed.amount.value_or(0), usual.value);
    if (truth.seen && seen_defaults)
        truth.seen_against = times_faster(truth.speed_unit, truth.seen->amount.value_or(0), *seen_defaults);
    if (truth.seen_against == 0.0) truth.seen_against.reset();
    return truth;
}

Pace pace_of(double times) {
    return times > kSame ? Pace::faster : times < 1 / kSame ? Pace::slower : Pace::same;
}

std::string_view pace_name(Pace pace) {
    return pace == Pace::faster ? "faster" : pace == Pace::slower ? "slower" : "the same";
}

Judged judge_count(double guess, double truth) {
    if (guess == truth) return Judged::right;
    return factor_between(guess, truth) <= 2 ? Judged::near : Judged::off;
}

Judged judge_speed(double guess, double truth) {
    const double factor = factor_between(guess, truth);
    return factor <= 2 ? Judged::right : factor <= 4 ? Judged::near : Judged::off;
}

std::string_view judged_name(Judged judged) {
    return judged == Judged::right ? "right" : judged == Judged::near ? "near" : "off";
}

std::vector<CheckedGuess> compare(const Guess& guess, const Asks& asked, const Truth& truth) {
    const Asks has = truth.askable(asked);
    std::vector<CheckedGuess> rows;
    if (has.count) rows.push_back(check_count(guess, truth));
    if (has.pace) rows.push_back(check_pace(guess, truth));
    if (has.speed) rows.push_back(check_speed(guess, truth));
    return rows;
}

std::optional<double> parse_guess(std::string_view text) {
    std::string digits;
    for (const char c : text) {
        if (c == ' ' || c == '\'' || c == '%') continue;
        digits += c == ',' ? '.' : c;
    }
    const auto value = parse_number<double>(digits);
    return value && std::isfinite(*value) && *value >= 0 ? value : std::nullopt;
}

std::string count_question(const Truth& truth) {
    return fmt::format("How many {} does this {} need?", truth.count.name, truth.load ? "load" : "store");
}

}  // namespace warplens
