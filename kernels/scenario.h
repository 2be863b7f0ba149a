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

/// How a scenario is launched.
struct LaunchShape {
    Extent grid;                            ///< [blocks]
    Extent block;                           ///< [threads]; lanes are numbered x first
    int steps = 1;                          ///< how often each thread executes each instruction
    std::int64_t shared_bytes = 0;          ///< shared memory per block [bytes]
    std::int64_t buffer_bytes[2] = {0, 0};  ///< global memory that the grid may touch: in, out [bytes]
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
};

/// One load or store in a scenario's kernel.
struct Instruction {
    std::string_view label;  ///< a few words, for example "load in, by rows"
    std::string_view code;   ///< the line of CUDA C++ that it stands for
    Space space = Space::global;
    Op op = Op::load;
    int bytes_per_lane = 4;  ///< [bytes]
    int buffer = 0;          ///< global memory: 0 in, 1 out
    int phase = 0;  ///< a block-wide barrier stands between phases; all steps of a phase run before the next
};

inline constexpr int kMaxInstructions = 4;

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
};

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
// allows. The model counts a whole grid from a handful of blocks because of it.

/// Lanes are numbered x first; the mask says which of them take part in every warp.
WARPLENS_HD constexpr bool lane_in_mask(const Params& p, int thread_in_block) {
    return (static_cast<std::uint32_t>(p.mask) >> (thread_in_block % kWarpLanes) & 1u) != 0;
}

}  // namespace warplens
