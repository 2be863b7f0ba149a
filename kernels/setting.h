#pragma once

#include "kernels/gpu.h"
#include "kernels/grid_count.h"
#include "kernels/params.h"
#include "kernels/scenario.h"
#include "kernels/unavailable.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace warplens {

/// What must be known about a setting before it is launched.
struct Setting {
    LaunchShape shape;
    GlobalAccesses global;
    int instructions = 1;
    bool only_shared = true;  ///< no instruction goes to global memory
    bool any_lane =
        false;  ///< an active lane: anywhere in global memory, or in the pictured warp of shared memory
};

/// Empty: there is no such scenario.
std::optional<Setting> describe_setting(std::string_view scenario, const Params& params);

/// Dynamic shared memory as kernels get it: whole 16-byte words.
constexpr std::size_t shared_bytes_of(const LaunchShape& shape) {
    return static_cast<std::size_t>((shape.shared_bytes + 15) / 16 * 16);
}

/// Why a GPU cannot launch this, with both sizes; empty: it can.
std::optional<Unavailable> refuse_shape(const LaunchShape& shape, const GpuInfo& gpu);

/// That a GPU has not enough memory, with both sizes.
Unavailable refuse_memory(const LaunchShape& shape, std::int64_t available_bytes);

}  // namespace warplens
