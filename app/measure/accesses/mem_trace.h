#pragma once

#include "app/measure/accesses/access_row.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warplens {

// The text that NVBit's mem_trace tool prints, a line for each memory instruction that a warp executes:
//   MEMTRACE: CTX 0x… - grid_launch_id 0 - CTA 0,0,0 - warp 3 - LDG.E.64 - 0x… 0x… (32 addresses)
// and one for each launch:
//   MEMTRACE: CTX 0x… - LAUNCH - Kernel pc 0x… - Kernel name f(int*) - grid launch id 0 - grid size …
// Between them stands what the program itself prints. Source: tools/mem_trace of NVBit 1.5 to 1.7.

/// Whether a file that begins like this is such a text.
bool looks_like_mem_trace(std::string_view start);

/// The access of a SASS opcode, as its name says: "LDG.E.128", "STS.U16", "LDSM.16.M88.4".
struct OpcodeAccess {
    Space space = Space::global;
    Op op = Op::load;  ///< ATOMS says no matter whether its result is used, which costs the same
    int bytes_per_lane = 4;
    std::uint32_t lanes = kAllLanes;  ///< that bring addresses: of LDSM only those of its matrices
    bool both = false;                ///< LDGSTS: two lines, one for the copy's source and one for its target
};
/// Nothing for an opcode whose memory or width is not known. Generic accesses (LD, ST) count as global
/// memory.
std::optional<OpcodeAccess> access_of_opcode(std::string_view opcode);

/// A launch that is named in the text.
struct MemTraceLaunch {
    std::int64_t launch = 0;
    std::string_view kernel;       ///< valid as long as the line
    std::string_view grid, block;  ///< as they stand there: "98,1,1"
};

/// The kind of a line.
enum class MemTraceLine {
    other,   ///< something else that the program or NVBit printed
    launch,  ///< the name of a kernel
    access,  ///< a request
    skipped  ///< a request whose opcode or addresses do not fit what is counted here
};

/// Read one line. A lane whose address is 0 was not active, except in shared memory, where 0 is an address
/// like others: there a lane counts as inactive only if all lanes after it are 0 as well.
/// @param row     set for MemTraceLine::access; for skipped its id is the opcode
/// @param launch  set for MemTraceLine::launch
/// Errors: UsageError with file and line for a request that is not as the tool writes it.
MemTraceLine read_mem_trace_line(std::string_view text, long line, const std::string& name, AccessRow& row,
                                 MemTraceLaunch& launch);

}  // namespace warplens
