#include "kernels/launch_setting.h"

#include "kernels/scenarios/dispatch.h"
#include "kernels/texture_layout.h"

#include <algorithm>
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

std::string version(int cc) { return std::to_string(cc / 10) + "." + std::to_string(cc % 10); }

std::string old_code(int needed, int has) {
    return "needs compute capability " + version(needed) + ", and this build's code is for " + version(has) +
           "; build it with CMAKE_CUDA_ARCHITECTURES=native";
}

/// "'way=cp.async'": the choice without which a setting needs less, whatever else is chosen that leaves it an
/// effect. "'update=sum' with 'aggregate=in-warp'", if only all of these need it; else "this setting".
/// @param cc_of  the compute capability that a setting needs; may be null
std::string what_needs(const ScenarioInfo& info, int (*cc_of)(const Params&), const Params& params, int cc) {
    if (!info.needed_by.empty()) return "'" + std::string(info.needed_by) + "'";
    const std::span<const Knob> knobs = cc_of == nullptr ? std::span<const Knob>() : info.knobs;
    // Whether another choice of it needs less. Those with which `asked` has no effect do not count.
    const auto lowers = [&](const Knob& knob, const Knob* asked) {
        return std::ranges::any_of(knob.choices, [&](const Choice& choice) {
            Params other = params;
            other.*knob.field = choice.value;
            const bool idle = asked != nullptr && asked->idle != nullptr && !asked->idle(other).empty();
            return !idle && cc_of(other) < cc;
        });
    };
    std::string all;
    for (const Knob& knob : knobs) {
        if (!lowers(knob, nullptr)) continue;
        const auto chosen = std::ranges::find(knob.choices, params.*knob.field, &Choice::value);
        if (chosen == knob.choices.end()) continue;
        const std::string name = "'" + std::string(knob.key) + '=' + std::string(chosen->name) + "'";
        if (std::ranges::none_of(knobs,
                                 [&](const Knob& other) { return &other != &knob && lowers(other, &knob); }))
            return name;
        all += (all.empty() ? "" : " with ") + name;
    }
    return all.empty() ? "this setting" : all;
}

}  // namespace

std::vector<PicturedRequest> LaunchSetting::bank_requests() const {
    std::vector<PicturedRequest> requests;
    for (const PicturedRequest& request : pictured) {
        if (is_atomic(request.instruction.op) && request.instruction.space == Space::shared) return {};
        if (request.instruction.space == Space::shared && request.active != 0) requests.push_back(request);
    }
    return requests;
}

std::optional<LaunchSetting> describe_setting(std::string_view scenario, const Params& params) {
    std::optional<LaunchSetting> setting;
    with_scenario(scenario, [&]<class S>() { setting = describe<S>(params); });
    return setting;
}

LaunchLimits limits_of(const GpuInfo& gpu) {
    return {.cc = gpu.cc_major * 10 + gpu.cc_minor,
            .code_cc = gpu.code_cc,
            .threads_per_block = gpu.max_threads_per_block,
            .shared_per_block = gpu.shared_per_block_optin_bytes};
}

