#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warplens {

struct Term;  // app/learn/glossary.h

/// A piece of text in one style. '\n' in it is a line break that was asked for.
struct Run {
    std::string text;  ///< UTF-8, never empty
    bool emphasis = false;
    bool strong = false;
    bool code = false;
    std::string link;            ///< where it leads (app/experiment/link.h, or https://…); empty: nowhere
    const Term* term = nullptr;  ///< the glossary explains it; set by mark_terms

    bool same_style(const Run& other) const;
};

enum class BlockKind { heading, paragraph, code, rule };

/// One block of a text. What is nested lies flat: a list item is a paragraph with a depth and a marker.
struct Block {
    BlockKind kind = BlockKind::paragraph;
    int level = 0;          ///< of headings, 1 to 6
    int depth = 0;          ///< in how many lists and quotations it stands
    bool quote = false;     ///< the innermost of them is a quotation
    std::string marker;     ///< before the first block of a list item: "-" or its number, "3."
    std::vector<Run> runs;  ///< code: one, with its line breaks; rule: none
};

/// Reads CommonMark (md4c; HTML is taken as text). Total: any bytes give some blocks, and no block is empty.
std::vector<Block> parse_markdown(std::string_view text);

/// The text of a block without its styles.
std::string plain_text(const Block& block);

}  // namespace warplens
