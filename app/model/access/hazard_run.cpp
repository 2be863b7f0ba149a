#include "app/model/access/hazard_run.h"

#include <algorithm>
#include <climits>

namespace warplens {
namespace {

/// Who runs first, and whose loads are followed.
struct Schedule {
    int first_warp = 0, first_thread = -1;
    int watched_warp = -1;  ///< -1 for all
    bool in_turn = false;   ///< each lane comes to the next barrier before the next one begins
};

/// A block while it runs.
class Run {
public:
    Run(const Scenario& scenario, const Params& params, Extent block, LeftOut left_out,
        const Schedule& schedule)
        : scenario_(scenario),
          params_(params),
          block_(block),
          schedule_(schedule),
          shape_(scenario.launch(params)),
          order_(scenario.kernel->order(params)),
          meaning_(values_of(scenario)),
          threads_(shape_.block.x * shape_.block.y),
          warps_(warps_per_block(shape_)) {
        for (int i = 0; i < order_.count; ++i) {
            const OrderedLine& line = order_.lines[i];
            instructions_.push_back(line.kind == OrderedLine::Kind::access
                                        ? scenario.instruction(params, line.instruction)
                                        : Instruction{});
            if (instructions_.back().space == Space::cluster) blocks_ = 2;
        }
        registers_.resize(warps_ * kWarpLanes);
        run(unroll(order_, left_out, INT_MAX));
    }

    /// The value that a thread of the block ends with, or the block.
    std::int64_t result(int thread) const {
        const int summed = meaning_.of_block() ? meaning_.threads_summed(params_) : 1;
        if (summed == 1) return registers_[thread].value;
        std::int64_t sum = 0;
        for (int i = 0; i < summed; ++i) sum += registers_[i].value;
        return sum;
    }
    /// Whether a thread has a result: it has loaded something.
    bool has_result(int thread) const { return registers_[thread].loaded; }

private:
    void run(const std::vector<Execution>& all) {
        // Between two barriers of the block, or of the cluster if there are two blocks, warps run one by one.
        const int scope = int(blocks_ > 1 ? Waits::cluster : Waits::block);
        for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
            while (end < all.size() && all[end].barriers[scope] == all[begin].barriers[scope]) ++end;
            const std::span interval = std::span(all).subspan(begin, end - begin);
            run_warp(schedule_.first_warp, interval);
            for (int warp = 0; warp < warps_ * blocks_; ++warp)
                if (warp != schedule_.first_warp) run_warp(warp, interval);
        }
    }

    /// Between two barriers of the warp one lane may run ahead.
    void run_warp(int warp, std::span<const Execution> interval) {
        constexpr int kScope = int(Waits::warp);
        const int ahead = schedule_.first_thread / kWarpLanes == warp ? schedule_.first_thread : -1;
        for (std::size_t begin = 0, end = 0; begin < interval.size(); begin = end) {
            while (end < interval.size() &&
                   interval[end].barriers[kScope] == interval[begin].barriers[kScope])
                ++end;
            const auto part = interval.subspan(begin, end - begin);
            for (int lane = 0; schedule_.in_turn && lane < kWarpLanes; ++lane)
                run_lanes(part, warp * kWarpLanes + lane, warp * kWarpLanes + lane + 1, -1);
            if (schedule_.in_turn) continue;
            if (schedule_.first_thread >= 0 && ahead >= 0) run_lanes(part, ahead, ahead + 1, -1);
            run_lanes(part, warp * kWarpLanes, (warp + 1) * kWarpLanes, ahead);
        }
    }

    void run_lanes(std::span<const Execution> part, int begin, int end, int without) {
        for (const Execution& execution : part) {
            const OrderedLine& line = order_.lines[execution.line];
            if (!is_of_block(scenario_, params_, order_, execution.line)) continue;
            if (line.kind == OrderedLine::Kind::fill) {
                for (int thread = begin; thread < end; ++thread)
                    if (thread != without) fill(line, thread);
                continue;
            }
            const Instruction& what = instructions_[execution.line];
            const bool load = is_load(what.op);
            if (load && schedule_.watched_warp >= 0 && begin / kWarpLanes != schedule_.watched_warp) continue;
            for (int step = execution.first_step; step < execution.first_step + line.times; ++step)
                for (int thread = begin; thread < end; ++thread)
                    if (thread != without && thread < threads_) access(line.instruction, what, thread, step);
        }
    }

    std::int64_t& word(std::uint64_t index) {
        if (index >= memory_.size()) memory_.resize(std::size_t(index) + 1);
        return memory_[std::size_t(index)];
    }

    void fill(const OrderedLine& line, int thread) {
        const int own = thread - (blocks_ - 1) * warps_ * kWarpLanes, words = line.bytes / 4;
        if (own < 0 || own >= threads_) return;
        const auto units = int((shape_.shared_bytes + line.bytes - 1) / line.bytes);
        for (int i = own * words; i < units * words; i += threads_ * words)
            for (int k = i; k < i + words; ++k) word(static_cast<std::uint64_t>(k)) = k + 1;
    }

