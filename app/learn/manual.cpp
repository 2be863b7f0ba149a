#include "app/learn/manual.h"

#include "app/base/assets.h"
#include "app/base/text.h"
#include "app/experiment/link.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

constexpr const char* kChapters[] = {"window",   "commands",     "kernel",   "exactness",
                                     "accuracy", "recordings",   "security", "installing",
                                     "browser",  "architecture", "adding",   "changelog"};
constexpr std::string_view kLessons = "../lessons/", kBoard = "board-", kEnding = ".md";

/// Files link to files, so that their texts can be read anywhere; the window has other names for them.
std::string link_in_window(std::string link) {
    const std::size_t ending = link.find(kEnding);
    if (ending == std::string::npos || leads_out(link)) return link;
    link.erase(ending, kEnding.size());
    if (!link.starts_with(kLessons)) return std::string(kManualLink) + link;
    link.erase(0, kLessons.size());
    return link.starts_with(kBoard) ? "?board=" + link.substr(kBoard.size()) : link;
}

std::vector<Block> read_blocks(std::string_view text) {
    std::vector<Block> blocks = parse_markdown(text);
    for (Block& block : blocks)
        for (Run& run : block.runs) run.link = link_in_window(run.link);
    return blocks;
}

Chapter read_chapter(const char* id) {
    const std::string text(asset(fmt::format("assets/manual/{}.md", id)));
    std::vector<Block> blocks = read_blocks(text);
    return {id, plain_text(blocks.at(0)), plain_text(blocks.at(1)), text, std::move(blocks)};
}

}  // namespace

const std::vector<Chapter>& manual() {
    static const std::vector<Chapter> chapters = [] {
        std::vector<Chapter> read;
        for (const char* id : kChapters) read.push_back(read_chapter(id));
        return read;
    }();
    return chapters;
}

const Chapter* find_chapter(std::string_view id) {
    const auto found = std::ranges::find(manual(), id, &Chapter::id);
    return found == manual().end() ? nullptr : &*found;
}

const std::vector<Block>& manual_contents() {
    static const std::vector<Block> contents = [] {
        std::string text = "# Manual\n\n";
        for (const Chapter& chapter : manual())
            text += fmt::format("- [{}]({}.md): {}\n", chapter.title, chapter.id, chapter.about);
        return read_blocks(text);
    }();
    return contents;
}

std::string anchor_of(const Block& heading) {
    std::string anchor;
    for (const char c : lower_case(plain_text(heading)))
        if (c == ' ')
            anchor += '-';
        else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-')
            anchor += c;
    return anchor;
}

}  // namespace warplens
