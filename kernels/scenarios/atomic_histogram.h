#pragma once

#include "kernels/hash.h"
#include "kernels/scenarios/shared_knobs.h"

namespace warplens {

enum class BinsIn : int { global, block, warp };
enum class Update : int { count, sum, rank, plain };
enum class Distribution : int { in_turn, uniform, skewed, one };

/// Every thread reads elements one after the other and adds to the bin of each: in global memory, or in
/// shared memory to a histogram of its block or of its warp, which the block adds to the global one at the
/// end.
///
/// The bins of a block's elements look random but are a formula of step and thread, so that the model knows
/// them; every block has the same. An element holds its bin in its low half and its weight in the high one.
struct AtomicHistogram {
    static constexpr int kBytes = 4;
    static constexpr int kMostItems = 64;
    static constexpr Choice kMemories[] = {
        {int(BinsIn::global), "global"}, {int(BinsIn::block), "block"}, {int(BinsIn::warp), "warp"}};
    static constexpr Choice kUpdates[] = {{int(Update::count), "count"},
                                          {int(Update::sum), "sum"},
                                          {int(Update::rank), "rank"},
                                          {int(Update::plain), "plain"}};
    static constexpr Choice kAggregate[] = {{0, "no"}, {1, "in-warp"}};
    static constexpr Choice kDistributions[] = {{int(Distribution::in_turn), "in-turn"},
                                                {int(Distribution::uniform), "uniform"},
                                                {int(Distribution::skewed), "skewed"},
                                                {int(Distribution::one), "one"}};
    static constexpr Choice kBlocks[] = {
        {64, "64"}, {128, "128"}, {256, "256"}, {512, "512"}, {1024, "1024"}};
    static constexpr Choice kItems[] = {{1, "1"}, {4, "4"}, {16, "16"}, {kMostItems, "64"}};

    WARPLENS_HD static constexpr bool in_global(const Params& p) { return p.memory == int(BinsIn::global); }
    WARPLENS_HD static constexpr bool updates(const Params& p, Update what) {
        return p.operation == int(what);
    }
    /// Lost updates cannot be joined.
    WARPLENS_HD static constexpr bool aggregates(const Params& p) {
        return p.aggregate == 1 && !updates(p, Update::plain);
    }
    WARPLENS_HD static constexpr int bins(const Params& p) { return 1 << p.bins_log2; }
    WARPLENS_HD static constexpr int warps(const Params& p) { return p.block_x / kWarpLanes; }
    /// Histograms of a block.
    WARPLENS_HD static constexpr int copies(const Params& p) {
        return in_global(p) ? 0 : p.memory == int(BinsIn::warp) ? warps(p) : 1;
    }
    WARPLENS_HD static constexpr int rounds(int words, const Params& p) {
        return (words + p.block_x - 1) / p.block_x;
    }
    static constexpr int last_update(const Params& p) {
        return in_global(p) ? int(Update::rank) : int(Update::plain);
    }
    static constexpr int last_step(const Params& p) { return p.items - 1; }
    static constexpr int last_warp(const Params& p) { return (warps(p) << p.blocks_log2) - 1; }
    static constexpr std::string_view aggregate_is_idle(const Params& p) {
        return updates(p, Update::plain)
                   ? "A plain update loses what it joins as well: choose count, sum or rank."
                   : "";
    }
    static constexpr std::string_view seed_is_idle(const Params& p) {
        const auto how = static_cast<Distribution>(p.pattern);
        return how == Distribution::uniform || how == Distribution::skewed
                   ? ""
                   : "Nothing is random: choose uniform or skewed.";
    }

