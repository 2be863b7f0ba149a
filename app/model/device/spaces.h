#pragma once

#include "app/model/device/capability.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// How far a memory lies from the arithmetic units of a thread.
enum class Closeness {
    core,   ///< connected directly to the arithmetic units
    sm,     ///< in the same SM
    chip,   ///< on the chip, reached over its network
    board,  ///< in DRAM beside the chip
};
std::string_view closeness_name(Closeness closeness);  ///< "in the SM" and the like
std::string_view closeness_key(Closeness closeness);   ///< "sm" in legends and files
Closeness closeness_of(std::string_view key);          ///< Errors: std::runtime_error if there is none

/// Cycles until a value can be used. Provenance: always recorded. 0 if not known.
struct SpaceLatency {
    double nearest = 0;   ///< for a hit in the nearest cache, or for the memory itself
    double farthest = 0;  ///< if only DRAM has the data; the same as `nearest` if there is no cache
    /// registers: a read is part of the instruction and has no latency of its own
    bool in_instruction = false;
    double next = 0;     ///< registers: from a multiply-add to one that needs its result; 0 if not known
    std::string gpu;     ///< the GPU on which it was measured
    std::string source;  ///< who measured it
    int confidence = 0;  ///< 2 high, 1 medium, 0 low
};

/// The maximum sizes [bytes]. 0 if not known, or if there is no such limit.
struct SpaceSizes {
    std::int64_t per_thread = 0;
    std::int64_t per_block = 0;       ///< without an attribute
    std::int64_t per_block_most = 0;  ///< with cudaFuncSetAttribute; shared memory only
    std::int64_t per_sm = 0;
    std::int64_t of_device = 0;
};

/// One memory space, or one of the caches between them, on one GPU.
struct SpaceRow {
    std::string key;   ///< for example "shared"
    std::string name;  ///< for example "Shared"
    Closeness closeness = Closeness::board;
    bool cache = false;  ///< whether it is managed by the hardware, so that programs do not name it
    bool exists = true;  ///< false if this GPU has none; the texts are then empty
    std::string since;   ///< the first compute capability that has it, as "9.0"; empty if all have it
    std::string last;    ///< the last one; empty if later ones have it, too
    std::string lives, scope, lifetime, cached, kernel, host, qualifier, use, more;
    SpaceLatency latency;
    SpaceSizes sizes;
    /// The sizes in words, "228 KiB per SM" and "; 227 KiB per block": where there is little room, the last
    /// ones are left out. None if no size is known.
    std::vector<std::string> size_parts;
    std::string size() const;  ///< all of them, or "not known"; empty if it does not exist
    double gb_per_s = 0;       ///< of the whole GPU at its highest clock; 0 if not known [10^9 bytes/s]
    std::string bandwidth_of;  ///< one sentence that explains the bandwidth
    std::string link;          ///< a link to a scenario that shows it (app/experiment/link.h)
};

/// A wish that a program can tell the caches: an operator of its loads, or the L2's set-aside part.
struct CacheHint {
    std::string name;  ///< "ld.global.cg"
    std::string code;  ///< as CUDA C++ has it, "__ldcg", or its values
    std::string does;  ///< "past the L1"
    std::string more;
};

struct SpacesTable {
    std::string gpu;
    ComputeCapability cc;
    std::vector<SpaceRow> rows;    ///< spaces from near to far, then caches from near to far
    std::vector<CacheHint> hints;  ///< those that this GPU knows
    std::string source;            ///< the source of the texts
    std::string size_source;       ///< the source of the sizes that follow from the compute capability
    std::string device_source;     ///< the source of the other sizes
};

/// The table for one GPU.
/// @param words       the text of assets/spaces.json.
/// @param capability  of the GPU, or null if its sizes are not known.
/// Errors: std::runtime_error if the text is not such a table.
SpacesTable make_spaces(std::string_view words, const DeviceFacts& device, const CapabilityFacts* capability);

/// The bytes that an SM can read from a memory per clock [bytes]: for "registers" (one operand of a
/// multiply-add) or "shared" (all banks). 0 for others.
double bytes_per_clock(std::string_view key, const DeviceFacts& device, const CapabilityFacts* capability);

/// "not on this GPU; from compute capability 9.0 on", for one that does not exist.
std::string absent_words(const SpaceRow& row);
bool latency_known(const SpaceRow& row);
/// The same as sizes: "29.9 cycles", "38 to 834 cycles", or "none" and "; next result after 4".
std::vector<std::string> latency_parts(const SpaceRow& row);
/// All of them, or "not known".
std::string latency_text(const SpaceRow& row);
/// Recorded, or approximate if the source is remembered only and was not verified.
Provenance latency_provenance(const SpaceRow& row);
/// The source of the number, with its confidence. Empty if there is no number.
std::string latency_source(const SpaceRow& row);
/// A text such as "33.5 TB/s" or "not known".
std::string bandwidth_text(const SpaceRow& row);
/// The size of a memory: "228 KiB". That of a GPU's DRAM is known as it is sold, as whole "141 GB".
std::string memory_text(std::int64_t bytes);

}  // namespace warplens
