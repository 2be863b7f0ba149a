#include "app/figures/figure_command.h"

#include "app/figures/png_chunks.h"

#include <utility>

namespace warplens {
namespace {

constexpr std::string_view kSource = "<dc:source>", kSourceEnd = "</dc:source>";

std::string without_entities(std::string_view text) {
    constexpr std::pair<std::string_view, char> kEntities[] = {
        {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
    std::string plain;
    while (!text.empty()) {
        std::size_t taken = 1;
        char c = text[0];
        for (const auto& [entity, meaning] : kEntities) {
            if (text.starts_with(entity)) {
                c = meaning;
                taken = entity.size();
            }
        }
        plain += c;
        text.remove_prefix(taken);
    }
    return plain;
}

std::optional<std::string> svg_source(std::string_view file) {
    if (file.find("<svg") == std::string_view::npos) return {};
    const std::size_t start = file.find(kSource);
    if (start == std::string_view::npos) return {};
    const std::size_t end = file.find(kSourceEnd, start);
    if (end == std::string_view::npos) return {};
    return without_entities(file.substr(start + kSource.size(), end - start - kSource.size()));
}

}  // namespace

std::optional<std::string> figure_command(std::string_view file) {
    if (auto command = png_text(file, "Command")) return command;
    return svg_source(file);
}

std::optional<std::vector<std::string>> split_command(std::string_view line) {
    std::vector<std::string> words;
    bool in_word = false;
    char quote = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        const bool escaped = c == '\\' && quote != '\'' && i + 1 < line.size();
        if (quote == 0 && c == ' ') {
            in_word = false;
            continue;
        }
        if (!in_word) words.emplace_back();
        in_word = true;
        if (escaped) {
            words.back() += line[++i];
        } else if (quote == 0 && (c == '"' || c == '\'')) {
            quote = c;
        } else if (c == quote) {
            quote = 0;
        } else {
            words.back() += c;
        }
    }
    if (quote != 0) return {};
    return words;
}

std::optional<std::vector<std::string>> figure_arguments(std::string_view file) {
    const auto command = figure_command(file);
    if (!command) return {};
    auto words = split_command(*command);
    if (!words || words->size() < 2 || words->front() != "warplens") return {};
    words->erase(words->begin());
    return words;
}

}  // namespace warplens
