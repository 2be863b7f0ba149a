#include "kernels/launch_setting.h"

#include "kernels/scenarios/dispatch.h"
#include "kernels/texture_layout.h"

#include <cstdio>

namespace warplens {
namespace {

template <class S>
std::vector<PicturedRequest> pictured_requests(const Params& p, const LaunchShape& shape) {
    const Extent block = shape.block;
    const int threads = block.x * block.y, warps = (threads + kWarpLanes - 1) / kWarpLanes;
    const int number = p.warp / warps % (shape.grid.x * shape.grid.y);
    std::vector<PicturedRequest> requests;
    for (int i = 0; i < S::instruction_count(p); ++i) {
        PicturedRequest& request =
            requests.emplace_back(PicturedRequest{.instruction = S::instruction(p, i)});
        const int step = pictured_step(shape, request.instruction, p.step);
        for (int lane = 0; lane < kWarpLanes; ++lane) {
            const int thread = p.warp % warps * kWarpLanes + lane;
            if (thread >= threads) break;
            const LaneAccess access = S::access(
                p, i,
                {number % shape.grid.x, number / shape.grid.x, thread % block.x, thread / block.x, step});
            request.byte_address[lane] = access.byte_address;
            request.active |= access.active ? 1u << lane : 0;
        }
    }
    return requests;
}

template <class S>
LaunchSetting describe(const Params& p) {
    const LaunchShape shape = S::launch(p);
    LaunchSetting setting{.info = &S::info,
                          .shape = shape,
                          .grid = count_grid_accesses<S>(p),
                          .pictured = pictured_requests<S>(p, shape)};
    const int warps = (shape.block.x * shape.block.y + kWarpLanes - 1) / kWarpLanes;
    setting.pictured_rank = p.warp / warps % shape.cluster;
    bool only_shared = true, pictured_lane = false;
    for (const PicturedRequest& request : setting.pictured) {
        only_shared = only_shared && request.instruction.space == Space::shared;
        pictured_lane = pictured_lane || request.active != 0;
    }
    setting.how = how_measured(S::info, p, only_shared);
    const bool one_warp = setting.how == Measured::banks || setting.how == Measured::chain;
    setting.any_lane = one_warp ? pictured_lane : setting.grid.any_lane;
    return setting;
}

std::string size_text(std::int64_t bytes) {
    constexpr double kMebibyte = 1 << 20, kGibibyte = 1 << 30;
    const bool large = double(bytes) >= kGibibyte;
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), large ? "%.1f GiB" : "%.1f MiB",
                  double(bytes) / (large ? kGibibyte : kMebibyte));
    return text.data();
}

std::string kilobytes(std::int64_t bytes) { return std::to_string((bytes + 1023) / 1024) + " KiB"; }

}  // namespace

std::vector<PicturedRequest> LaunchSetting::bank_requests() const {
    std::vector<PicturedRequest> requests;
    for (const PicturedRequest& request : pictured) {
        if (request.instruction.space == Space::shared && request.active != 0) requests.push_back(request);
    }
    return requests;
}

std::optional<LaunchSetting> describe_setting(std::string_view scenario, const Params& params) {
    std::optional<LaunchSetting> setting;
    with_scenario(scenario, [&]<class S>() { setting = describe<S>(params); });
    return setting;
}

std::optional<Unavailable> refuse_shape(const LaunchShape& shape, const GpuInfo& gpu) {
    constexpr int kMostBlocksY = 65535;
    const std::int64_t shared = shared_bytes_of(shape);
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

std::optional<Unavailable> refuse_gpu(const ScenarioInfo& info, const GpuInfo& gpu) {
    const auto version = [](int cc) { return std::to_string(cc / 10) + "." + std::to_string(cc % 10); };
    const int has = gpu.cc_major * 10 + gpu.cc_minor;
    if (has < info.least_cc) {
        return Unavailable{"needs compute capability " + version(info.least_cc) + ", this GPU has " +
                           version(has)};
    }
    if (gpu.code_cc == 0 || gpu.code_cc >= info.least_cc) return std::nullopt;
    return Unavailable{"needs compute capability " + version(info.least_cc) +
                       ", and this build's code is for " + version(gpu.code_cc) +
                       "; build it with CMAKE_CUDA_ARCHITECTURES=native"};
}

std::int64_t memory_bytes(const LaunchShape& shape) {
    std::int64_t bytes = std::int64_t{shape.texture.x} * shape.texture.y * kTexelBytes;
    for (const std::int64_t buffer : shape.buffer_bytes) bytes += buffer;
    return bytes;
}

Unavailable refuse_memory(const LaunchShape& shape, std::int64_t available_bytes) {
    return {"this setting touches " + size_text(memory_bytes(shape)) + ", the GPU has " +
            size_text(available_bytes) + " free: choose fewer elements"};
}

}  // namespace warplens