    static constexpr Knob knobs[] = {
        remedy(
            {&Params::memory, "memory", "", "Bins in", "",
             "global: one histogram for all. block: one in the shared memory of each block. warp: one for each warp of "
             "a block.",
             KnobKind::choice, 0, 2, kMemories}),
        {&Params::pattern, "data", "", "Data", "",
         "in-turn: neighbours fall into neighbouring bins. uniform: into any. skewed: half of them into the first "
         "sixteenth of the bins. one: all into the first bin.",
         KnobKind::choice, 0, 3, kDistributions},
        {&Params::operation, "update", "", "Update", "",
         "count: atomicAdd of 1. sum: atomicAdd of a weight. rank: atomicAdd of 1 whose result is stored. plain, in "
         "shared memory: load, add, store, which overwrites updates.",
         KnobKind::choice, 0, 3, kUpdates, false, false, &last_update},
        remedy({&Params::aggregate, "aggregate", "", "Aggregate", "",
                "in-warp: lanes of one bin find each other (__match_any_sync), and one of them adds for all.",
                KnobKind::choice, 0, 1, kAggregate, false, false, nullptr, &aggregate_is_idle}),
        {&Params::bins_log2, "bins", "", "Bins", "bins", "How many bins the histogram has.", KnobKind::power,
         0, 11, kNoChoices, false, true},
        remedy(
            {&Params::stride, "stride", "", "Distance", "words",
             "From one bin to the next. 1: side by side. 8: a sector each. 32: all in one bank, and a line each.",
             KnobKind::slider, 1, 33, kNoChoices, false, true}),
        {&Params::items, "items", "", "Elements", "elements", "Elements of a thread, one after the other.",
         KnobKind::choice, 1, kMostItems, kItems, false, true},
        {&Params::block_x, "block", "block_x", "Block", "threads", "Threads of a block.", KnobKind::choice,
         64, 1024, kBlocks},
        step_knob("Which element of each thread the pictures show.", kMostItems - 1, &last_step),
        warp_knob((32 << 12) - 1, &last_warp),
        {&Params::seed, "seed", "", "Seed", "", "The seed of the random numbers.", KnobKind::slider, 0, 9999,
         kNoChoices, false, false, nullptr, &seed_is_idle},
        blocks_knob("How many blocks the grid has; all have the same elements.", 12),
    };
    static constexpr Preset presets[] = {
        {"global", "memory=global"},
        {"shared", "memory=block"},
        {"one bin", "memory=block,data=one,update=sum"},
        {"one bin, aggregated", "memory=block,data=one,update=sum,aggregate=in-warp"},
        {"skewed, per warp", "memory=warp,data=skewed,update=sum"},
        {"global, aggregated", "memory=global,data=one,aggregate=in-warp"},
        {"wrong", "memory=block,update=plain"}};
    static constexpr ScenarioInfo info{
        .id = "atomic-histogram",
        .title = "Histogram with atomics",
        .formula = "atomicAdd(&bins[bin * distance], 1)",
        .summary =
            "Each thread adds to the bins of its elements: lanes that meet at a word wait for each other.",
        .spaces = space_bit(Space::shared) | space_bit(Space::global),
        .knobs = knobs,
        .defaults = {.stride = 1,
                     .operation = int(Update::count),
                     .blocks_log2 = 10,
                     .block_x = 256,
                     .pattern = int(Distribution::uniform),
                     .memory = int(BinsIn::block)},
        .presets = presets,
        .main_knobs = "memory,data,update,aggregate",
        .first_axis = "bins",
        .time = TimeModel::accesses,
        .least_cc = 11,
        .cc_of =
            [](const Params& p) {  // PTX ISA: match.any, redux; programming guide 4.2, appendix F
                if (aggregates(p)) return updates(p, Update::sum) ? 80 : 70;
                return in_global(p) ? 11 : 12;
            },
        // Before that shared atomics were loops in software (Maxwell Tuning Guide).
        .modelled_from = [](const Params&) { return 50; }};

    static constexpr LaunchShape launch(const Params& p) {
        const std::int64_t elements = (std::int64_t{p.block_x} * p.items) << p.blocks_log2;
        const std::int64_t words = in_global(p) ? (bins(p) - 1) * p.stride + 1 : bins(p);
        return {.grid = {1 << p.blocks_log2, 1},
                .block = {p.block_x, 1},
                .steps = p.items,
                .shared_bytes = std::int64_t{copies(p)} * bins(p) * p.stride * kBytes,
                .buffer_bytes = {elements * kBytes, words * kBytes,
                                 updates(p, Update::rank) ? elements * kBytes : 0}};
    }

