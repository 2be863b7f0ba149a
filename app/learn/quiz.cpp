#include "app/learn/quiz.h"

#include "app/base/csv.h"
#include "app/base/errors.h"
#include "app/base/lower_case.h"
#include "app/base/nearest.h"
#include "app/base/parse_number.h"
#include "app/learn/predict.h"
#include "app/model/access/counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>

namespace warplens {
namespace {

/// Integers from a seed. The standard defines the results of the engine, but not those of its distributions.
class Dice {
public:
    explicit Dice(std::uint32_t seed) : engine_(seed) {}
    std::size_t below(std::size_t count) { return static_cast<std::size_t>(engine_() % count); }
    const auto& one_of(const auto& list) { return list[below(list.size())]; }

private:
    std::mt19937_64 engine_;
};

/// For example "stride 8 elements", "element 4 B", "walk columns".
std::string knob_words(const Knob& knob, const Params& params) {
    std::string value = format_knob(knob, params);
    if (knob.kind == KnobKind::choice) value = choice_name(knob.choices, params.*knob.field);
    const bool unit =
        knob.kind == KnobKind::slider && !knob.unit.empty() && !lower_case(knob.label).ends_with(knob.unit);
    const bool all = knob.kind == KnobKind::mask && params.*knob.field == -1;
    return fmt::format("{} {}{}{}", knob.label.size() < 3 ? std::string(knob.label) : lower_case(knob.label),
                       all ? "all" : value, unit ? " " : "", unit ? knob.unit : "");
}

class QuizMaker {
public:
    QuizMaker(std::uint32_t seed, std::size_t device, const std::vector<DeviceFacts>& devices)
        : dice_(seed), device_(device), devices_(devices) {}

    Question next(std::optional<Space> space) {
        constexpr int kTries = 400;
        Question question;
        for (int tries = 0; tries < kTries; ++tries) {
            const QuestionKind kind = any_kind();
            const QuizSource* source = any_source(kind, space);
            if (source == nullptr || !fill(question, kind, *source)) continue;
            const std::string name = fmt::format("{} {}", question.text, question.situation);
            const bool known = asked_[name] > 0;
            if (known && tries < kTries / 2) continue;
            ++asked_[name];
            ++used_[source];
            return question;
        }
        throw std::logic_error("the quiz found no question");
    }

private:
    QuestionKind any_kind() {
        using enum QuestionKind;
        static constexpr std::array kKinds{count, count, count, count, share, faster, fewer, count};
        return dice_.one_of(kKinds);
    }

    static bool suits(const QuizSource& source, QuestionKind kind) {
        const bool sectors = has_sectors(source.space);
        return kind == QuestionKind::count || (kind == QuestionKind::share && sectors) ||
               (kind == QuestionKind::fewer && source.space == Space::global) ||
               (kind == QuestionKind::faster && source.speed);
    }

    /// One of the sources that were used least so far.
    const QuizSource* any_source(QuestionKind kind, std::optional<Space> space) {
        std::vector<const QuizSource*> fit;
        int least = 1 << 20;
        for (const QuizSource& source : quiz_sources()) {
            if ((space && source.space != *space) || !suits(source, kind)) continue;
            const int used = used_[&source];
            if (used < least) fit.clear();
            least = std::min(least, used);
            if (used == least) fit.push_back(&source);
        }
        return fit.empty() ? nullptr : dice_.one_of(fit);
    }

    static bool matters(const State& state, const QuizTurn& turn) {
        const std::size_t equals = turn.only.find('=');
        if (equals == std::string_view::npos) return true;
        const Knob* knob = find_knob(*state.scenario, turn.only.substr(0, equals));
        return parse_knob(*knob, state.params, turn.only.substr(equals + 1)) == state.params.*knob->field;
    }

    void turn(State& state, const QuizTurn& turn) {
        const Knob* knob = find_knob(*state.scenario, turn.key);
        const auto value = parse_knob(*knob, state.params, dice_.one_of(turn.values));
        if (value && matters(state, turn)) state.params.*knob->field = *value;
    }

    State any_setting(const QuizSource& source) {
        State state = initial_state(*find_scenario(source.scenario), device_);
        for (const QuizTurn& knob : source.turns) turn(state, knob);
        clamp_knobs(*state.scenario, state.params);
        return state;
    }

    bool fill(Question& question, QuestionKind kind, const QuizSource& source) {
        question = {.kind = kind, .settings = {any_setting(source)}};
        if (kind == QuestionKind::fewer || kind == QuestionKind::faster) {
            State second = question.settings.front();
            turn(second, dice_.one_of(source.turns));
            clamp_knobs(*second.scenario, second.params);
            question.settings.push_back(second);
        }
        return choose_instruction(question, source) && ask(question) && describe(question, source);
    }

