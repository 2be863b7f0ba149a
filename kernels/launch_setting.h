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
    grid,   ///< launches of the whole grid, timed by events
    banks,  ///< the loop of shared_time.cuh, timed by the SM's clock
    chain,  ///< the chain of chain.cuh, timed by the SM's clock
    own,    ///< a kernel of the scenario's own: by events, or by the SM's clock if it says so
};

/// What must be known about a setting before it is launched.
struct LaunchSetting {
    const ScenarioInfo* info = nullptr;
    LaunchShape shape;
    GridAccesses grid;
    int bank_requests = 0;  ///< instructions in which the pictured warp asks shared memory for something
    Measured how = Measured::grid;
    bool any_lane =
        false;  ///< an active lane: anywhere in the grid, or in the pictured warp if that is timed
};

/// How the setting of a scenario is measured. @param only_shared  every instruction goes to shared memory
constexpr Measured how_measured(const ScenarioInfo& info, const Params& p, bool only_shared) {
    if (info.kernel != Kernel::replay) return Measured::own;
    if (speed_unit_of(info, p) == SpeedUnit::cycles) return Measured::chain;
    return only_shared ? Measured::banks : Measured::grid;
}

/// Empty: there is no such scenario.
std::optional<LaunchSetting> describe_setting(std::string_view scenario, const Params& params);

/// Dynamic shared memory as kernels get it: whole 16-byte words.
constexpr std::size_t shared_bytes_of(const LaunchShape& shape) {
    return static_cast<std::size_t>((shape.shared_bytes + 15) / 16 * 16);
}

/// Why a GPU cannot launch this, with both sizes; empty: it can.
std::optional<Unavailable> refuse_shape(const LaunchShape& shape, const GpuInfo& gpu);

/// Why a GPU is too old for a scenario; empty: it is not.
std::optional<Unavailable> refuse_gpu(const ScenarioInfo& info, const GpuInfo& gpu);

/// Device memory that a setting needs: buffers and texture [bytes].
std::int64_t memory_bytes(const LaunchShape& shape);

/// That a GPU has not enough memory, with both sizes.
Unavailable refuse_memory(const LaunchShape& shape, std::int64_t available_bytes);

}  // namespace warplens
