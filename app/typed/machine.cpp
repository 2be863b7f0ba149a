#include "app/typed/machine.h"

#include "app/typed/warp/warp_executor.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace warplens::typed {

namespace {

class Tracer final : public WarpVisitor {
public:
    Tracer(BlockTrace& trace, std::int64_t most_each) : trace_(trace), most_each_(most_each) {}

    void begin_warp() override {
        made_.clear();
        const std::size_t like_the_last = trace_.warps.empty() ? 0 : trace_.warps.back().size();
        trace_.warps.emplace_back().reserve(like_the_last);
    }
    void visit(const WarpRequest& one) override { add(made_of(one)); }
    void visit_rounds(const WarpRounds& rounds) override {
        std::vector<Request> requests;
        for (const WarpRounds::One& one : rounds.requests) requests.push_back(made_of(one.request()));
        if (requests.empty()) return;  // however many rounds there are
        const std::int64_t count = std::min(rounds.count, most_each_);
        for (std::int64_t round = 0; round < count && count_ <= kMostRequests; ++round) {
            for (std::size_t i = 0; i < requests.size(); ++i) {
                Request& request = requests[i];
                add(request);
                request.begin += rounds.requests[i].offsets.per_round;
                request.interval += rounds.intervals;
                request.warp_interval += rounds.warp_intervals;
            }
        }
    }
    std::int64_t quick_rounds(const WarpRounds& rounds) const override {
        constexpr std::int64_t kQuick = 4096;  // requests
        const bool full = count_ > kMostRequests || rounds.requests.empty();
        return full ? rounds.count : kQuick / std::ssize(rounds.requests);
    }
    void visit_mark(const OrderMark& one) override {
        OrderMark mark = one;
        mark.warp = int(trace_.warps.size()) - 1;
        mark.requests = int(trace_.warps.back().size());
        trace_.marks.push_back(mark);
    }
    std::int64_t count() const { return std::min(count_, kMostRequests); }

private:
    static Request made_of(const WarpRequest& one) {
        Request request{.site = site_of(one.element),
                        .memory = one.memory,
                        .store = one.store,
                        .bytes = static_cast<std::int16_t>(one.element.type.bytes()),
                        .interval = one.interval,
                        .warp_interval = one.warp_interval,
                        .atomic = one.atomic,
                        .assumed = one.assumed,
                        .active = one.active,
                        .per_x = one.offsets.per_x,
                        .per_y = one.offsets.per_y};
        if (one.offsets.even) {
            request.begin = one.offsets.base;
            request.step = one.offsets.step;
        } else {
            request.apart = std::make_shared<const std::array<std::int64_t, kWarpLanes>>(one.offsets.at);
        }
        return request;
    }
    void add(const Request& request) {
        if (most_each_ < kMostRequests && ++made_[{request.site, request.memory, request.store}] > most_each_)
            return;
        if (++count_ > kMostRequests)
            trace_.whole = false;
        else
            trace_.warps.back().push_back(request);
    }

    BlockTrace& trace_;
    std::int64_t most_each_, count_ = 0;
    std::map<std::tuple<const Expr*, int, bool>, std::int64_t> made_;  ///< by the warp, of each access
};

}  // namespace

InSteps<BlockTrace> run_blocks(const Bound& bound, BlockRange range, std::int64_t most_each) {
    BlockTrace trace;
    trace.range = range;
    Tracer tracer(trace, most_each);
    WarpExecutor executor(bound);
    executor.begin(range, tracer);
    while (executor.step()) co_yield 0;
    trace.work = {tracer.count(), executor.work().steps};
    if (!trace.whole && bound.most_steps < kMostSteps)  // of assumed sizes smaller ones are as good
        throw SourceError(
            bound.kernel->at,
            fmt::format("a block makes more than {} loads and stores; make its loops shorter", kMostRequests),
            SourceError::Kind::too_much);
    trace.assumed = executor.assumed();
    trace.parted = executor.parted();
    co_return std::move(trace);
}

std::string_view line_of(std::string_view text, Position at) {
    for (int line = 1; line < at.line; ++line) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos) return {};
        text.remove_prefix(end + 1);
    }
    text = text.substr(0, text.find('\n'));
    if (const std::size_t comment = text.find("//"); comment != std::string_view::npos)
        text = text.substr(0, comment);
    const std::size_t begin = text.find_first_not_of(" \t\r"), end = text.find_last_not_of(" \t\r");
    return begin == std::string_view::npos ? std::string_view() : text.substr(begin, end - begin + 1);
}

}  // namespace warplens::typed
