#include "app/model/access/hazards.h"

#include "kernels/scenarios/list.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <tuple>

namespace warplens {
namespace {

using Kind = OrderedLine::Kind;
constexpr std::int64_t kWordBytes = 4;

/// The order of a scenario that has one.
template <class S>
void find_order(const Scenario& scenario, const Params& params, KernelOrder& order) {
    if constexpr (requires { S::order(params); })
        if (scenario.info == &S::info) order = S::order(params);
}

template <class... S>
KernelOrder order_among(ScenarioList<S...>, const Scenario& scenario, const Params& params) {
    KernelOrder order;
    (find_order<S>(scenario, params, order), ...);
    return order;
}

/// Goes through the executions of an order, with its barriers.
class Unroller {
public:
    Unroller(const KernelOrder& order, LeftOut left_out) : order_(order), left_out_(left_out) {}

    void add(int line, int round) {
        const OrderedLine& what = order_.lines[static_cast<std::size_t>(line)];
        if (what.kind == Kind::barrier) {
            if ((left_out_ >> barrier_number(order_, line) & 1u) != 0) return;
            for (int scope = 0; scope <= static_cast<int>(what.waits); ++scope)
                ++barriers_[static_cast<std::size_t>(scope)];
            return;
        }
        const bool in_loop = line >= order_.loop_begin && line < order_.loop_end;
        if (in_loop && round >= order_.rounds - what.not_in_last) return;
        int& step = steps_[static_cast<std::size_t>(what.instruction)];
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
        const OrderedLine& line = order.lines[static_cast<std::size_t>(i)];
        if (line.kind == Kind::access &&
            scenario.instruction(params, line.instruction).space == Space::cluster)
            return 2;
    }
    return 1;
}

/// How a launch looks to what follows.
struct Launched {
    const Scenario& scenario;
    const Params& params;
    Extent block;
    LaunchShape shape = scenario.launch(params);
    KernelOrder order = order_of(scenario, params);
    int threads = shape.block.x * shape.block.y;
    int stride =
        warps_per_block(shape) * kWarpLanes;  ///< from the threads of a block to those of the next one
    int blocks = followed_blocks(scenario, params, order);

