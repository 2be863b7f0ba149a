#include "app/model/access/hazards.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <tuple>
#include <utility>

namespace warplens {
namespace {

using Kind = OrderedLine::Kind;
constexpr std::int64_t kWordBytes = 4;
constexpr std::int64_t kMostComparisons = 10'000'000;  // some tenths of a second

/// Goes through the executions of an order, with its barriers.
class Unroller {
public:
    Unroller(const KernelOrder& order, LeftOut left_out) : order_(order), left_out_(left_out) {}

    void add(int line, int round) {
        const OrderedLine& what = order_.lines[line];
        if (what.kind == Kind::barrier) {
            if ((left_out_ >> barrier_number(order_, line) & 1u) != 0) return;
            for (int scope = 0; scope <= int(what.waits); ++scope) ++barriers_[scope];
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

/// A thread's use of a word in one line, as long as the same barriers stand before it. Of all its
/// executions the first and the last tell whether one of them comes before one of another line.
struct Use {
    int thread, line;
    int warp, block;  ///< of the thread: each use is compared with many
    bool store;
    std::uint8_t bytes;
    std::array<int, 3> barriers;
    int first, last;  ///< positions

    auto who() const { return std::tie(thread, line, store); }
    auto key() const { return std::tie(thread, line, store, bytes, barriers); }
};

bool are_ordered(const Use& a, const Use& b) {
    const Waits scope = a.warp == b.warp ? Waits::warp : a.block == b.block ? Waits::block : Waits::cluster;
    return a.barriers[int(scope)] != b.barriers[int(scope)];
}

/// @param touches  of one word, by rising position
/// @return  sorted by thread and line
std::vector<Use> uses_of(std::span<const Touch* const> touches, int threads_per_block) {
    // Who it is and which touch, in one number: much faster to sort than what it stands for.
    std::vector<std::uint64_t> order;
    order.reserve(touches.size());
    for (std::size_t i = 0; i < touches.size(); ++i) {
        const Touch& touch = *touches[i];
        order.push_back((static_cast<std::uint64_t>(touch.thread) << 40) |
                        (static_cast<std::uint64_t>(touch.line) << 33) |
                        (std::uint64_t{touch.store ? 1u : 0u} << 32) | i);
    }
    std::ranges::sort(order);
    std::vector<Use> uses;
    uses.reserve(touches.size());
    for (const std::uint64_t one : order) {
        const Touch& touch = *touches[one & 0xffff'ffffu];
        const Use use{.thread = touch.thread,
                      .line = touch.line,
                      .warp = touch.thread / kWarpLanes,
                      .block = touch.thread / threads_per_block,
                      .store = touch.store,
                      .bytes = touch.bytes,
                      .barriers = touch.barriers,
                      .first = touch.position,
                      .last = touch.position};
        if (!uses.empty() && uses.back().key() == use.key())
            uses.back().last = use.last;
        else
            uses.push_back(use);
    }
    return uses;
}

/// The uses of one thread in one line.
using Uses = std::span<const Use>;

/// The hazard in which one of the first uses comes before one of the second. Empty if there is none.
std::optional<Hazard> hazard_of(int word, Uses first, Uses second) {
    std::optional<Hazard> found;
    for (const Use& a : first) {
        for (const Use& b : second) {
            if ((a.bytes & b.bytes) == 0 || are_ordered(a, b) || a.first > b.last ||
                (a.first == b.last && a.thread > b.thread))
                continue;
            const int interval = a.barriers[int(Waits::block)];
            const HazardKind kind = !b.store  ? HazardKind::read_after_write
                                    : a.store ? HazardKind::write_after_write
                                              : HazardKind::write_after_read;
            if (!found || interval < found->interval)
                found = Hazard{kind, word, a.thread, a.line, b.thread, b.line, interval};
        }
    }
    return found;
}

/// Whether two threads can access the word, one of them with a store, between the same barriers. Most words
/// of a kernel without hazards are told apart by this, in one pass.
/// @param touches  of one word, by rising position; none of a word that nobody accesses
bool can_race(std::span<const Touch* const> touches, int threads_per_block) {
    if (touches.empty()) return false;
    const auto block_of = [&](const Touch* touch) { return touch->thread / threads_per_block; };
    const bool one_block = std::ranges::all_of(
        touches, [&](const Touch* touch) { return block_of(touch) == block_of(touches.front()); });
    const int scope = int(one_block ? Waits::block : Waits::cluster);
    const Touch* first = touches.front();  // since the last barrier
    bool store = false, others = false;
    for (const Touch* touch : touches) {
        if (touch->barriers[scope] < first->barriers[scope])
            return true;  // not by their order: all are compared
        if (touch->barriers[scope] != first->barriers[scope]) {
            first = touch;
            store = others = false;
        }
        store = store || touch->store;
        others = others || touch->thread != first->thread;
        if (store && others) return true;
    }
    return false;
}

/// @param touches      of one word, by rising position
/// @param comparisons  so many pairs may still be compared
bool visit_word(int word, std::span<const Touch* const> touches, int threads_per_block,
                std::int64_t& comparisons, const std::function<void(const Hazard&)>& visit) {
    if (!can_race(touches, threads_per_block)) return true;
    const std::vector<Use> uses = uses_of(touches, threads_per_block);
    std::vector<Uses> all;
    all.reserve(uses.size());
    for (auto begin = uses.begin(); begin != uses.end();) {
        const auto end =
            std::find_if(begin, uses.end(), [&](const Use& use) { return use.who() != begin->who(); });
        all.emplace_back(begin, end);
        begin = end;
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (!all[i].front().store) continue;
        if ((comparisons -= static_cast<std::int64_t>(all.size())) < 0) return false;
        for (std::size_t k = 0; k < all.size(); ++k) {
            if (all[k].front().store && k <= i) continue;  // two stores are one pair
            if (all[k].front().thread == all[i].front().thread) continue;
            if (const auto found = hazard_of(word, all[i], all[k])) visit(*found);
            if (const auto found = hazard_of(word, all[k], all[i])) visit(*found);
        }
    }
    return true;
}

bool within_warp(const Hazard& hazard) {
    return hazard.first_thread / kWarpLanes == hazard.second_thread / kWarpLanes;
}

/// A hazard between warps is the better example: nobody expects these to run in step. Else the first in the
/// order of words.
void keep_example(Hazard& example, const Hazard& hazard, bool first) {
    const auto rank = [](const Hazard& one) {
        return std::tuple<bool, int, const Hazard&>(within_warp(one), one.word, one);
    };
    if (first || rank(hazard) < rank(example)) example = hazard;
}

/// The hazards of a report, one after the other, by rising word.
class Sum {
public:
    /// @param lines  of the order
    Sum(HazardReport& report, int blocks, int lines)
        : report_(report),
          lines_(static_cast<std::size_t>(lines)),
          of_lines_(static_cast<std::size_t>(kHazardKinds) * lines_ * lines_),
          threads_(static_cast<std::size_t>(report.threads_per_block) * static_cast<std::size_t>(blocks)),
          met_(threads_ * threads_) {}

    void add(const Hazard& hazard) {
        ++report_.counts[int(hazard.kind)];
        report_.within_warps += within_warp(hazard) ? 1 : 0;
        WordState& word = report_.words[hazard.word];
        word.kinds |= static_cast<std::uint8_t>(1u << int(hazard.kind));
        keep_example(word.example, hazard, word.hazards++ == 0);
        const auto [low, high] = std::minmax(hazard.first_thread, hazard.second_thread);
        const std::size_t both = static_cast<std::size_t>(low) * threads_ + static_cast<std::size_t>(high);
        report_.thread_pairs += met_[both] ? 0 : 1;
        met_[both] = true;
        OfLines& lines = of_lines(hazard);
        keep_example(lines.pair.example, hazard, lines.pair.hazards++ == 0);
        lines.pair.within_warps += within_warp(hazard) ? 1 : 0;
        lines.pair.words += std::exchange(lines.last_word, hazard.word) != hazard.word ? 1 : 0;
    }

    void finish() {
        for (OfLines& lines : of_lines_) {
            if (lines.pair.hazards == 0) continue;
            const Hazard& one = lines.pair.example;
            lines.pair.kind = one.kind;
            lines.pair.first_line = one.first_line;
            lines.pair.second_line = one.second_line;
            report_.pairs.push_back(lines.pair);
        }
        std::ranges::stable_sort(report_.pairs, [](const LinePair& a, const LinePair& b) {
            const std::int64_t of_a = a.hazards - a.within_warps, of_b = b.hazards - b.within_warps;
            return std::tie(of_b, b.hazards) < std::tie(of_a, a.hazards);
        });
    }

private:
    struct OfLines {
        LinePair pair;
        int last_word = -1;
    };

    OfLines& of_lines(const Hazard& hazard) {
        const auto kind = static_cast<std::size_t>(hazard.kind),
                   first = static_cast<std::size_t>(hazard.first_line),
                   second = static_cast<std::size_t>(hazard.second_line);
        return of_lines_[(kind * lines_ + first) * lines_ + second];
    }

    HazardReport& report_;
    std::size_t lines_;
    std::vector<OfLines> of_lines_;  ///< by kind, first and second line
    std::size_t threads_;
    std::vector<bool> met_;  ///< pairs of threads
};

}  // namespace

void add_touches(std::vector<Touch>& all, std::uint64_t address, int bytes, Touch touch) {
    for (std::uint64_t at = address, end = address + static_cast<std::uint64_t>(bytes); at < end;) {
        const std::uint64_t in_word = at % kWordBytes, next = std::min(end, at - in_word + kWordBytes);
        touch.word = int(at / kWordBytes);
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

bool visit_hazards(std::span<const Touch> touches, int threads_per_block,
                   const std::function<void(const Hazard&)>& visit) {
    int words = 0;
    for (const Touch& touch : touches) words = std::max(words, touch.word + 1);
    // A counting sort by word, which keeps the order of positions.
    std::vector<std::size_t> begin(static_cast<std::size_t>(words) + 1);
    for (const Touch& touch : touches) ++begin[static_cast<std::size_t>(touch.word) + 1];
    for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
    std::vector<const Touch*> sorted(touches.size());
    std::vector<std::size_t> next(begin.begin(), begin.end() - (begin.empty() ? 0 : 1));
    for (const Touch& touch : touches) sorted[next[touch.word]++] = &touch;
    std::int64_t comparisons = kMostComparisons;
    for (std::size_t word = 0; word < static_cast<std::size_t>(words); ++word) {
        const auto of_word = std::span(sorted).subspan(begin[word], begin[word + 1] - begin[word]);
        if (!visit_word(int(word), of_word, threads_per_block, comparisons, visit)) return false;
    }
    return true;
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
        const OrderedLine& line = launch.order.lines[i];
        if (line.kind == Kind::access) report.space = scenario.instruction(params, line.instruction).space;
    }
    add_hazards(report, touches, launch.shape.shared_bytes, launch.blocks);
    return report;
}

void add_hazards(HazardReport& report, const std::vector<Touch>& touches, std::int64_t shared_bytes,
                 int blocks) {
    std::size_t words = (shared_bytes + kWordBytes - 1) / kWordBytes;
    for (const Touch& touch : touches) words = std::max(words, static_cast<std::size_t>(touch.word) + 1);
    report.words.resize(words);
    int lines = 0;
    for (const Touch& touch : touches) {
        lines = std::max(lines, touch.line + 1);
        WordState& word = report.words[touch.word];
        (touch.store ? word.stored : word.loaded) = true;
    }
    Sum sum(report, blocks, lines);
    if (!visit_hazards(touches, report.threads_per_block, [&](const Hazard& hazard) { sum.add(hazard); }))
        report.all_found = false;
    sum.finish();
}

}  // namespace warplens
