#include "app/base/csv.h"

#include "app/base/errors.h"
#include "app/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace warplens {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 15;  // stays in the L1 while it is parsed
constexpr std::size_t kLongestRecord = std::size_t{1} << 20;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

bool blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

}  // namespace

CsvRecords::CsvRecords(std::istream& input, std::string name)
    : input_(input), name_(printable(name)), buffer_(kBlockBytes) {
    while (end_ < kByteOrderMark.size() && refill()) {
    }
    if (std::string_view(buffer_.data(), end_).substr(0, kByteOrderMark.size()) == kByteOrderMark) {
        begin_ = kByteOrderMark.size();
    }
}

bool CsvRecords::refill() {
    if (at_end_) return false;
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    if (end_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
    input_.read(buffer_.data() + end_, std::streamsize(buffer_.size() - end_));
    if (input_.bad())
        throw UsageError(fmt::format("cannot read '{}': the file broke off while reading", name_));
    end_ += std::size_t(input_.gcount());
    at_end_ = !input_;
    return input_.gcount() > 0;
}

/// @return  length of the record without '\n', or npos when more has to be read.
std::size_t CsvRecords::find_end(Scan& scan, bool quotes) const {
    const char* start = buffer_.data() + begin_;
    const char* end = buffer_.data() + end_;
    while (start + scan.bytes < end) {
        const char* from = start + scan.bytes;
        const auto* newline = static_cast<const char*>(std::memchr(from, '\n', std::size_t(end - from)));
        const char* to = newline == nullptr ? end : newline;
        if (quotes && std::memchr(from, '"', std::size_t(to - from)) != nullptr) {
            scan.quoted ^= std::count(from, to, '"') % 2 != 0;
        }
        scan.bytes = std::size_t(to - start);
        if (newline == nullptr) break;
        if (!scan.quoted) return scan.bytes;
        ++scan.bytes;  // this line end belongs to a quoted field
        ++scan.lines;
    }
    return std::string_view::npos;
}

bool CsvRecords::take(std::string_view& record, bool quotes) {
    record_line_ = next_line_;
    Scan scan;
    std::size_t length = find_end(scan, quotes);
    while (length == std::string_view::npos) {
        const bool too_long = end_ - begin_ > kLongestRecord;
        if (!too_long && refill()) {
            length = find_end(scan, quotes);
            continue;
        }
        if (too_long || scan.quoted) {
            throw UsageError(fmt::format("{}, line {}: {}", name_, record_line_,
                                         scan.quoted
                                             ? "a quote is opened and never closed"
                                             : "expected a row, found a line of more than a megabyte"));
        }
        if (begin_ == end_) return false;
        length = end_ - begin_;
    }
    record = {buffer_.data() + begin_, length};
    next_line_ += 1 + scan.lines;
    bytes_ += std::int64_t(length) + 1;
    begin_ = std::min(begin_ + length + 1, end_);
    if (!record.empty() && record.back() == '\r') record.remove_suffix(1);
    return true;
}

bool CsvRecords::next(std::string_view& record) {
    do {
        if (!take(record, true)) return false;
    } while (blank(record));
    return true;
}

bool CsvRecords::next_line(std::string_view& line) { return take(line, false); }

int CsvRecords::peek() {
    while (begin_ == end_ && refill()) {
    }
    return begin_ == end_ ? -1 : static_cast<unsigned char>(buffer_[begin_]);
}

std::string_view trim(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
}

std::string_view plain(std::string_view text) {
    if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
        return trim(text.substr(1, text.size() - 2));
    return text;
}

std::string_view take_field(std::string_view& rest, bool& more, char separator) {
    bool quoted = false;
    std::size_t i = 0;
    for (; i < rest.size() && (quoted || rest[i] != separator); ++i) {
        if (rest[i] == '"') quoted = !quoted;
    }
    const std::string_view field = rest.substr(0, i);
    more = i < rest.size();
    rest.remove_prefix(more ? i + 1 : i);
    return trim(field);
}

std::string csv_field(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
    std::string result = "\"";
    for (const char c : text) result += c == '"' ? "\"\"" : std::string(1, c);
    return result + '"';
}

CsvTable::CsvTable(std::istream& input, std::string name, std::vector<std::string> columns,
                   std::string header)
    : records_(input, std::move(name)), columns_(std::move(columns)), fields_(columns_.size()) {
    std::string_view rest;
    if (!records_.next(rest))
        throw UsageError(
            fmt::format("{}, line 1: expected a header {}, found nothing", records_.name(), header));
    std::vector<bool> found(columns_.size());
    for (bool more = true; more;) {
        const auto at = std::ranges::find(columns_, lower_case(plain(take_field(rest, more))));
        const bool known = at != columns_.end();
        const std::size_t column = at - columns_.begin();
        if (known && found[column]) fail_line(fmt::format("the header names column {} twice", *at));
        if (known) found[column] = true;
        column_of_field_.push_back(known ? int(column) : -1);
    }
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        if (!found[i])
            fail_line(fmt::format("the header has no column {}: expected {}", columns_[i], header));
    }
}

void CsvTable::fail_line(const std::string& what) const {
    throw UsageError(fmt::format("{}, line {}: {}", records_.name(), records_.line(), what));
}

void CsvTable::fail(std::size_t column, const std::string& expected) const {
    throw UsageError(fmt::format("{}, line {}, column {}: expected {}, found {}", records_.name(),
                                 records_.line(), columns_[column], expected, in_quotes((*this)[column])));
}

bool CsvTable::next() {
    std::string_view rest;
    if (!records_.next(rest)) return false;
    std::size_t count = 0;
    for (bool more = true; more; ++count) {
        const std::string_view field = take_field(rest, more);
        const int column = count < column_of_field_.size() ? column_of_field_[count] : -1;
        if (column >= 0) fields_[column] = field;
    }
    if (count != column_of_field_.size())
        fail_line(
            fmt::format("expected {} columns as in the header, found {}", column_of_field_.size(), count));
    return true;
}

}  // namespace warplens
