#pragma once

#include "app/learn/markdown.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// A word of the field, as assets/glossary.json explains it.
struct Term {
    std::string term;                ///< as the list of words shows it
    std::vector<std::string> forms;  ///< the term, its plural, other names: whatever stands for it in a text
    std::string meaning;             ///< one or two sentences
    std::string see;                 ///< a link to where it can be seen; empty: nowhere
};

/// All of them, in alphabetical order.
const std::vector<Term>& glossary();

/// By any of its forms; upper and lower case are the same. Null: there is none.
const Term* find_term(std::string_view word);

/// Where a term stands in a text [bytes].
struct TermPlace {
    std::size_t begin = 0, end = 0;
    const Term* term = nullptr;
};

/// Terms in a text from left to right, of several that begin at a place the longest; whole words only.
std::vector<TermPlace> find_terms(std::string_view text);

/// Cuts runs so that the first occurrence of each term in each block has a run of its own, with Run::term.
/// Headings, links and code stay as they are.
void mark_terms(std::span<Block> blocks);

/// Reads a glossary. Errors: std::runtime_error that names the entry and what is wrong with it.
std::vector<Term> parse_glossary(std::string_view json);

}  // namespace warplens
