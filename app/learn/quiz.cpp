#include "app/learn/quiz.h"

#include "app/base/csv.h"
#include "app/base/errors.h"
#include "app/base/parse_number.h"
#include "app/base/text.h"
#include "app/boards/access/kernel_verdict.h"
#include "app/learn/predict.h"
#include "app/model/access/counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>

namespace warplens {
namespace {

/// The instruction whose request costs the most, compared with the least that it could.
int costliest(const Report& report) {
    int found = 0;
    double most = 0;
    for (std::size_t k = 0; k < report.instructions.size(); ++k) {
        const InstructionReport& row = report.instructions[k];
        const CostWords cost = cost_of(row.instruction.space, report.sector_rules);
        const double times =
            cost.name.empty() ? 0 : double(cost.cost(row.warp)) / std::max(1.0, double(cost.ideal(row.warp)));
        if (times > most) {
            most = times;
            found = int(k);
        }
    }
    return found;
}

/// The text of a tell, with the values of the knobs.
std::string filled(std::string_view text, const State& state) {
    std::string out;
    while (!text.empty()) {
        const std::size_t open = std::min(text.find('{'), text.size());
        out += text.substr(0, open);
        text.remove_prefix(open);
        if (text.empty()) break;
        const std::size_t close = text.find('}');
        out += std::to_string(state.params.*find_knob(*state.scenario, text.substr(1, close - 1))->field);
        text.remove_prefix(close + 1);
    }
    return out;
}

}  // namespace

std::string Question::settings_text() const {
    const auto describe = [](const State& state) {
        const std::string all = describe_settings(*state.scenario, state.params, ",");
        return all.empty() ? std::string("defaults") : all;
    };
    if (settings.size() == 1) return describe(settings.front());
    return fmt::format("A: {} | B: {}", describe(settings[0]), describe(settings[1]));
}

const std::vector<ScenarioSource>& quiz_sources() {
    static const std::vector<ScenarioSource> sources = [] {
        std::vector<ScenarioSource> all;
        for (const Scenario& scenario : all_scenarios())
            for (const QuizSource& source : scenario.facts->quiz) all.push_back({source, &scenario});
        std::ranges::sort(all, {}, &ScenarioSource::place);
        return all;
    }();
    return sources;
}

const std::vector<Space>& quiz_spaces() {
    static const std::vector<Space> spaces = [] {
        std::vector<Space> found;
        for (const QuizSource& source : quiz_sources()) {
            if (std::ranges::find(found, source.space) == found.end()) found.push_back(source.space);
        }
        return found;
    }();
    return spaces;
}

bool is_right(const Question& question, std::string_view answer) {
    const auto number = parse_guess(answer);
    const auto right = parse_guess(question.right);
    if (number && right) return *number == *right;
    const auto plain = [](std::string_view text) {
        std::string letters = lower_case(text);
        std::erase(letters, ' ');
        return letters;
    };
    return plain(answer) == plain(question.right);
}

std::string why_right(const Question& question, const std::vector<DeviceFacts>& devices) {
    std::string text = question.recorded;
    if (question.kind == QuestionKind::mistake || question.kind == QuestionKind::machine) return text;
    for (std::size_t i = 0; i < question.settings.size(); ++i) {
        const State& state = question.settings[i];
        const Evidence evidence = gather_evidence(state, devices);
        const int k =
            question.kind == QuestionKind::faster ? costliest(evidence.report) : question.instruction;
        const bool by_kernel = question.kind == QuestionKind::faster && is_about_transfers(*state.scenario);
        const Explanation said = by_kernel ? explain_kernel(evidence, devices[state.device])
                                           : explain(view_of(evidence, k), evidence.tiles[k]);
        if (question.settings.size() == 2)
            text += fmt::format("{}{}: ", text.empty() ? "" : "\n", i == 0 ? 'A' : 'B');
        text += said.verdict;
        if (question.kind == QuestionKind::fewer) {
            const auto& row = evidence.report.instructions[k];
            text += fmt::format(" Lines: {}.", row.warp.lines);
        }
        if (question.settings.size() == 1) text += " " + said.why;
    }
    return text;
}

std::uint32_t parse_seed(std::string_view text) {
    if (const auto seed = parse_number<std::uint32_t>(text)) return *seed;
    throw UsageError(fmt::format("seed '{}': expected a whole number from 0 to 4294967295", text));
}

std::string quiz_csv(const Quiz& quiz, const std::vector<std::string>& answers, bool with_right) {
    std::string csv = "seed,number,scenario,settings,question,answer,right_answer,correct,points\n";
    for (std::size_t i = 0; i < quiz.questions.size(); ++i) {
        const Question& question = quiz.questions[i];
        const std::string answer = i < answers.size() ? answers[i] : std::string();
        const bool answered = !answer.empty(), right = answered && is_right(question, answer);
        const auto [correct, points] = !answered ? std::pair("", "")
                                       : right   ? std::pair("yes", "1")
                                                 : std::pair("no", "0");
        std::string asked = question.situation + " ";
        if (!question.code.empty()) asked += question.code + "\n";
        asked += question.asked();
        for (const std::string& choice : question.choices) asked += fmt::format(" [{}]", choice);
        csv += fmt::format("{},{},{},{},{},{},{},{},{}\n", quiz.seed, i + 1,
                           question.settings.front().scenario->info->id, csv_field(question.settings_text()),
                           csv_field(asked), csv_field(answer), with_right ? csv_field(question.right) : "",
                           correct, points);
    }
    return csv;
}

std::vector<std::string_view> quiz_parts(std::string_view list) {
    std::vector<std::string_view> parts;
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(','), list.size());
        parts.push_back(list.substr(0, end));
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return parts;
}

