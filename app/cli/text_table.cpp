#include "app/cli/text_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {

std::size_t character_count(std::string_view utf8) {
    return std::size_t(std::count_if(
        utf8.begin(), utf8.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0u) != 0x80u; }));
}

namespace {

/// One line of a cell into lines of at most so many characters.
void wrap_line(std::string_view text, std::size_t width, std::vector<std::string>& lines) {
    lines.emplace_back();
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        const std::string_view word = text.substr(0, end);
        if (!lines.back().empty() && character_count(lines.back()) + 1 + character_count(word) > width)
            lines.emplace_back();
        if (!lines.back().empty()) lines.back() += ' ';
        lines.back() += word;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

/// The cells of a row side by side.
std::string side_by_side(const std::vector<std::vector<std::string>>& cells,
                         const std::vector<std::size_t>& widths) {
    std::size_t height = 0;
    for (const auto& cell : cells) height = std::max(height, cell.size());
    std::string text;
    for (std::size_t k = 0; k < height; ++k) {
        std::string line;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const std::string piece = k < cells[i].size() ? cells[i][k] : std::string();
            const std::size_t used = character_count(piece);
            line += piece + std::string(widths[i] - std::min(used, widths[i]) + 2, ' ');
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text;
}

}  // namespace

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
    std::vector<std::string> lines;
    while (true) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        wrap_line(text.substr(0, end), width, lines);
        if (end == text.size()) return lines;
        text.remove_prefix(end + 1);
    }
}

std::string wrapped_behind(std::string_view text, std::size_t indent, std::size_t width) {
    return fmt::format("{}", fmt::join(wrapped(text, width), '\n' + std::string(indent, ' ')));
}

std::string WrappedTable::text() const {
    std::vector<std::vector<std::vector<std::string>>> rows(1);
    for (const Column& column : columns_) rows[0].push_back({column.head});
    for (const auto& row : rows_) {
        rows.emplace_back();
        for (std::size_t i = 0; i < columns_.size(); ++i)
            rows.back().push_back(wrapped(row.at(i), columns_[i].width));
    }
    std::vector<std::size_t> widths(columns_.size());
    for (const auto& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            for (const std::string& line : row[i]) widths[i] = std::max(widths[i], character_count(line));
        }
    }
    std::vector<std::vector<std::string>> rule;
    for (const std::size_t width : widths) rule.push_back({std::string(width, '-')});
    std::string text = side_by_side(rows[0], widths) + side_by_side(rule, widths);
    for (std::size_t i = 1; i < rows.size(); ++i) text += side_by_side(rows[i], widths);
    return text;
}

std::string TextTable::text() const {
    std::vector<std::size_t> widths;
    for (const auto& [cells, note] : rows_) {
        widths.resize(std::max(widths.size(), cells.size()));
        for (std::size_t i = 0; i < cells.size(); ++i)
            widths[i] = std::max(widths[i], character_count(cells[i]));
    }
    std::string text;
    for (const auto& [cells, note] : rows_) {
        std::string line;
        for (std::size_t i = 0; i < widths.size(); ++i) {
            const std::string cell = i < cells.size() ? cells[i] : std::string();
            const std::string gap(widths[i] - character_count(cell), ' ');
            line += i == 0 ? cell + gap : "  " + gap + cell;
        }
        if (!note.empty()) line += "  " + note;
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text;
}

}  // namespace warplens
