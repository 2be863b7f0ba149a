#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warplens {

struct Term;  // app/learn/glossary.h

/// A piece of text in one style. A newline in it is a line break that the text contains.
struct Run {
    std::string text;  ///< UTF-8, never empty
    bool emphasis = false;
    bool strong = false;
    bool code = false;
    std::string link;  ///< the target (app/experiment/link.h, or https://…); empty if it is no link
    const Term* term = nullptr;  ///< the glossary's explanation; set by mark_terms

    bool same_style(const Run& other) const;
};

enum class BlockKind { heading, paragraph, code, rule };

/// One block of a text. Nesting is flattened: a list item is a paragraph with a depth and a marker.
struct Block {
    BlockKind kind = BlockKind::paragraph;
    int level = 0;          ///< level of a heading, 1 to 6
    int depth = 0;          ///< the number of lists and quotations that contain it
    bool quote = false;     ///< whether the innermost of these is a quotation
    std::string marker;     ///< what stands before the first block of a list item: "-" or its number, "3."
    std::vector<Run> runs;  ///< one run with line breaks for code; none for a rule
};

/// Reads CommonMark with md4c; HTML is treated as text, and pictures are left out. It accepts any bytes, and
/// no block is empty.
std::vector<Block> parse_markdown(std::string_view text);

/// The text of a block without its styles.
std::string plain_text(const Block& block);

}  // namespace warplens
