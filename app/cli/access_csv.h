#pragma once

#include "app/base/csv.h"
#include "kernels/warp_access.h"

#include <istream>
#include <string>
#include <string_view>

namespace warplens {

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
    /// What an address must be.
    struct AddressRule {
        std::uint64_t width;  ///< a multiple of it [bytes]
        std::uint64_t room;   ///< below it, with all its bytes [bytes]; 0: anywhere
    };

    Space read_space() const;
    Op read_op(Space space) const;
    std::uint64_t read_address(int lane, const AddressRule& rule, bool active) const;

    CsvTable table_;
};

}  // namespace warplens
