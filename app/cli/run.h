#pragma once

#include "app/cli/command.h"
#include "app/figures/figure_options.h"
#include "app/window/saved_state.h"

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace warplens {

/// Read a command line, without the program's name.
/// Errors: UsageError with one sentence.
Command parse_command_line(const std::vector<std::string>& arguments);

/// Do what a command line asks for.
/// @param input  what "-" reads; output goes to `out`.
/// @return       the exit code.
/// Errors: Error with one sentence and its exit code.
int run_command_line(const std::vector<std::string>& arguments, std::istream& input, std::ostream& out);

/// The options of `warplens` without a command, which opens the window.
struct WindowCommand {
    ScenarioChoice choice;
    DeviceChoice device;
    WindowOptions window;
    bool no_state = false;
    std::optional<int> tour;       ///< CLI11 2.4 counts a flag of a plain number as given.
    ExportRequest same_as_export;  ///< Where the options that `export` has, too, are read to.
};

/// Declare the options of the window. The command's own options stay at `command` until the parsing is over.
void add_window_options(CLI::App& app, WindowCommand& command);

/// The window as it was asked for. Errors: UsageError.
Command finish_window(const CLI::App& app, WindowCommand command);

/// The manual page, as troff (man macros, UTF-8): made from the same descriptions as `--help`, so that the
/// two cannot differ. What is in no group (hidden commands) is left out.
/// @param app  all options and commands, named; it need not have parsed anything.
std::string man_page(const CLI::App& app);

/// A script for bash 4 or newer: completes commands, options, scenarios and the words of lists, else file
/// names. Made from the descriptions behind `--help`; hidden commands are left out.
/// @param app  all options and commands, named; it need not have parsed anything.
std::string bash_completion(const CLI::App& app);

/// An option as it is typed, in all its forms: "-h", "--help". Empty for an operand.
std::vector<std::string> option_spellings(const CLI::Option& option);

/// Plain text, so that troff prints it letter by letter: `-` stays an ASCII minus that can be pasted into a
/// shell.
std::string troff_text(const std::string& text);

}  // namespace warplens
