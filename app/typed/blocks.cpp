#include "app/typed/counts.h"
#include "app/typed/hazards.h"
#include "app/typed/kept_blocks.h"

#include <algorithm>
#include <set>
#include <utility>

namespace warplens::typed {
namespace {

constexpr std::size_t kMostKept = 16;
/// The most that is kept of one kind. A request takes 100 bytes, and 300 more if its addresses are not even;
/// of a range that it is found in, it takes 4 bytes wherever it is made.
constexpr std::int64_t kMostKeptRequests = 120'000;

/// Never the newest alone, however large it is.
bool is_too_much(const auto& kept, const auto& requests_of) {
    if (kept.size() < 2) return false;
    std::int64_t requests = 0;
    for (const auto& one : kept) requests += requests_of(one);
    return kept.size() > kMostKept || requests > kMostKeptRequests;
}

/// One block of a range.
BlockTrace block_of(const BlockTrace& range, int x, int y) {
    BlockTrace trace = range;
    for (Requests& warp : trace.warps) warp.move_to_block(x - range.range.x, y - range.range.y);
    trace.range = {x, y, 1, 1};
    return trace;
}

}  // namespace

/// Traces that show all loads and stores: the whole grid where few ranges are all of it, else some
/// blocks, and those beside in which a load or store of the text is executed that they leave out.
InSteps<std::vector<std::shared_ptr<const BlockTrace>>> TypedLaunch::first_traces() {
    std::set<std::pair<const Expr*, bool>> unseen;  // the loads and stores that stand in the text
    visit_accesses(unit_, [&](const Expr& element, bool loads, bool stores, AccessBy) {
        if (loads) unseen.emplace(site_of(element), false);
        if (stores) unseen.emplace(site_of(element), true);
    });
    const auto see = [&](const BlockTrace& trace) {
        bool any = false;
        for (const Requests& warp : trace.warps)
            for (const Request& request : warp) any = unseen.erase({request.site, request.store}) > 0 || any;
        return any;
    };
    const Patience few{.ranges = 12, .requests = 100'000, .steps = 2'000'000};
    std::vector<std::shared_ptr<const BlockTrace>> traces;
    auto walk = visit_ranges(few, [&](std::shared_ptr<const BlockTrace> trace) {
        traces.push_back(std::move(trace));
        return true;
    });
    while (walk.step()) co_yield 0;
    const bool all = walk.take();
    // The first block is looked at for races, so it comes first.
    std::ranges::stable_sort(traces, {},
                             [](const auto& one) { return std::pair(one->range.y, one->range.x); });
    if (all) {
        for (const auto& trace : traces) see(*trace);
        never_executed_ = int(unseen.size());
        co_return std::move(traces);
    }
    traces.clear();
    const int right = bound_.launch.grid_x - 1, bottom = bound_.launch.rows() - 1;
    const std::set<std::pair<int, int>> corners{
        {0, 0}, {right, 0}, {0, bottom}, {right, bottom}, {right / 2, bottom / 2}};
    for (const auto& [x, y] : corners) {
        auto execution = block_in_steps(x, y);
        while (execution.step()) co_yield 0;
        traces.push_back(execution.take());
        see(*traces.back());
    }
    if (unseen.empty()) co_return std::move(traces);
    const Patience search{.ranges = 4096, .requests = 1'000'000, .steps = 20'000'000};
    auto others = visit_ranges(search, [&](const std::shared_ptr<const BlockTrace>& trace) {
        if (see(*trace)) traces.push_back(block(trace->range.x, trace->range.y));
        return !unseen.empty();
    });
    while (others.step()) co_yield 0;
    never_executed_ = int(unseen.size());
    co_return std::move(traces);
}

InSteps<bool> TypedLaunch::visit_ranges(Patience patience, VisitTrace visit, bool last_first) const {
    Bound bound = bound_;
    bound.last_first = last_first;
    bool whole = true;
    RangeWalk walk(bound_.launch, patience);
    while (const auto range = walk.next()) {
        try {
            auto execution = run_blocks(bound, *range);
            while (execution.step()) co_yield 0;
            const auto trace = std::make_shared<const BlockTrace>(execution.take());
            whole = whole && trace->whole;
            if (!visit(trace)) co_return false;
            walk.did(trace->work);
        } catch (const RangeCut& cut) {
            walk.cut(cut);
        }
        co_yield 0;
    }
    co_return walk.complete() && whole;
}

std::shared_ptr<const BlockTrace> TypedLaunch::block(int x, int y) const {
    return block_in_steps(x, y).done();
}

InSteps<std::shared_ptr<const BlockTrace>> TypedLaunch::block_in_steps(int x, int y) const {
    std::shared_ptr<const Indexed> range;
    {
        const std::scoped_lock lock(kept_->mutex);
        for (const auto& one : kept_->blocks)
            if (one->range.x == x && one->range.y == y) co_return one;
        const auto found =
            std::ranges::find_if(kept_->ranges, [&](const auto& one) { return one->contains(x, y); });
        if (found != kept_->ranges.end()) range = *found;
    }
    // Copied from a range, it is soon there again.
    if (range != nullptr) co_return std::make_shared<const BlockTrace>(block_of(*range->trace, x, y));
    auto execution = run_blocks(bound_, {x, y, 1, 1});
    while (execution.step()) co_yield 0;
    auto trace = std::make_shared<const BlockTrace>(execution.take());
    const std::scoped_lock lock(kept_->mutex);
    kept_->blocks.push_back(trace);
    while (is_too_much(kept_->blocks, [](const auto& one) { return one->stored(); }))
        kept_->blocks.pop_front();
    co_return std::move(trace);
}

void TypedLaunch::forget_blocks() const {
    const std::scoped_lock lock(kept_->mutex);
    kept_->blocks.clear();
    kept_->ranges.clear();
    kept_->firsts.clear();
    kept_->in_grid = nullptr;
}

std::shared_ptr<const TypedLaunch::Indexed> TypedLaunch::index(
    std::shared_ptr<const BlockTrace> trace) const {
    auto indexed = std::make_shared<Indexed>();
    indexed->executions.resize(trace->warps.size());
    for (std::size_t warp = 0; warp < trace->warps.size(); ++warp) {
        auto& all = indexed->executions[warp];
        all.resize(accesses_.size());
        std::uint32_t i = 0;
        for (const Request& request : trace->warps[warp]) {
            if (const int access = access_of(request); access >= 0) all[access].push_back(i);
            ++i;
        }
    }
    indexed->trace = std::move(trace);
    return indexed;
}

std::shared_ptr<const TypedLaunch::Indexed> TypedLaunch::keep(std::shared_ptr<const BlockTrace> trace) const {
    auto indexed = index(std::move(trace));
    const std::scoped_lock lock(kept_->mutex);
    // A block of it is not kept twice.
    std::erase_if(kept_->blocks,
                  [&](const auto& one) { return indexed->contains(one->range.x, one->range.y); });
    kept_->ranges.push_back(indexed);
    // The first one may be the whole grid, so it goes last.
    while (is_too_much(kept_->ranges, [](const auto& one) { return one->trace->work.requests; }))
        kept_->ranges.erase(kept_->ranges.begin() + (kept_->ranges.size() > 2 ? 1 : 0));
    return indexed;
}

std::shared_ptr<const TypedLaunch::Indexed> TypedLaunch::indexed(Extent block, bool all) const {
    for (;;) {
        {
            const std::scoped_lock lock(kept_->mutex);
            for (const auto& one : kept_->ranges)
                if (one->contains(block.x, block.y)) return one;
            for (const auto& one : kept_->firsts)
                if (!all && one->contains(block.x, block.y)) return one;
        }
        if (all) return keep(this->block(block.x, block.y));
        execute_first(block).done();
    }
}

InSteps<bool> TypedLaunch::execute_first(Extent block) const {
    {
        const std::scoped_lock lock(kept_->mutex);
        for (const auto* all : {&kept_->ranges, &kept_->firsts})
            for (const auto& one : *all)
                if (one->contains(block.x, block.y)) co_return true;
    }
    auto execution = run_blocks(bound_, {block.x, block.y, 1, 1}, TypedKernel::kFirstExecutions);
    while (execution.step()) co_yield 0;
    auto first = index(std::make_shared<const BlockTrace>(execution.take()));
    const std::scoped_lock lock(kept_->mutex);
    kept_->firsts.push_back(std::move(first));
    if (kept_->firsts.size() > kMostKept) kept_->firsts.pop_front();
    co_return true;
}

WarpAccess TypedLaunch::request(int access, Extent block, int warp, int step) const {
    const std::shared_ptr<const Indexed> range = indexed(block, step >= TypedKernel::kFirstExecutions);
    const TypedAccess& what = accesses_[access];
    const auto& executions = range->executions[warp][access];
    if (static_cast<std::size_t>(step) >= executions.size()) {
        const Memory& memory = memories()[what.memory];
        return {.active = 0,
                .bytes_per_lane = what.bytes,
                .space = space_of(memory.storage),
                .op = what.store ? Op::store : Op::load};
    }
    const BlockTrace& trace = *range->trace;
    return warp_access(*this, trace.warps[warp][executions[step]], block.x - trace.range.x,
                       block.y - trace.range.y);
}

InSteps<bool> TypedLaunch::look_for_race() const {
    {
        const std::scoped_lock lock(kept_->mutex);
        if (kept_->race) co_return false;
    }
    auto looking = report_first_hazards(*this, {0, 0});
    while (looking.step()) co_yield 0;
    const auto in_blocks = std::make_shared<const HazardReport>(looking.take());
    std::shared_ptr<const HazardReport> in_grid;
    std::string race = race_sentence(*this, *in_blocks);
    if (race.empty()) {
        auto hazards = report_grid_hazards(*this);
        while (hazards.step()) co_yield 0;
        in_grid = std::make_shared<const HazardReport>(hazards.take());
        race = race_sentence(*this, *in_grid);
    }
    const std::scoped_lock lock(kept_->mutex);
    if (!kept_->race) kept_->race = std::move(race);
    kept_->in_blocks = in_blocks;
    kept_->in_grid = in_grid;
    co_return true;
}

namespace {

/// The report that is kept, or else that of `looking`, which is kept from now on.
std::shared_ptr<const HazardReport> kept_or(std::shared_ptr<const HazardReport>& kept, std::mutex& mutex,
                                            InSteps<HazardReport> looking) {
    {
        const std::scoped_lock lock(mutex);
        if (kept) return kept;
    }
    auto made = std::make_shared<const HazardReport>(looking.done());
    const std::scoped_lock lock(mutex);
    return kept = std::move(made);
}

}  // namespace

std::shared_ptr<const HazardReport> TypedLaunch::hazards_in_blocks() const {
    look_for_race().done();
    return kept_or(kept_->in_blocks, kept_->mutex, report_first_hazards(*this, {0, 0}));
}

std::shared_ptr<const HazardReport> TypedLaunch::hazards_in_grid() const {
    look_for_race().done();
    return kept_or(kept_->in_grid, kept_->mutex, report_grid_hazards(*this));
}

const std::string& TypedLaunch::race() const {
    look_for_race().done();
    return *kept_->race;
}

}  // namespace warplens::typed