    /// The bin of an element of a block.
    WARPLENS_HD static constexpr int bin_of(const Params& p, int step, int thread) {
        const int element = step * p.block_x + thread;
        const std::uint32_t noise =
            mix_bits(static_cast<std::uint32_t>(element) ^ mix_bits(static_cast<std::uint32_t>(p.seed)));
        std::uint32_t part = noise >> 16;  // of 2^16
        switch (static_cast<Distribution>(p.pattern)) {
            case Distribution::in_turn:
                return element & (bins(p) - 1);
            case Distribution::uniform:
                break;
            case Distribution::skewed:  // the fourth power: every bin is chosen less often than those before
                                        // it
                part = part * part >> 16;
                part = part * part >> 16;
                break;
            case Distribution::one:
                return 0;
        }
        return int(part >> (16 - p.bins_log2));
    }
    /// What `sum` adds for an element.
    WARPLENS_HD static constexpr std::uint32_t weight_of(const Params& p, int step, int thread) {
        return 1 + (mix_bits(static_cast<std::uint32_t>(step * p.block_x + thread) ^
                             mix_bits(static_cast<std::uint32_t>(p.seed) + 1)) &
                    0xff);
    }

    /// The instructions in the order of the kernel. Those that a setting does not have are left out.
    enum Role { clear, load, match, reduce, fetch, update, shuffle, store_rank, merge, flush, kRoles };
    WARPLENS_HD static constexpr bool has(const Params& p, Role role) {
        switch (role) {
            case clear:
            case merge:
            case flush:
                return !in_global(p);
            case match:
                return aggregates(p);
            case reduce:
                return aggregates(p) && updates(p, Update::sum);
            case shuffle:
                return aggregates(p) && updates(p, Update::rank);
            case fetch:
                return updates(p, Update::plain);
            case store_rank:
                return updates(p, Update::rank);
            default:
                return true;
        }
    }
    static constexpr int instruction_count(const Params& p) {
        int count = 0;
        for (int role = 0; role < kRoles; ++role) count += has(p, Role(role)) ? 1 : 0;
        return count;
    }
    WARPLENS_HD static constexpr Role role_of(const Params& p, int index) {
        int role = -1;
        while (index >= 0) index -= has(p, Role(++role)) ? 1 : 0;
        return Role(role);
    }
    static constexpr int index_of(const Params& p, Role wanted) {
        int index = 0;
        for (int role = 0; role < wanted; ++role) index += has(p, Role(role)) ? 1 : 0;
        return index;
    }

    static constexpr KernelOrder order(const Params& p) {
        KernelOrder order;
        if (in_global(p)) {
            order.of_grid = true;
            order.loop(p.items, 0);
            if (has(p, fetch)) order.access(index_of(p, fetch));
            return order.access(index_of(p, update)).end_loop();
        }
        order.access(index_of(p, clear), rounds(bins(p) * copies(p), p)).barrier().loop(p.items, 0);
        if (has(p, fetch)) order.access(index_of(p, fetch));
        order.access(index_of(p, update)).end_loop();
        return order.barrier().access(index_of(p, merge), rounds(bins(p), p) * copies(p));
    }

    static constexpr Op op_of_update(const Params& p) {
        if (updates(p, Update::plain)) return Op::store;
        if (updates(p, Update::rank)) return Op::atomic;
        return updates(p, Update::count) && !aggregates(p) ? Op::increment : Op::reduction;
    }
    static constexpr std::string_view code_of_update(const Params& p) {
        if (updates(p, Update::plain)) return "*bin = old + 1;";
        if (updates(p, Update::rank))
            return aggregates(p) ? "old = atomicAdd(bin, sum);" : "old = atomicAdd(bin, 1);";
        return op_of_update(p) == Op::increment ? "atomicAdd(bin, 1);" : "atomicAdd(bin, sum);";
    }

    /// After how many steps a warp meets the same bins again. 0: never.
    static constexpr int period(const Params& p) {
        const auto how = static_cast<Distribution>(p.pattern);
        if (how == Distribution::in_turn) return bins(p) > p.block_x ? bins(p) / p.block_x : 1;
        return how == Distribution::one ? 1 : 0;
    }

