#pragma once

#include "app/model/device/device.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// How sure a row of a table is of itself: 2 for "high", whatever follows it, 1 for "medium", else 0.
int confidence_of(std::string_view words);

/// The resources of the GPUs of one compute capability, and in which units an SM allocates them: a row of
/// "compute_capabilities" in assets/gpus.json. A number is 0, and a list or text is empty, if the GPU has no
/// such thing or it is not known.
struct CapabilityFacts {
    ComputeCapability cc;
    std::string architecture;  ///< "Hopper"

    int max_warps = 0;              ///< of an SM
    int max_threads = 0;            ///< of an SM
    int max_blocks = 0;             ///< of an SM
    int max_barriers = 0;           ///< of an SM, for all its blocks together
    int max_threads_per_block = 0;  ///< of a block
    int partitions = 1;             ///< parts of an SM, each with its own registers and warp slots
    /// the number of partitions that NVIDIA's check of a block's registers assumes
    int partitions_checked = 1;

    int registers_per_sm = 0;              ///< 32-bit registers, as everywhere here
    int registers_per_block = 0;           ///< the most that a block may have
    int registers_per_thread = 0;          ///< the most that instructions can address
    int registers_per_thread_checked = 0;  ///< the most that NVIDIA's occupancy rules allow
    int register_unit = 0;                 ///< registers are allocated to a warp in multiples of this
    bool registers_by_block = false;       ///< registers are allocated to a block instead (1.x)
    int warp_unit = 1;                     ///< warps of a block are rounded up to a multiple of this (1.x)
    int coarse_register_unit = 0;  ///< the allocation unit for some numbers of registers per thread (2.x)
    std::vector<int> coarse_registers;  ///< the numbers of registers per thread for which it holds

    int shared_per_sm = 0;          ///< [bytes], like all that follow
    int shared_per_block = 0;       ///< the most that a block gets without an attribute
    int shared_per_block_most = 0;  ///< the most that a kernel can request with cudaFuncSetAttribute
    int shared_unit = 0;            ///< allocated in multiples of this
    int shared_reserved = 0;        ///< of each block, for the driver
    int shared_launch = 0;          ///< of each block, for blockDim and the like (1.x)
    /// The most bytes of a kernel's arguments that lie in shared memory. 0 if they lie elsewhere.
    int most_arguments = 0;
    /// The sizes that an SM can choose for it, in ascending order. Empty if it always has shared_per_sm.
    std::vector<int> shared_sizes;
    int l1_and_shared = 0;  ///< the memory that L1 and shared memory share; 0 if they are separate

    int banks = 0, bank_width = 0, request_lanes = 0;  ///< of shared memory
    int local_per_thread = 0;                          ///< the most local memory
    int constant_memory = 0;                           ///< the most for a program
    bool clusters = false;  ///< whether blocks can access each other's shared memory

    Provenance kind = Provenance::exact;  ///< the provenance of an occupancy computed from these facts
    std::string source;                   ///< the source of the facts
    std::string notes;                    ///< other notes; may be empty

    /// Whether kernels can request a share of the memory in percent
    /// (cudaFuncAttributePreferredSharedMemoryCarveout). On 2.x and 3.x there are only the preferences of
    /// cudaFuncSetCacheConfig, which are not modelled.
    bool has_carveout() const { return cc.major >= 7 && !shared_sizes.empty(); }
};

/// All rows, oldest first.
/// @param json  the text of assets/gpus.json.
/// Errors: std::runtime_error if the text is not such a table.
std::vector<CapabilityFacts> load_capabilities(std::string_view json);

/// The row of a compute capability. Null if the table has none.
const CapabilityFacts* find_capability(std::span<const CapabilityFacts> rows, ComputeCapability cc);

/// Reads a text such as "9.0". Empty for anything else.
std::optional<ComputeCapability> parse_capability(std::string_view text);

/// A compute capability as one number, for knobs: 10 * major + minor, which is 90 for 9.0 and 121 for 12.1.
constexpr int capability_number(ComputeCapability cc) { return 10 * cc.major + cc.minor; }

}  // namespace warplens
