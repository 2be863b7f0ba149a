#include "app/typed/counts.h"
#include "app/typed/hazards.h"
#include "app/typed/kept_blocks.h"

#include <algorithm>
#include <set>
#include <utility>

namespace warplens::typed {
namespace {

constexpr std::size_t kMostKept = 16;
/// The most that is kept of one kind. A request takes 100 bytes, and 300 more if its addresses are not even.
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
    for (std::vector<Request>& warp : trace.warps) {
        for (Request& request : warp) {
            request.begin += request.per_x * (x - range.range.x) + request.per_y * (y - range.range.y);
            request.per_x = request.per_y = 0;
        }
    }
    trace.range = {x, y, 1, 1};
    return trace;
}

}  // namespace

/// Traces that show all loads and stores: the whole grid where few ranges are all of it, else some
/// blocks, and those beside in which a load or store of the text is executed that they leave out.
std::vector<std::shared_ptr<const BlockTrace>> TypedLaunch::first_traces() {
    std::set<std::pair<const Expr*, bool>> unseen;  // the loads and stores that stand in the text
    visit_accesses(unit_, [&](const Expr& element, bool loads, bool stores, AccessBy) {
        if (loads) unseen.emplace(site_of(element), false);
        if (stores) unseen.emplace(site_of(element), true);
    });
    const auto see = [&](const BlockTrace& trace) {
        bool any = false;
        for (const std::vector<Request>& warp : trace.warps)
            for (const Request& request : warp) any = unseen.erase({request.site, request.store}) > 0 || any;
        return any;
    };
    const Patience few{.ranges = 12, .requests = 100'000, .steps = 2'000'000};
    std::vector<std::shared_ptr<const BlockTrace>> traces;
    const bool all = visit_ranges(few, [&](const BlockTrace& trace) {
        traces.push_back(std::make_shared<const BlockTrace>(trace));
        return true;
    });
    // The first block is looked at for races, so it comes first.
    std::ranges::stable_sort(traces, {},
                             [](const auto& one) { return std::pair(one->range.y, one->range.x); });
    if (all) {
        for (const auto& trace : traces) see(*trace);
        never_executed_ = int(unseen.size());
        return traces;
    }
    traces.clear();
    const int right = bound_.launch.grid_x - 1, bottom = bound_.launch.rows() - 1;
    const std::set<std::pair<int, int>> corners{
        {0, 0}, {right, 0}, {0, bottom}, {right, bottom}, {right / 2, bottom / 2}};
    for (const auto& [x, y] : corners) traces.push_back(block(x, y));
    for (const auto& trace : traces) see(*trace);
    if (unseen.empty()) return traces;
    const Patience search{.ranges = 4096, .requests = 1'000'000, .steps = 20'000'000};
    visit_ranges(search, [&](const BlockTrace& trace) {
        if (see(trace)) traces.push_back(block(trace.range.x, trace.range.y));
        return !unseen.empty();
    });
    never_executed_ = int(unseen.size());
    return traces;
}

bool TypedLaunch::visit_ranges(const Patience& patience,
                               const std::function<bool(const BlockTrace&)>& visit) const {
    bool whole = true;
    const auto execute = [&](const BlockRange& range) -> std::optional<Work> {
        const BlockTrace trace = run_blocks(bound_, range);
        whole = whole && trace.whole;
        if (!visit(trace)) return std::nullopt;
        return trace.work;
    };
    return execute_ranges(bound_.launch, patience, execute) && whole;
}

std::shared_ptr<const BlockTrace> TypedLaunch::block(int x, int y) const {
    std::shared_ptr<const Indexed> range;
    {
        const std::scoped_lock lock(kept_->mutex);
        for (const auto& one : kept_->blocks)
            if (one->range.x == x && one->range.y == y) return one;
        const auto found =
            std::ranges::find_if(kept_->ranges, [&](const auto& one) { return one->contains(x, y); });
        if (found != kept_->ranges.end()) range = *found;
    }
    // Copied from a range, it is soon there again.
    if (range != nullptr) return std::make_shared<const BlockTrace>(block_of(range->trace, x, y));
    auto trace = std::make_shared<const BlockTrace>(run_blocks(bound_, {x, y, 1, 1}));
    const std::scoped_lock lock(kept_->mutex);
    kept_->blocks.push_back(trace);
    while (is_too_much(kept_->blocks, [](const auto& one) { return one->work.requests; }))
        kept_->blocks.pop_front();
    return trace;
}

void TypedLaunch::forget_blocks() const {
    const std::scoped_lock lock(kept_->mutex);
    kept_->blocks.clear();
    kept_->ranges.clear();
}

std::shared_ptr<const TypedLaunch::Indexed> TypedLaunch::keep(BlockTrace trace) const {
    auto indexed = std::make_shared<Indexed>();
    indexed->executions.resize(trace.warps.size());
    for (std::size_t warp = 0; warp < trace.warps.size(); ++warp) {
        auto& all = indexed->executions[warp];
        all.resize(accesses_.size());
        for (std::size_t i = 0; i < trace.warps[warp].size(); ++i)
            if (const int access = access_of(trace.warps[warp][i]); access >= 0)
                all[access].push_back(static_cast<std::uint32_t>(i));
    }
    indexed->trace = std::move(trace);
    const std::scoped_lock lock(kept_->mutex);
    // A block of it is not kept twice.
    std::erase_if(kept_->blocks,
                  [&](const auto& one) { return indexed->contains(one->range.x, one->range.y); });
    kept_->ranges.push_back(indexed);
    // The first one may be the whole grid, so it goes last.
    while (is_too_much(kept_->ranges, [](const auto& one) { return one->trace.work.requests; }))
        kept_->ranges.erase(kept_->ranges.begin() + (kept_->ranges.size() > 2 ? 1 : 0));
    return indexed;
}

std::shared_ptr<const TypedLaunch::Indexed> TypedLaunch::indexed(int x, int y) const {
    {
        const std::scoped_lock lock(kept_->mutex);
        for (const auto& one : kept_->ranges)
            if (one->contains(x, y)) return one;
    }
    return keep(*block(x, y));
}

WarpAccess TypedLaunch::request(int access, Extent block, int warp, int step) const {
    const std::shared_ptr<const Indexed> range = indexed(block.x, block.y);
    const TypedAccess& what = accesses_[access];
    const auto& executions = range->executions[warp][access];
    if (static_cast<std::size_t>(step) >= executions.size()) {
        const Memory& memory = memories()[what.memory];
        return {.active = 0,
                .bytes_per_lane = what.bytes,
                .space = space_of(memory.storage),
                .op = what.store ? Op::store : Op::load};
    }
    return warp_access(*this, range->trace.warps[warp][executions[step]], block.x - range->trace.range.x,
                       block.y - range->trace.range.y);
}

const std::string& TypedLaunch::race() const {
    std::call_once(kept_->race_asked, [&] {
        kept_->race = race_sentence(*this, report_hazards(*this, *block(0, 0)));
        if (kept_->race.empty()) kept_->race = race_sentence(*this, report_grid_hazards(*this));
    });
    return kept_->race;
}

}  // namespace warplens::typed