    void access(int instruction, const Instruction& what, int thread, int step) {
        const ThreadId id{block_.x, block_.y, thread % shape_.block.x, thread / shape_.block.x, step};
        WordAccess one{params_, instruction, id, 0};
        const int words = std::max(1, what.bytes_per_lane / 4);
        const bool load = is_load(what.op);
        if (load && words == 1 && !meaning_.matters(one)) return;
        const LaneAccess lane = scenario_.access(params_, instruction, id);
        if (!lane.active) return;
        HeldValues& own = registers_[thread];
        own.loaded = own.loaded || load;
        for (; one.word < words; ++one.word) {
            std::int64_t& at = word(lane.byte_address / 4 + static_cast<std::uint64_t>(one.word));
            if (is_atomic(what.op))
                at += meaning_.stored(one, own);
            else if (!load)
                at = meaning_.stored(one, own);
            else if (meaning_.matters(one))
                meaning_.loaded(one, at, own);
        }
    }

    const Scenario& scenario_;
    const Params& params_;
    Extent block_;
    Schedule schedule_;
    LaunchShape shape_;
    KernelOrder order_;
    const ValueMeaning& meaning_;
    int threads_, warps_;
    int blocks_ = 1;                         ///< the block, and the one of its cluster that it loads from
    std::vector<Instruction> instructions_;  ///< by line
    std::vector<HeldValues> registers_;
    std::vector<std::int64_t> memory_;
};

/// The run in which what is second in the program comes first.
Schedule schedule_of(const Hazard& hazard, bool watch_all) {
    const int first = hazard.second_thread / kWarpLanes, other = hazard.first_thread / kWarpLanes;
    const bool loads_second = hazard.kind == HazardKind::read_after_write;
    return {.first_warp = first,
            .first_thread = first == other ? hazard.second_thread : -1,
            .watched_warp = watch_all      ? -1
                            : loads_second ? first
                                           : other};
}

/// A load of a block's sum that gets 0, which the word holds before.
std::optional<HazardRun> find_wrong_sum(const Scenario& scenario, const Params& params,
                                        const HazardReport& report) {
    for (const LinePair& pair : report.pairs) {
        if (pair.kind != HazardKind::read_after_write || !values_of(scenario).of_block() ||
            report.order.lines[pair.second_line].kind != OrderedLine::Kind::collect)
            continue;
        const std::int64_t sum = Run(scenario, params, {0, 0}, 0, {}).result(0);
        const std::int64_t all = sum * scenario.launch(params).grid.x;
        return HazardRun{.thread = pair.example.second_thread,
                         .right = all,
                         .wrong = all - sum,
                         .results = 1,
                         .wrong_results = 1};
    }
    return std::nullopt;
}

}  // namespace

std::optional<HazardRun> find_wrong_run(const Scenario& scenario, const Params& params,
                                        const HazardReport& report) {
    const ValueMeaning& values = values_of(scenario);
    if (!report.blocks.empty()) return find_wrong_sum(scenario, params, report);
    for (const LinePair& pair : report.pairs) {
        if (pair.kind == HazardKind::uninitialized) continue;  // all runs get what nobody stored
        Schedule schedule = schedule_of(pair.example, values.stores_what_it_loaded);
        if (schedule.watched_warp >= report.threads_per_block / kWarpLanes) continue;
        const bool in_turn = report.left_out == 0 && values.right_in_turn;
        if (in_turn) schedule.first_thread = -1;
        const Run now(scenario, params, report.block, report.left_out, schedule);
        schedule.in_turn = in_turn;
        const Run right(scenario, params, report.block, 0, schedule);
        HazardRun run{
            .first_warp = schedule.first_warp, .first_thread = schedule.first_thread, .in_step = in_turn};
        const int begin = values.of_block() ? 0 : std::max(0, schedule.watched_warp) * kWarpLanes;
        const int end = values.of_block() ? 1 : begin + kWarpLanes;
        for (int thread = begin; thread < end; ++thread) {
            if (!right.has_result(thread)) continue;
            ++run.results;
            if (now.result(thread) == right.result(thread)) continue;
            if (run.wrong_results++ > 0) continue;
            run.thread = thread;
            run.right = right.result(thread);
            run.wrong = now.result(thread);
        }
        if (run.wrong_results > 0) return run;
    }
    return std::nullopt;
}

std::int64_t result_of_run(const Scenario& scenario, const Params& params, Extent block, LeftOut left_out,
                           int first_warp, int first_thread, int thread) {
    return Run(scenario, params, block, left_out, {first_warp, first_thread, -1}).result(thread);
}

}  // namespace warplens
