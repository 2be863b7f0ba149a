#pragma once

// The folder app/model/device/ describes GPUs: the table of devices, compute capabilities, caches,
// latencies, memories, occupancy, and which settings share a kernel. It reads assets/gpus.json and knows
// nothing of what a launch requests; that is counted in app/model/access/ and app/model/time/.

#include "app/model/access/sectors.h"
#include "app/model/quantity.h"
#include "kernels/bank_rules.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

struct ComputeCapability {
    int major = 0;
    int minor = 0;
    auto operator<=>(const ComputeCapability&) const = default;
    std::string text() const;  ///< for example "9.0"
};

/// Facts about the memories inside an SM, besides the rules for counting, by compute capability: the
/// table "memories" in assets/gpus.json. A number is 0 if it is not known or there is no such memory.
struct MemoryFacts {
    std::int64_t registers_bytes = 0;  ///< of an SM [bytes]
    std::int64_t shared_bytes = 0;     ///< of an SM, at most [bytes]
    std::int64_t unified_bytes = 0;    ///< if L1 and shared memory share one array, its whole size [bytes]
    std::int64_t texture_bytes = 0;    ///< a separate texture cache; 0 if the L1 is the texture cache [bytes]
    std::int64_t constant_bytes = 0;   ///< constant cache of an SM [bytes]
    double shared_bytes_per_clock = 0;  ///< of an SM [bytes]
    double l1_bytes_per_clock = 0;      ///< of an SM, loads that hit [bytes]
    /// of an SM, loads of data that the kernel only reads, on CC 3.5 to 6.2, where they have a way of their
    /// own; 0 elsewhere [bytes]
    double read_only_bytes_per_clock = 0;
    double l2_bytes_per_clock = 0;  ///< between an SM and the L2 while all SMs load [bytes]
    bool l1_keeps_global = true;    ///< whether global loads are cached in the L1 by default
    bool l1_keeps_local = true;     ///< the same for per-thread arrays and spills
    std::string source;             ///< where these come from

    friend bool operator==(const MemoryFacts&, const MemoryFacts&) = default;
};

struct Latencies;

/// The source of one of the latencies of a GPU.
struct LatencyOrigin {
    double Latencies::*field = nullptr;
    std::string gpu;         ///< the GPU on which it was measured
    std::string source;      ///< who measured it
    int confidence = 0;      ///< 2 high, 1 medium, 0 low
    bool same_model = true;  ///< false if it is another GPU of the same compute capability

    friend bool operator==(const LatencyOrigin&, const LatencyOrigin&) = default;
};

/// Cycles from a load to the first instruction that can use its value, by the memory that delivers it. 0 if
/// not known.
struct Latencies {
    double shared = 0;
    double l1 = 0;
    double constant_l1 = 0;   ///< one word for the whole warp
    double constant_l15 = 0;  ///< of the next level behind the constant L1
    double texture = 0;       ///< of a hit in the L1
    double l2 = 0;
    double l2_far = 0;  ///< if the L2 has two halves, for footprints beyond the nearer one
    double dram = 0;
    double dsmem = 0;         ///< shared memory of the other block in a cluster of two
    double multiply_add = 0;  ///< not a load: from a multiply-add in registers to one that needs its result
    double l2_gb_per_s = 0;   ///< measured bandwidth of the L2 of this model [10^9 bytes/s]
    std::string l2_speed_source = {};         ///< the source of `l2_gb_per_s`
    std::string source = {};                  ///< the GPUs they were measured on, and who measured them
    std::vector<LatencyOrigin> origins = {};  ///< of each latency that is known

    friend bool operator==(const Latencies&, const Latencies&) = default;
};

/// The origin of a latency. Null if the latency is not known.
const LatencyOrigin* origin_of(const Latencies& latencies, double Latencies::*field);

/// One row of the table "latencies" in assets/gpus.json.
struct LatencyRow {
    std::string gpu;
    std::string compute_capability;  ///< for example "9.0"
    int confidence = 0;              ///< 2 high, 1 medium, 0 low
    Latencies latencies;             ///< with the `source` of this row
};

/// The known latencies of a GPU, each from the row of its compute capability that fits best. Rows of the same
/// model come first, those with more words of its name ahead; then other GPUs, which the source names; among
/// equals the more certain row.
/// Errors: none. If no row fits, all are 0 and the source is empty.
Latencies find_latencies(const std::vector<LatencyRow>& rows, std::string_view gpu,
                         std::string_view compute_capability);