    ThreadId id(int thread, int step) const {
        return {block.x, block.y, thread % shape.block.x, thread / shape.block.x, step};
    }
};

void add_access(std::vector<Touch>& all, const Launched& launch, const Execution& execution) {
    const OrderedLine& line = launch.order.lines[static_cast<std::size_t>(execution.line)];
    const Instruction what = launch.scenario.instruction(launch.params, line.instruction);
    for (int i = 0; i < line.times; ++i) {
        for (int thread = 0; thread < launch.threads; ++thread) {
            const LaneAccess lane = launch.scenario.access(launch.params, line.instruction,
                                                           launch.id(thread, execution.first_step + i));
            if (!lane.active) continue;
            add_touches(all, lane.byte_address, what.bytes_per_lane,
                        {.store = !is_load(what.op),
                         .thread = thread,
                         .line = execution.line,
                         .position = execution.position + i,
                         .barriers = execution.barriers});
        }
    }
}

/// The threads of the block that owns the words store them in turns; no word is stored twice.
void add_fill(std::vector<Touch>& all, const Launched& launch, const Execution& execution) {
    const int bytes = launch.order.lines[static_cast<std::size_t>(execution.line)].bytes;
    const auto units = static_cast<int>((launch.shape.shared_bytes + bytes - 1) / bytes);
    const int first_thread = (launch.blocks - 1) * launch.stride;
    for (int unit = 0; unit < units; ++unit)
        add_touches(all, static_cast<std::uint64_t>(unit) * static_cast<std::uint64_t>(bytes), bytes,
                    {.store = true,
                     .thread = first_thread + unit % launch.threads,
                     .line = execution.line,
                     .position = execution.position,
                     .barriers = execution.barriers});
}

bool are_ordered(const Touch& a, const Touch& b, int threads_per_block) {
    const Waits scope = a.thread / kWarpLanes == b.thread / kWarpLanes                 ? Waits::warp
                        : a.thread / threads_per_block == b.thread / threads_per_block ? Waits::block
                                                                                       : Waits::cluster;
    return a.barriers[static_cast<std::size_t>(scope)] != b.barriers[static_cast<std::size_t>(scope)];
}

Hazard hazard_of(const Touch& a, const Touch& b) {
    const bool in_order = std::tie(a.position, a.thread) < std::tie(b.position, b.thread);
    const Touch &first = in_order ? a : b, &second = in_order ? b : a;
    const HazardKind kind = !second.store ? HazardKind::read_after_write
                            : first.store ? HazardKind::write_after_write
                                          : HazardKind::write_after_read;
    return {kind,
            first.word,
            first.thread,
            first.line,
            second.thread,
            second.line,
            first.barriers[static_cast<std::size_t>(Waits::block)]};
}

bool same_but_for_interval(const Hazard& a, const Hazard& b) {
    Hazard there = b;
    there.interval = a.interval;
    return a == there;
}

/// @param touches  of one word
void add_hazards_of_word(std::vector<Hazard>& all, std::span<const Touch* const> touches, int threads) {
    const auto begin = static_cast<std::ptrdiff_t>(all.size());
    for (std::size_t i = 0; i < touches.size(); ++i) {
        const Touch& store = *touches[i];
        if (!store.store) continue;
        for (std::size_t k = 0; k < touches.size(); ++k) {
            const Touch& other = *touches[k];
            if (other.store && k <= i) continue;  // two stores are one pair
            if (other.thread == store.thread || (other.bytes & store.bytes) == 0 ||
                are_ordered(store, other, threads))
                continue;
            all.push_back(hazard_of(store, other));
        }
    }
    std::sort(all.begin() + begin, all.end());
    all.erase(std::unique(all.begin() + begin, all.end(), same_but_for_interval), all.end());
}

bool within_warp(const Hazard& hazard) {
    return hazard.first_thread / kWarpLanes == hazard.second_thread / kWarpLanes;
}

/// A hazard between warps is the better example: nobody expects these to run in step.
void keep_example(Hazard& example, const Hazard& hazard, bool first) {
    if (first || (within_warp(example) && !within_warp(hazard))) example = hazard;
}

void add_up(HazardReport& report, const std::vector<Hazard>& hazards, int blocks) {
    const auto threads =
        static_cast<std::size_t>(report.threads_per_block) * static_cast<std::size_t>(blocks);
    std::vector<bool> met(threads * threads);
    std::map<std::tuple<HazardKind, int, int>, LinePair> pairs;
    std::map<std::tuple<HazardKind, int, int>, int> last_word;
    for (const Hazard& hazard : hazards) {
        ++report.counts[static_cast<std::size_t>(hazard.kind)];
        report.within_warps += within_warp(hazard) ? 1 : 0;
        WordState& word = report.words[static_cast<std::size_t>(hazard.word)];
        word.kinds |= static_cast<std::uint8_t>(1u << static_cast<int>(hazard.kind));
        keep_example(word.example, hazard, word.hazards++ == 0);
        const auto [low, high] = std::minmax(hazard.first_thread, hazard.second_thread);
        const std::size_t both = static_cast<std::size_t>(low) * threads + static_cast<std::size_t>(high);
        report.thread_pairs += met[both] ? 0 : 1;
        met[both] = true;
        const std::tuple lines{hazard.kind, hazard.first_line, hazard.second_line};
        LinePair& pair = pairs[lines];
        keep_example(pair.example, hazard, pair.hazards++ == 0);
        pair.kind = hazard.kind;
        pair.first_line = hazard.first_line;
        pair.second_line = hazard.second_line;
        pair.within_warps += within_warp(hazard) ? 1 : 0;
        const auto [last, is_new] = last_word.try_emplace(lines, hazard.word);
        pair.words += is_new || last->second != hazard.word ? 1 : 0;  // hazards are sorted by word
        last->second = hazard.word;
    }
    for (const auto& [lines, pair] : pairs) report.pairs.push_back(pair);
    std::ranges::stable_sort(report.pairs, [](const LinePair& a, const LinePair& b) {
        const std::int64_t of_a = a.hazards - a.within_warps, of_b = b.hazards - b.within_warps;
        return std::tie(of_b, b.hazards) < std::tie(of_a, a.hazards);
    });
}

}  // namespace

void add_touches(std::vector<Touch>& all, std::uint64_t address, int bytes, Touch touch) {
    for (std::uint64_t at = address, end = address + static_cast<std::uint64_t>(bytes); at < end;) {
        const std::uint64_t in_word = at % kWordBytes, next = std::min(end, at - in_word + kWordBytes);
        touch.word = static_cast<int>(at / kWordBytes);
        touch.bytes = static_cast<std::uint8_t>(((1u << (next - at)) - 1) << in_word);
        all.push_back(touch);
        at = next;
    }
}

KernelOrder order_of(const Scenario& scenario, const Params& params) {
    if (scenario.typed != nullptr) return scenario.typed->order(params);
    return order_among(AllScenarios{}, scenario, params);
}

int count_barriers(const KernelOrder& order) { return barrier_number(order, order.count); }

int barrier_number(const KernelOrder& order, int line) {
    return static_cast<int>(std::count_if(order.lines.begin(), order.lines.begin() + line,
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
    first_word = 0;
    bool global = false;
    for (const Execution& execution : executions) {
        const OrderedLine& line = launch.order.lines[static_cast<std::size_t>(execution.line)];
        if (line.kind == Kind::fill) {
            add_fill(all, launch, execution);
            continue;
        }
        add_access(all, launch, execution);
        global = global || scenario.instruction(params, line.instruction).space == Space::global;
    }
    if (!global || all.empty()) return all;
    first_word = std::ranges::min_element(all, {}, &Touch::word)->word;
    for (Touch& touch : all) touch.word -= static_cast<int>(first_word);
    return all;
}

std::vector<Hazard> find_hazards(std::span<const Touch> touches, int threads_per_block) {
    int words = 0;
    for (const Touch& touch : touches) words = std::max(words, touch.word + 1);
    // A counting sort by word, which keeps the order of positions.
    std::vector<std::size_t> begin(static_cast<std::size_t>(words) + 1);
    for (const Touch& touch : touches) ++begin[static_cast<std::size_t>(touch.word) + 1];
    for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
    std::vector<const Touch*> sorted(touches.size());
    std::vector<std::size_t> next(begin.begin(), begin.end() - (begin.empty() ? 0 : 1));
    for (const Touch& touch : touches) sorted[next[static_cast<std::size_t>(touch.word)]++] = &touch;
    std::vector<Hazard> all;
    for (std::size_t word = 0; word < static_cast<std::size_t>(words); ++word)
        add_hazards_of_word(all, std::span(sorted).subspan(begin[word], begin[word + 1] - begin[word]),
                            threads_per_block);
    return all;
}

std::int64_t HazardReport::words_affected() const {
    return std::ranges::count_if(words, [](const WordState& word) { return word.kinds != 0; });
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
        const OrderedLine& line = launch.order.lines[static_cast<std::size_t>(i)];
        if (line.kind == Kind::access) report.space = scenario.instruction(params, line.instruction).space;
    }
    add_hazards(report, touches, launch.shape.shared_bytes, launch.blocks);
    return report;
}

void add_hazards(HazardReport& report, const std::vector<Touch>& touches, std::int64_t shared_bytes,
                 int blocks) {
    auto words = static_cast<std::size_t>((shared_bytes + kWordBytes - 1) / kWordBytes);
    for (const Touch& touch : touches) words = std::max(words, static_cast<std::size_t>(touch.word) + 1);
    report.words.resize(words);
    for (const Touch& touch : touches) {
        WordState& word = report.words[static_cast<std::size_t>(touch.word)];
        (touch.store ? word.stored : word.loaded) = true;
    }
    add_up(report, find_hazards(touches, report.threads_per_block), blocks);
}

}  // namespace warplens
