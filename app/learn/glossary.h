#pragma once

#include "app/learn/markdown.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// A technical term, as assets/glossary.json explains it.
struct Term {
    std::string term;                ///< as shown in the list of terms
    std::vector<std::string> forms;  ///< the term, its plural, and other names that a text may use
    std::string meaning;             ///< one or two sentences
    std::string see;                 ///< a link to a setting that shows it; empty if there is none
};

/// All terms, in alphabetical order.
const std::vector<Term>& glossary();

/// The term with this form, ignoring case. Null if there is none.
const Term* find_term(std::string_view word);

/// The position of a term in a text [bytes].
struct TermPlace {
    std::size_t begin = 0, end = 0;
    const Term* term = nullptr;
};

/// The terms in a text from left to right; only whole words, and the longest if several begin at one
/// position.
std::vector<TermPlace> find_terms(std::string_view text);

/// Splits runs so that the first occurrence of each term in each block has a run of its own, with Run::term.
/// Headings, links and code are not changed.
void mark_terms(std::span<Block> blocks);

}  // namespace warplens
