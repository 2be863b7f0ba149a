#include "app/typed/counts.h"

#include "app/typed/warp/warp_counts.h"

#include <algorithm>
#include <optional>

namespace warplens::typed {
namespace {

/// What a block, or all of a range, does to memory.
class Counting {
public:
    Counting(const TypedLaunch& launch, const DeviceFacts& device)
        : launch_(launch), device_(device), executor_(launch.bound()), counter_(launch, device) {}

    Work count(const BlockRange& range, std::vector<Totals>& sums) {
        if (range.is_single()) {
            executor_.run(range, counter_);
            return executor_.work();
        }
        // It may end in the middle, because it has to be cut.
        WarpCounter whole(launch_, device_);
        whole.begin(range);
        executor_.run(range, whole);
        whole.add_to(sums);
        listed_ = listed_ && whole.all_listed();
        return executor_.work();
    }
    /// @return  whether each request was one of TypedLaunch::accesses
    bool finish(std::vector<Totals>& sums) {
        counter_.add_to(sums);
        return listed_ && counter_.all_listed();
    }

private:
    const TypedLaunch& launch_;
    const DeviceFacts& device_;
    WarpExecutor executor_;
    WarpCounter counter_;
    bool listed_ = true;
};

/// Some blocks for all: fewer where each takes long.
void count_samples(std::vector<Totals>& sums, const TypedLaunch& launch, const DeviceFacts& device,
                   std::int64_t most_steps) {
    constexpr int kMostSamples = 48, kLeastSamples = 3;
    int samples = 0;
    std::int64_t steps = 0;
    const Extent grid{launch.launch().grid_x, launch.launch().rows()};
    std::fill(sums.begin(), sums.end(), Totals{});
    Counting counting(launch, device);
    while (samples < kMostSamples && (samples < kLeastSamples || steps < most_steps)) {
        const Extent at = sampled_block(samples++, grid);
        steps += counting.count({at.x, at.y, 1, 1}, sums).steps;
    }
    counting.finish(sums);
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
            access.byte_address[lane] = static_cast<std::uint64_t>(moved + request.address(lane));
    return access;
}

TypedCounts count_launch(const TypedLaunch& launch, const DeviceFacts& device, const Patience& patience) {
    const std::size_t count = launch.accesses().size();
    TypedCounts counts{std::vector<Totals>(count), std::vector<Totals>(count), std::vector<Totals>(count)};
    Counting of_first(launch, device);
    of_first.count({0, 0, 1, 1}, counts.block);
    of_first.finish(counts.block);
    const std::shared_ptr<const BlockTrace> first = launch.block(0, 0);
    for (const std::vector<Request>& warp : first->warps) {
        for (const Request& request : warp) {
            const int access = launch.access_of(request);
            if (access >= 0 && counts.warp[access].instructions == 0)
                counts.warp[access] = count_access(warp_access(launch, request), device);
        }
    }
    Counting counting(launch, device);
    const bool all = launch.execute_ranges(patience, [&](const BlockRange& range) -> std::optional<Work> {
        return counting.count(range, counts.grid);
    });
    const bool listed = counting.finish(counts.grid);
    if (!listed || launch.assumes()) counts.kind = Provenance::approximate;
    if (!all) {
        count_samples(counts.grid, launch, device, patience.steps);
        counts.kind = Provenance::approximate;
    }
    return counts;
}

}  // namespace warplens::typed
