#pragma once

#include "app/model/device/device.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// What the GPUs of one compute capability have, and in which portions an SM hands it out: a row of
/// "compute_capabilities" in assets/gpus.json. 0 or empty: there is none, or it is not known.
struct CapabilityFacts {
    ComputeCapability cc;
    std::string architecture;  ///< "Hopper"

    int max_warps = 0;              ///< of an SM
    int max_threads = 0;            ///< of an SM
    int max_blocks = 0;             ///< of an SM
    int max_barriers = 0;           ///< of an SM, for all its blocks together
    int max_threads_per_block = 0;  ///< of a block
    int partitions = 1;             ///< parts of an SM, each with its own registers and warp slots
    int partitions_checked = 1;     ///< as if there were so many, a block's registers must fit

    int registers_per_sm = 0;              ///< of 32 bits, as all registers here
    int registers_per_block = 0;           ///< most that a block may have
    int registers_per_thread = 0;          ///< most that the instructions can name
    int registers_per_thread_checked = 0;  ///< most that NVIDIA's occupancy rules let pass
    int register_unit = 0;                 ///< handed out in multiples of so many, to a warp
    bool registers_by_block = false;       ///< ... to a block (1.x)
    int warp_unit = 1;                     ///< warps of a block count in multiples of that (1.x)
    int coarse_register_unit = 0;          ///< the unit of some counts of registers per thread (2.x) ...
    std::vector<int> coarse_registers;     ///< ... these

    int shared_per_sm = 0;          ///< [bytes], as all that follow
    int shared_per_block = 0;       ///< most that a block gets without asking
    int shared_per_block_most = 0;  ///< most that a kernel can ask for (cudaFuncSetAttribute)
    int shared_unit = 0;            ///< handed out in multiples of so many
    int shared_reserved = 0;        ///< of each block, for the driver
    int shared_launch = 0;          ///< of each block, for blockDim and the like (1.x)
    int most_arguments = 0;         ///< of a kernel that lie in shared memory; 0: they lie elsewhere
    std::vector<int> shared_sizes;  ///< what an SM can have of it, rising; empty: always shared_per_sm
    int l1_and_shared = 0;          ///< memory that both share; 0: they are apart

    int banks = 0, bank_width = 0, request_lanes = 0;  ///< of shared memory
    int local_per_thread = 0;                          ///< most private memory
    int constant_memory = 0;                           ///< most of a program
    bool clusters = false;                             ///< blocks can see each other's shared memory

    Provenance kind = Provenance::exact;  ///< of occupancy by these facts
    std::string source;                   ///< of the facts
    std::string notes;                    ///< what else is to be known; may be empty

    /// Kernels can ask for a share of the memory in percent: cudaFuncAttributePreferredSharedMemoryCarveout.
    /// On 2.x and 3.x there are only the preferences of cudaFuncSetCacheConfig, which are not modelled.
    bool has_carveout() const { return cc.major >= 7 && !shared_sizes.empty(); }
};

/// All rows, oldest first.
/// @param json  the text of assets/gpus.json.
/// Errors: std::runtime_error when the text is not such a table.
std::vector<CapabilityFacts> load_capabilities(std::string_view json);

/// The row of a compute capability; null: the table has none.
const CapabilityFacts* find_capability(std::span<const CapabilityFacts> rows, ComputeCapability cc);

/// "9.0"; empty for anything else.
std::optional<ComputeCapability> parse_capability(std::string_view text);

/// As one number, for knobs: 10 * major + minor. 90 for 9.0, 121 for 12.1.
constexpr int capability_number(ComputeCapability cc) { return 10 * cc.major + cc.minor; }

}  // namespace warplens
