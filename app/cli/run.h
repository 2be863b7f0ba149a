#pragma once

#include "app/cli/command.h"

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

}  // namespace warplens
