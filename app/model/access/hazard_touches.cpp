// The accesses of a block in their order, of which hazards are made.
#include "app/model/access/hazards.h"

#include <algorithm>

namespace warplens {
namespace {

using Kind = OrderedLine::Kind;

/// Goes through the executions of an order, with its barriers.
class Unroller {
public:
    Unroller(const KernelOrder& order, LeftOut left_out) : order_(order), left_out_(left_out) {}

    void add(int line, int round) {
        const OrderedLine& what = order_.lines[line];
        if (what.kind == Kind::barrier) {
            if ((left_out_ >> barrier_number(order_, line) & 1u) != 0) return;
            for (int scope = 0; scope <= std::min(int(what.waits), 2); ++scope) ++barriers_[scope];
            return;
        }
        const bool in_loop = line >= order_.loop_begin && line < order_.loop_end;
        if (in_loop && round >= order_.rounds - what.not_in_last) return;
        int& step = steps_[what.instruction];
        executions.push_back({line, round, what.kind == Kind::fill ? 0 : step, position_, barriers_});
        if (what.kind == Kind::access) step += what.times;
        position_ += what.kind == Kind::fill ? 1 : what.times;
    }

    std::vector<Execution> executions;

private:
    const KernelOrder& order_;
    LeftOut left_out_;
    int position_ = 0;
    std::array<int, 3> barriers_{};
    std::array<int, kMaxInstructions> steps_{};  // only listed scenarios have an order
};

/// The blocks whose threads are followed: the pictured one, and the one of its cluster that it loads from.
int followed_blocks(const Scenario& scenario, const Params& params, const KernelOrder& order) {
    for (int i = 0; i < order.count; ++i) {
        const OrderedLine& line = order.lines[i];
        if (line.kind == Kind::access &&
            scenario.instruction(params, line.instruction).space == Space::cluster)
            return 2;
    }
    return 1;
}

/// A launch and all that is derived from it.
struct Launched {
    const Scenario& scenario;
    const Params& params;
    Extent block;
    LaunchShape shape = scenario.launch(params);
    KernelOrder order = scenario.kernel->order(params);
    int threads = shape.block.x * shape.block.y;
    int stride =
        warps_per_block(shape) * kWarpLanes;  ///< from the threads of a block to those of the next one
    int blocks = followed_blocks(scenario, params, order);

    ThreadId id(int thread, int step) const {
        return {block.x, block.y, thread % shape.block.x, thread / shape.block.x, step};
    }
};

void add_access(std::vector<Touch>& all, const Launched& launch, const Execution& execution) {
    const OrderedLine& line = launch.order.lines[execution.line];
    const Instruction what = launch.scenario.instruction(launch.params, line.instruction);
    for (int i = 0; i < line.times; ++i) {
        for (int thread = 0; thread < launch.threads; ++thread) {
            const LaneAccess lane = launch.scenario.access(launch.params, line.instruction,
                                                           launch.id(thread, execution.first_step + i));
            if (!lane.active) continue;
            add_touches(all, lane.byte_address, what.bytes_per_lane,
                        {.store = !is_load(what.op),
                         .atomic = is_atomic(what.op),
                         .thread = thread,
                         .line = execution.line,
                         .position = execution.position + i,
                         .barriers = execution.barriers});
        }
    }
}

/// The threads of the block that owns the words store them in turns; no word is stored twice.
void add_fill(std::vector<Touch>& all, const Launched& launch, const Execution& execution) {
    const int bytes = launch.order.lines[execution.line].bytes;
    const auto units = int((launch.shape.shared_bytes + bytes - 1) / bytes);
    const int first_thread = (launch.blocks - 1) * launch.stride;
    for (int unit = 0; unit < units; ++unit)
        add_touches(all, static_cast<std::uint64_t>(unit) * static_cast<std::uint64_t>(bytes), bytes,
                    {.store = true,
                     .thread = first_thread + unit % launch.threads,
                     .line = execution.line,
                     .position = execution.position,
                     .barriers = execution.barriers});
}

}  // namespace

void add_touches(std::vector<Touch>& all, std::uint64_t address, int bytes, Touch touch) {
    for (std::uint64_t at = address, end = address + static_cast<std::uint64_t>(bytes); at < end;) {
        const std::uint64_t in_word = at % kTouchedBytes, next = std::min(end, at - in_word + kTouchedBytes);
        touch.word = int(at / kTouchedBytes);
        touch.bytes = static_cast<std::uint8_t>(((1u << (next - at)) - 1) << in_word);
        all.push_back(touch);
        at = next;
    }
}

int count_barriers(const KernelOrder& order) { return barrier_number(order, order.count); }

int barrier_number(const KernelOrder& order, int line) {
    return int(std::count_if(order.lines.begin(), order.lines.begin() + line,
                             [](const OrderedLine& one) { return one.kind == Kind::barrier; }));
}

std::vector<Execution> unroll(const KernelOrder& order, LeftOut left_out, int most_rounds) {
    Unroller unroller(order, left_out);
    for (int line = 0; line < order.loop_begin; ++line) unroller.add(line, 0);
    for (int round = 0; round < std::min(order.rounds, most_rounds); ++round)
        for (int line = order.loop_begin; line < order.loop_end; ++line) unroller.add(line, round);
    for (int line = order.loop_end; line < order.count; ++line) unroller.add(line, 0);
    return std::move(unroller.executions);
}

int rounds_that_show_all(const KernelOrder& order) {
    const int period = order.period;
    if (period == 0 || order.rounds <= 2 * period) return order.rounds;
    return 2 * period +
           (order.rounds - 2 * period) % period;  // what follows the loop goes on at the same place
}

std::vector<Touch> block_touches(const Scenario& scenario, const Params& params, Extent block,
                                 std::span<const Execution> executions, std::int64_t& first_word) {
    const Launched launch{scenario, params, block};
    std::vector<Touch> all;
    std::size_t accesses = 0;
    for (const Execution& execution : executions)
        accesses += static_cast<std::size_t>(launch.order.lines[execution.line].times * launch.threads);
    all.reserve(accesses);
    first_word = 0;
    bool global = false;
    for (const Execution& execution : executions) {
        const OrderedLine& line = launch.order.lines[execution.line];
        if (line.kind == Kind::fill) {
            add_fill(all, launch, execution);
            continue;
        }
        add_access(all, launch, execution);
        global = global || scenario.instruction(params, line.instruction).space == Space::global;
    }
    if (!global || all.empty()) return all;
    first_word = std::ranges::min_element(all, {}, &Touch::word)->word;
    for (Touch& touch : all) touch.word -= int(first_word);
    return all;
}

HazardReport report_hazards(const Scenario& scenario, const Params& params, Extent block, LeftOut left_out) {
    if (scenario.typed != nullptr) return scenario.typed->hazards(params, block);
    const Launched launch{scenario, params, block};
    HazardReport report{
        .order = launch.order, .left_out = left_out, .block = block, .threads_per_block = launch.stride};
    const std::vector<Execution> executions =
        unroll(launch.order, left_out, rounds_that_show_all(launch.order));
    const std::vector<Touch> touches = block_touches(scenario, params, block, executions, report.first_word);
    for (int i = 0; i < launch.order.count; ++i) {
        const OrderedLine& line = launch.order.lines[i];
        if (line.kind == Kind::access) report.space = scenario.instruction(params, line.instruction).space;
    }
    add_hazards(report, touches, launch.shape.shared_bytes, launch.blocks);
    return report;
}

}  // namespace warplens