bool quiz_holds(const State& state, std::string_view only) {
    bool all = true;
    for (const std::string_view one : quiz_parts(only)) {
        const std::size_t equals = one.find('=');
        const Knob* knob = find_knob(*state.scenario, one.substr(0, equals));
        all &= parse_knob(*knob, state.params, one.substr(equals + 1)) == state.params.*knob->field;
    }
    return all;
}

std::string quiz_lanes(std::uint32_t active) {
    if (active == kAllLanes) return "All lanes take part.";
    std::string ranges;
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        const int length = std::countr_one(active >> lane);
        if (length == 0) continue;
        ranges += fmt::format("{}{}", ranges.empty() ? "" : ", ", lane);
        if (length > 1) ranges += fmt::format("-{}", lane + length - 1);
        lane += length;
    }
    return fmt::format("Only lane{} {} take{} part.", std::has_single_bit(active) ? "" : "s", ranges,
                       std::has_single_bit(active) ? "s" : "");
}

std::string quiz_rule(const InstructionReport& row, const BankRules& banks, std::string_view arrays) {
    switch (row.instruction.space) {
        case Space::shared: {
            const int lanes = lanes_per_group(banks, row.instruction.bytes_per_lane);
            return fmt::format(
                "Shared memory has {} banks of 4 bytes, and {}.{}{}", banks.banks, arrays,
                is_atomic(row.instruction.op)
                    ? ""
                    : " A wavefront delivers one word of each bank, to all lanes that request it.",
                lanes == kWarpLanes
                    ? std::string(" All lanes are served together.")
                    : fmt::format(" Groups of {} neighbouring lanes are served one after the other.", lanes));
        }
        case Space::constant:
            return "A request delivers one word of 4 bytes, to all lanes that request it.";
        case Space::texture:
            return fmt::format(
                "A sector holds {} x {} texels of 4 bytes, the first one at texel(0, 0). Four "
                "neighbouring lanes form a group; what two groups fetch counts twice.",
                kSectorTexelsX, kSectorTexelsY);
        case Space::local:
            return "Word k of the array of lane i lies at byte (k * 32 + i) * 4.";
        default:
            return "Arrays start at multiples of 256 bytes.";
    }
}

std::string quiz_access(const State& state, const InstructionReport& row, std::span<const QuizTell> tells) {
    for (const QuizTell& tell : tells) {
        const bool named = tell.label.empty() || tell.label == row.instruction.label;
        if (!named || !quiz_holds(state, tell.only)) continue;
        return fmt::format("{}.{}{} Lane i {} {} bytes: {}. {}", row.instruction.label,
                           tell.where.empty() ? "" : " ", filled(tell.where, state),
                           is_atomic(row.instruction.op) ? "adds to"
                           : is_load(row.instruction.op) ? "loads"
                                                         : "stores",
                           row.instruction.bytes_per_lane, filled(tell.access, state),
                           quiz_lanes(row.access.active));
    }
    return {};
}

/// "Stride 4 elements", as the window names it.
std::string said(const Knob& knob, const Params& params) {
    const int value = params.*knob.field;
    if (knob.kind == KnobKind::mask)
        return fmt::format("{} {} of 32", knob.label, std::popcount(static_cast<std::uint32_t>(value)));
    const std::string_view name = choice_name(knob.choices, value);
    if (!name.empty()) return fmt::format("{} {}", knob.label, name);
    return fmt::format("{} {}{}{}", knob.label, format_knob(knob, params), knob.unit.empty() ? "" : " ",
                       knob.unit);
}

void tell_launches(Question& question, const Scenario& scenario, const Params& a, const Params& b) {
    std::string common, own, help;
    for (const Knob& knob : scenario.info->knobs) {
        if (knob.picture_only) continue;
        const bool same = a.*knob.field == b.*knob.field;
        const bool words =
            knob.kind == KnobKind::choice && std::isalpha(knob.choices.front().name.front()) != 0;
        if (same)
            common += fmt::format("{}{}", common.empty() ? "" : "; ", said(knob, a));
        else
            own = fmt::format(" A: {}. B: {}.", said(knob, a), said(knob, b));
        if (!same || words) help += fmt::format(" {}: {}", knob.label, knob.tooltip);
    }
    question.situation =
        fmt::format("Two launches of {}, {}.{}", scenario.info->title, scenario.info->formula, own);
    question.rule = (common.empty() ? std::string() : fmt::format("Both have {}.", common)) + help;
}

}  // namespace warplens
