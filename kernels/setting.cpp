#include "kernels/setting.h"

#include "kernels/dispatch.h"

#include <array>
#include <cstdio>
#include <string>

namespace warplens {
namespace {

/// Whether the timed loop's warp has an active lane.
template <class S>
bool pictured_warp_is_active(const Params& p) {
    const Extent block = S::launch(p).block;
    const int threads = block.x * block.y, warps = (threads + kWarpLanes - 1) / kWarpLanes;
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        const int thread = p.warp % warps * kWarpLanes + lane;
        if (thread >= threads) break;
        if (S::access(p, 0, {0, 0, thread % block.x, thread / block.x, p.step}).active) return true;
    }
    return false;
}

template <class S>
Setting describe(const Params& p) {
    Setting setting{
        .shape = S::launch(p), .global = count_global<S>(p), .instructions = S::instruction_count(p)};
    for (int i = 0; i < setting.instructions; ++i) {
        if (S::instruction(p, i).space == Space::global) setting.only_shared = false;
    }
    setting.any_lane = setting.only_shared ? pictured_warp_is_active<S>(p) : setting.global.useful_bytes > 0;
    return setting;
}

std::string size_text(std::int64_t bytes) {
    const bool large = bytes >= 1'000'000'000;
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), large ? "%.1f GB" : "%.1f MB",
                  static_cast<double>(bytes) * (large ? 1e-9 : 1e-6));
    return text.data();
}

std::string kilobytes(std::int64_t bytes) { return std::to_string((bytes + 1023) / 1024) + " KB"; }

}  // namespace

std::optional<Setting> describe_setting(std::string_view scenario, const Params& params) {
    std::optional<Setting> setting;
    with_scenario(scenario, [&]<class S>() { setting = describe<S>(params); });
    return setting;
}

std::optional<Unavailable> refuse_shape(const LaunchShape& shape, const GpuInfo& gpu) {
    constexpr int kMostBlocksY = 65535;
    const auto shared = static_cast<std::int64_t>(shared_bytes_of(shape));
    if (shared > gpu.shared_per_block_optin_bytes) {
        return Unavailable{"this setting needs " + kilobytes(shared) +
                           " of shared memory per block, the GPU has " +
                           kilobytes(gpu.shared_per_block_optin_bytes) + ": choose a smaller tile"};
    }
    const int threads = shape.block.x * shape.block.y;
    if (threads > gpu.max_threads_per_block) {
        return Unavailable{"this setting has " + std::to_string(threads) +
                           " threads per block, the GPU allows " + std::to_string(gpu.max_threads_per_block) +
                           ": choose a smaller block"};
    }
    if (shape.grid.y > kMostBlocksY) {
        return Unavailable{"this setting has " + std::to_string(shape.grid.y) + " blocks in y, CUDA allows " +
                           std::to_string(kMostBlocksY) + ": choose fewer elements"};
    }
    return std::nullopt;
}

Unavailable refuse_memory(const LaunchShape& shape, std::int64_t available_bytes) {
    return {"this setting touches " + size_text(shape.buffer_bytes[0] + shape.buffer_bytes[1]) +
            ", the GPU has " + size_text(available_bytes) + " free: choose fewer elements"};
}

}  // namespace warplens
