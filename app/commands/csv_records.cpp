// CsvRecords of app/commands/access_csv.h: the reading of records, apart from what stands in them.
#include "app/commands/access_csv.h"
#include "app/errors.h"

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
std::size_t CsvRecords::find_record_end(Scan& scan) const {
    const char* start = buffer_.data() + begin_;
    const char* end = buffer_.data() + end_;
    while (start + scan.bytes < end) {
        const char* from = start + scan.bytes;
        const auto* newline =
            static_cast<const char*>(std::memchr(from, '\n', static_cast<std::size_t>(end - from)));
        const char* to = newline == nullptr ? end : newline;
        if (std::memchr(from, '"', static_cast<std::size_t>(to - from)) != nullptr) {
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

bool CsvRecords::next(std::string_view& record) {
    do {
        record_line_ = next_line_;
        Scan scan;
        std::size_t length = find_record_end(scan);
        while (length == std::string_view::npos) {
            const bool too_long = end_ - begin_ > kLongestRecord;
            if (!too_long && refill()) {
                length = find_record_end(scan);
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
        begin_ = std::min(begin_ + length + 1, end_);
        if (!record.empty() && record.back() == '\r') record.remove_suffix(1);
    } while (blank(record));
    return true;
}

}  // namespace warplens
