#include "app/measure/accesses/access_file.h"

#include "app/base/errors.h"
#include "app/base/text.h"
#include "app/measure/ncu/ncu_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace warplens {
namespace {

// A thread is worth its start from some megabytes on; a window without threads draws after each piece.
std::size_t chunk_bytes() { return std::size_t{counting_threads() == 1 ? 64u : 2048u} << 10; }
constexpr std::size_t kFirstBytes = std::size_t{64} << 10;
constexpr std::size_t kLongestRecord = std::size_t{1} << 20;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

bool blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

/// A search is faster than a look at every byte, because lines are long.
long count_lines(std::string_view text) {
    long lines = 0;
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string_view::npos; ++at) ++lines;
    return lines;
}

/// Length of the first record without its line end; npos if it does not end here. A quoted field may span
/// lines.
std::size_t record_length(std::string_view text) {
    std::size_t at = 0;
    bool quoted = false;
    while (true) {
        const std::size_t end = text.find('\n', at);
        if (end == std::string_view::npos) return end;
        const std::string_view line = text.substr(at, end - at);
        if (std::memchr(line.data(), '"', line.size()) != nullptr)
            quoted ^= std::ranges::count(line, '"') % 2 != 0;
        if (!quoted) return end;
        at = end + 1;
    }
}

std::string_view without_return(std::string_view record) {
    if (record.ends_with('\r')) record.remove_suffix(1);
    return record;
}

[[noreturn]] void fail_long(const std::string& name, long line, std::string_view record) {
    const bool quoted = std::ranges::count(record, '"') % 2 != 0;
    throw UsageError(fmt::format("{}, line {}: {}", name, line,
                                 quoted ? "a quote is opened and never closed"
                                        : "expected a row, found a line of more than a megabyte"));
}

}  // namespace

bool AccessRows::next_record(std::string_view& record, long& line) {
    while (!rest_.empty()) {
        const bool quotes = chunk_.quotes;
        std::size_t length = quotes ? record_length(rest_) : rest_.find('\n');
        line = line_;
        // Only the last record of a file has no line end, and AccessFile has looked at its quotes.
        if (length == std::string_view::npos) length = rest_.size();
        record = rest_.substr(0, length);
        if (record.size() > kLongestRecord) fail_long(*chunk_.name, line, record);
        line_ += 1 + (quotes ? count_lines(record) : 0);
        rest_.remove_prefix(std::min(length + 1, rest_.size()));
        record = without_return(record);
        if (!blank(record)) return true;
    }
    return false;
}

bool AccessRows::next(AccessRow& row) {
    std::string_view record;
    long line = 0;
    while (next_record(record, line)) {
        if (chunk_.columns != nullptr) {
            chunk_.columns->read(record, line, row);
            return true;
        }
        MemTraceLaunch launch;
        switch (read_mem_trace_line(record, line, *chunk_.name, row, launch)) {
            case MemTraceLine::access:
                return true;
            case MemTraceLine::launch:
                launches_.push_back(launch);
                break;
            case MemTraceLine::skipped:
                if (skipped_++ == 0) skipped_opcode_ = row.id;
                break;
            case MemTraceLine::other:
                break;
        }
    }
    return false;
}

AccessFile::AccessFile(std::istream& input, const std::string& name)
    : input_(input), name_(std::make_shared<const std::string>(printable(name))) {
    refill(kByteOrderMark.size());
    if (pending_.starts_with(kByteOrderMark)) pending_.erase(0, kByteOrderMark.size());
    constexpr std::size_t kStart = std::size_t{256} << 10;  // NVBit and the program may print before
    refill(kStart);
    const std::string_view start = std::string_view(pending_).substr(0, kStart);
    if (looks_like_mem_trace(start)) return;
    if (const std::string other = other_profiler(start, *name_); !other.empty())
        throw UsageError(fmt::format("{}: {}", *name_, other));
    take_header();
}

