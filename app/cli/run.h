#pragma once

#include "app/cli/options.h"

#include <istream>
#include <ostream>
#include <string>
#include <vector>

namespace warplens {

/// Do what a command line asks for.
/// @param input  what "-" reads; output goes to `out`.
/// @return       the exit code.
/// Errors: Error with one sentence and its exit code.
int run_command_line(const std::vector<std::string>& arguments, std::istream& input, std::ostream& out);

}  // namespace warplens