std::optional<Unavailable> refuse_launch(const ScenarioInfo& info, const Params& params,
                                         const LaunchShape& shape, const LaunchLimits& limits) {
    const auto gpu = [&] { return std::string(limits.gpu); };  // only for a refusal
    const auto more = [](std::int64_t wanted, std::int64_t most) { return most > 0 && wanted > most; };
    const int cc = info.cc_of == nullptr ? info.least_cc : info.cc_of(params);
    const int modelled = info.modelled_from == nullptr ? 0 : info.modelled_from(params);
    if (limits.cc > 0 && limits.cc < cc)
        return Unavailable{what_needs(info, info.cc_of, params, cc) + " needs compute capability " +
                           version(cc) + ", " + gpu() + " has " + version(limits.cc)};
    if (limits.cc > 0 && limits.cc < modelled)
        return Unavailable{what_needs(info, info.modelled_from, params, modelled) +
                           " is not modelled below compute capability " + version(modelled) + ", " + gpu() +
                           " has " + version(limits.cc)};
    if (limits.code_cc > 0 && limits.code_cc < cc)
        return Unavailable{what_needs(info, info.cc_of, params, cc) + ' ' + old_code(cc, limits.code_cc)};
    const int threads = shape.block.x * shape.block.y;
    if (more(threads, limits.threads_per_block))
        return Unavailable{"this setting has " + std::to_string(threads) + " threads per block, " + gpu() +
                           " allows " + std::to_string(limits.threads_per_block) +
                           ": choose a smaller block"};
    const auto shared = std::int64_t(shared_bytes_of(shape));
    if (more(shared, limits.shared_per_block))
        return Unavailable{"this setting needs " + kilobytes(shared) + " of shared memory per block, " +
                           gpu() + " has " + kilobytes(limits.shared_per_block) +
                           ": choose a setting that keeps less there"};
    constexpr int kUnit = 8;  // registers of a thread are allocated in eights, or coarser
    const int registers = info.registers == nullptr ? 0 : info.registers(params);
    if (more(registers, limits.registers_per_thread))
        return Unavailable{"this kernel needs " + std::to_string(registers) + " registers a thread, " +
                           gpu() + " has " + std::to_string(limits.registers_per_thread)};
    const int in_warps = (threads + kWarpLanes - 1) / kWarpLanes * kWarpLanes;
    const int all = (registers + kUnit - 1) / kUnit * kUnit * in_warps;
    if (more(all, limits.registers_per_block))
        return Unavailable{"a block of this kernel needs " + std::to_string(all) + " registers, " + gpu() +
                           " has " + std::to_string(limits.registers_per_block)};
    constexpr std::int64_t kMostY = 65535, kLargeX = (std::int64_t{1} << 31) - 1;
    const std::int64_t most_x = limits.cc > 0 && limits.cc < 30 ? kMostY : kLargeX;
    const int rows = shape.grid.y / shape.layers;
    if (limits.cc > 0 && limits.cc < 20 && shape.layers > 1)
        return Unavailable{"this grid has " + std::to_string(shape.layers) + " blocks in z, and grids of " +
                           gpu() + " have two dimensions: count the blocks in x and y"};
    if (shape.grid.x > most_x || rows > kMostY) {
        const bool x = shape.grid.x > most_x;
        return Unavailable{"this setting has " + std::to_string(x ? shape.grid.x : rows) + " blocks in " +
                           (x ? "x, " : "y, ") + gpu() + " allows " + std::to_string(x ? most_x : kMostY) +
                           ": choose fewer elements"};
    }
    if (shape.cooperative && limits.sms > 0 && limits.threads_per_sm > 0 && limits.blocks_per_sm > 0) {
        constexpr std::int64_t kReserved = 1024;  // for the driver, from compute capability 8.0
        std::int64_t at_once = limits.blocks_per_sm;
        const auto room = [&at_once](std::int64_t has, std::int64_t each) {
            if (has > 0 && each > 0) at_once = std::min(at_once, has / each);
        };
        room(limits.threads_per_sm, in_warps);
        room(limits.registers_per_sm, all);
        room(limits.shared_per_sm, shared + (limits.cc >= 80 ? kReserved : 0));
        at_once *= limits.sms;
        if (std::int64_t{shape.grid.x} * shape.grid.y > at_once)
            return Unavailable{"a cooperative launch needs room for all blocks at once, and " + gpu() +
                               " has room for " + std::to_string(at_once) + ": choose fewer blocks"};
    }
    if (more(memory_bytes(shape), limits.memory_bytes))
        return Unavailable{"this setting touches " + size_text(memory_bytes(shape)) + ", " + gpu() + " has " +
                           size_text(limits.memory_bytes) + ": choose fewer elements"};
    return std::nullopt;
}

std::optional<Unavailable> refuse_gpu(const ScenarioInfo& info, const GpuInfo& gpu) {
    const int has = gpu.cc_major * 10 + gpu.cc_minor;
    if (has < info.least_cc) {
        return Unavailable{"needs compute capability " + version(info.least_cc) + ", this GPU has " +
                           version(has)};
    }
    if (gpu.code_cc == 0 || gpu.code_cc >= info.least_cc) return std::nullopt;
    return Unavailable{old_code(info.least_cc, gpu.code_cc)};
}

std::int64_t memory_bytes(const LaunchShape& shape) {
    std::int64_t bytes = std::int64_t{shape.texture.x} * shape.texture.y * kTexelBytes;
    for (int b = 0; b < kMaxBuffers; ++b) bytes += shape.device_bytes(b);
    return bytes;
}

Unavailable refuse_memory(const LaunchShape& shape, std::int64_t available_bytes) {
    return {"this setting touches " + size_text(memory_bytes(shape)) + ", the GPU has " +
            size_text(available_bytes) + " free: choose fewer elements"};
}

}  // namespace warplens
