#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warplens {

/// Rows of text with columns in line, for a terminal: the first column to the left, the others to the right.
/// Behind the last column a row can have a note.
class TextTable {
public:
    explicit TextTable(std::vector<std::string> header, std::string note = {}) {
        add(std::move(header), std::move(note));
    }

    void add(std::vector<std::string> cells, std::string note = {}) {
        rows_.push_back({std::move(cells), std::move(note)});
    }

    /// Each line ends in '\n', without spaces before it.
    std::string text() const;

private:
    struct Row {
        std::vector<std::string> cells;
        std::string note;
    };
    std::vector<Row> rows_;
};

/// Rows of text whose cells are wrapped to the widths of their columns; all to the left.
class WrappedTable {
public:
    struct Column {
        std::string head;
        std::size_t width;  ///< at most [characters]; a longer word stands out
    };
    explicit WrappedTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

    /// A line break in a cell stays one.
    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

    /// Heads, a rule, the rows. Each line ends in '\n'; nothing stands behind the last column.
    std::string text() const;

private:
    std::vector<Column> columns_;
    std::vector<std::vector<std::string>> rows_;
};

/// A text in lines of at most so many characters, cut between words; a longer word stands out. Its own line
/// breaks stay.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

/// The same as one text, all lines but the first behind so many spaces.
std::string wrapped_behind(std::string_view text, std::size_t indent, std::size_t width);

/// Characters of a UTF-8 text: what it takes on a terminal, as long as no wide characters are used.
std::size_t character_count(std::string_view utf8);

}  // namespace warplens
