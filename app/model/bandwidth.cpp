#include "app/model/bandwidth.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

namespace warplens {
namespace {

// What DRAM gives of its datasheet peak, once enough bytes are in flight. Fitted to no single point: measured
// on an H200 over strides 2 to 24 (reads 0.92 to 0.97, isolated writes with their fill reads 0.86 to 0.88);
// published copies of other GPUs lie between 0.84 and 0.94.
constexpr double kReadShare = 0.95;
constexpr double kWriteShare = 0.87;

// Threads that move one element each are short of bytes in flight: an SM starts, runs and ends warps only so
// fast. Measured on an H200 at stride 1: 21.4 cycles per warp with one global instruction, 26.4 with two.
constexpr double kCyclesPerWarp = 16.4;
constexpr double kCyclesPerRequest = 5.0;

// Sectors between an SM and the L2, per clock. Measured L2 bandwidth divided by SMs and clock: A100 29 to 35,
// H100 PCIe 35, H200 38 bytes per clock.
constexpr double kL2BytesPerClock = 32;

// Limits act together near the point where they meet; a power mean of this order is their soft maximum.
constexpr double kSoftness = 6;

/// Addresses that neighbouring blocks touch with one instruction: neighbours share what lies between them.
struct Window {
    std::vector<std::uint64_t> addresses;  ///< sorted, distinct
    int blocks = 0;
    std::int64_t lanes = 0;  ///< active lanes of all requests in the window
};

Window collect_window(const Scenario& scenario, const Params& params, int instruction,
                      const LaunchShape& shape) {
    Window window;
    const bool large = std::int64_t{shape.block.x} * shape.block.y * shape.steps > 256;
    const Extent span{std::min(shape.grid.x, 2), std::min(shape.grid.y, large ? 1 : 2)};
    auto& addresses = window.addresses;
    for (int y = 0; y < span.y; ++y) {
        for (int x = 0; x < span.x; ++x, ++window.blocks) {
            for (int step = 0; step < shape.steps; ++step) {
                for (int warp = 0; warp < warps_per_block(shape); ++warp) {
                    const WarpAccess access = scenario.warp(params, instruction, {x, y}, warp, step);
                    window.lanes += std::popcount(access.active);
                    for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1) {
                        addresses.push_back(access.byte_address[std::countr_zero(rest)]);
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

/// DRAM traffic of one global instruction over the whole grid [bytes].
struct Traffic {
    double read = 0, written = 0, useful = 0, footprint = 0;
};

Traffic traffic_of(const Scenario& scenario, const Params& params, int index, const LaunchShape& shape,
                   const DeviceFacts& device) {
    const Instruction instruction = scenario.instruction(params, index);
    const Window window = collect_window(scenario, params, index, shape);
    const double windows = double(shape.grid.x) * shape.grid.y / window.blocks;
    const double used = double(window.addresses.size()) * instruction.bytes_per_lane;
    Traffic traffic;
    traffic.useful = double(window.lanes) * instruction.bytes_per_lane * windows;
    const double sectors = double(distinct_pieces(window.addresses, kSectorBytes)) * kSectorBytes;
    if (instruction.op == Op::load) {
        const int piece = device.fetch_bytes;
        traffic.read =
            double(distinct_pieces(window.addresses, static_cast<std::uint64_t>(piece))) * piece * windows;
        traffic.footprint = traffic.read;
    } else {
        const bool partly = used < 0.99 * sectors;  // a partly written sector is read first
        traffic.written = sectors * windows;
        traffic.read = partly ? traffic.written : 0;
        traffic.footprint = traffic.written;
    }
    // Blocks whose addresses do not move touch the same bytes again.
    const std::uint64_t there = scenario.access(params, index, {std::min(1, shape.grid.x - 1)}).byte_address;
    if (shape.grid.x > 1 && there == scenario.access(params, index, {}).byte_address) {
        traffic.read /= windows;
        traffic.written /= windows;
        traffic.footprint /= windows;
    }
    return traffic;
}

/// Seconds that each limit alone would take.
struct Limit {
    double seconds;
    std::string_view name;
};

}  // namespace

Prediction predict_bandwidth(const Scenario& scenario, const Params& params, const DeviceFacts& device) {
    const LaunchShape shape = scenario.launch(params);
    const double sm_hz = device.sm_count * device.clock_mhz * 1e6;
    double read = 0, written = 0, sectors = 0, wavefronts = 0, requests = 0, shared_used = 0;
    Prediction result;
    bool touches_global = false;
    for (int k = 0; k < scenario.instruction_count(params); ++k) {
        const Totals grid = count_grid(scenario, params, k, device);
        requests += double(grid.requests);
        if (scenario.instruction(params, k).space == Space::shared) {
            wavefronts += double(grid.wavefronts);
            shared_used += double(grid.bytes_used);
            continue;
        }
        touches_global = true;
        const Traffic traffic = traffic_of(scenario, params, k, shape, device);
        read += traffic.read;
        written += traffic.written;
        sectors += double(grid.sectors);
        result.useful_bytes += traffic.useful;
        result.footprint_bytes += traffic.footprint;
    }
    result.dram_bytes = read + written;
    const double wavefront_bytes = double(device.bank_rules.banks) * (device.bank_rules.wide_banks ? 8 : 4);
    result.shared_memory = !touches_global;
    if (!touches_global) {
        result.useful_bytes = shared_used;
        result.peak = sm_hz * wavefront_bytes * 1e-9;
        result.limiter = "the banks";
        if (wavefronts > 0) result.value = shared_used / wavefronts * sm_hz * 1e-9;
        return result;
    }
    result.peak = device.peak_gb_per_s;
    result.fits_l2 = result.footprint_bytes < double(device.l2_bytes);
    if (device.peak_gb_per_s <= 0 || sm_hz <= 0) return result;
    const double warps = double(shape.grid.x) * shape.grid.y * warps_per_block(shape);
    const Limit limits[] = {
        {(read / kReadShare + written / kWriteShare) / (device.peak_gb_per_s * 1e9), "DRAM"},
        {(warps * kCyclesPerWarp + requests * kCyclesPerRequest) / sm_hz, "bytes in flight"},
        {sectors * kSectorBytes / (sm_hz * kL2BytesPerClock), "L2 sectors"},
        {wavefronts / sm_hz, "the banks"},
    };
    double longest = 0, sum = 0;
    for (const Limit& limit : limits) {
        if (limit.seconds > longest) {
            longest = limit.seconds;
            result.limiter = limit.name;
        }
    }
    if (longest <= 0) return result;
    for (const Limit& limit : limits) sum += std::pow(limit.seconds / longest, kSoftness);
    result.value = result.useful_bytes / (longest * std::pow(sum, 1 / kSoftness)) * 1e-9;
    return result;
}

}  // namespace warplens
