#pragma once

#include "app/cli/command.h"

#include <ostream>
#include <string>

namespace warplens {

struct CodeCommand {
    ScenarioChoice choice;
    std::string path;  ///< Empty for standard output.
};

/// `warplens code`: a setting as a CUDA program that nvcc compiles on its own.
/// Errors: UsageError for a scenario, knob or value that does not exist, or a file that cannot be written.
void run_code(const CodeCommand& command, std::ostream& out);

}  // namespace warplens
