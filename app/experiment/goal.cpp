#include "app/experiment/goal.h"

#include "app/base/csv.h"
#include "app/base/parse_number.h"
#include "app/experiment/quantities.h"
#include "app/model/access/counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace warplens {
namespace {

using Relation = Condition::Relation;

Condition parse_condition(std::string_view text) {
    constexpr std::array<std::pair<std::string_view, Relation>, 5> kRelations{{{"<=", Relation::at_most},
                                                                               {">=", Relation::at_least},
                                                                               {"<", Relation::less},
                                                                               {">", Relation::greater},
                                                                               {"=", Relation::equal}}};
    for (const auto& [sign, relation] : kRelations) {
        const std::size_t at = text.find(sign);
        if (at == std::string_view::npos) continue;
        const std::string_view name = trim(text.substr(0, at)), value = trim(text.substr(at + sign.size()));
        if (!name.empty() && !value.empty()) return {std::string(name), relation, std::string(value)};
        break;
    }
    throw std::runtime_error(
        fmt::format("goal '{}': expected a name, one of = < > <= >=, and a value", trim(text)));
}

bool holds(Relation relation, double left, double right) {
    const bool by_relation[] = {left == right, left<right, left> right, left <= right, left >= right};
    return by_relation[int(relation)];
}

double excess(const Report& report) {
    std::int64_t sum = 0;
    for (const InstructionReport& row : report.instructions) {
        const CostWords cost = cost_of(row.instruction.space, report.sector_rules);
        if (!cost.name.empty()) sum += std::max<std::int64_t>(0, cost.cost(row.warp) - cost.ideal(row.warp));
    }
    return double(sum);
}

bool condition_holds(const Condition& condition, const State& state, const Evidence& evidence,
                     int instruction) {
    if (condition.name == "scenario") return state.scenario->info->id == condition.value;
    if (condition.name == "board") return state.board->key == condition.value;
    if (const BoardKnob* knob = find_board_knob(condition.name)) {
        const auto wanted = parse_number<double>(condition.value);
        return wanted && holds(condition.relation, state.boards[*knob], *wanted);
    }
    if (const Knob* knob = find_knob(*state.scenario, condition.name)) {
        const auto wanted = parse_knob(*knob, state.params, condition.value);
        return wanted && holds(condition.relation, state.params.*knob->field, *wanted);
    }
    const auto number = number_named(condition.name, evidence, instruction);
    const auto wanted = parse_number<double>(condition.value);
    return number && wanted && holds(condition.relation, *number, *wanted);
}

}  // namespace

Goal parse_goal(std::string_view text) {
    Goal goal;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(','), text.size());
        goal.conditions.push_back(parse_condition(text.substr(0, end)));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (goal.conditions.empty()) throw std::runtime_error("the goal is empty");
    return goal;
}

std::optional<double> number_named(std::string_view name, const Evidence& evidence, int instruction) {
    if (name == "excess") return excess(evidence.report);
    if (name == "speed") return evidence.predicted.front().amount;
    const std::size_t k = std::max(0, instruction);
    if (k >= evidence.counts.size()) return {};
    const std::vector<Quantity>& counts = evidence.counts_over(CountScope::warp, k);
    if (name == "share") {
        const Quantity *used = find_quantity(counts, "bytes_used"),
                       *moved = find_quantity(counts, "bytes_moved");
        if (moved == nullptr || moved->amount.value_or(0) == 0) return {};
        return 100.0 * used->amount.value_or(0) / *moved->amount;
    }
    const Quantity* count = find_quantity(counts, name);
    return count == nullptr ? std::nullopt : count->amount;
}

bool reached(const Goal& goal, const State& state, const Evidence& evidence, int instruction) {
    return std::ranges::all_of(goal.conditions, [&](const Condition& condition) {
        return condition_holds(condition, state, evidence, instruction);
    });
}

std::string progress_text(const Goal& goal, const State& state, const Evidence& evidence, int instruction) {
    std::string text;
    for (const Condition& condition : goal.conditions) {
        if (find_knob(*state.scenario, condition.name) != nullptr) continue;
        const auto number = number_named(condition.name, evidence, instruction);
        if (!number) continue;
        text += fmt::format("{}{}: {:.4g}", text.empty() ? "" : ", ", condition.name, *number);
    }
    return text;
}

}  // namespace warplens
