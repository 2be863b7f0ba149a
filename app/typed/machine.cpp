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
        trace_.warps.emplace_back();
    }
    void visit(const WarpRequest& one) override { add(made_of(one)); }
    void visit_rounds(const WarpRounds& rounds) override {
        std::vector<Request> round;
        std::vector<std::int64_t> per_round;
        for (const WarpRounds::One& one : rounds.requests) {
            round.push_back(made_of(one.request()));
            per_round.push_back(one.offsets.per_round);
        }
        if (round.empty()) return;  // however many rounds there are
        Requests all;
        all.add_rounds(std::move(round), std::move(per_round), std::min(rounds.count, most_each_),
                       rounds.intervals, rounds.warp_intervals);
        const auto count = std::int64_t(all.size());
        if (most_each_ == kMostRequests && count_ + count <= kMostRequests) {
            trace_.warps.back().append(std::move(all));
            count_ += count;
            return;
        }
        for (auto one = all.begin(); one != all.end() && count_ <= kMostRequests; ++one) add(*one);
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
            trace_.warps.back().add(request);
    }

    BlockTrace& trace_;
    std::int64_t most_each_, count_ = 0;
    std::map<std::tuple<const Expr*, int, bool>, std::int64_t> made_;  ///< by the warp, of each access
};

}  // namespace

Request Requests::Run::at(std::int64_t which, std::size_t i) const {
    Request one = round[i];
    if (which == 0) return one;
    one.begin += which * per_round[i];
    one.interval += int(which) * intervals;
    one.warp_interval += int(which) * warp_intervals;
    return one;
}

void Requests::add(const Request& request) {
    if (runs_.empty() || runs_.back().count > 1) runs_.push_back({.before = size_});
    runs_.back().round.push_back(request);
    ++size_;
}

void Requests::add_rounds(std::vector<Request> round, std::vector<std::int64_t> per_round, std::int64_t count,
                          int intervals, int warp_intervals) {
    const std::size_t all = round.size() * std::size_t(count);
    if (all == 0) return;
    runs_.push_back({std::move(round), std::move(per_round), count, intervals, warp_intervals, size_});
    size_ += all;
}

void Requests::append(Requests more) {
    for (Run& run : more.runs_) {
        run.before = size_;
        size_ += run.round.size() * std::size_t(run.count);
        runs_.push_back(std::move(run));
    }
}

void Requests::move_to_block(std::int64_t x, std::int64_t y) {
    for (Run& run : runs_) {
        for (Request& one : run.round) {
            one.begin += one.per_x * x + one.per_y * y;
            one.per_x = one.per_y = 0;
        }
    }
}

std::size_t Requests::stored() const {
    std::size_t all = 0;
    for (const Run& run : runs_) all += run.round.size();
    return all;
}

Request Requests::operator[](std::size_t i) const {
    const Run& run = *std::prev(std::ranges::upper_bound(runs_, i, {}, &Run::before));
    const std::size_t in_run = i - run.before;
    return run.at(std::int64_t(in_run / run.round.size()), in_run % run.round.size());
}

Requests::Iterator& Requests::Iterator::operator++() {
    const Run& run = of_->runs_[run_];
    if (++i_ < run.round.size()) return *this;
    i_ = 0;
    if (++round_ < run.count) return *this;
    round_ = 0;
    ++run_;
    return *this;
}
Requests::Iterator Requests::begin() const {
    Iterator first;
    first.of_ = this;
    return first;
}
Requests::Iterator Requests::end() const {
    Iterator behind = begin();
    behind.run_ = runs_.size();
    return behind;
}

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
