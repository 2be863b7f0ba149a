#pragma once

#include "kernels/cuda/gpu.h"
#include "kernels/params.h"
#include "kernels/scenario.h"
#include "kernels/unavailable.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace warplens {

/// Whether an instruction goes to memory beyond the SM. The bytes of such instructions are counted.
constexpr bool leaves_sm(Space space) {
    return space == Space::global || space == Space::texture || space == Space::local;
}

/// The requests of the lanes of a whole grid.
struct GridAccesses {
    std::int64_t count[kMaxBuffers] = {};  ///< accesses of one lane each, by buffer of global memory
    /// The footprint in each buffer: an upper bound of the bytes transferred, in whole 32-byte sectors
    /// [bytes].
    std::int64_t touched[kMaxBuffers] = {};
    /// The bytes requested from memory beyond the SM; if no instruction goes there, from all memory [bytes].
    std::int64_t useful_bytes = 0;
    bool any_lane = false;  ///< whether any lane is active in any instruction
    std::int64_t touched_in_all() const {
        std::int64_t bytes = 0;
        for (const std::int64_t in_buffer : touched) bytes += in_buffer;
        return bytes;
    }
};

/// Counts the active lanes of one instruction in one block at one step.
template <class S>
std::int64_t active_at_step(const Params& p, const LaunchShape& shape, int index, Extent block, int step) {
    std::int64_t active = 0;
    for (int y = 0; y < shape.block.y; ++y) {
        for (int x = 0; x < shape.block.x; ++x)
            active += S::access(p, index, {block.x, block.y, x, y, step}).active ? 1 : 0;
    }
    return active;
}

/// Counts the active lanes of one instruction in one block, over all steps.
template <class S>
std::int64_t active_in_block(const Params& p, const LaunchShape& shape, int index, Extent block) {
    const Instruction instruction = S::instruction(p, index);
    const int steps = steps_of(shape, instruction);
    const bool periodic = instruction.step_period > 0 && instruction.step_period < steps;
    const int period = periodic ? instruction.step_period : steps;
    std::int64_t whole = 0, begun = 0;
    for (int step = 0; step < period; ++step) {
        const std::int64_t active = active_at_step<S>(p, shape, index, block, step);
        whole += active;
        if (step < steps % period) begun += active;
    }
    return whole * (steps / period) + begun;
}

/// Counts the active lanes of one instruction in the grid. Only the last block of a row or column may differ
/// from its neighbours (law of kernels/scenario.h), so four blocks represent all.
template <class S>
std::int64_t active_in_grid(const Params& p, const LaunchShape& shape, int index) {
    const int last_x = shape.grid.x - 1, last_y = shape.grid.y - 1;
    const auto in_row = [&](int y) {
        const std::int64_t inner = last_x > 0 ? active_in_block<S>(p, shape, index, {0, y}) * last_x : 0;
        return inner + active_in_block<S>(p, shape, index, {last_x, y});
    };
    return (last_y > 0 ? in_row(0) * last_y : 0) + in_row(last_y);
}

/// The requests of a launch. Exact except for `touched`, an upper bound that is tight unless distant lanes
/// share sectors.
template <class S>
GridAccesses count_grid_accesses(const Params& p) {
    constexpr std::int64_t kSector = 32;
    const LaunchShape shape = S::launch(p);
    GridAccesses sum;
    std::int64_t inside_bytes = 0, outside_bytes = 0;
    bool leaves = false;
    for (int i = 0; i < S::instruction_count(p); ++i) {
        const Instruction instruction = S::instruction(p, i);
        const std::int64_t active = active_in_grid<S>(p, shape, i);
        if (instruction.space == Space::global) sum.count[instruction.buffer] += active;
        leaves = leaves || leaves_sm(instruction.space);
        sum.any_lane = sum.any_lane || active > 0;
        if (is_atomic(instruction.op)) continue;  // what is added to is no data that is moved
        (leaves_sm(instruction.space) ? outside_bytes : inside_bytes) += active * instruction.bytes_per_lane;
    }
    sum.useful_bytes = leaves ? outside_bytes : inside_bytes;
    for (int b = 0; b < kMaxBuffers; ++b) {
        const std::int64_t sectors = sum.count[b] * kSector;
        sum.touched[b] = sectors < shape.buffer_bytes[b] ? sectors : shape.buffer_bytes[b];
    }
    return sum;
}

