#pragma once

#include "kernels/params.h"
#include "kernels/warp_access.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace warplens {

/// Two numbers, x first: threads of a block, blocks of a grid.
struct Extent {
    int x = 1;
    int y = 1;
};

inline constexpr int kMaxBuffers = 3;

/// How a scenario is launched.
struct LaunchShape {
    Extent grid;                    ///< [blocks]
    Extent block;                   ///< [threads]; lanes are numbered x first
    int steps = 1;                  ///< how often each thread executes each instruction that does not say
    std::int64_t shared_bytes = 0;  ///< shared memory per block [bytes]
    /// Global memory that the grid may touch: in, out, second input [bytes]
    std::int64_t buffer_bytes[kMaxBuffers] = {0, 0, 0};
    Extent texture = {0, 0};         ///< a texture of 4-byte texels, width a multiple of 4; 0: none [texels]
    int border = 0;                  ///< a `Border`: what the texture gives outside its edges
    int local_bytes = 0;             ///< private array of each thread [bytes]
    int cluster = 1;                 ///< blocks in x that form a cluster (CC 9.0 and later when above 1)
    bool barrier_each_step = false;  ///< the block waits after every step, not only between phases
    Extent image = {0,
                    0};  ///< one pixel per thread, x first; further rows of blocks draw it again; 0: no image
};

/// One thread of a launch at one step.
struct ThreadId {
    int block_x = 0, block_y = 0;
    int x = 0, y = 0;  ///< inside the block
    int step = 0;
};

/// What one thread does in one instruction.
struct LaneAccess {
    std::uint64_t byte_address = 0;  ///< as in WarpAccess; still in range when the lane is not active
    bool active = true;
    int x = 0, y = 0;  ///< texture: the texel that is asked for, which may lie outside [texels]
    int fraction_x = 0, fraction_y = 0;  ///< texture: as in kernels/texture_sample.h, Footprint [1/256 texel]
};

/// One load or store in a scenario's kernel.
struct Instruction {
    std::string_view label;  ///< a few words, for example "load in, by rows"
    std::string_view code;   ///< the line of CUDA C++ that it stands for
    Space space = Space::global;
    Op op = Op::load;
    int bytes_per_lane = 4;  ///< [bytes]; of one element
    int buffer = 0;          ///< global memory: 0 in, 1 out, 2 second input
    int phase = 0;  ///< a block-wide barrier stands between phases; all steps of a phase run before the next
    int steps = 0;  ///< how often it is executed; 0: LaunchShape::steps. Instructions of a phase agree
    /// Counts of step s + step_period are those of step s, for whole blocks: only so many steps are counted.
    /// 0: none known.
    int step_period = 0;
    int ranks_away = 0;   ///< cluster: how many ranks after the own block is the one that is asked
    bool linear = false;  ///< texture: each lane gets 2 x 2 texels, of which its own is the left upper one
};

inline constexpr int kMaxInstructions = 8;

constexpr int steps_of(const LaunchShape& shape, const Instruction& instruction) {
    return instruction.steps > 0 ? instruction.steps : shape.steps;
}

/// What the plot shows and what is measured for it.
enum class SpeedUnit {
    gb_per_s,  ///< useful bytes per second [10^9 bytes/s]; larger is better
    cycles,    ///< cycles of one request (of all instructions once), each waiting for the one before; smaller
               ///< is better
    gflop_per_s,  ///< floating-point operations per second, an FMA counts 2 [10^9/s]; larger is better
};

/// Which kernel runs a scenario.
enum class Kernel {
    replay,    ///< stream.cuh: executes the instructions at their addresses (in shared memory alone, timed by
               ///< the loop of shared_time.cuh; for SpeedUnit::cycles by the chain of chain.cuh)
    gather,    ///< gather.cu: indices are read from memory
    convolve,  ///< convolve.cu
    spill,     ///< spill.cu
    filter,    ///< filter.cu
    chase,     ///< chase.cu: dependent loads, and reading over and over
    multiply,  ///< multiply.cu
};

constexpr unsigned space_bit(Space space) { return 1u << static_cast<unsigned>(space); }

/// A setting worth looking at: a button in the window, a figure in the gallery.
struct Preset {
    std::string_view name;  ///< a few words; with '-' for ' ' part of a file name
    std::string_view
        settings;  ///< as --set takes them: "stride=2,op=load"; all other knobs at their defaults
};

/// What a scenario says about itself.
struct ScenarioInfo {
    std::string_view id;       ///< kebab-case: command line, lesson file
    std::string_view title;    ///< in the menu
    std::string_view formula;  ///< the address formula, as a person would write it
    std::string_view summary;  ///< one sentence
    unsigned spaces;           ///< `space_bit`s: under which memory spaces the menu lists it
    std::span<const Knob> knobs;
    Params defaults;
    std::span<const Preset> presets = {};
    std::string_view first_axis =
        {};  ///< key of the knob that the bandwidth plot starts with; empty: the first one
    Kernel kernel = Kernel::replay;
    SpeedUnit (*speed_unit)(const Params&) = nullptr;  ///< null: gb_per_s
    double (*flop)(const Params&) = nullptr;           ///< operations of the whole grid; null: none
    int least_cc = 0;  ///< compute capability that it needs, major * 10 + minor; 0: any
    bool irregular =
        false;  ///< the law about neighbouring addresses does not hold: grids are counted from samples
};

constexpr SpeedUnit speed_unit_of(const ScenarioInfo& info, const Params& p) {
    return info.speed_unit == nullptr ? SpeedUnit::gb_per_s : info.speed_unit(p);
}

// A scenario is a struct without data, listed in scenarios/list.h:
//
//   static constexpr ScenarioInfo info;
//   static constexpr LaunchShape launch(const Params&);
//   static constexpr int instruction_count(const Params&);                 // 1 to kMaxInstructions
//   static constexpr Instruction instruction(const Params&, int index);
//   WARPLENS_HD static constexpr LaneAccess access(const Params&, int index, const ThreadId&);
//
// Law, checked by a test for every scenario: one block further in x (or in y) moves the addresses of all
// lanes of an instruction by one constant, and blocks that lie wholly inside have all the lanes that the mask
// allows. The model counts a whole grid from a handful of blocks because of it. For `irregular` ones only the
// second half holds, and the model counts some blocks for all.

/// Lanes are numbered x first; the mask says which of them take part in every warp.
WARPLENS_HD constexpr bool lane_in_mask(const Params& p, int thread_in_block) {
    return (static_cast<std::uint32_t>(p.mask) >> (thread_in_block % kWarpLanes) & 1u) != 0;
}

}  // namespace warplens