    static constexpr Instruction instruction(const Params& p, int index) {
        const Space bins_space = in_global(p) ? Space::global : Space::shared;
        const int main = in_global(p) ? 0 : 1;  // the phase
        switch (role_of(p, index)) {
            case clear:
                return {.label = "clear bins",
                        .code = "tile[b * distance] = 0;",
                        .space = Space::shared,
                        .op = Op::store,
                        .steps = rounds(bins(p) * copies(p), p),
                        .step_period = 1};
            case load:
                return {.label = "load in",
                        .object = "in",
                        .code = "value = in[i];",
                        .phase = main,
                        .step_period = 1};
            case match:
                return {.label = "find equal lanes",
                        .code = "peers = __match_any_sync(active, bin);",
                        .space = Space::registers,
                        .phase = main,
                        .step_period = period(p),
                        .by_value = ByValue::match};
            case reduce:
                return {.label = "add up equal lanes",
                        .code = "sum = __reduce_add_sync(peers, weight);",
                        .space = Space::registers,
                        .phase = main,
                        .step_period = period(p),
                        .by_value = ByValue::reduce};
            case fetch:
                return {.label = "load bin",
                        .code = "old = *bin;",
                        .space = bins_space,
                        .buffer = 1,
                        .phase = main,
                        .step_period = period(p),
                        .may_change = true};
            case update:
                return {.label = updates(p, Update::plain) ? "store bin" : "add to bin",
                        .code = code_of_update(p),
                        .space = bins_space,
                        .op = op_of_update(p),
                        .buffer = 1,
                        .phase = main,
                        .step_period = period(p)};
            case shuffle:
                return {.label = "hand out the result",
                        .code = "old = __shfl_sync(active, old, leader);",
                        .space = Space::registers,
                        .phase = main,
                        .step_period = period(p)};
            case store_rank:
                return {.label = "store rank",
                        .object = "rank",
                        .code = "rank[i] = old + before;",
                        .op = Op::store,
                        .buffer = 2,
                        .phase = main,
                        .step_period = 1};
            case merge:
                return {.label = "load copies",
                        .code = "sum += tile[(copy * n + b) * distance];",
                        .space = Space::shared,
                        .phase = 2,
                        .steps = rounds(bins(p), p) * copies(p),
                        .step_period = 1};
            default:
                return {.label = "add to out",
                        .object = "out",
                        .code = "atomicAdd(&out[b], sum);",
                        .op = Op::reduction,
                        .buffer = 1,
                        .phase = 2,
                        .steps = rounds(bins(p), p) * copies(p),
                        .step_period = copies(p)};
        }
    }

    WARPLENS_HD static constexpr LaneAccess word(std::int64_t index, bool active = true) {
        return {static_cast<std::uint64_t>(active ? index * kBytes : 0), active};
    }
    /// The first lane of the warp whose element has the same bin.
    WARPLENS_HD static constexpr int leader_of(const Params& p, const ThreadId& t) {
        const int bin = bin_of(p, t.step, t.x);
        int lane = t.x / kWarpLanes * kWarpLanes;
        while (bin_of(p, t.step, lane) != bin) ++lane;
        return lane;
    }
    WARPLENS_HD static constexpr LaneAccess access(const Params& p, int index, const ThreadId& t) {
        return access(p, role_of(p, index), t, AtomicHistogram{});
    }
    /// The accesses of a warp's lanes, with what is the same for all computed once.
    class OfWarp {
    public:
        /// @param first  thread of the warp
        OfWarp(const Params& p, int index, const ThreadId& first)
            : role_(role_of(p, index)), first_(first.x) {
            if (!aggregates(p)) return;  // nobody asks for leaders
            for (int lane = 0; lane < kWarpLanes; ++lane) {
                bins_[lane] = bin_of(p, first.step, first.x + lane);
                while (bins_[leaders_[lane]] != bins_[lane]) ++leaders_[lane];
            }
        }
        LaneAccess operator()(const Params& p, const ThreadId& thread) const {
            return access(p, role_, thread, *this);
        }
        WARPLENS_HD constexpr int leader_of(const Params&, const ThreadId& t) const {
            return first_ + leaders_[t.x - first_];
        }

    private:
        Role role_;
        int first_;
        int bins_[kWarpLanes] = {}, leaders_[kWarpLanes] = {};  // plain arrays, which kernels may read
    };

