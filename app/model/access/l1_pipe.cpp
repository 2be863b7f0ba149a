#include "app/model/access/l1_pipe.h"

#include "app/model/access/banks.h"
#include "app/model/access/sectors.h"
#include "app/model/access/texture.h"
#include "app/model/device/caches.h"
#include "app/model/time/limits.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace warplens {
namespace {

/// Whether the SMs give global loads half of what their banks could deliver (assets/gpus.json names such
/// GPUs).
bool has_slow_l1(const DeviceFacts& device) {
    return device.memory.l1_bytes_per_clock > 0 && device.memory.l1_bytes_per_clock < kLineBytes;
}

/// The mean over some warps and steps of an instruction, for requests with an active lane. 0 if there are
/// none.
template <class Of>
double mean_of_warps(const Scenario& scenario, const Params& params, int index, const LaunchShape& shape,
                     Of of) {
    constexpr int kMostWarps = 4, kMostSteps = 4;
    const Extent middle{shape.grid.x / 2, shape.grid.y / 2};
    const int all_steps = steps_of(shape, scenario.instruction(params, index)),
              all_warps = warps_per_block(shape);
    const int steps = std::min(all_steps, kMostSteps), warps = std::min(all_warps, kMostWarps);
    double sum = 0;
    int requests = 0;
    for (int s = 0; s < steps; ++s) {
        for (int w = 0; w < warps; ++w) {
            const WarpAccess access =
                scenario.warp(params, index, middle, w * all_warps / warps, s * all_steps / steps);
            if (access.active == 0) continue;
            sum += of(access);
            ++requests;
        }
    }
    return requests > 0 ? sum / requests : 0;
}

/// Distinct sectors of the texels that all lanes fetch.
double distinct_texture_sectors(const WarpAccess& access) {
    std::vector<std::uint64_t> sectors;
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        const LaneTexels texels = texels_of_lane(access, lane);
        for (const std::uint64_t address : texels.all()) sectors.push_back(address / kSectorBytes);
    }
    std::ranges::sort(sectors);
    return double(std::ranges::unique(sectors).begin() - sectors.begin());
}

}  // namespace

double l1_pipe_cycles(const WarpAccess& access, const DeviceFacts& device) {
    const BankCount banks = count_banks(access, device.bank_rules);
    if (access.space != Space::global)
        return banks.wavefronts * clocks_of_wavefront(device) + limits::kCyclesOfSharedRequest;
    const int lines = count_sectors(access, device.sector_rules).lines;
    const double tags = std::ceil(double(lines) / limits::kTagsPerClock);
    const double slow = has_slow_l1(device) ? 2.0 * banks.ideal : 0;
    return std::max({double(banks.wavefronts), tags, slow}) + limits::kCyclesOfRequest;
}

double mean_l1_pipe_cycles(const Scenario& scenario, const Params& params, int index,
                           const LaunchShape& shape, const DeviceFacts& device) {
    return mean_of_warps(scenario, params, index, shape,
                         [&](const WarpAccess& access) { return l1_pipe_cycles(access, device); });
}

double mean_texture_sectors(const Scenario& scenario, const Params& params, int index,
                            const LaunchShape& shape) {
    return mean_of_warps(scenario, params, index, shape, &distinct_texture_sectors);
}

}  // namespace warplens
