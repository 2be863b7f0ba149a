#pragma once

#include "app/cli/command.h"
#include "app/figures/figure_options.h"
#include "app/window/window_options.h"

#include <string>
#include <vector>

namespace warplens {

/// Read a command line, without the program's name.
/// Errors: UsageError with one sentence.
Command parse_command_line(const std::vector<std::string>& arguments);

/// Do what a command line asks for.
/// @param input  what "-" reads; output goes to `out`.
/// @return       the exit code.
/// Errors: Error with one sentence and its exit code.
int run_command_line(const std::vector<std::string>& arguments, std::istream& input, std::ostream& out);

/// What `warplens` without a command is asked for.
struct WindowCommand {
    ScenarioChoice choice;
    DeviceChoice device;
    WindowOptions window;
    bool no_state = false;
    ExportRequest same_as_export;  ///< Where the options that `export` has, too, are read to.
};

/// Declare the options of the window. The command's own options stay at `command` until the parsing is over.
void add_window_options(CLI::App& app, WindowCommand& command);

/// The window as it was asked for. Errors: UsageError.
Command finish_window(const CLI::App& app, WindowCommand command);

}  // namespace warplens