    const DeviceFacts& device() const { return devices_[device_]; }
    Report report(const State& state) const { return analyze(*state.scenario, state.params, device()); }

    /// Chooses a request of that memory that costs something in every setting.
    bool choose_instruction(Question& question, const QuizSource& source) {
        std::vector<int> fit;
        const Report first = report(question.settings.front());
        for (std::size_t k = 0; k < first.instructions.size(); ++k) {
            const InstructionReport& row = first.instructions[k];
            const bool counted = row.instruction.space == source.space && row.kind == Provenance::exact;
            if (counted && row.warp.requests > 0) fit.push_back(static_cast<int>(k));
        }
        if (fit.empty() || !first.does_not_fit.empty()) return false;
        question.instruction = dice_.one_of(fit);
        return true;
    }

    bool ask(Question& question) {
        switch (question.kind) {
            case QuestionKind::count:
                return ask_count(question);
            case QuestionKind::share:
                return ask_share(question);
            case QuestionKind::fewer:
                return ask_fewer(question);
            case QuestionKind::faster:
                return ask_faster(question);
        }
        return false;
    }

    /// The instruction of the question in the report of a setting. Null if the setting has no such
    /// instruction.
    static const InstructionReport* row_of(const Report& report, const Question& question) {
        const auto k = static_cast<std::size_t>(question.instruction);
        return k < report.instructions.size() ? &report.instructions[k] : nullptr;
    }

    static std::string act(const InstructionReport& row) {
        const std::string op = is_load(row.instruction.op) ? "load" : "store";
        const std::string_view label = row.instruction.label;
        return label.empty() || label == op ? op : fmt::format("{} ({})", op, label);
    }

    bool ask_count(Question& question) {
        const Report all = report(question.settings.front());
        const InstructionReport& row = *row_of(all, question);
        const CostWords cost = cost_of(row.instruction.space, all.sector_rules);
        const std::int64_t right = cost.cost(row.warp);
        if (right < 1) return false;
        question.right = std::to_string(right);
        question.right_kind = row.kind;
        question.text = count_text(row);
        return true;
    }

    static std::string count_text(const InstructionReport& row) {
        switch (row.instruction.space) {
            case Space::shared:
                return fmt::format("How many wavefronts does this {} take?", act(row));
            case Space::constant:
                return fmt::format("How many serialized requests does this {} need?", act(row));
            case Space::texture:
                return "How many sectors do the eight groups of four lanes fetch, all together?";
            case Space::local:
                return fmt::format(
                    "How many sectors of 32 bytes does this {} need? Words of one index lie side "
                    "by side, lane after lane.",
                    act(row));
            default:
                return fmt::format("How many sectors of 32 bytes does this {} need?", act(row));
        }
    }

    bool ask_share(Question& question) {
        constexpr std::array<double, 11> kUsual{3.125, 6.25, 12.5, 25, 33.33, 37.5, 50, 62.5, 66.67, 75, 100};
        const Report all = report(question.settings.front());
        const InstructionReport& row = *row_of(all, question);
        if (row.warp.bytes_moved == 0) return false;
        const double right =
            100.0 * static_cast<double>(row.warp.bytes_used) / static_cast<double>(row.warp.bytes_moved);
        std::vector<double> offered{right};
        while (offered.size() < 4) {
            const double wrong = dice_.one_of(kUsual);
            const bool near = std::ranges::any_of(
                offered, [&](double one) { return wrong > one * 0.85 && wrong < one * 1.18; });
            if (!near) offered.push_back(wrong);
        }
        std::ranges::sort(offered);
        for (const double one : offered) question.choices.push_back(fmt::format("{:.4g} %", one));
        question.right = fmt::format("{:.4g} %", right);
        question.right_kind = row.kind;
        question.text = fmt::format("Which share of the bytes that this {} moves is used?", act(row));
        return true;
    }

    bool ask_fewer(Question& question) {
        const Report a = report(question.settings[0]), b = report(question.settings[1]);
        const InstructionReport *first = row_of(a, question), *second = row_of(b, question);
        if (second == nullptr || second->instruction.space != first->instruction.space) return false;
        const std::int64_t lines_a = first->warp.lines, lines_b = second->warp.lines;
        if (lines_a == lines_b || lines_a == 0 || lines_b == 0) return false;
        question.choices = {"A", "B"};
        question.right = lines_a < lines_b ? "A" : "B";
        question.right_kind = first->kind;
        question.text = fmt::format("Which {} accesses fewer lines of 128 bytes?", act(*first));
        return true;
    }