/// Reads until so many bytes are pending. @return  whether some were read
bool AccessFile::refill(std::size_t wanted) {
    const std::size_t before = pending_.size();
    while (pending_.size() < wanted && !at_end_) {
        const std::size_t old = pending_.size();
        // Short files take little.
        pending_.resize(std::min(wanted, std::max(pending_.capacity(), old + std::max(old, kFirstBytes))));
        input_.read(pending_.data() + old, std::streamsize(pending_.size() - old));
        if (input_.bad())
            throw UsageError(fmt::format("cannot read '{}': the file broke off while reading", *name_));
        pending_.resize(old + std::size_t(input_.gcount()));
        bytes_ += input_.gcount();
        at_end_ = !input_;
    }
    return pending_.size() > before;
}

void AccessFile::take_header() {
    std::string_view header;
    long line = 1;
    std::size_t used = 0;
    while (blank(header)) {
        std::size_t length = record_length(std::string_view(pending_).substr(used));
        while (length == std::string::npos && pending_.size() - used <= kLongestRecord &&
               refill(pending_.size() + chunk_bytes()))
            length = record_length(std::string_view(pending_).substr(used));
        if (length == std::string::npos) {
            header = std::string_view(pending_).substr(used);
            const bool quoted = std::ranges::count(header, '"') % 2 != 0;
            if (header.size() > kLongestRecord || quoted) fail_long(*name_, next_line_, header);
            if (blank(header))
                throw UsageError(fmt::format(
                    "{}, line 1: expected a header id,space,op,width,mask,a0,...,a31, or what NVBit's "
                    "mem_trace prints, found nothing",
                    *name_));
            length = header.size();
        }
        header = std::string_view(pending_).substr(used, length);
        line = next_line_;
        next_line_ += 1 + count_lines(header);
        used = std::min(used + length + 1, pending_.size());
        header = without_return(header);
    }
    columns_ = std::make_shared<const AccessCsv>(header, line, *name_);
    pending_.erase(0, used);
}

/// The bytes at the front that are whole records; 0 if the first one does not end there.
std::size_t AccessFile::end_of_records(bool quotes) const {
    const std::string_view text = pending_;
    if (!quotes) {
        const std::size_t last = text.rfind('\n');
        return last == std::string_view::npos ? 0 : last + 1;
    }
    std::size_t end = 0, at = 0;
    bool quoted = false;
    for (std::size_t line_end; (line_end = text.find('\n', at)) != std::string_view::npos;
         at = line_end + 1) {
        quoted ^= std::ranges::count(text.substr(at, line_end - at), '"') % 2 != 0;
        if (!quoted) end = line_end + 1;
    }
    return end;
}

bool AccessFile::next(AccessChunk& chunk) {
    refill(chunk_bytes());
    if (pending_.empty()) return false;
    const bool quotes = !is_mem_trace() && std::memchr(pending_.data(), '"', pending_.size()) != nullptr;
    std::size_t end = end_of_records(quotes);
    if (at_end_ && end < pending_.size()) {
        const std::string_view last = std::string_view(pending_).substr(end);
        if (!is_mem_trace() && std::ranges::count(last, '"') % 2 != 0)
            fail_long(*name_, next_line_ + count_lines(std::string_view(pending_).substr(0, end)), last);
        end = pending_.size();
    }
    if (end == 0) fail_long(*name_, next_line_, pending_);
    chunk.name = name_;
    chunk.columns = columns_;
    chunk.first_line = next_line_;
    chunk.quotes = quotes;
    chunk.bytes = std::move(pending_);
    pending_.clear();
    if (!spare_.empty()) {
        pending_ = std::move(spare_.back());
        spare_.pop_back();
    }
    pending_.assign(chunk.bytes, end);
    chunk.bytes.resize(end);
    next_line_ += count_lines(chunk.bytes);
    return true;
}

bool AccessReader::next(AccessRow& row) {
    while (!rows_ || !rows_->next(row)) {
        rows_.reset();
        if (!file_.next(chunk_)) return false;
        rows_.emplace(chunk_);
    }
    return true;
}

}  // namespace warplens
