#pragma once

#include "app/measure/accesses/access_file.h"
#include "app/model/access/report.h"
#include "app/model/device/device.h"

#include <cstdint>
#include <istream>
#include <memory>
#include <string>
#include <vector>

namespace warplens {

/// All requests of one instruction: rows of the same id, memory, direction and width; of mem_trace those of
/// the same kernel and opcode, because it prints no place in the code.
struct AccessGroup {
    std::string name;    ///< CSV: the id. mem_trace: the opcode. Printable.
    std::string kernel;  ///< mem_trace: its name. Empty if the file does not say.
    std::int64_t rows = 0;
    Totals totals;        ///< of all rows
    WarpAccess worst;     ///< the request with the most beyond its ideal; the first of several
    Totals worst_totals;  ///< of it alone
    AccessPlace place;    ///< of it
    long line = 0;        ///< of it in the file, counted from 1

    Space space() const { return worst.space; }
};

/// The cost of one group beyond its ideal, in the unit of its memory (cost_of): wavefronts, sectors,
/// requests.
std::int64_t excess_of(const AccessGroup& group, const SectorRules& rules);

/// The requests of a file, counted and summed up by instruction, the one with the most beyond its ideal
/// first.
struct AccessList {
    /// At least so many groups are kept, however many the file has: those that cost the most beyond their
    /// ideal.
    static constexpr std::size_t kKept = 8192;

    std::string name;  ///< of the file; printable
    bool mem_trace = false;
    std::int64_t rows = 0;  ///< that were counted
    std::vector<AccessGroup> groups;
    std::int64_t others = 0;     ///< rows of groups that are not kept
    std::int64_t skipped = 0;    ///< requests of mem_trace whose opcode or addresses are not counted here
    std::string skipped_opcode;  ///< of the first of them; printable
};

/// Reads a file and counts it for a device, piece by piece. Memory does not depend on the length of the file.
class AccessLister {
public:
    /// Errors of all but take: UsageError with file and line; for a mem_trace without a request, with file
    /// only.
    AccessLister(AccessFile& file, const std::string& name, const DeviceFacts& device);
    ~AccessLister();
    AccessLister& operator=(AccessLister&&) = delete;

    bool step();        ///< @return  whether there is more to read
    AccessList take();  ///< Only valid when all is read.

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

/// All of it at once.
AccessList list_accesses(AccessFile& file, const std::string& name, const DeviceFacts& device);
AccessList list_accesses(std::istream& input, const std::string& name, const DeviceFacts& device);

/// The report of a group's worst request, as a kernel's instruction: what pictures and sentences need. It is
/// valid as long as the group.
InstructionReport report_of(const AccessGroup& group, const DeviceFacts& device);

}  // namespace warplens
