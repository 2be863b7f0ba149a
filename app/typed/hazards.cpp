#include "app/typed/hazards.h"

#include "app/typed/common_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace warplens::typed {
namespace {

/// So many accesses of threads to words are looked at, at most.
constexpr std::size_t kMostTouches = 400'000;

bool in_shared_memory(const TypedLaunch& launch, int memory) {
    return launch.memories()[memory].storage == Storage::shared;
}

/// The line of the order that an access is; -1 if it is not to shared memory.
std::vector<int> lines_of_accesses(const TypedLaunch& launch, const KernelOrder& order) {
    std::vector<int> lines(launch.accesses().size(), -1);
    for (int i = 0; i < order.count; ++i) {
        const OrderedLine& line = order.lines[i];
        if (line.kind == OrderedLine::Kind::access) lines[line.instruction] = i;
    }
    return lines;
}

std::string thread_text(const HazardReport& report, int thread) {
    const int own = thread % report.threads_per_block;
    if (report.blocks.empty() && report.block.x + report.block.y == 0)
        return fmt::format("thread {} (warp {}, lane {})", own, own / kWarpLanes, own % kWarpLanes);
    if (report.blocks.empty())
        return fmt::format("thread {} of block ({}, {})", own, report.block.x, report.block.y);
    const Extent& block = report.blocks[thread / report.threads_per_block];
    return fmt::format("thread {} of block ({}, {})", own, block.x, block.y);
}

/// Adds what its warps access, for common_order, as far as it matters. Most accesses of most kernels do not.
template <class Matters>
void add_accesses(const TypedLaunch& launch, const BlockTrace& trace, const Matters& matters,
                  std::vector<std::vector<int>>& warps) {
    for (const Requests& warp : trace.warps) {
        std::vector<int>& accesses = warps.emplace_back();
        for (const Request& request : warp)
            if (matters(request)) accesses.push_back(launch.access_of(request) + 1);
    }
}

}  // namespace

KernelOrder shared_order(const TypedLaunch& launch) {
    KernelOrder order;
    int interval = -1;
    for (std::size_t i = 0; i < launch.accesses().size(); ++i) {
        const TypedAccess& access = launch.accesses()[i];
        if (!in_shared_memory(launch, access.memory)) continue;
        if (order.count + 2 > KernelOrder::kMostLines) break;
        if (interval >= 0 && access.interval != interval) order.barrier();
        interval = access.interval;
        order.access(int(i));
    }
    return order;
}

InSteps<HazardReport> report_hazards(const TypedLaunch& launch, std::shared_ptr<const BlockTrace> traced) {
    const BlockTrace& trace = *traced;
    HazardReport report{.order = shared_order(launch),
                        .block = {trace.range.x, trace.range.y},
                        .threads_per_block = launch.launch().warps() * kWarpLanes};
    report.all_found = trace.assumed.empty() && trace.whole && !launch.unit().leaves_out;
    if (launch.unit().may_wait) co_return report;
    const std::vector<int> lines = lines_of_accesses(launch, report.order);
    const auto matters = [&](const Request& request) { return in_shared_memory(launch, request.memory); };
    std::vector<std::vector<int>> accesses;
    add_accesses(launch, trace, matters, accesses);
    const std::vector<std::vector<int>> places = common_order(accesses);
    std::vector<Touch> touches;
    for (std::size_t warp = 0; warp < trace.warps.size(); ++warp) {
        std::size_t next = 0;
        for (const Request& request : trace.warps[warp]) {
            if (!matters(request)) continue;
            const std::size_t i = next++;
            const int access = accesses[warp][i] - 1;
            const int line = access < 0 ? -1 : lines[access];
            // Lanes and addresses that nobody knows would be said to race.
            if (request.assumed) continue;
            if (line < 0 || touches.size() > kMostTouches) {
                report.all_found = false;
                continue;
            }
            const Memory& memory = launch.memories()[request.memory];
            for (int lane = 0; lane < kWarpLanes; ++lane) {
                if ((request.active >> lane & 1u) == 0) continue;
                const std::int64_t at = memory.begin + request.address(lane);
                add_touches(touches, static_cast<std::uint64_t>(at), request.bytes,
                            {.store = request.store,
                             .atomic = request.atomic,
                             .thread = int(warp) * kWarpLanes + lane,
                             .line = line,
                             .position = places[warp][i],
                             .barriers = {request.warp_interval, request.interval, request.interval}});
            }
        }
    }
    std::ranges::stable_sort(touches, {}, &Touch::position);
    auto filling = with_hazards(std::move(report), std::move(touches), launch.shared_bytes(), 1);
    while (filling.step()) co_yield 0;
    co_return filling.take();
}

