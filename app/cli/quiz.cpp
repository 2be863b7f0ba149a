#include "app/base/errors.h"
#include "app/base/output.h"
#include "app/base/text.h"
#include "app/cli/command.h"
#include "app/cli/command_options.h"
#include "app/cli/text_table.h"
#include "app/experiment/devices.h"
#include "app/experiment/link.h"
#include "app/experiment/settings.h"
#include "app/learn/mistakes.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>

namespace warplens {
namespace {

std::optional<Space> space_of(const std::string& name) {
    if (name.empty()) return {};
    const auto names = names_of(quiz_spaces(), space_name);
    const auto found = std::ranges::find(names, name);
    if (found != names.end()) return quiz_spaces()[found - names.begin()];
    throw UsageError(
        fmt::format("--space {}: there are no questions about such a memory{} (there are some about: {})",
                    name, did_you_mean(name, names), join_names(names)));
}

const FigureWithMistakes& figure_of(const std::string& id) {
    if (const FigureWithMistakes* figure = find_figure(id); figure != nullptr) return *figure;
    const auto names = names_of(figures_with_mistakes(), &FigureWithMistakes::id);
    throw UsageError(fmt::format("--mistakes {}: there is no such figure{} (there are: {})", id,
                                 did_you_mean(id, names), join_names(names)));
}

/// Lines of at most so many columns, all indented.
std::string indented(std::string_view text, std::size_t indent) {
    constexpr std::size_t kColumns = 96;
    return std::string(indent, ' ') + wrapped_behind(text, indent, kColumns - indent);
}

void print_text(const Quiz& quiz, const std::vector<DeviceFacts>& devices, std::size_t device, bool answers,
                std::ostream& out) {
    const bool of_figure = quiz.questions.front().kind == QuestionKind::mistake;
    if (of_figure)
        out << fmt::format("Find the mistakes. {}\n", quiz.questions.front().situation);
    else
        out << fmt::format("Warplens quiz, seed {}, {} question{}. Model: {}.\n", quiz.seed,
                           quiz.questions.size(), quiz.questions.size() == 1 ? "" : "s",
                           devices[device].name);
    if (!quiz.code.empty())
        out << fmt::format("\n{}\n", quiz.code);
    else
        out << "A question about a load or a store is about one request of the first warp; i is the lane, 0 to 31. Division drops the "
               "remainder,\n% is the remainder, ^ the exclusive or of the bits, << and >> shift them.\n";
    for (std::size_t i = 0; i < quiz.questions.size(); ++i) {
        const Question& question = quiz.questions[i];
        out << fmt::format("\n{}.\n", i + 1);
        if (!of_figure) out << indented(question.situation, 3) << '\n';
        std::istringstream code(quiz.code.empty() ? question.code : std::string());
        for (std::string line; std::getline(code, line);) out << fmt::format("      {}\n", line);
        out << indented(question.asked(), 3) << '\n';
        std::string choices;
        for (const std::string& choice : question.choices)
            choices += fmt::format("{}[ ] {}", choices.empty() ? "" : "    ", choice);
        if (question.kind == QuestionKind::mistake) choices = "Answer: line ________";
        out << "   " << (choices.empty() ? std::string("Answer: ________") : choices) << '\n';
        if (!answers) continue;
        out << fmt::format("   Right: {} {}\n{}\n", question.right, provenance_mark(question.right_kind),
                           indented(why_right(question, devices), 3));
        if (of_figure) continue;
        for (const State& state : question.settings)
            out << fmt::format("   warplens '{}'\n", link_to(state, devices));
    }
}

void print_json(const Quiz& quiz, const std::vector<DeviceFacts>& devices, std::size_t device, bool answers,
                std::ostream& out) {
    nlohmann::ordered_json file{{"seed", quiz.seed}, {"device", devices[device].name}};
    if (!quiz.code.empty()) file["code"] = quiz.code;
    for (std::size_t i = 0; i < quiz.questions.size(); ++i) {
        const Question& question = quiz.questions[i];
        nlohmann::ordered_json one{{"number", i + 1},
                                   {"scenario", question.settings.front().scenario->info->id},
                                   {"settings", question.settings_text()},
                                   {"situation", question.situation},
                                   {"code", question.code},
                                   {"question", question.asked()},
                                   {"choices", question.choices}};
        for (const State& state : question.settings) one["links"].push_back(link_to(state, devices));
        if (answers) {
            one["right_answer"] = question.right;
            one["kind"] = provenance_name(question.right_kind);
            one["why"] = why_right(question, devices);
        }
        file["questions"].push_back(one);
    }
    out << file.dump(2) << '\n';
}

/// Questions for a class, on paper or for another program.
struct QuizCommand {
    std::string seed = "1";  ///< as typed: 0 to 4294967295
    int count = 10;          ///< questions
    std::string scenario;    ///< an id, a link, or a file with a kernel; empty for any scenario
    std::string mistakes;    ///< the id of a figure with mistakes; empty for random questions
    std::string space;       ///< only of this memory space, as space_name has it; empty for all
    bool answers = false;    ///< with the right answers
    bool json = false;
    std::string csv_path;  ///< empty for no file; "-" for standard output
};

/// The subject of the questions. Errors: UsageError for what does not exist.
QuizAbout about_of(const QuizCommand& command) {
    QuizAbout about{.space = space_of(command.space)};
    if (command.scenario.empty()) return about;
    about.here = make_experiment({command.scenario, {}}, {std::string(kDefaultDevice), true}).state;
    if (about.here->scenario->typed == nullptr && command.scenario != about.here->scenario->info->id)
        throw UsageError(
            fmt::format("quiz {}: the questions choose the parameters of a scenario: give only "
                        "its id, {}",
                        command.scenario, about.here->scenario->info->id));
    return about;
}

void run_quiz(const QuizCommand& command, std::ostream& out) {
    const bool to_file = !command.csv_path.empty() && command.csv_path != "-";
    const std::uint32_t seed = parse_seed(command.seed);
    const QuizAbout about = about_of(command);
    if (to_file) check_output(command.csv_path);
    const std::vector<DeviceFacts> devices = device_table();
    const std::size_t device = find_device(devices, kDefaultDevice).value();
    const Quiz quiz = command.mistakes.empty() ? make_quiz(seed, command.count, about, device, devices)
                                               : make_mistake_quiz(figure_of(command.mistakes), device);
    if (to_file)
        write_output(command.csv_path, quiz_csv(quiz, {}, command.answers));
    else if (!command.csv_path.empty())
        out << quiz_csv(quiz, {}, command.answers);
    else if (command.json)
        print_json(quiz, devices, device, command.answers, out);
    else
        print_text(quiz, devices, device, command.answers, out);
}

}  // namespace

CommandEntry quiz_command() {
    const auto declare = [](CLI::App& app, QuizCommand& command) {
        CLI::Option* scenario =
            app.add_option("scenario", command.scenario,
                           "Only about this one: an id, or a kernel of your own, as a file my.cu or a link")
                ->type_name("ID");
        app.add_option("--seed", command.seed,
                       "The same number, the same questions: 0 to 4294967295 (default 1)")
            ->type_name("N");
        app.add_option("--count", command.count, "How many questions, 1 to 50 (default 10)")
            ->type_name("N")
            ->check(CLI::Range(1, kMostQuestions));
        app.add_option("--space", command.space,
                       "Only about this memory: global, shared, constant, texture or local")
            ->type_name("SPACE");
        app.add_option("--mistakes", command.mistakes,
                       "Instead: find the mistakes in the code of a published figure, figure-4.7")
            ->type_name("FIGURE")
            ->excludes(scenario);
        app.add_flag("--answers", command.answers, "With the right answers, and why they are right");
        CLI::Option* json = app.add_flag("--json", command.json, "As JSON");
        app.add_option("--csv", command.csv_path, "Write a table there instead; - is standard output")
            ->type_name("FILE")
            ->excludes(json);
    };
    return {
        "quiz", "Print random questions for a class, with or without answers",
        "quiz --seed 2026                                     questions for a class, the same for everyone",
        options_of<QuizCommand>(declare, run_quiz)};
}

}  // namespace warplens
