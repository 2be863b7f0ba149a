#pragma once

#include <string>

namespace CLI {
class App;
}

namespace warplens {

/// A script for bash 4 or newer: completes commands, options, scenarios and the words of lists, else file
/// names. Made from the descriptions behind `--help`; hidden commands are left out.
/// @param app  all options and commands, named; it need not have parsed anything.
std::string bash_completion(const CLI::App& app);

}  // namespace warplens
