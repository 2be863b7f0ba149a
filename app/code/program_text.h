#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace warplens {

/// The words that replace the place holders in the text of a program (assets/programs).
struct ProgramFacts {
    std::map<std::string, std::string, std::less<>> values;  ///< for $name$
    std::set<std::string, std::less<>> words;                ///< for //$if
};

/// Fill a text: `$name$` becomes a value, and of the lines between `//$if word`, `//$else` and `//$end` only
/// those are kept that apply. Such blocks may stand inside each other; `!word` applies if there is no such
/// word, and of several words all must apply. Errors: std::runtime_error, with the line, for a name that has
/// no value or a block that is never closed.
std::string fill_program(std::string_view text, const ProgramFacts& facts);

/// A link that opens a CUDA source in Compiler Explorer (godbolt.org), compiled by nvcc for compute
/// capability 9.0. The whole source is in the link; nothing is sent before somebody opens it.
std::string explorer_link(std::string_view source);

}  // namespace warplens
