#pragma once

#include "app/base/csv.h"
#include "app/cli/command.h"
#include "app/model/device/device.h"
#include "kernels/warp_access.h"

#include <istream>
#include <ostream>
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

struct AnalyzeCommand {
    std::string path;         ///< "-" for standard input
    std::string device;       ///< as in choose_device; empty for compute capability 9.0
    std::string output_path;  ///< empty for standard output
};

/// Count every row of a file of warp accesses.
/// @param name  of the input, for messages.
/// @return      the whole CSV answer.
/// Errors: UsageError at the first malformed row.
std::string analyze_rows(std::istream& input, const std::string& name, const DeviceFacts& device);

/// `warplens analyze`: nothing is written unless every row is good.
/// @param input  what "-" reads.
/// Errors: UsageError for a malformed or unreadable file, an unknown device, an unwritable output.
void run_analyze(const AnalyzeCommand& command, std::istream& input, std::ostream& out);

}  // namespace warplens
