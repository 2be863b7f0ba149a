#pragma once

#include "kernels/cuda/gpu.h"
#include "kernels/params.h"
#include "kernels/replay/grid_count.h"
#include "kernels/scenario.h"
#include "kernels/unavailable.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace warplens {

/// How a scenario is measured.
enum class Measured {
    grid,   ///< launches of the whole grid, timed by CUDA events
    banks,  ///< the loop of shared_time.cuh, timed by the clock of the SM
    chain,  ///< the chain of chain.cuh, timed by the clock of the SM
    own,    ///< a kernel written for the scenario, timed by events, or by the clock of the SM if it says so
};

/// What must be known about a setting before its kernels are launched.
struct LaunchSetting {
    const ScenarioInfo* info = nullptr;
    LaunchShape shape;
    GridAccesses grid;
    /// Instructions in which the pictured warp has an active lane and goes to shared memory.
    int bank_requests = 0;
    Measured how = Measured::grid;
    /// Whether any lane is active, in the whole grid, or in the pictured warp if only that one is timed.
    bool any_lane = false;
};

/// How a setting of a scenario is measured.
/// @param only_shared  whether every instruction goes to shared memory
constexpr Measured how_measured(const ScenarioInfo& info, const Params& p, bool only_shared) {
    if (!follows_addresses(info.kernel)) return Measured::own;
    if (speed_unit_of(info, p) == SpeedUnit::cycles) return Measured::chain;
    return only_shared ? Measured::banks : Measured::grid;
}

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
