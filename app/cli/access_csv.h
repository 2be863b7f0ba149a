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
    /// Which addresses are legal.
    struct AddressRule {
        std::uint64_t width;  ///< an address is a multiple of this [bytes]
        std::uint64_t room;   ///< all bytes of an access lie below this [bytes]; 0 if there is no limit
    };

    Space read_space() const;
    Op read_op(Space space) const;
    std::uint64_t read_address(int lane, const AddressRule& rule, bool active) const;

    CsvTable table_;
};

}  // namespace warplens
