// The accesses of a block in their order, of which hazards are made.
#include "app/model/access/hazards.h"

#include <algorithm>
#include <cmath>

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
            const bool gone = (left_out_ >> barrier_number(order_, line) & 1u) != 0;
            if (what.waits == Waits::counted) {
                for (Execution& one : executions) one.published = !gone;
                counts_ = true;
            } else if (!gone) {
                for (int scope = 0; scope <= std::min(int(what.waits), 2); ++scope) ++barriers_[scope];
                counted_ = counts_ && what.waits != Waits::warp;
            }
            return;
        }
        const bool in_loop = line >= order_.loop_begin && line < order_.loop_end;
        if (in_loop && round >= order_.rounds - what.not_in_last) return;
        int& step = steps_[what.instruction];
        executions.push_back(
            {line, round, what.kind == Kind::access ? step : 0, position_, barriers_, false, counted_});
        if (what.kind == Kind::access) step += what.times;
        position_ += what.times;
    }

    std::vector<Execution> executions;

private:
    const KernelOrder& order_;
    LeftOut left_out_;
    int position_ = 0;
    std::array<int, 3> barriers_{};
    bool counts_ = false, counted_ = false;      // its first thread has added to the counter; all know
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

/// @param first_thread  the number of the block's first thread among those that are followed
void add_access(std::vector<Touch>& all, const Launched& launch, const Execution& execution,
                int first_thread = 0) {
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
                         .bulk = what.bulk,
                         .thread = first_thread + (what.bulk ? 0 : thread),
                         .line = execution.line,
                         .position = execution.position + i,
                         .barriers = execution.barriers,
                         .published = execution.published,
                         .counted = execution.counted});
        }
    }
}

/// All that blocks have stored, in turns to the threads of one of them.
void add_collected(std::vector<Touch>& all, const Launched& launch, const Execution& execution,
                   std::span<const Extent> blocks) {
    const OrderedLine& line = launch.order.lines[execution.line];
    const Instruction what = launch.scenario.instruction(launch.params, line.instruction);
    const int collector = line.waits == Waits::counted ? int(blocks.size()) - 1 : 0;
    int unit = 0;
    for (const Extent& block : blocks) {
        for (int thread = 0; thread < launch.threads; ++thread) {
            const ThreadId id{block.x, block.y, thread % launch.shape.block.x, thread / launch.shape.block.x,
                              0};
            const LaneAccess lane = launch.scenario.access(launch.params, line.instruction, id);
            if (!lane.active) continue;
            const int loader = unit++ % launch.threads;
            add_touches(all, lane.byte_address, what.bytes_per_lane,
                        {.thread = collector * launch.stride + loader,
                         .line = execution.line,
                         .position = execution.position,
                         .barriers = execution.barriers,
                         .counted = execution.counted || loader == 0});
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

std::vector<Extent> compared_blocks(Extent grid, int warps) {
    constexpr int kMostGridThreads = 8192;  // whose pairs are compared
    const int most = std::max(2, kMostGridThreads / (warps * kWarpLanes));
    const bool all = std::int64_t{grid.x} * grid.y <= most;
    const int high = all ? grid.y : std::min(grid.y, int(std::sqrt(double(most))));
    const int wide = all ? grid.x : std::min(grid.x, (most - 1) / high);
    std::vector<Extent> blocks;
    for (int y = 0; y < high; ++y)
        for (int x = 0; x < wide; ++x) blocks.push_back({x, y});
    if (!all) blocks.push_back({grid.x - 1, grid.y - 1});
    return blocks;
}

bool is_of_block(const Scenario& scenario, const Params& params, const KernelOrder& order, int line) {
    const OrderedLine& what = order.lines[line];
    const bool in_global =
        what.kind == Kind::collect ||
        (what.kind == Kind::access && scenario.instruction(params, what.instruction).space == Space::global);
    return what.kind != Kind::barrier && !(order.of_grid && in_global);
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
        if (!is_of_block(scenario, params, launch.order, execution.line)) continue;
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

HazardReport report_grid_hazards(const Scenario& scenario, const Params& params, LeftOut left_out) {
    constexpr int kRow = 32;
    Launched launch{scenario, params, {}};
    HazardReport report{.order = launch.order,
                        .left_out = left_out,
                        .threads_per_block = launch.stride,
                        .space = Space::global};
    if (!launch.order.of_grid) return report;
    report.blocks = compared_blocks(launch.shape.grid, warps_per_block(launch.shape));
    const Extent grid = launch.shape.grid;
    report.all_found = std::int64_t(report.blocks.size()) == std::int64_t{grid.x} * grid.y;
    std::vector<Touch> touches;
    std::string name;
    for (const Execution& one : unroll(launch.order, left_out, rounds_that_show_all(launch.order))) {
        if (is_of_block(scenario, params, launch.order, one.line)) continue;
        name = scenario.instruction(params, launch.order.lines[one.line].instruction).object;
        if (launch.order.lines[one.line].kind == Kind::collect) {
            add_collected(touches, launch, one, report.blocks);
            continue;
        }
        for (int i = 0; i < int(report.blocks.size()); ++i) {
            launch.block = report.blocks[i];
            add_access(touches, launch, one, i * launch.stride);
        }
    }
    const auto blocks = int(report.blocks.size());
    report = with_hazards(std::move(report), std::move(touches), 0, blocks).done();
    const auto words = int(report.words.size());
    const int row = report.pairs.empty() ? 0 : report.pairs.front().example.word / kRow;
    const int rows = std::min(kRow, (words + kRow - 1) / kRow - row);
    report.region = SharedRegion{name, row * kRow, rows, kRow};
    return report;
}

HazardReport report_hazards(const Scenario& scenario, const Params& params, Extent block, LeftOut left_out) {
    if (scenario.typed != nullptr) return scenario.typed->hazards(params, block);
    const Launched launch{scenario, params, block};
    const auto of_block = [&](int line) { return is_of_block(scenario, params, launch.order, line); };
    bool shares = !launch.order.of_grid;
    for (int i = 0; i < launch.order.count; ++i) shares = shares || of_block(i);
    if (!shares) return report_grid_hazards(scenario, params, left_out);
    HazardReport report{
        .order = launch.order, .left_out = left_out, .block = block, .threads_per_block = launch.stride};
    const std::vector<Execution> executions =
        unroll(launch.order, left_out, rounds_that_show_all(launch.order));
    std::vector<Touch> touches = block_touches(scenario, params, block, executions, report.first_word);
    for (int i = 0; i < launch.order.count; ++i) {
        const OrderedLine& line = launch.order.lines[i];
        if (line.kind == Kind::access && of_block(i))
            report.space = scenario.instruction(params, line.instruction).space;
    }
    return with_hazards(std::move(report), std::move(touches), launch.shape.shared_bytes, launch.blocks)
        .done();
}

}  // namespace warplens
