#include "app/cli/options_quiz.h"

#include "app/learn/quiz.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

namespace warplens {
namespace {

constexpr const char* kQuizFooter =
    R"(The same seed, number and space give the same questions on every machine and in the window (Learn, Quiz), so a
class can answer on paper or on screen. Numbers are those of an H200.

The CSV has the columns
  seed,number,scenario,settings,question,answer,right_answer,correct,points
answer, correct and points are empty here; the window fills them in. right_answer needs --answers.

Examples:
  warplens quiz --seed 2026
  warplens quiz --seed 2026 --answers
  warplens quiz --seed 7 --count 20 --space shared --csv sheet.csv
  warplens quiz --seed 7 --json --answers)";

}  // namespace

void add_quiz(CLI::App& app, QuizCommand& command) {
    CLI::App* sub = app.add_subcommand("quiz", "Print random questions for a class, with or without answers");
    sub->footer(kQuizFooter);
    sub->add_option("--seed", command.seed,
                    "The same number, the same questions: 0 to 4294967295 (default 1)")
        ->type_name("N");
    sub->add_option("--count", command.count, "How many questions, 1 to 50 (default 10)")
        ->type_name("N")
        ->check(CLI::Range(1, kMostQuestions));
    sub->add_option("--space", command.space,
                    "Only about this memory: global, shared, constant, texture or local")
        ->type_name("SPACE");
    sub->add_flag("--answers", command.answers, "With the right answers, and why they are right");
    CLI::Option* json = sub->add_flag("--json", command.json, "As JSON");
    sub->add_option("--csv", command.csv_path, "Write a table there instead; - is standard output")
        ->type_name("FILE")
        ->excludes(json);
}

}  // namespace warplens
