#pragma once

#include "app/model/device/capability.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// How far a memory lies from the arithmetic of a thread.
enum class Closeness {
    core,   ///< wired to the arithmetic units
    sm,     ///< in the same SM
    chip,   ///< on the chip, reached over its network
    board,  ///< in DRAM beside the chip
};
std::string_view closeness_name(Closeness closeness);  ///< "in the SM"; for legends and files "sm"
std::string_view closeness_key(Closeness closeness);

/// Cycles until a value can be used. Provenance: recorded, always; 0: not known.
struct SpaceLatency {
    double nearest = 0;   ///< when the nearest cache, or the memory itself, answers
    double farthest = 0;  ///< when only DRAM can answer; the same as `nearest` where there is one place
    bool in_instruction = false;  ///< registers: a read is part of the instruction and has no wait of its own
    double next = 0;     ///< registers: from a multiply-add to one that needs its result; 0: not known
    std::string gpu;     ///< on which GPU it was measured
    std::string source;  ///< by whom
    int confidence = 0;  ///< 2 high, 1 medium, 0 low
};

/// Most of it; 0: not known, or it has no such limit [bytes].
struct SpaceSizes {
    std::int64_t per_thread = 0;
    std::int64_t per_block = 0;       ///< without asking
    std::int64_t per_block_most = 0;  ///< with cudaFuncSetAttribute; shared memory only
    std::int64_t per_sm = 0;
    std::int64_t of_device = 0;
};

/// One memory space, or one of the caches between them, on one GPU.
struct SpaceRow {
    std::string key;   ///< "shared"
    std::string name;  ///< "Shared"
    Closeness closeness = Closeness::board;
    bool cache = false;  ///< kept by the hardware: programs do not name it
    bool exists = true;  ///< false: this GPU has none; the texts are then empty
    std::string since;   ///< the first compute capability that has it: "9.0"; empty: all
    std::string lives, scope, lifetime, cached, kernel, host, qualifier, use, more;
    SpaceLatency latency;
    SpaceSizes sizes;
    std::string size;          ///< the sizes in words: "228 KB per SM, 227 KB per block"
    double gb_per_s = 0;       ///< of the whole GPU at its highest clock; 0: not known [10^9 bytes/s]
    std::string bandwidth_of;  ///< how that comes about, in one sentence
    std::string link;          ///< a scenario that shows it (app/experiment/link.h)
};

struct SpacesTable {
    std::string gpu;
    ComputeCapability cc;
    std::vector<SpaceRow> rows;  ///< spaces from near to far, then caches from near to far
    std::string source;          ///< of the words
    std::string size_source;     ///< of the sizes that follow from the compute capability
    std::string device_source;   ///< of the others
};

/// The table for one GPU.
/// @param words       the text of assets/spaces.json.
/// @param capability  of the GPU; null: its sizes are not known.
/// Errors: std::runtime_error when the text is no such table.
SpacesTable make_spaces(std::string_view words, const DeviceFacts& device, const CapabilityFacts* capability);

/// What an SM can take from a memory per clock [bytes]: "registers" (one operand of a multiply-add) or
/// "shared" (all banks); 0 for others.
double bytes_per_clock(std::string_view key, const DeviceFacts& device, const CapabilityFacts* capability);

/// "29.9 cycles", "38 to 834 cycles", "not known".
std::string latency_text(const SpaceRow& row);
/// Where the number comes from, with its confidence; empty: there is no number.
std::string latency_source(const SpaceRow& row);
/// "33.5 TB/s"; "not known".
std::string bandwidth_text(const SpaceRow& row);
/// In units of 1024, as memories are sold: "228 KB", "141 GB".
std::string memory_text(std::int64_t bytes);

}  // namespace warplens
