#pragma once

#include "app/measure/accesses/access_row.h"

#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// The columns of a CSV file of warp accesses, and how its records are read:
/// id,space,op,width,mask,a0..a31, named by the header in any order; further columns are ignored.
class AccessCsv {
public:
    /// @param header  the first record of the file. @param line  where it stands
    /// @param name    of the file, for messages; printable
    /// Errors: UsageError with file, line, column and what was expected; so do all later calls.
    AccessCsv(std::string_view header, long line, std::string name);

    /// Read a record that is not blank, without its line end. A row that looks as usual is read in one go;
    /// anything else takes the slow way, which knows what is wrong with it.
    void read(std::string_view record, long line, AccessRow& row) const;

private:
    struct Fields;
    bool read_usual(std::string_view record, AccessRow& row) const;
    void read_any(std::string_view record, long line, AccessRow& row) const;

    std::string name_;
    std::vector<int> column_of_field_;  ///< -1 if the field is ignored
};

}  // namespace warplens
