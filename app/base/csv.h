#pragma once

#include <cstdint>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// Hands out the records of a CSV file one by one, without holding the whole file.
class CsvRecords {
public:
    /// @param name  of the file, for messages.
    CsvRecords(std::istream& input, std::string name);

    /// The next record that is not blank, without its line end; valid until the next call. A quoted field may
    /// span lines. A byte order mark is skipped.
    /// @return  false at the end.
    /// Errors: UsageError for a read error, an endless record or a quote that is never closed.
    bool next(std::string_view& record);

    /// The next line as it stands, blank or not, whatever quotes are in it: for what is not a table.
    /// @return  false at the end. Errors: as next.
    bool next_line(std::string_view& line);

    /// The first byte of what comes next; -1 at the end.
    int peek();
    /// The text that was read but not returned yet, to see what kind of file it is.
    std::string_view ahead() const { return {buffer_.data() + begin_, end_ - begin_}; }

    long line() const { return record_line_; }     ///< where the record begins, counted from 1
    std::int64_t bytes() const { return bytes_; }  ///< that were handed out, line ends included
    const std::string& name() const { return name_; }

private:
    /// How far a record was looked through for its end.
    struct Scan {
        std::size_t bytes = 0;
        bool quoted = false;  ///< a quote is open there
        long lines = 0;       ///< line ends inside quotes
    };
    std::size_t find_end(Scan& scan, bool quotes) const;
    bool take(std::string_view& record, bool quotes);
    bool refill();

    std::istream& input_;
    std::string name_;
    std::vector<char> buffer_;
    std::size_t begin_ = 0, end_ = 0;
    bool at_end_ = false;
    long next_line_ = 1, record_line_ = 0;
    std::int64_t bytes_ = 0;
};

/// The text up to the next comma that is not inside quotes, trimmed; what is left of the record after it.
/// @param more       set: whether a comma ended it, and so another field follows.
/// @param separator  in place of the comma
std::string_view take_field(std::string_view& rest, bool& more, char separator = ',');

/// Without blanks and tabs round it.
std::string_view trim(std::string_view text);

/// A trimmed field without the quotes round it. Doubled quotes inside stay.
std::string_view plain(std::string_view text);

/// A text as a field of a CSV file: in quotes, its own quotes doubled, if it has a comma, a quote or a line
/// end.
std::string csv_field(std::string_view text);

/// A CSV file whose first line names its columns, in any order; those with other names are ignored.
class CsvTable {
public:
    /// Reads the header.
    /// @param columns  the names that have to be there, in small letters; capitals are read the same.
    /// @param header   how the header should look, for messages.
    /// Errors: UsageError with file, line, column and what was expected; so do all later calls.
    CsvTable(std::istream& input, std::string name, std::vector<std::string> columns, std::string header);

    /// Go to the next row. @return  false at the end.
    bool next();

    /// The field of a column in this row, without quotes; valid until the next call of next.
    std::string_view operator[](std::size_t column) const { return plain(fields_[column]); }
    /// The same as it stands in the file.
    std::string_view raw(std::size_t column) const { return fields_[column]; }

    [[noreturn]] void fail(std::size_t column, const std::string& expected) const;

private:
    [[noreturn]] void fail_line(const std::string& what) const;

    CsvRecords records_;
    std::vector<std::string> columns_;
    std::vector<int> column_of_field_;  ///< -1 if the field is ignored
    std::vector<std::string_view> fields_;
};

}  // namespace warplens
