#include "app/learn/quiz.h"

#include "app/base/csv.h"
#include "app/base/errors.h"
#include "app/base/parse_number.h"
#include "app/base/text.h"
#include "app/learn/predict.h"
#include "app/model/access/counts.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

/// The instruction whose request costs the most, compared with the least that it could.
int costliest(const Report& report) {
    int found = 0;
    double most = 0;
    for (std::size_t k = 0; k < report.instructions.size(); ++k) {
        const InstructionReport& row = report.instructions[k];
        const CostWords cost = cost_of(row.instruction.space, report.sector_rules);
        const double times = cost.name.empty() ? 0
                                               : static_cast<double>(cost.cost(row.warp)) /
                                                     std::max(1.0, static_cast<double>(cost.ideal(row.warp)));
        if (times > most) {
            most = times;
            found = static_cast<int>(k);
        }
    }
    return found;
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
    for (std::size_t i = 0; i < question.settings.size(); ++i) {
        const State& state = question.settings[i];
        const Evidence evidence = gather_evidence(state, devices);
        const int k =
            question.kind == QuestionKind::faster ? costliest(evidence.report) : question.instruction;
        const Explanation said = explain(view_of(evidence, k), evidence.tiles[static_cast<std::size_t>(k)]);
        if (question.settings.size() == 2)
            text += fmt::format("{}{}: ", text.empty() ? "" : "\n", i == 0 ? 'A' : 'B');
        text += said.verdict;
        if (question.kind == QuestionKind::fewer) {
            const auto& row = evidence.report.instructions[static_cast<std::size_t>(k)];
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
        std::string asked = question.situation + " " + question.text;
        for (const std::string& choice : question.choices) asked += fmt::format(" [{}]", choice);
        csv += fmt::format("{},{},{},{},{},{},{},{},{}\n", quiz.seed, i + 1,
                           question.settings.front().scenario->info->id, csv_field(question.settings_text()),
                           csv_field(asked), csv_field(answer), with_right ? csv_field(question.right) : "",
                           correct, points);
    }
    return csv;
}

}  // namespace warplens