namespace {

constexpr std::int64_t kMostGridWords = 1 << 20;   // of an array, from the first to the last
constexpr std::size_t kMostGridTouches = 100'000;  // a change of a knob must not take long
const Patience kOfHazards{.ranges = 512, .requests = 100'000, .steps = 1'000'000};

/// Whether some access to shared memory lies elsewhere in each block of a range.
bool moves_with_block(const TypedLaunch& launch, const BlockTrace& trace) {
    for (const Requests& warp : trace.warps)
        for (const Request& request : warp)
            if (in_shared_memory(launch, request.memory) && (request.per_x != 0 || request.per_y != 0))
                return true;
    return false;
}

/// The order of a block's accesses with those of other blocks.
class BlockOrder {
public:
    using Kind = OrderMark::Kind;
    BlockOrder(const BlockTrace& trace) : trace_(trace) {
        for (const OrderMark& mark : trace.marks)
            if (mark.kind == Kind::ticket) ticket_ = &mark;
    }

    /// How many barriers of the grid stand before a request of a warp.
    int grids_before(int warp, int index) const {
        return int(std::ranges::count_if(trace_.marks, [&](const OrderMark& mark) {
            return mark.kind == Kind::grid && mark.warp == warp && mark.requests <= index;
        }));
    }

    /// @param index  of a request of a warp
    void order(Touch& touch, int warp, int index, const Request& request) const {
        const std::uint32_t lane = 1u << touch.thread % kWarpLanes;
        if (ticket_ == nullptr) return;
        const auto waits = [&](const OrderMark& mark) {  // the mark, for the access
            return request.interval < mark.interval ||
                   (warp == mark.warp && request.warp_interval < mark.warp_interval);
        };
        for (const OrderMark& fence : trace_.marks) {
            if (fence.kind != Kind::fence || touch.published) continue;
            const bool own = warp == fence.warp && (fence.active & lane) != 0 && index < fence.requests;
            const std::uint32_t by = waits(fence) ? fence.active : own ? lane : 0;
            touch.published = by != 0 && stands_before_ticket(fence, by);
        }
        const bool adds = warp == ticket_->warp && (ticket_->active & lane) != 0;
        touch.counted = request.interval > ticket_->interval ||
                        (warp == ticket_->warp && request.warp_interval > ticket_->warp_interval) ||
                        (adds && index >= ticket_->requests);
        // The addition itself, which the other blocks' come before or after.
        touch.published = touch.published || (adds && index + 1 == ticket_->requests);
    }

private:
    /// @param lanes  which of those that execute the fence
    bool stands_before_ticket(const OrderMark& fence, std::uint32_t lanes) const {
        return fence.interval < ticket_->interval ||
               (fence.warp == ticket_->warp && (fence.warp_interval < ticket_->warp_interval ||
                                                ((lanes & ticket_->active) != 0 && &fence < ticket_)));
    }

    const BlockTrace& trace_;
    const OrderMark* ticket_ = nullptr;  ///< null if the block draws none
};

/// An access to an array that some access of the launch stores to.
struct GridTouch {
    std::int64_t address = 0;  ///< in its memory [bytes]
    int bytes = 0;
    Touch touch;   ///< its position is one in what its warp does, until all of that has a common order
    int warp = 0;  ///< among all whose order is asked
};

/// The accesses to one array, in order: with a barrier where all blocks wait between them.
KernelOrder order_of(const TypedLaunch& launch, int memory, const std::vector<GridTouch>& touches,
                     std::vector<int>& lines) {
    KernelOrder order;
    const Touch* last = nullptr;
    for (std::size_t i = 0; i < launch.accesses().size() && order.count + 2 <= KernelOrder::kMostLines; ++i) {
        const TypedAccess& access = launch.accesses()[i];
        if (access.memory != memory) continue;
        const auto found =
            std::ranges::find_if(touches, [&](const GridTouch& one) { return one.touch.line == int(i); });
        if (found == touches.end()) continue;
        const Touch& now = found->touch;
        if (last != nullptr && now.barriers[2] != last->barriers[2])
            order.barrier(Waits::grid);
        else if (last != nullptr && now.counted && last->published)
            order.barrier(Waits::grid, kLastBlock);
        last = &now;
        lines[i] = order.count;
        order.access(int(i));
    }
    return order;
}

/// @param touches  their lines are indices of accesses
InSteps<HazardReport> report_array(const TypedLaunch& launch, int memory, std::vector<GridTouch> touches,
                                   HazardReport report) {
    constexpr int kRow = 32, kMostRows = 64;
    const auto [first, last] = std::ranges::minmax(touches, {}, &GridTouch::address);
    const std::int64_t low = first.address - (first.address % 128 + 128) % 128;
    std::vector<int> lines(launch.accesses().size(), -1);
    report.order = order_of(launch, memory, touches, lines);
    report.first_word = low / kTouchedBytes;
    std::vector<Touch> words;
    if (last.address - low > kMostGridWords * kTouchedBytes) report.all_found = false;
    StepClock clock;
    for (const GridTouch& one : touches) {
        if (clock.is_up()) co_yield 0;
        Touch touch = one.touch;
        touch.line = lines[one.touch.line];
        if (touch.line < 0 || one.address - low > kMostGridWords * kTouchedBytes)
            report.all_found = false;
        else
            add_touches(words, static_cast<std::uint64_t>(one.address - low), one.bytes, touch);
    }
    co_yield 0;
    std::ranges::stable_sort(words, {}, &Touch::position);
    co_yield 0;
    const auto blocks = int(report.blocks.size());
    auto filling = with_hazards(std::move(report), std::move(words), 0, blocks);
    while (filling.step()) co_yield 0;
    report = filling.take();
    const int example = report.pairs.empty() ? 0 : report.pairs.front().example.word / kRow * kRow;
    const int rows = std::min(kMostRows, (int(report.words.size()) - example + kRow - 1) / kRow);
    report.region = SharedRegion{launch.memories()[memory].name, example, rows, kRow};
    co_return report;
}

}  // namespace

InSteps<HazardReport> report_first_hazards(const TypedLaunch& launch, Extent block) {
    auto of_block = report_hazards(launch, launch.block(block.x, block.y));
    while (of_block.step()) co_yield 0;
    HazardReport first = of_block.take();
    if (first.total() > 0 || !first.all_found || first.order.count == 0) co_return first;
    std::optional<HazardReport> found;
    bool known = true;
    std::shared_ptr<const BlockTrace> trace;
    const auto look = [&](std::shared_ptr<const BlockTrace> next) {
        trace = std::move(next);
        return true;
    };
    try {
        auto walk = launch.visit_ranges(kOfHazards, look);
        while (!found && walk.step()) {
            co_yield 0;
            if (trace == nullptr) continue;
            auto reporting = report_hazards(launch, trace);
            while (reporting.step()) co_yield 0;
            HazardReport report = reporting.take();
            known = known && report.all_found && !moves_with_block(launch, *trace);
            if (report.total() > 0) found = std::move(report);
            trace = nullptr;
        }
        first.every_block = !found && walk.take() && known;
    } catch (const SourceError&) {  // problem() says so when it is counted
    }
    co_return found ? std::move(*found) : std::move(first);
}

namespace {

/// @param last_first  see Bound
InSteps<HazardReport> report_grid_hazards(const TypedLaunch& launch, bool last_first) {
    HazardReport report{
        .threads_per_block = launch.launch().warps() * kWarpLanes,
        .blocks = compared_blocks({launch.launch().grid_x, launch.launch().rows()}, launch.launch().warps()),
        .space = Space::global};
    if (last_first) std::ranges::reverse(report.blocks);  // by their tickets
    std::set<int> stored;
    for (const TypedAccess& access : launch.accesses())
        if (access.store && launch.memories()[access.memory].storage == Storage::global)
            stored.insert(access.memory);
    std::map<int, std::vector<GridTouch>> touches;
    std::vector<std::vector<int>> accesses;
    std::size_t count = 0, seen = 0;
    bool known = !launch.unit().may_wait;
    // An access that only blocks in the other order make has no number: then not all hazards are found.
    const auto matters = [&](const Request& request) {
        return stored.contains(request.memory) || (last_first && launch.access_of(request) < 0);
    };
    const auto add_block = [&](const BlockTrace& trace, std::size_t number, std::size_t first_warp) {
        const Extent& block = report.blocks[number];
        const BlockOrder order(trace);
        for (const OrderMark& mark : trace.marks) {
            report.in_order = report.in_order || mark.kind != OrderMark::Kind::fence;
            if (mark.kind == OrderMark::Kind::ticket && launch.bound().tickets)
                report.counted =
                    last_first ? HazardReport::Counted::from_the_last : HazardReport::Counted::from_the_first;
        }
        for (std::size_t warp = 0; warp < trace.warps.size(); ++warp) {
            int next = 0, i = -1;  // of those that matter, and of all
            for (const Request& request : trace.warps[warp]) {
                ++i;
                if (!matters(request)) continue;
                const int place = next++, access = accesses[first_warp + warp][std::size_t(place)] - 1;
                if (access < 0 || count > kMostGridTouches) {
                    report.all_found = false;
                    continue;
                }
                const int grids = order.grids_before(int(warp), i);
                const std::int64_t moved =
                    (block.x - trace.range.x) * request.per_x + (block.y - trace.range.y) * request.per_y;
                for (int lane = 0; lane < kWarpLanes; ++lane) {
                    if ((request.active >> lane & 1u) == 0) continue;
                    Touch touch{
                        .store = request.store,
                        .atomic = request.atomic,
                        .thread = int(number) * report.threads_per_block + int(warp) * kWarpLanes + lane,
                        .line = access,
                        .position = place,
                        .barriers = {request.warp_interval, request.interval, grids}};
                    order.order(touch, int(warp), i, request);
                    touches[request.memory].push_back(
                        {request.address(lane) + moved, request.bytes, touch, int(first_warp + warp)});
                    ++count;
                }
            }
        }
    };
    report.all_found =
        !launch.unit().leaves_out &&
        std::int64_t(report.blocks.size()) == std::int64_t{launch.launch().grid_x} * launch.launch().rows();
    if (stored.empty()) co_return report;
    StepClock clock;
    std::shared_ptr<const BlockTrace> trace;
    const auto look = [&](std::shared_ptr<const BlockTrace> next) {
        trace = std::move(next);
        return true;
    };
    try {
        auto walk = launch.visit_ranges(kOfHazards, look, last_first);
        for (bool more = true; more && walk.step();) {
            co_yield 0;
            if (trace == nullptr) continue;
            known = known && trace->assumed.empty();
            report.all_found = report.all_found && trace->whole;
            const std::size_t first_warp = accesses.size();
            add_accesses(launch, *trace, matters, accesses);
            for (std::size_t i = 0; i < report.blocks.size(); ++i) {
                const Extent& block = report.blocks[i];
                const BlockRange& range = trace->range;
                if (block.x < range.x || block.x >= range.x + range.width || block.y < range.y ||
                    block.y >= range.y + range.height)
                    continue;
                add_block(*trace, i, first_warp);
                ++seen;
                if (clock.is_up()) co_yield 0;
            }
            trace = nullptr;
            more = known && seen < report.blocks.size();
        }
    } catch (const SourceError&) {  // problem() says so when it is counted
        known = false;
    }
    report.all_found = report.all_found && known && seen == report.blocks.size();
    HazardReport most = report;
    if (!known) touches.clear();
    const std::vector<std::vector<int>> places = common_order(std::move(accesses));
    for (auto& [memory, of_memory] : touches) {
        co_yield 0;
        for (GridTouch& one : of_memory) one.touch.position = places[one.warp][one.touch.position];
        auto array = report_array(launch, memory, of_memory, report);
        while (array.step()) co_yield 0;
        HazardReport one = array.take();
        if (most.words.empty() || one.total() > most.total()) most = std::move(one);
    }
    co_return most;
}

}  // namespace

InSteps<HazardReport> report_grid_hazards(const TypedLaunch& launch) {
    auto in_order = report_grid_hazards(launch, false);
    while (in_order.step()) co_yield 0;
    HazardReport report = in_order.take();
    if (report.total() > 0 || report.counted == HazardReport::Counted::not_at_all) co_return report;
    // Either of two blocks may add first.
    auto other = report_grid_hazards(launch, true);
    while (other.step()) co_yield 0;
    HazardReport found = other.take();
    if (found.total() > 0) co_return found;
    report.all_found = report.all_found && found.all_found;
    co_return report;
}

std::string race_sentence(const TypedLaunch& launch, const HazardReport& report) {
    if (report.pairs.empty()) return {};
    const LinePair& pair = report.pairs.front();
    const auto access_of_line = [&](int line) -> const TypedAccess& {
        return launch.accesses()[report.order.lines[line].instruction];
    };
    const TypedAccess &first = access_of_line(pair.first_line), &second = access_of_line(pair.second_line);
    const std::string who = thread_text(report, pair.example.first_thread);
    if (pair.kind == HazardKind::uninitialized)
        return fmt::format("{} loads word {} of shared memory in line {}, and no thread has stored it before",
                           who, pair.example.word, first.site->at.line);
    const bool global = report.space == Space::global;
    const bool blocks = pair.example.first_thread / report.threads_per_block !=
                        pair.example.second_thread / report.threads_per_block;
    return fmt::format(
        "a race: {} {} word {} of {} in line {}, {} {} it in line {}, and {}", who,
        first.store ? "stores to" : "loads", report.first_word + pair.example.word,
        global ? in_quotes(launch.memories()[first.memory].name) : "shared memory", first.site->at.line,
        thread_text(report, pair.example.second_thread), second.store ? "stores to" : "loads",
        second.site->at.line,
        blocks ? "nothing makes one block wait for the other" : "no barrier stands between them");
}

}  // namespace warplens::typed
