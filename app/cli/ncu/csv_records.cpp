#include "app/cli/ncu/csv_records.h"

#include "app/base/errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace warplens {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 18;  // stays in the L2 while it is parsed
constexpr std::size_t kLongestRecord = std::size_t{1} << 20;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

bool blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

}  // namespace

CsvRecords::CsvRecords(std::istream& input, std::string name)
    : input_(input), name_(std::move(name)), buffer_(kBlockBytes) {
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
    input_.read(buffer_.data() + end_, static_cast<std::streamsize>(buffer_.size() - end_));
    if (input_.bad())
        throw UsageError(fmt::format("cannot read '{}': the file broke off while reading", name_));
    end_ += static_cast<std::size_t>(input_.gcount());
    at_end_ = !input_;
    return input_.gcount() > 0;
}

/// @return  length of the record without '\n', or npos when more has to be read.
std::size_t CsvRecords::find_end(Scan& scan, bool quotes) const {
    const char* start = buffer_.data() + begin_;
    const char* end = buffer_.data() + end_;
    while (start + scan.bytes < end) {
        const char* from = start + scan.bytes;
        const auto* newline =
            static_cast<const char*>(std::memchr(from, '\n', static_cast<std::size_t>(end - from)));
        const char* to = newline == nullptr ? end : newline;
        if (quotes && std::memchr(from, '"', static_cast<std::size_t>(to - from)) != nullptr) {
            scan.quoted ^= std::count(from, to, '"') % 2 != 0;
        }
        scan.bytes = static_cast<std::size_t>(to - start);
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
    bytes_ += static_cast<std::int64_t>(length) + 1;
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

std::string shown(std::string_view text) {
    constexpr std::size_t kLongest = 24;
    std::string result(text.substr(0, kLongest));
    std::replace_if(
        result.begin(), result.end(), [](unsigned char c) { return c < 0x20 || c >= 0x7f; }, '?');
    return text.empty() ? "nothing" : "'" + result + (text.size() > kLongest ? "..." : "") + "'";
}

std::string_view take_field(std::string_view& rest, bool& more) {
    bool quoted = false;
    std::size_t i = 0;
    for (; i < rest.size() && (quoted || rest[i] != ','); ++i) {
        if (rest[i] == '"') quoted = !quoted;
    }
    const std::string_view field = rest.substr(0, i);
    more = i < rest.size();
    rest.remove_prefix(more ? i + 1 : i);
    return trim(field);
}

}  // namespace warplens