/// How a setting is measured.
enum class Measured {
    grid,   ///< launches of the whole grid, timed by CUDA events
    banks,  ///< the pictured warp's requests to shared memory, repeated (timing/bank_loop.cu), by the SM's
            ///< clock
    chain,  ///< its requests, each waiting for the one before (timing/chain.cu), by the SM's clock
    walk,   ///< the scenario's own kernel follows a chain through memory and reads the SM's clock itself
};

/// How a setting of a scenario is measured.
/// @param only_shared  whether every instruction goes to shared memory
constexpr Measured how_measured(const ScenarioInfo& info, const Params& p, bool only_shared) {
    if (speed_unit_of(info, p) == SpeedUnit::cycles)
        return info.time == TimeModel::walk ? Measured::walk : Measured::chain;
    return only_shared ? Measured::banks : Measured::grid;
}

/// One instruction, as the warp executes it that the pictures show, at the pictured step (or its last step,
/// if it has fewer).
struct PicturedRequest {
    Instruction instruction;
    std::uint64_t byte_address[kWarpLanes] = {};  ///< as in LaneAccess [bytes]
    std::uint32_t active = 0;                     ///< bit i set: lane i takes part
};

/// All that must be known about a setting before its kernels are launched.
struct LaunchSetting {
    const ScenarioInfo* info = nullptr;
    LaunchShape shape;
    GridAccesses grid;
    std::vector<PicturedRequest> pictured;  ///< by instruction
    int pictured_rank = 0;                  ///< the rank of the pictured block in its cluster
    Measured how = Measured::grid;
    /// Whether any lane is active, in the whole grid, or in the pictured warp if only that one is timed.
    bool any_lane = false;

    /// Those of the pictured requests that have an active lane and go to shared memory. None if there are
    /// atomic operations among them, of which no loop is timed.
    std::vector<PicturedRequest> bank_requests() const;
};

/// Empty if there is no such scenario.
std::optional<LaunchSetting> describe_setting(std::string_view scenario, const Params& params);

/// The dynamic shared memory of a block, rounded up to whole 16-byte words.
constexpr std::size_t shared_bytes_of(const LaunchShape& shape) {
    return static_cast<std::size_t>((shape.shared_bytes + 15) / 16 * 16);
}

/// The most that a GPU allows a launch. A number is 0 if it is not known, and then nothing is refused for it.
struct LaunchLimits {
    std::string_view gpu = "this GPU";
    int cc = 0;       ///< compute capability as major * 10 + minor
    int code_cc = 0;  ///< the same of the code that this build has for it
    int threads_per_block = 0;
    std::int64_t shared_per_block = 0;  ///< with an attribute [bytes]
    int registers_per_thread = 0, registers_per_block = 0;
    int sms = 0, threads_per_sm = 0, blocks_per_sm = 0;    ///< for cooperative launches
    std::int64_t registers_per_sm = 0, shared_per_sm = 0;  ///< likewise; of shared memory [bytes]
    std::int64_t memory_bytes = 0;
};
LaunchLimits limits_of(
    const GpuInfo& gpu);  ///< Memory is left out: what is free is known when it is reserved.

/// Why a GPU cannot make a launch, naming what it needs and what there is. Empty if it can, as far as is
/// known. The grids that a compute capability allows: CUDA programming guides 4.2 and 13.0, tables of
/// technical specifications. All textures of scenarios are smaller than those of any GPU.
std::optional<Unavailable> refuse_launch(const ScenarioInfo& info, const Params& params,
                                         const LaunchShape& shape, const LaunchLimits& gpu);

/// Why the code that this build has for a GPU is too old for a scenario, or the GPU. Empty if it is not.
std::optional<Unavailable> refuse_gpu(const ScenarioInfo& info, const GpuInfo& gpu);

/// The device memory that a setting needs for its buffers and its texture [bytes].
std::int64_t memory_bytes(const LaunchShape& shape);

/// States that a GPU does not have enough memory, naming both sizes.
Unavailable refuse_memory(const LaunchShape& shape, std::int64_t available_bytes);

}  // namespace warplens
