#pragma once

#include "app/learn/markdown.h"

#include <string>
#include <string_view>
#include <vector>

namespace warplens {

// The manual: the texts of assets/manual/, which `warplens manual` prints and the help page shows. A place in
// it is written "exactness#proof": a chapter, and behind the # an anchor of one of its headings.

struct Chapter {
    std::string id;     ///< the name of its file without ".md"
    std::string title;  ///< its first heading
    std::string about;  ///< its first paragraph: one line for the list of chapters
    std::string text;   ///< Markdown
    std::vector<Block> blocks;
};

/// All chapters in the order in which they are read.
const std::vector<Chapter>& manual();
/// Null if there is no such chapter.
const Chapter* find_chapter(std::string_view id);

/// The list of chapters, each with its link and its line.
const std::vector<Block>& manual_contents();

/// A heading as links name it: "What it is, and why" becomes "what-it-is-and-why".
std::string anchor_of(const Block& heading);

/// What a link of a chapter to a place in the manual begins with once it is read: "exactness.md#proof"
/// becomes "manual:exactness#proof". A link to a lesson becomes one to its scenario or board
/// (app/experiment/link.h).
inline constexpr std::string_view kManualLink = "manual:";

}  // namespace warplens
