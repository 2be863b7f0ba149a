#pragma once

#include "app/measure/accesses/access_csv.h"
#include "app/measure/accesses/access_row.h"
#include "app/measure/accesses/mem_trace.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <future>
#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
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

/// Cuts a file into pieces of about two megabytes, each of whole records, or smaller ones where they are
/// counted one by one. It finds out from the beginning
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

/// On how many threads pieces of a file are counted: as many as the machine has cores, but eight at most.
inline std::size_t counting_threads() {
    return std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 8);
}

/// Has a file's pieces counted, and takes the results in the order of the file. Memory is that of a few
/// pieces, however long the file is. With one core nothing is given to another thread: a browser has none.
/// @tparam Count  called on any thread: what becomes of a piece
/// @tparam Take   called on the thread that steps, in order
template <class Count, class Take>
class CountInOrder {
public:
    CountInOrder(AccessFile& file, Count count, Take take)
        : file_(file), count_(std::move(count)), take_(std::move(take)) {}
    CountInOrder& operator=(CountInOrder&&) = delete;

    /// Read a piece, and take what should be counted by now. @return  whether there is more
    /// Errors: those of Count, of the piece that stands first in the file, and of AccessFile.
    bool step() {
        AccessChunk chunk;
        ended_ = ended_ || !file_.next(chunk);
        if (!ended_ && threads_ == 1) {
            take_(count_(std::as_const(chunk)));
            file_.reuse(std::move(chunk.bytes));
        } else if (!ended_) {
            under_way_.push_back(std::async(
                std::launch::async | std::launch::deferred,
                [this](AccessChunk piece) {
                    auto result = count_(std::as_const(piece));
                    return Counted{std::move(result), std::move(piece.bytes)};
                },
                std::move(chunk)));
        }
        if (!under_way_.empty() && (ended_ || under_way_.size() > threads_)) take_first();
        return !ended_ || !under_way_.empty();
    }

private:
    struct Counted {
        std::invoke_result_t<Count, const AccessChunk&> result;
        std::string bytes;  ///< of the piece
    };
    void take_first() {
        Counted done = under_way_.front().get();
        under_way_.pop_front();
        file_.reuse(std::move(done.bytes));
        take_(std::move(done.result));
    }

    AccessFile& file_;
    Count count_;
    Take take_;
    const std::size_t threads_ = counting_threads();
    bool ended_ = false;
    std::deque<std::future<Counted>> under_way_;  ///< last, because they use the others
};

}  // namespace warplens
