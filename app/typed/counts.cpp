#include "app/typed/counts.h"

#include "app/typed/warp/warp_counts.h"

#include <algorithm>
#include <optional>

namespace warplens::typed {
namespace {

/// Counts what blocks do to memory, a warp at a time.
class Counting {
public:
    Counting(const TypedLaunch& launch, const DeviceFacts& device)
        : launch_(launch), device_(device), executor_(launch.bound()), counter_(launch, device) {}

    void begin(const BlockRange& range) {
        blocks_ = range.blocks();
        whole_.reset();
        // It may end in the middle, because it has to be cut.
        if (!range.is_single()) whole_.emplace(launch_, device_).begin(range);
        executor_.begin(range, whole_ ? *whole_ : counter_);
    }
    bool step() { return executor_.step(); }
    /// The range is complete.
    Work end(std::vector<Totals>& sums) {
        if (whole_) {
            whole_->add_to(sums);
            listed_ = listed_ && whole_->all_listed();
        }
        arithmetic_ += executor_.arithmetic() * double(blocks_);
        return executor_.work();
    }
    /// @return  whether each request was one of TypedLaunch::accesses
    bool finish(std::vector<Totals>& sums) {
        counter_.add_to(sums);
        return listed_ && counter_.all_listed();
    }
    const Arithmetic& arithmetic() const { return arithmetic_; }

private:
    const TypedLaunch& launch_;
    const DeviceFacts& device_;
    WarpExecutor executor_;
    WarpCounter counter_;
    std::optional<WarpCounter> whole_;
    std::int64_t blocks_ = 0;  ///< of the range
    Arithmetic arithmetic_;
    bool listed_ = true;
};

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
                      .op = request.atomic  ? request.site->changed
                            : request.store ? Op::store
                                            : Op::load};
    const std::int64_t moved = memory.begin + x * request.per_x + y * request.per_y;
    for (std::size_t lane = 0; lane < kWarpLanes; ++lane)
        if ((request.active >> lane & 1u) != 0)
            access.byte_address[lane] = static_cast<std::uint64_t>(moved + request.address(lane));
    return access;
}

InSteps<TypedCounts> count_launch(std::shared_ptr<const TypedLaunch> launch, DeviceFacts device,
                                  Patience patience) {
    StepClock clock;
    const std::size_t count = launch->accesses().size();
    TypedCounts counts{std::vector<Totals>(count), std::vector<Totals>(count), std::vector<Totals>(count)};
    Counting of_first(*launch, device);
    of_first.begin({0, 0, 1, 1});
    while (of_first.step())
        if (clock.is_up()) co_yield 0;
    of_first.finish(counts.block);
    auto first = launch->execute_first({0, 0});
    while (first.step())
        if (clock.is_up()) co_yield 0;
    for (std::size_t i = 0; i < count; ++i) {
        for (int warp = 0; warp < launch->launch().warps() && counts.warp[i].instructions == 0; ++warp) {
            const WarpAccess access = launch->request(int(i), {0, 0}, warp, 0);
            if (access.active != 0) counts.warp[i] = count_access(access, device);
        }
    }
    Counting counting(*launch, device);
    RangeWalk walk(launch->launch(), patience);
    while (const auto range = walk.next()) {
        try {
            counting.begin(*range);
            while (counting.step())
                if (clock.is_up()) co_yield 0;
            walk.did(counting.end(counts.grid));
        } catch (const RangeCut& cut) {
            walk.cut(cut);
        }
        if (clock.is_up()) co_yield 0;
    }
    const bool listed = counting.finish(counts.grid);
    counts.arithmetic = counting.arithmetic();
    if (!listed || launch->assumes() || launch->lanes_part()) counts.kind = Provenance::approximate;
    if (walk.complete()) co_return counts;

    // Some blocks for all: fewer where each takes long.
    constexpr int kMostSamples = 48, kLeastSamples = 3;
    int samples = 0;
    std::int64_t steps = 0;
    const Extent grid{launch->launch().grid_x, launch->launch().rows()};
    std::fill(counts.grid.begin(), counts.grid.end(), Totals{});
    Counting sampling(*launch, device);
    while (samples < kMostSamples && (samples < kLeastSamples || steps < patience.steps)) {
        const Extent at = sampled_block(samples++, grid);
        sampling.begin({at.x, at.y, 1, 1});
        while (sampling.step())
            if (clock.is_up()) co_yield 0;
        steps += sampling.end(counts.grid).steps;
    }
    sampling.finish(counts.grid);
    const std::int64_t blocks = std::int64_t{grid.x} * grid.y;
    for (Totals& sum : counts.grid) sum = sum.scaled(blocks, samples);
    counts.arithmetic = sampling.arithmetic() * (double(blocks) / samples);
    counts.kind = Provenance::approximate;
    co_return counts;
}

}  // namespace warplens::typed
