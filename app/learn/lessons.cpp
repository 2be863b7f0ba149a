#include "app/learn/lessons.h"

#include "app/base/assets.h"
#include "app/learn/glossary.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace warplens {

std::string lesson_key(const Scenario& scenario) { return std::string(scenario.info->id); }

std::string lesson_key(const State& state) {
    return state.board->lesson.empty() ? lesson_key(*state.scenario) : std::string(state.board->lesson);
}

const std::vector<Block>& lesson(std::string_view key) {
    static std::map<std::string, std::vector<Block>, std::less<>> read;
    const auto found = read.find(key);
    if (found != read.end()) return found->second;
    std::vector<Block> blocks = parse_markdown(asset(fmt::format("assets/lessons/{}.md", key)));
    // Terms in titles of books are not marked.
    const auto books = std::ranges::find_if(blocks, [](const Block& block) {
        return block.kind == BlockKind::heading && plain_text(block) == "Further reading";
    });
    mark_terms({blocks.begin(), books});
    return read.emplace(key, std::move(blocks)).first->second;
}

}  // namespace warplens