/// Facts about one GPU. They come from assets/gpus.json or, for a GPU of this machine, from the driver. A
/// number that is not known is 0.
struct DeviceFacts {
    std::string name;
    std::string driver_name;  ///< as nvidia-smi and cudaGetDeviceProperties print it. Empty if not known.
    bool usual = false;       ///< stands for its compute capability
    ComputeCapability cc;
    int sm_count = 0;
    int fp32_lanes_per_sm = 0;  ///< multiply-adds that an SM begins per clock
    double clock_mhz = 0;       ///< boost clock [MHz]
    double peak_gb_per_s = 0;   ///< DRAM, from the datasheet [10^9 bytes/s]
    double copy_share = 0;      ///< of this peak that copies reach; 0 where it was not published
    /// Between the GPU and the host, one way, as the datasheet says; 0 where it depends on the machine [10^9
    /// bytes/s]
    double link_gb_per_s = 0;
    std::int64_t memory_bytes = 0;            ///< [bytes]
    std::int64_t l2_bytes = 0;                ///< [bytes]
    std::int64_t l1_bytes = 0;                ///< the largest L1 that an SM can have for loads [bytes]
    std::int64_t shared_per_block_bytes = 0;  ///< the most that a block can request with an attribute [bytes]
    int max_threads_per_block = 0;
    int max_threads_per_sm = 0;
    int max_blocks_per_sm = 0;
    int registers_per_thread = 0, registers_per_block = 0;  ///< the most that there are
    double issued_per_clock = 4;  ///< instructions of warps that an SM begins at most
    /// The bytes that an isolated DRAM read fetches. They are 64 on high-bandwidth memory:
    /// cudaLimitMaxL2FetchGranularity on an H200, where DRAM counters agree. Elsewhere it is 32: DRAM
    /// counters of an Ada GPU. A GPU of this machine is asked.
    int fetch_bytes = 32;
    bool here = false;  ///< whether the GPU is in this machine
    BankRules bank_rules;
    SectorRules sector_rules;
    Latencies latencies;  ///< provenance: recorded, with their own source
    MemoryFacts memory;   ///< about the memories inside an SM
    std::string source;   ///< where the other numbers come from

    friend bool operator==(const DeviceFacts&, const DeviceFacts&) = default;
};

/// Whether global loads are cached in an SM's L1. They are not on CC 1.x, which has none, and not by default
/// on 3.x and 5.x.
inline bool l1_keeps_global(const DeviceFacts& device) {
    return device.cc.major != 1 && device.memory.l1_keeps_global;
}
/// Whether global loads of data that the kernel only reads (`const __restrict__`) have the read-only cache of
/// CC 3.5 to 6.2 before them: the texture cache, which on 5.x and 6.x is the L1.
inline bool has_read_only_cache(const DeviceFacts& device) {
    return device.memory.read_only_bytes_per_clock > 0;
}
/// Whether data pass through an L2 on their way to DRAM. On CC 1.x only textures have one.
inline bool has_l2(const DeviceFacts& device) { return device.cc.major != 1; }
/// Bytes between an SM and the L2 per clock while all SMs load. Where nothing was measured it is assumed to
/// be as on an A100 and an H200.
inline double l2_bytes_per_clock(const DeviceFacts& device) {
    constexpr double kUsual = 32;
    return device.memory.l2_bytes_per_clock > 0 ? device.memory.l2_bytes_per_clock : kUsual;
}

/// How CC 3.x distributes words over its 64-bit banks (cudaDeviceSetSharedMemConfig). Others have no choice.
enum class BankMode {
    four_bytes,   ///< successive 32-bit words in successive banks, the default
    eight_bytes,  ///< successive 64-bit words
};
constexpr bool has_bank_modes(ComputeCapability cc) { return cc.major == 3; }

/// Banks, groups and merging by compute capability; kernels/bank_rules.h names the sources.
BankRules bank_rules_for(ComputeCapability cc, BankMode mode = BankMode::four_bytes);
/// Set all devices that have bank modes to this one.
void set_bank_mode(std::vector<DeviceFacts>& devices, BankMode mode);
SectorRules sector_rules_for(ComputeCapability cc);

/// All GPUs of the table, oldest first.
/// @param json  the text of assets/gpus.json.
/// Errors: std::runtime_error if the text is not such a table.
std::vector<DeviceFacts> load_devices(std::string_view json);

/// The name that a driver gives a GPU, "NVIDIA A100-SXM4-80GB", in the words of the table: "a100 sxm4 80 gb".
std::string driver_words(std::string_view driver_name);

/// Find a device by its name, by the name that its driver gives it ("NVIDIA H200"), which figures and links
/// from a machine with this GPU contain, by compute capability ("9.0" gives the one that stands for it), or
/// by whole words of its name, in any order and case: "4060", "rtx 3060 laptop". Words that several names
/// have find one of them only if it is the same model, as of an A100 with 40 and with 80 GB, of which the
/// first is taken. "3060" is no laptop.
std::optional<std::size_t> find_device(const std::vector<DeviceFacts>& devices, std::string_view wanted);

/// All GPUs that the words mean equally well, of which find_device gives the first: the variants of one
/// model. One where a name, or the driver's, is given whole.
std::vector<std::size_t> find_variants(const std::vector<DeviceFacts>& devices, std::string_view wanted);

/// "taken as A100 SXM4 40 GB; also: A100 SXM4 80 GB": which of them find_device gives, where the words leave
/// that open. Other variants may not be in the table, but one in parentheses is always one of several.
std::string taken_as(const std::vector<DeviceFacts>& devices, std::string_view wanted);

/// That find_device finds none, with those that may be meant, in one sentence.
std::string no_such_device(const std::vector<DeviceFacts>& devices, std::string_view wanted);

}  // namespace warplens
