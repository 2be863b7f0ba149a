#pragma once

#include "app/model/device/capability.h"

#include <array>
#include <climits>
#include <vector>

namespace warplens {

/// The needs of a launch.
struct OccupancyInput {
    int threads = 256;       ///< of a block; at least 1
    int registers = 32;      ///< of a thread; 0 if it uses none
    int static_shared = 0;   ///< of a block, with a size that is fixed in the source code [bytes]
    int dynamic_shared = 0;  ///< of a block, with a size that the launch sets [bytes]
    /// The preferred share of an SM's memory for shared memory, if the compute capability has a choice
    /// [percent]. -1 if the driver chooses; it chooses enough.
    int carveout = -1;
    /// Arguments of the kernel, on compute capability 1.x, where they lie in shared memory [bytes]. With
    /// kNothingHidden neither they nor what the launch itself puts there are counted, as textbooks do.
    int arguments = 0;
    int barriers = 1;  ///< barriers of a block (compute capability 9.0 and later); 0 if it has none

    int declared_shared() const { return static_shared + dynamic_shared; }
    friend bool operator==(const OccupancyInput&, const OccupancyInput&) = default;
};
inline constexpr int kNothingHidden = -1;

/// The resources of an SM that limit the number of blocks. As bits, 1 << resource, they are the limiting
/// factors of NVIDIA's header.
enum class Resource { warps, registers, shared, blocks, barriers };
inline constexpr int kResources = 5;
inline constexpr int kUnlimited = INT_MAX;

/// One of "warps", "registers", "shared", "blocks", "barriers".
std::string_view resource_name(Resource resource);

/// Why not a single block can run.
enum class Refusal {
    none,                  ///< a block can run
    threads,               ///< more than a block may have
    registers_per_thread,  ///< more than a thread may have
    registers_per_block,   ///< all warps together need more than a block may have
    registers_elsewhere,   ///< it would fit, but it is refused because it does not fit on a related GPU (6.0)
    shared,                ///< more than a block may have
};

/// The blocks that are resident on one SM at the same time.
struct Occupancy {
    /// blocks that each resource allows; kUnlimited if it sets no limit
    std::array<int, kResources> allowed{};
    int blocks = 0;                ///< resident blocks: the least of these
    unsigned limiting = 0;         ///< bits 1 << resource of those that allow no more than that
    int warps_per_block = 0;       ///< a partly filled warp counts as a whole one
    int max_warps = 0;             ///< of the SM
    int registers_per_warp = 0;    ///< as allocated; 0 on CC 1.x, which allocates them to blocks
    int registers_per_block = 0;   ///< as allocated
    int shared_per_block = 0;      ///< as allocated, including what the system reserves [bytes]
    int shared_per_sm = 0;         ///< of the SM with this carve-out [bytes]
    bool asks_for_shared = false;  ///< more than the default limit, so the kernel needs cudaFuncSetAttribute
    Refusal refusal = Refusal::none;  ///< the reason if `blocks` is 0

    int allowed_by(Resource resource) const { return allowed[int(resource)]; }
    bool limits(Resource resource) const { return (limiting >> int(resource) & 1u) != 0; }
    int warps() const { return blocks * warps_per_block; }  ///< resident warps
    bool full() const { return warps() == max_warps; }
    double share() const { return max_warps == 0 ? 0 : double(warps()) / max_warps; }
};

/// How many blocks of a launch are resident on one SM, by NVIDIA's rules (cuda_occupancy.h of CUDA 13.0 for
/// compute capability 3.0 and later, of CUDA 7.0 and the occupancy calculator before).
///
/// Not counted: partitioned global caching (5.2, 5.3, 6.1), which a compiler option enables, and virtual
/// resources (10.0 and later), which only some tensor instructions use.
/// @return  blocks == 0 with a reason if it cannot run. Errors: none. Allocates nothing.
Occupancy compute_occupancy(const CapabilityFacts& facts, const OccupancyInput& input);

/// How many registers are allocated to a warp (1.x: to a block) whose threads use this many.
int register_portion(const CapabilityFacts& facts, int registers);

/// The shared memory that an SM has with a carve-out if no block needs more [bytes].
int shared_of_carveout(const CapabilityFacts& facts, int percent);

/// The smallest percentage that gives an SM this much shared memory. Empty if the GPU has no choice, or no
/// such size.
std::optional<int> carveout_for(const CapabilityFacts& facts, int shared_bytes);

/// A person can change these of a launch to get more warps onto an SM.
enum class OccupancyKnob { threads, registers, shared, carveout };

/// The value of a knob: threads, registers, declared bytes of shared memory, or percent.
int value_of(const OccupancyInput& input, OccupancyKnob knob);

/// The input with another value. Shared memory is taken from the dynamic part first, then from the static
/// one.
OccupancyInput with_value(OccupancyInput input, OccupancyKnob knob, int value);

struct OccupancyChange {
    OccupancyKnob knob = OccupancyKnob::registers;
    int from = 0, to = 0;
};

/// A change that gets more warps onto an SM. No smaller change of the same knobs does.
struct Remedy {
    std::vector<OccupancyChange> changes;  ///< One change, or several if only all of them together help.
    OccupancyInput input;                  ///< the input with the changes
    Occupancy occupancy;                   ///< the occupancy of that input
};

/// The smallest change of each knob that gets more warps onto an SM, found by trying the rule itself.
///
/// For registers or bytes it is the largest number that allows another block, for the carve-out the smallest,
/// for the block the size in whole warps with the most resident warps, all else unchanged. Changes of two
/// knobs at once are only sought if no single knob helps.
/// @return  a carve-out comes first, then the one that changes its knob least. Empty if the SM is full, or if
/// nothing helps.
std::vector<Remedy> find_remedies(const CapabilityFacts& facts, const OccupancyInput& input);

/// Values of a knob with the same number of resident warps.
struct OccupancyStep {
    int from = 0, to = 0;  ///< both included
    int blocks = 0, warps = 0;
};

/// Occupancy against a knob, with all else as in the input. Threads and registers start at 1, shared memory
/// at 0; they end at the maximum of a block (a thread) or at the present value, whichever is more.
std::vector<OccupancyStep> occupancy_curve(const CapabilityFacts& facts, const OccupancyInput& input,
                                           OccupancyKnob knob);

/// The block sizes, in whole warps, that fill the SM, with all else as in the input.
std::vector<int> full_block_sizes(const CapabilityFacts& facts, const OccupancyInput& input);

}  // namespace warplens
