#pragma once

#include "app/typed/parse/source.h"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::typed {

enum class Declares { function, record, alias, constant, enumeration };

/// Something that a file declares outside of functions, before it is read: only what a kernel needs has to be
/// understood. Its tokens are [begin, end).
struct Declaration {
    Declares what = Declares::function;
    std::string name;
    std::size_t begin = 0, end = 0;  ///< without its template parameters
    std::size_t parameters = 0;      ///< of a template: its '<'; 0 if it is none
    std::size_t special = 0;         ///< of a template for certain arguments: their '<'
    std::size_t body = 0;            ///< of a function: its '{'; 0 if it has none
    bool kernel = false, device = false;
    Position at;  ///< of the name
};

struct Declarations {
    std::vector<Declaration> all;  ///< in the order of the text
    std::multimap<std::string, std::size_t, std::less<>> by_name;

    std::vector<const Declaration*> named(std::string_view name) const;
    /// The first that is not for certain arguments of a template.
    const Declaration* find(std::string_view name, Declares what) const;
    std::vector<const Declaration*> kernels() const;  ///< with a body
};

/// Finds everything that is declared. Host code is passed over.
Declarations find_declarations(const std::vector<Token>& tokens);

/// The place behind the bracket that closes the one at `open`; the last token if none does.
std::size_t behind_bracket(const std::vector<Token>& tokens, std::size_t open);
/// The same of "<", in which ">>" closes two. @return  the place of the sign that closes it
std::size_t closing_angle(const std::vector<Token>& tokens, std::size_t open);

}  // namespace warplens::typed