    /// The bytes that a warp requests per sector or wavefront, for all instructions together.
    double bytes_per_cost(const State& state) const {
        const Report all = report(state);
        std::int64_t bytes = 0, cost = 0;
        for (const InstructionReport& row : all.instructions) {
            const CostWords words = cost_of(row.instruction.space, all.sector_rules);
            bytes += row.warp.bytes_used;
            if (!words.name.empty()) cost += words.cost(row.warp);
        }
        return cost == 0 ? 0 : static_cast<double>(bytes) / static_cast<double>(cost);
    }

    bool ask_faster(Question& question) {
        std::array<Prediction, 2> speed;
        for (std::size_t i = 0; i < 2; ++i) {
            const State& state = question.settings[i];
            if (!report(state).does_not_fit.empty()) return false;
            speed[i] = predict(*state.scenario, state.params, device(), state.cold);
        }
        const double a = speed[0].value, b = speed[1].value;
        constexpr double kClear = 1.5;
        if (speed[0].speed_unit != speed[1].speed_unit || a <= 0 || b <= 0) return false;
        if (std::max(a, b) < kClear * std::min(a, b)) return false;
        const bool a_wins = (a > b) == (speed[0].speed_unit != SpeedUnit::cycles);
        const double use_a = bytes_per_cost(question.settings[0]),
                     use_b = bytes_per_cost(question.settings[1]);
        constexpr double kVisible = 1.2;  // a smaller difference would not be visible in the pictures
        if ((a_wins ? use_a : use_b) < kVisible * (a_wins ? use_b : use_a)) return false;
        question.choices = {"A", "B"};
        question.right = a_wins ? "A" : "B";
        question.right_kind = Provenance::approximate;
        question.text = fmt::format("Which of the two is faster on {}, in {}?", device().name,
                                    speed_words(speed[0].speed_unit).name);
        return true;
    }

    /// Describes the settings by title, formula and knobs; for two settings first what they have in common.
    /// @return  whether they differ.
    bool describe(Question& question, const QuizSource& source) {
        const ScenarioInfo& info = *question.settings.front().scenario->info;
        const bool two = question.settings.size() == 2;
        std::string common, own[2];
        for (const QuizTurn& turned : source.turns) {
            const Knob& knob = *find_knob(*question.settings.front().scenario, turned.key);
            const int Params::*field = knob.field;
            const Params& a = question.settings.front().params;
            const Params& b = question.settings.back().params;
            if (!matters(question.settings.front(), turned) && !matters(question.settings.back(), turned))
                continue;
            const auto add = [&](std::string& text, const Params& params) {
                text += fmt::format("{}{}", text.empty() ? "" : ", ", knob_words(knob, params));
            };
            if (a.*field == b.*field) {
                add(common, a);
            } else {
                add(own[0], a);
                add(own[1], b);
            }
        }
        question.situation = fmt::format("{}, {}: {}.", info.title, info.formula, common);
        if (two) question.situation += fmt::format(" A: {}. B: {}.", own[0], own[1]);
        return !two || !own[0].empty();
    }

    Dice dice_;
    std::size_t device_;
    const std::vector<DeviceFacts>& devices_;
    std::map<std::string, int> asked_;
    std::map<const QuizSource*, int> used_;
};

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

Quiz make_quiz(std::uint32_t seed, int count, std::optional<Space> space, std::size_t device,
               const std::vector<DeviceFacts>& devices) {
    if (space && std::ranges::find(quiz_spaces(), *space) == quiz_spaces().end()) {
        throw UsageError(fmt::format("there are no questions about {} memory (there are some about: {})",
                                     space_name(*space), join_names(names_of(quiz_spaces(), space_name))));
    }
    QuizMaker maker(seed, device, devices);
    Quiz quiz{seed, {}};
    for (int i = 0; i < count; ++i) quiz.questions.push_back(maker.next(space));
    return quiz;
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
    std::string text;
    for (std::size_t i = 0; i < question.settings.size(); ++i) {
        const State& state = question.settings[i];
        const Evidence evidence = gather_evidence(state, devices);
        const int k = std::min(question.instruction, static_cast<int>(evidence.tiles.size()) - 1);
        const Explanation said = explain(view_of(evidence, k), evidence.tiles[static_cast<std::size_t>(k)]);
        if (question.settings.size() == 2)
            text += fmt::format("{}{}: ", i == 0 ? "" : "\n", i == 0 ? 'A' : 'B');
        text += said.verdict;
        if (question.kind == QuestionKind::fewer) {
            const auto& row = evidence.report.instructions[static_cast<std::size_t>(k)];
            text += fmt::format(" Lines: {}.", row.warp.lines);
        }
        if (question.kind == QuestionKind::faster)
            text += fmt::format(" Predicted: {:.4g} {} {}.", evidence.prediction.value,
                                speed_words(evidence.prediction.speed_unit).unit,
                                provenance_mark(Provenance::approximate));
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