    /// @param leaders  who knows leader_of(): computed here, or for the whole warp before
    template <class Leaders>
    WARPLENS_HD static constexpr LaneAccess access(const Params& p, Role role, const ThreadId& t,
                                                   const Leaders& leaders) {
        const std::int64_t element = (std::int64_t{t.block_x} * p.items + t.step) * p.block_x + t.x;
        const int histogram = p.memory == int(BinsIn::warp) ? t.x / kWarpLanes : 0;
        switch (role) {
            case clear: {  // address of: clear bins
                const int b = t.step * p.block_x + t.x;
                return word(std::int64_t{b} * p.stride, b < bins(p) * copies(p));
            }
            case load:        // address of: load in
            case store_rank:  // address of: store rank
                return word(element);
            case match:    // address of: find equal lanes
            case reduce:   // address of: add up equal lanes
            case shuffle:  // address of: hand out the result
                return word(leaders.leader_of(p, t) % kWarpLanes);
            case merge:    // address of: load copies
            case flush: {  // address of: add to out
                const int copy = t.step % copies(p), b = t.step / copies(p) * p.block_x + t.x;
                if (role == merge) return word(std::int64_t{copy * bins(p) + b} * p.stride, b < bins(p));
                return word(b, b < bins(p) && copy == copies(p) - 1);
            }
            default: {  // address of: add to bin; load bin; store bin
                const bool adds = !aggregates(p) || leaders.leader_of(p, t) == t.x;
                return word(std::int64_t{histogram * bins(p) + bin_of(p, t.step, t.x)} * p.stride, adds);
            }
        }
    }

    static KernelCode code(const Params& p) {
        return {"histogram_in_" + std::string(kMemories[p.memory].name),
                {{"kUpdate", p.operation}, {"kAggregated", aggregates(p)}}};
    }

    static std::int64_t stored_value(const WordAccess& a, const HeldValues& held) {
        const Role role = role_of(a.params, a.instruction);
        return role == clear ? 0 : role == update && updates(a.params, Update::plain) ? held.other + 1 : 1;
    }
    static void take_value(const WordAccess& a, std::int64_t value, HeldValues& held) {
        if (role_of(a.params, a.instruction) == merge)
            held.value += value;
        else
            held.other = value;
    }
    static constexpr std::string_view lost(const Params& p) {
        return updates(p, Update::plain)
                   ? "The histogram is wrong: threads that load the same old count at the same time store the same "
                     "new one, and of their additions one is left."
                   : "";
    }
    static constexpr Sharing sharing{.order = &order,
                                     .values = {.input = "each element adds 1 to its bin",
                                                .result = "the count that * adds to the output",
                                                .is_sum = true,
                                                .stored = &stored_value,
                                                .loaded = &take_value,
                                                .matters = &always_matters,
                                                .stores_what_it_loaded = true,
                                                .right_in_turn = true},
                                     .lost = &lost};

    static constexpr QuizTurn turns[] = {{"memory", "block,block,global"},
                                         {"update", "count,sum,rank"},
                                         {"data", "in-turn,in-turn,one"},
                                         {"bins", "1,2,4,8,16,32,64,256"},
                                         {"stride", "1,2,4,8,16,32"}};
    static constexpr std::string_view kCounts =
        "Each lane adds 1, and nobody uses the result: in a wavefront a bank counts all lanes of one word. n = 1 << {bins}.";
    static constexpr std::string_view kAdds =
        "Each lane adds a weight of its own: in a wavefront a bank serves one lane. n = 1 << {bins}.";
    static constexpr std::string_view kRanks =
        "Each lane adds 1 and uses what was there before: in a wavefront a bank serves one lane. n = 1 << {bins}.";
    static constexpr std::string_view kTurns =
        "In each turn one lane of every word takes part. n = 1 << {bins}.";
    static constexpr std::string_view kInTurn = "tile[i % n * {stride}]";
    static constexpr QuizTell tells[] = {
        {"memory=block,data=in-turn,update=count", "add to bin", kCounts, kInTurn},
        {"memory=block,data=in-turn,update=sum", "add to bin", kAdds, kInTurn},
        {"memory=block,data=in-turn,update=rank", "add to bin", kRanks, kInTurn},
        {"memory=block,data=one,update=count", "add to bin", kCounts, "tile[0]"},
        {"memory=block,data=one,update=sum", "add to bin", kAdds, "tile[0]"},
        {"memory=block,data=one,update=rank", "add to bin", kRanks, "tile[0]"},
        {"memory=global,data=in-turn", "add to bin", kTurns, "out[i % n * {stride}]"},
        {"memory=global,data=one", "add to bin", kTurns, "out[0]"}};
    static constexpr QuizSource quiz[] = {{14, Space::shared, turns, tells, "memory,update,aggregate"},
                                          {15, Space::global, turns, tells, "memory,aggregate"}};
};

}  // namespace warplens
