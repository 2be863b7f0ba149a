#pragma once

#include "kernels/warp_access.h"

#include <array>
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

    long line() const { return record_line_; }  ///< where the record begins, counted from 1
    const std::string& name() const { return name_; }

private:
    /// How far a record was looked through for its end.
    struct Scan {
        std::size_t bytes = 0;
        bool quoted = false;  ///< a quote is open there
        long lines = 0;       ///< line ends inside quotes
    };
    std::size_t find_record_end(Scan& scan) const;
    bool refill();

    std::istream& input_;
    std::string name_;
    std::vector<char> buffer_;
    std::size_t begin_ = 0, end_ = 0;
    bool at_end_ = false;
    long next_line_ = 1, record_line_ = 0;
};

/// One row: an id, and one warp-wide instruction.
struct AccessRow {
    std::string_view id;  ///< as it stands in the file, quotes included; valid until the next row
    WarpAccess access;
};

/// Reads rows id,space,op,width,mask,a0..a31 (a header names the columns).
class AccessReader {
public:
    /// Reads the header.
    /// Errors: UsageError with file, line, column and what was expected; so do all later calls.
    AccessReader(std::istream& input, std::string name);

    bool next(AccessRow& row);

private:
    static constexpr int kNamed = 5;  ///< id, space, op, width, mask
    static constexpr int kColumns = kNamed + kWarpLanes;

    /// What an address must be.
    struct AddressRule {
        std::uint64_t width;  ///< a multiple of it [bytes]
        std::uint64_t room;   ///< below it, with all its bytes [bytes]; 0: anywhere
    };

    void split(std::string_view record);
    [[noreturn]] void fail(int column, const std::string& expected) const;
    Space read_space() const;
    Op read_op(Space space) const;
    std::uint64_t read_address(int lane, const AddressRule& rule, bool active) const;

    CsvRecords records_;
    std::vector<int> column_of_field_;  ///< -1: ignored
    std::array<std::string_view, kColumns> fields_;
};

}  // namespace warplens
