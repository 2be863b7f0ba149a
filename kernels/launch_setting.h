#pragma once

#include "kernels/cuda/gpu.h"
#include "kernels/grid_count.h"
#include "kernels/params.h"
#include "kernels/scenario.h"
#include "kernels/unavailable.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace warplens {

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
        return info.kernel == Kernel::chase ? Measured::walk : Measured::chain;
    return only_shared ? Measured::banks : Measured::grid;
}

/// One instruction, as the warp executes it that the pictures show, at the pictured step (or its last step,
/// if it has fewer).
struct PicturedRequest {
    Instruction instruction;
    std::uint64_t byte_address[kWarpLanes] = {};  ///< as in LaneAccess [bytes]
    std::uint32_t active = 0;                     ///< bit i set: lane i takes part
};

/// What must be known about a setting before its kernels are launched.
struct LaunchSetting {
    const ScenarioInfo* info = nullptr;
    LaunchShape shape;
    GridAccesses grid;
    std::vector<PicturedRequest> pictured;  ///< by instruction
    int pictured_rank = 0;                  ///< the rank of the pictured block in its cluster
    Measured how = Measured::grid;
    /// Whether any lane is active, in the whole grid, or in the pictured warp if only that one is timed.
    bool any_lane = false;

    /// Those of the pictured requests that have an active lane and go to shared memory.
    std::vector<PicturedRequest> bank_requests() const;
};

/// Empty if there is no such scenario.
std::optional<LaunchSetting> describe_setting(std::string_view scenario, const Params& params);

/// The dynamic shared memory of a block, rounded up to whole 16-byte words.
constexpr std::size_t shared_bytes_of(const LaunchShape& shape) {
    return static_cast<std::size_t>((shape.shared_bytes + 15) / 16 * 16);
}

/// Why a GPU cannot launch this shape, naming both sizes. Empty if it can.
std::optional<Unavailable> refuse_shape(const LaunchShape& shape, const GpuInfo& gpu);

/// Why a GPU is too old for a scenario. Empty if it is not.
std::optional<Unavailable> refuse_gpu(const ScenarioInfo& info, const GpuInfo& gpu);

/// The device memory that a setting needs for its buffers and its texture [bytes].
std::int64_t memory_bytes(const LaunchShape& shape);

/// States that a GPU does not have enough memory, naming both sizes.
Unavailable refuse_memory(const LaunchShape& shape, std::int64_t available_bytes);

}  // namespace warplens
