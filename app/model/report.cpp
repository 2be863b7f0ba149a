#include "app/model/report.h"

#include "app/model/banks.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace warplens {
namespace {

Totals count_block(const Scenario& scenario, const Params& params, int instruction, const LaunchShape& shape,
                   Extent block, const DeviceFacts& device) {
    Totals totals;
    for (int step = 0; step < shape.steps; ++step) {
        for (int warp = 0; warp < warps_per_block(shape); ++warp) {
            totals += count_access(scenario.warp(params, instruction, block, warp, step), device);
        }
    }
    return totals;
}

/// Counts depend on addresses only modulo this: the largest aligned segment of any generation (CC 1.0,
/// 16-byte words).
constexpr std::int64_t kPeriodBytes = 256;

/// Blocks of one row or column of the grid that count alike: the first of them, and how many there are.
struct BlockClass {
    int first;
    int times;
};

/// @param shift  how far addresses move from one block to the next [bytes]
std::vector<BlockClass> classes_along(int blocks, std::int64_t shift) {
    const int inner = blocks - 1;  // only the last block may be partly empty
    const int period = static_cast<int>(kPeriodBytes / std::gcd(shift, kPeriodBytes));
    std::vector<BlockClass> classes;
    for (int first = 0; first < std::min(period, inner); ++first) {
        classes.push_back({first, (inner - first + period - 1) / period});
    }
    classes.push_back({inner, 1});
    return classes;
}

/// How far the first thread's address moves from block (0, 0) to another.
std::int64_t shift_to(const Scenario& scenario, const Params& params, int instruction, Extent block) {
    const auto at = [&](Extent b) {
        return static_cast<std::int64_t>(scenario.access(params, instruction, {b.x, b.y}).byte_address);
    };
    return at(block) - at({0, 0});
}

}  // namespace

Totals& Totals::operator+=(const Totals& other) {
    requests += other.requests;
    sectors += other.sectors;
    ideal_sectors += other.ideal_sectors;
    lines += other.lines;
    wavefronts += other.wavefronts;
    ideal_wavefronts += other.ideal_wavefronts;
    bytes_used += other.bytes_used;
    bytes_moved += other.bytes_moved;
    return *this;
}

Totals Totals::operator*(std::int64_t times) const {
    return {requests * times,   sectors * times,          ideal_sectors * times, lines * times,
            wavefronts * times, ideal_wavefronts * times, bytes_used * times,    bytes_moved * times};
}

Totals count_access(const WarpAccess& access, const DeviceFacts& device) {
    Totals totals;
    if (access.active == 0) return totals;
    if (access.space == Space::global) {
        const SectorCount count = count_sectors(access, device.sector_rules);
        totals.requests = count.requests;
        totals.sectors = count.sectors;
        totals.ideal_sectors = count.ideal_sectors;
        totals.lines = count.lines;
        totals.bytes_used = count.bytes_used;
        totals.bytes_moved = count.bytes_moved;
        return totals;
    }
    const BankCount count = count_banks(access, device.bank_rules);
    totals.requests = 1;
    totals.wavefronts = count.wavefronts;
    totals.ideal_wavefronts = count.ideal;
    totals.bytes_used = count_bytes_used(access);
    const int bank_bytes = device.bank_rules.wide_banks ? 8 : 4;
    totals.bytes_moved = std::int64_t{count.wavefronts} * device.bank_rules.banks * bank_bytes;
    return totals;
}

Totals count_grid(const Scenario& scenario, const Params& params, int instruction,
                  const DeviceFacts& device) {
    const LaunchShape shape = scenario.launch(params);
    const auto columns = classes_along(shape.grid.x, shift_to(scenario, params, instruction, {1, 0}));
    const auto rows = classes_along(shape.grid.y, shift_to(scenario, params, instruction, {0, 1}));
    Totals totals;
    for (const BlockClass& row : rows) {
        for (const BlockClass& column : columns) {
            const Totals block =
                count_block(scenario, params, instruction, shape, {column.first, row.first}, device);
            totals += block * (std::int64_t{column.times} * row.times);
        }
    }
    return totals;
}

Totals count_grid_by_force(const Scenario& scenario, const Params& params, int instruction,
                           const DeviceFacts& device) {
    const LaunchShape shape = scenario.launch(params);
    Totals totals;
    for (int y = 0; y < shape.grid.y; ++y) {
        for (int x = 0; x < shape.grid.x; ++x) {
            totals += count_block(scenario, params, instruction, shape, {x, y}, device);
        }
    }
    return totals;
}

Report analyze(const Scenario& scenario, const Params& params, const DeviceFacts& device) {
    Report report{.shape = scenario.launch(params),
                  .place = {},
                  .step = params.step,
                  .kind = device.count_kind,
                  .instructions = {}};
    report.place = place_of_warp(report.shape, params.warp);
    report.does_not_fit =
        does_not_fit(device, report.shape.block.x * report.shape.block.y, report.shape.shared_bytes);
    for (int k = 0; k < scenario.instruction_count(params); ++k) {
        InstructionReport row{.instruction = scenario.instruction(params, k),
                              .access = {},
                              .warp = {},
                              .block = {},
                              .grid = {}};
        row.access = scenario.warp(params, k, report.place.block, report.place.warp_in_block, report.step);
        row.warp = count_access(row.access, device);
        row.block = count_block(scenario, params, k, report.shape, report.place.block, device);
        row.grid = count_grid(scenario, params, k, device);
        report.instructions.push_back(row);
    }
    return report;
}

}  // namespace warplens
