#include "app/typed/counts.h"

#include "app/typed/warp/warp_counts.h"

#include <algorithm>
#include <numeric>

namespace warplens::typed {
namespace {

constexpr std::int64_t kPeriod = kCountPeriod;

/// How many of some blocks in a row lie so many bytes behind the first, modulo the period.
std::array<std::int64_t, kPeriod> shifts_along(int blocks, std::int64_t each) {
    std::array<std::int64_t, kPeriod> times{};
    const std::int64_t step = (each % kPeriod + kPeriod) % kPeriod;
    const std::int64_t repeats = step == 0 ? 1 : kPeriod / std::gcd(step, kPeriod);
    for (std::int64_t first = 0; first < std::min<std::int64_t>(repeats, blocks); ++first)
        times[first * step % kPeriod] += (blocks - first + repeats - 1) / repeats;
    return times;
}

/// A request in all blocks of its range.
Totals count_in_range(const TypedLaunch& launch, const Request& request, const BlockRange& range,
                      const DeviceFacts& device) {
    if (request.per_x % kPeriod == 0 && request.per_y % kPeriod == 0)
        return count_access(warp_access(launch, request), device) * range.blocks();
    const auto along_x = shifts_along(range.width, request.per_x),
               along_y = shifts_along(range.height, request.per_y);
    std::array<std::int64_t, kPeriod> times{};
    for (std::size_t y = 0; y < along_y.size(); ++y)
        for (std::size_t x = 0; along_y[y] > 0 && x < along_x.size(); ++x)
            times[(x + y) % kPeriod] += along_x[x] * along_y[y];
    Totals totals;
    const WarpAccess first = warp_access(launch, request);
    for (std::size_t shift = 0; shift < times.size(); ++shift) {
        if (times[shift] == 0) continue;
        WarpAccess moved = first;
        for (std::uint64_t& address : moved.byte_address) address += shift;
        totals += count_access(moved, device) * times[shift];
    }
    return totals;
}

/// @return  whether each request is one of TypedLaunch::accesses
bool add_trace(std::vector<Totals>& sums, const TypedLaunch& launch, const BlockTrace& trace,
               const DeviceFacts& device) {
    bool all = true;
    for (const std::vector<Request>& warp : trace.warps) {
        for (const Request& request : warp) {
            const int access = launch.access_of(request);
            all = all && access >= 0;
            if (access >= 0) sums[access] += count_in_range(launch, request, trace.range, device);
        }
    }
    return all;
}

/// Some blocks for all: fewer where each takes long.
void count_samples(std::vector<Totals>& sums, const TypedLaunch& launch, const DeviceFacts& device,
                   std::int64_t most_steps) {
    constexpr int kMostSamples = 48, kLeastSamples = 3;
    int samples = 0;
    std::int64_t steps = 0;
    const Extent grid{launch.launch().grid_x, launch.launch().rows()};
    std::fill(sums.begin(), sums.end(), Totals{});
    while (samples < kMostSamples && (samples < kLeastSamples || steps < most_steps)) {
        const Extent at = sampled_block(samples++, grid);
        const std::shared_ptr<const BlockTrace> trace = launch.block(at.x, at.y);
        steps += trace->work.steps;
        add_trace(sums, launch, *trace, device);
    }
    for (Totals& sum : sums) sum = sum.scaled(std::int64_t{grid.x} * grid.y, samples);
}

}  // namespace

Space space_of(Storage storage) {
    switch (storage) {
        case Storage::shared:
            return Space::shared;
        case Storage::constant:
            return Space::constant;
        case Storage::local:
            return Space::local;
        default:
            return Space::global;
    }
}

WarpAccess warp_access(const TypedLaunch& launch, const Request& request, std::int64_t x, std::int64_t y) {
    const Memory& memory = launch.memories()[request.memory];
    WarpAccess access{.active = request.active,
                      .bytes_per_lane = request.bytes,
                      .space = space_of(memory.storage),
                      .op = request.store ? Op::store : Op::load};
    const std::int64_t moved = memory.begin + x * request.per_x + y * request.per_y;
    for (std::size_t lane = 0; lane < kWarpLanes; ++lane)
        if ((request.active >> lane & 1u) != 0)
            access.byte_address[lane] = static_cast<std::uint64_t>(moved + request.address[lane]);
    return access;
}

TypedCounts count_launch(const TypedLaunch& launch, const DeviceFacts& device, const Patience& patience) {
    const std::size_t count = launch.accesses().size();
    TypedCounts counts{std::vector<Totals>(count), std::vector<Totals>(count), std::vector<Totals>(count)};
    const std::shared_ptr<const BlockTrace> first = launch.block(0, 0);
    add_trace(counts.block, launch, *first, device);
    for (const std::vector<Request>& warp : first->warps) {
        for (const Request& request : warp) {
            const int access = launch.access_of(request);
            if (access >= 0 && counts.warp[access].instructions == 0)
                counts.warp[access] = count_access(warp_access(launch, request), device);
        }
    }
    bool listed = true;
    WarpExecutor executor(launch.bound());
    WarpCounter counter(launch, device);
    const bool all = launch.visit_ranges(
        patience,
        [&](const BlockTrace& trace) {
            listed = add_trace(counts.grid, launch, trace, device) && listed;
            return true;
        },
        [&](int x, int y) {
            executor.run({x, y, 1, 1}, counter);
            return executor.work();
        });
    counter.add_to(counts.grid);
    listed = listed && counter.all_listed();
    if (!listed || launch.assumes()) counts.kind = Provenance::approximate;
    if (!all) {
        count_samples(counts.grid, launch, device, patience.steps);
        counts.kind = Provenance::approximate;
    }
    return counts;
}

}  // namespace warplens::typed
