#pragma once

#include "app/measure/accesses/access_csv.h"
#include "app/measure/accesses/access_row.h"
#include "app/measure/accesses/mem_trace.h"
#include "app/measure/read_progress.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace warplens {

/// Some whole records of a file.
struct AccessChunk {
    std::shared_ptr<const std::string> name;   ///< of the file, for messages
    std::shared_ptr<const AccessCsv> columns;  ///< Null for the text of mem_trace.
    std::string bytes;
    long first_line = 1;  ///< where they begin, counted from 1
    bool quotes = false;  ///< whether some field may be in quotes, and span lines
};

/// The rows of a piece, one after the other. The piece must outlive it.
class AccessRows {
public:
    explicit AccessRows(const AccessChunk& chunk)
        : chunk_(chunk), rest_(chunk.bytes), line_(chunk.first_line) {}

    /// The next row that can be counted. @return  false at the end of the piece
    /// Errors: UsageError with file and line for a row that is malformed.
    bool next(AccessRow& row);

    // mem_trace, of the lines so far:
    const std::vector<MemTraceLaunch>& launches() const { return launches_; }
    std::int64_t skipped() const { return skipped_; }                    ///< requests that are not counted
    std::string_view skipped_opcode() const { return skipped_opcode_; }  ///< of the first one

private:
    bool next_record(std::string_view& record, long& line);

    const AccessChunk& chunk_;
    std::string_view rest_;
    long line_;
    std::vector<MemTraceLaunch> launches_;
    std::int64_t skipped_ = 0;
    std::string_view skipped_opcode_;
};

/// Cuts a file into pieces of about two megabytes, each of whole records. It finds out from the beginning
/// whether the file is a CSV file or the text of mem_trace, and reads a CSV file's header.
class AccessFile {
public:
    /// Errors: UsageError with file and line, here and of next(): a bad header, a record that does not end, a
    /// file that breaks off.
    AccessFile(std::istream& input, const std::string& name);

    bool next(AccessChunk& chunk);  ///< @return  false at the end
    /// Gives the memory of a piece that is done to a later piece, because a fresh page of memory costs more
    /// than reading a row.
    void reuse(std::string&& bytes) { spare_.push_back(std::move(bytes)); }
    bool is_mem_trace() const { return columns_ == nullptr; }
    std::int64_t bytes() const { return bytes_; }  ///< read so far

private:
    bool refill(std::size_t wanted);
    void take_header();
    std::size_t end_of_records(bool quotes) const;

    std::istream& input_;
    std::shared_ptr<const std::string> name_;
    std::shared_ptr<const AccessCsv> columns_;
    std::string pending_;  ///< read, but not handed out
    std::vector<std::string> spare_;
    long next_line_ = 1;
    std::int64_t bytes_ = 0;
    bool at_end_ = false;
};

/// The rows of a whole file, one after the other, on the calling thread.
class AccessReader {
public:
    /// Errors: as AccessFile and AccessRows.
    AccessReader(std::istream& input, const std::string& name) : file_(input, name) {}
    bool next(AccessRow& row);

private:
    AccessFile file_;
    AccessChunk chunk_;
    std::optional<AccessRows> rows_;
};

/// Have a file's pieces counted on as many threads as the machine has cores, but eight at most, and take the
/// results in the order of the file. Memory is that of a few pieces, however long the file is.
/// @param count  called on any thread: what becomes of a piece
/// @param take   called on this thread, in order
/// @return       false if it was given up
/// Errors: those of `count`, of the piece that stands first in the file, and of AccessFile.
template <class Count, class Take>
bool count_in_order(AccessFile& file, Count count, Take take, const ReadProgress& progress = {}) {
    struct Counted {
        decltype(count(std::declval<const AccessChunk&>())) result;
        std::string bytes;  ///< of the piece
    };
    const std::size_t threads = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 8);
    std::deque<std::future<Counted>> under_way;
    const auto finish_first = [&] {
        Counted done = under_way.front().get();
        under_way.pop_front();
        file.reuse(std::move(done.bytes));
        take(std::move(done.result));
    };
    AccessChunk chunk;
    while (!progress.stop.stop_requested() && file.next(chunk)) {
        if (progress.bytes != nullptr) *progress.bytes = file.bytes();
        under_way.push_back(std::async(
            std::launch::async | std::launch::deferred,  // here, where there are no threads
            [&count](AccessChunk piece) {
                auto result = count(std::as_const(piece));
                return Counted{std::move(result), std::move(piece.bytes)};
            },
            std::move(chunk)));
        chunk = {};
        if (under_way.size() > threads) finish_first();
    }
    if (progress.stop.stop_requested()) return false;
    while (!under_way.empty()) finish_first();
    return true;
}

}  // namespace warplens
