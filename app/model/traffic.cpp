#include "app/model/traffic.h"

#include "app/model/report.h"
#include "app/model/texture.h"
#include "kernels/texture_layout.h"

#include <algorithm>
#include <bit>
#include <vector>

namespace warplens {
namespace {

/// Addresses that neighbouring blocks touch with one instruction: neighbours share what lies between them.
struct Window {
    std::vector<std::uint64_t> addresses;  ///< sorted, distinct
    int blocks = 0;
    double repeats = 1;      ///< how often the steps that were looked at stand for all
    std::int64_t lanes = 0;  ///< active lanes of all requests in the window
};

/// So many requests of a block are looked at, where its steps count alike.
constexpr int kMostRequests = 128;

/// Two by two neighbours; of large blocks two; of irregular grids some from everywhere.
std::vector<Extent> window_blocks(const Scenario& scenario, Extent grid, bool large) {
    constexpr int kSampled = 4;
    std::vector<Extent> blocks;
    if (scenario.info->irregular) {
        for (int i = 0; i < kSampled; ++i) blocks.push_back(sampled_block(i, grid));
        return blocks;
    }
    for (int y = 0; y < std::min(grid.y, large ? 1 : 2); ++y) {
        for (int x = 0; x < std::min(grid.x, 2); ++x) blocks.push_back({x, y});
    }
    return blocks;
}

Window collect_window(const Scenario& scenario, const Params& params, int index, const LaunchShape& shape) {
    const Instruction instruction = scenario.instruction(params, index);
    const int all_steps = steps_of(shape, instruction), warps = warps_per_block(shape);
    const int steps =
        instruction.step_period == 0
            ? all_steps
            : std::clamp(kMostRequests / warps, std::min(instruction.step_period, all_steps), all_steps);
    Window window{.addresses = {}, .repeats = double(all_steps) / steps};
    const bool large = std::int64_t{shape.block.x} * shape.block.y * steps > 256;
    const std::vector<Extent> blocks = window_blocks(scenario, shape.grid, large);
    window.blocks = static_cast<int>(blocks.size());
    auto& addresses = window.addresses;
    for (const Extent block : blocks) {
        for (int step = 0; step < steps; ++step) {
            for (int warp = 0; warp < warps; ++warp) {
                const WarpAccess access = scenario.warp(params, index, block, warp, step);
                window.lanes += std::popcount(access.active);
                for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1) {
                    const int lane = std::countr_zero(rest);
                    if (access.space == Space::texture) {
                        const LaneTexels texels = texels_of_lane(access, lane);
                        addresses.insert(addresses.end(), texels.all().begin(), texels.all().end());
                    } else {
                        addresses.push_back(access.byte_address[lane]);
                    }
                }
            }
        }
    }
    if (!std::is_sorted(addresses.begin(), addresses.end())) std::sort(addresses.begin(), addresses.end());
    addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
    return window;
}

std::int64_t distinct_pieces(const std::vector<std::uint64_t>& sorted, std::uint64_t bytes) {
    std::int64_t pieces = 0;
    std::uint64_t last = ~std::uint64_t{0};
    for (const std::uint64_t address : sorted) {
        pieces += address / bytes != last;
        last = address / bytes;
    }
    return pieces;
}

}  // namespace

Traffic count_traffic(const Scenario& scenario, const Params& params, int index, const LaunchShape& shape,
                      const DeviceFacts& device) {
    const Instruction instruction = scenario.instruction(params, index);
    const Window window = collect_window(scenario, params, index, shape);
    const double windows = double(shape.grid.x) * shape.grid.y / window.blocks * window.repeats;
    const double used = double(window.addresses.size()) * instruction.bytes_per_lane;
    Traffic traffic;
    traffic.useful = double(window.lanes) * instruction.bytes_per_lane * windows;
    const double sector_bytes = double(distinct_pieces(window.addresses, kSectorBytes)) * kSectorBytes;
    traffic.sectors = sector_bytes / kSectorBytes * windows;
    if (is_load(instruction.op)) {
        const int piece = device.fetch_bytes;
        traffic.read =
            double(distinct_pieces(window.addresses, static_cast<std::uint64_t>(piece))) * piece * windows;
        traffic.footprint = traffic.read;
    } else {
        const bool partly = used < 0.99 * sector_bytes;  // a partly written sector is read first
        traffic.written = sector_bytes * windows;
        traffic.read = partly ? traffic.written : 0;
        traffic.footprint = traffic.written;
    }
    if (instruction.space == Space::texture) {  // the L2 keeps what blocks at a distance want again
        const double texture = double(shape.texture.x) * shape.texture.y * kTexelBytes;
        traffic.read = std::min(traffic.read, texture);
        traffic.footprint = std::min(traffic.footprint, texture);
    }
    // Blocks whose addresses do not move touch the same bytes again.
    const std::uint64_t there = scenario.access(params, index, {std::min(1, shape.grid.x - 1)}).byte_address;
    if (!scenario.info->irregular && shape.grid.x > 1 &&
        there == scenario.access(params, index, {}).byte_address) {
        traffic.read /= windows;
        traffic.written /= windows;
        traffic.footprint /= windows;
    }
    return traffic;
}

}  // namespace warplens
