#pragma once

#include "app/gl/fonts.h"
#include "app/learn/courses.h"
#include "app/typed/scenario.h"

#include <string>
#include <vector>

namespace warplens::test {

/// The keys of all lessons that there have to be.
inline std::vector<std::string> lesson_keys() {
    std::vector<std::string> keys;
    for (const Scenario& scenario : all_scenarios()) keys.push_back(lesson_key(scenario));
    keys.emplace_back(typed::kTypedId);
    for (const BoardInfo* board : all_boards()) {
        if (!board->lesson.empty()) keys.emplace_back(board->lesson);
    }
    return keys;
}

/// The blocks of a section, from behind its heading to the next one.
inline std::vector<Block> section(const std::string& key, std::string_view heading) {
    std::vector<Block> found;
    bool inside = false;
    for (const Block& block : lesson(key)) {
        if (block.kind == BlockKind::heading) inside = plain_text(block) == heading;
        if (inside && block.kind != BlockKind::heading) found.push_back(block);
    }
    return found;
}

/// The runs as they were written: not cut at words of the glossary.
inline std::vector<Run> written_runs(const Block& block) {
    std::vector<Run> runs;
    for (Run run : block.runs) {
        run.term = nullptr;
        if (!runs.empty() && runs.back().same_style(run))
            runs.back().text += run.text;
        else
            runs.push_back(std::move(run));
    }
    return runs;
}

/// Text of the sections that explain, which is what people read: no code, no titles of books.
inline std::string prose(const std::string& key) {
    std::string text;
    for (const Block& block : lesson(key)) {
        if (block.kind == BlockKind::heading && plain_text(block) == "Further reading") break;
        if (block.kind == BlockKind::heading || block.kind == BlockKind::code) continue;
        for (const auto& run : block.runs) text += run.code ? "code" : run.text;
        text += '\n';
    }
    return text;
}

/// The first letter of a text that the window's fonts do not have. Empty if they have all.
inline std::string letter_without_glyph(const std::string& text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if (byte < 0x80) continue;
        const std::size_t size = byte >= 0xe0 ? 3 : 2;
        if (kSymbols.find(text.substr(i, size)) == std::string_view::npos) return text.substr(i, size);
        i += size - 1;
    }
    return {};
}

}  // namespace warplens::test
