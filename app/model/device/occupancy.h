#pragma once

#include "app/model/device/capability.h"

#include <array>
#include <climits>

namespace warplens {

/// What a launch asks of the SMs.
struct OccupancyInput {
    int threads = 256;       ///< of a block; at least 1
    int registers = 32;      ///< of a thread; 0: none
    int static_shared = 0;   ///< of a block: its size stands in the source code [bytes]
    int dynamic_shared = 0;  ///< of a block: the launch asks for it [bytes]
    /// Wanted share of an SM's memory for shared memory, where the compute capability has a choice
    /// [percent]; -1: the driver chooses, and it chooses enough.
    int carveout = -1;
    /// Of the kernel, on compute capability 1.x, where they lie in shared memory [bytes]; kNothingHidden:
    /// neither they nor what the launch itself puts there are counted, as textbooks do.
    int arguments = 0;
    int barriers = 1;  ///< that a block waits at (compute capability 9.0 and later); 0: none

    int declared_shared() const { return static_shared + dynamic_shared; }
    friend bool operator==(const OccupancyInput&, const OccupancyInput&) = default;
};
inline constexpr int kNothingHidden = -1;

/// What an SM can run out of. As bits, 1 << resource, the limiting factors of NVIDIA's header.
enum class Resource { warps, registers, shared, blocks, barriers };
inline constexpr int kResources = 5;
inline constexpr int kUnlimited = INT_MAX;

/// "warps", "registers", "shared", "blocks", "barriers".
std::string_view resource_name(Resource resource);

/// Why not a single block can run.
enum class Refusal {
    none,                  ///< it can
    threads,               ///< more than a block may have
    registers_per_thread,  ///< more than there are for one
    registers_per_block,   ///< all warps together want more than a block may have
    registers_elsewhere,   ///< it would fit, but not on a sister of the GPU, and so it is refused here (6.0)
    shared,                ///< more than a block may have
};

/// What fits into one SM at the same time.
struct Occupancy {
    std::array<int, kResources> allowed{};  ///< blocks, by resource; kUnlimited: it does not matter
    int blocks = 0;                         ///< resident: the least of them
    unsigned limiting = 0;                  ///< bits 1 << resource of those that allow no more than that
    int warps_per_block = 0;                ///< an unfinished warp counts whole
    int max_warps = 0;                      ///< of the SM
    int registers_per_warp = 0;             ///< handed out; CC 1.x hands them out to blocks: 0
    int registers_per_block = 0;            ///< handed out
    int shared_per_block = 0;               ///< handed out, with what is hidden in it [bytes]
    int shared_per_sm = 0;                  ///< that the SM has, with this carve-out [bytes]
    bool asks_for_shared = false;           ///< more than every kernel gets: needs cudaFuncSetAttribute
    Refusal refusal = Refusal::none;        ///< when blocks == 0

    int allowed_by(Resource resource) const { return allowed[static_cast<std::size_t>(resource)]; }
    bool limits(Resource resource) const { return (limiting >> static_cast<int>(resource) & 1u) != 0; }
    int warps() const { return blocks * warps_per_block; }  ///< resident
    bool full() const { return warps() == max_warps; }
    double share() const { return max_warps == 0 ? 0 : static_cast<double>(warps()) / max_warps; }
};

/// How many blocks of a launch are resident on one SM, by NVIDIA's rules (cuda_occupancy.h of CUDA 13.0 for
/// compute capability 3.0 and later, of CUDA 7.0 and the occupancy calculator before).
///
/// Not counted: partitioned global caching (5.2, 5.3, 6.1), which a compiler option switches on, and virtual
/// resources (10.0 and later), which only some tensor instructions use.
/// @return  blocks == 0 with a reason when it cannot run. Errors: none. Allocates nothing.
Occupancy compute_occupancy(const CapabilityFacts& facts, const OccupancyInput& input);

/// In which portions registers are handed out to a warp (1.x: to a block) whose threads have so many.
int register_portion(const CapabilityFacts& facts, int registers);

/// Shared memory that an SM has with a carve-out, when no block needs more [bytes].
int shared_of_carveout(const CapabilityFacts& facts, int percent);

/// The smallest percentage that gets an SM so much shared memory; empty: the GPU has no choice, or no such
/// size.
std::optional<int> carveout_for(const CapabilityFacts& facts, int shared_bytes);

}  // namespace warplens
