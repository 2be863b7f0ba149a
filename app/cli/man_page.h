#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace warplens {

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
