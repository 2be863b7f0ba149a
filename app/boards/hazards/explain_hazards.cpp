#include "app/boards/hazards/hazards_picture.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

using Kind = OrderedLine::Kind;

const OrderedLine& line_of(const HazardReport& report, int line) { return report.order.lines[line]; }

int barriers_left_out(const HazardReport& report) {
    int count = 0;
    for (int i = 0; i < count_barriers(report.order); ++i) count += report.is_left_out(i) ? 1 : 0;
    return count;
}

/// "'load tile' may read before 'store tile' has written"
std::string what_may_happen(const HazardsView& view, const LinePair& pair) {
    const std::string first = line_name(view, pair.first_line), second = line_name(view, pair.second_line);
    switch (pair.kind) {
        case HazardKind::read_after_write:
            return fmt::format("'{}' may read before '{}' has written", second, first);
        case HazardKind::write_after_read:
            return fmt::format("'{}' may overwrite what '{}' has still to read", second, first);
        case HazardKind::uninitialized:
            return fmt::format("'{}' reads what no thread has written", first);
        case HazardKind::write_after_write:
            break;
    }
    return first == second ? fmt::format("several lanes '{}' into one word, and any may be the last", first)
                           : fmt::format("'{}' may be overwritten by '{}'", second, first);
}

/// Whether a barrier that is left out is the last line: then nobody waits for the end of the others.
bool lifetime_is_open(const HazardReport& report) {
    const int last = report.order.count - 1;
    if (last < 0 || line_of(report, last).kind != Kind::barrier ||
        line_of(report, last).waits != Waits::cluster)
        return false;
    return report.is_left_out(barrier_number(report.order, last));
}

constexpr const char* kOfBlocks =
    "Blocks are in order only by the end of a launch, grid.sync(), or a counter behind a __threadfence(). That "
    "orders what its own thread stored before the fence, and what others stored before a __syncthreads() in "
    "front of it.";

Explanation explain_no_hazard(const HazardsView& view) {
    const HazardReport& report = view.hazards();
    const int barriers = count_barriers(report.order), left_out = barriers_left_out(report),
              fences = count_fences(report.order);
    if (is_order_unknown(view))
        return {.verdict = "Which barriers this kernel needs is not known here.",
                .why = "Its scenario does not say in which order its lines access shared memory.",
                .headline = "Not known for this kernel"};
    const Extent grid = view.scenario->launch(*view.params).grid;
    const auto blocks = std::int64_t(report.blocks.size());
    if (!report.words.empty() && blocks > 0 && blocks < std::int64_t{grid.x} * grid.y)
        return {
            .verdict = fmt::format("The {} blocks that were compared, of {}, do not race.",
                                   format_count(blocks), format_count(std::int64_t{grid.x} * grid.y)),
            .why =
                "The grid is too large to compare all: the others may race. A smaller grid is compared whole.",
            .headline = fmt::format("No hazard between {} of {} blocks", format_count(blocks),
                                    format_count(std::int64_t{grid.x} * grid.y))};
    if (!report.all_found)
        return {
            .verdict = "No hazard is known, but not all of this kernel can be followed.",
            .why =
                "Some conditions or addresses follow from values that are not known, or something is left out.",
            .headline = "Not all is known"};
    if (report.order.count == 0)
        return {
            .verdict = "No barrier is needed: the threads of this kernel share no memory that they write.",
            .why = "Each thread loads what was there before the launch, and stores to places of its own.",
            .good = true,
            .headline = "No barrier is needed"};
    if (!report.blocks.empty())
        return {.verdict = "No two threads of the grid race for a word of global memory.",
                .why = kOfBlocks,
                .good = true,
                .headline = "No hazard between blocks"};
    if (view.scenario->typed != nullptr && !report.every_block)
        return {.verdict = fmt::format("No two threads of {} race for a word, whoever runs first.",
                                       blocks_text(report)),
                .why =
                    "The blocks do not all do the same, and they are too many to look at each: warp chooses "
                    "another one.",
                .headline = fmt::format("No hazard in {}", blocks_text(report))};
    if (barriers == 0)
        return {.verdict = "No barrier is needed: no thread accesses a word that another one stores.",
                .why = "A barrier orders a store before the accesses of other threads to the same word.",
                .good = true,
                .headline = "No barrier is needed"};
    if (left_out == 0)
        return {.verdict =
                    fmt::format("{}{}in place: no two threads race for a word, whoever runs first.",
                                barriers - fences == 1   ? "The barrier"
                                : barriers - fences == 2 ? "Both barriers"
                                                         : fmt::format("All {} barriers", barriers - fences),
                                fences > 0      ? " and the fence are "
                                : barriers == 1 ? " is "
                                                : " are "),
                .why = fmt::format("{}{} one out, and see what it is there for.",
                                   view.drawn_pair() == nullptr
                                       ? ""
                                       : "The wires show an exchange that a barrier puts in order. ",
                                   view.scenario->typed != nullptr ? "In the text, comment" : "Leave"),
                .good = true,
                .headline = fmt::format("No hazard: all barriers {}are in place",
                                        fences > 0 ? "and the fence " : "")};
    if (lifetime_is_open(report))
        return {.verdict = fmt::format(
                    "Without {} no two threads race for a word, but a block may end while another "
                    "one still loads from its shared memory.",
                    missing_text(report)),
                .why = "Shared memory lives as long as its block.",
                .headline = "A block may end too early"};
    const bool needed = view.unordered != nullptr && !view.unordered->pairs.empty();
    return {.verdict = fmt::format("Without {} nothing goes wrong: {}.", missing_text(report),
                                   needed ? "another barrier orders the same accesses"
                                          : "no thread accesses a word that another one stores"),
            .good = true,
            .headline = "This barrier is not needed"};
}

/// Why blocks cannot wait for each other.
std::string end_text(const HazardsView& view) {
    const GridEnd& end = view.end;
    if (!end.between.empty()) return fmt::format(" {}", end.between);
    if (end.launches.size() < 2) return {};
    std::string text = " Without a cooperative launch there is no barrier between blocks";
    if (end.resident > 0 && end.resident < end.launches.front())
        text +=
            fmt::format(": only {} of the {} blocks are on {} at once, and the others begin when these end",
                        format_count(end.resident), format_count(end.launches.front()), view.gpu);
    if (end.launches.size() == 2)
        return text + fmt::format(". So the launch ends, and a second one of {} adds up the sums.",
                                  counted(end.launches[1], "block"));
    std::string more;
    for (std::size_t i = 1; i < end.launches.size(); ++i)
        more += fmt::format("{}{}",
                            i == 1                        ? ""
                            : i + 1 < end.launches.size() ? ", "
                                                          : " and ",
                            counted(end.launches[i], "block"));
    return text + fmt::format(". So the launch ends, and {} more, of {}, add up the sums.",
                              end.launches.size() - 1, more);
}

}  // namespace

bool is_order_unknown(const HazardsView& view) {
    if (view.hazards().order.count > 0) return false;
    for (int i = 0; i < view.scenario->instruction_count(*view.params); ++i)
        if (view.scenario->instruction(*view.params, i).space == Space::shared) return true;
    return view.scenario->launch(*view.params).shared_bytes > 0;
}

std::string_view hazard_name(HazardKind kind) {
    constexpr std::string_view kNames[] = {"read after write", "write after read", "write after write",
                                           "uninitialized read"};
    return kNames[int(kind)];
}

std::string line_name(const HazardsView& view, int line) {
    const OrderedLine& what = line_of(view.hazards(), line);
    if (what.kind == Kind::fill) return "fill tile";
    if (what.kind == Kind::collect) return "load all sums";
    if (what.kind == Kind::barrier)
        return barrier_name(view.hazards().order, barrier_number(view.hazards().order, line));
    return std::string(view.scenario->instruction(*view.params, what.instruction).label);
}

std::string line_code(const HazardsView& view, int line) {
    const OrderedLine& what = line_of(view.hazards(), line);
    if (what.kind != Kind::access) return std::string(what.code);
    return std::string(view.scenario->instruction(*view.params, what.instruction).code);
}

std::string lane_name(const HazardReport& report, int thread) {
    const bool neighbour = thread >= report.threads_per_block;
    const int own = thread % report.threads_per_block;
    if (!report.blocks.empty()) {
        const Extent& block = report.blocks[thread / report.threads_per_block];
        return fmt::format("block ({}, {}), warp {}, lane {}", block.x, block.y, own / kWarpLanes,
                           own % kWarpLanes);
    }
    return fmt::format("warp {}{}, lane {}", own / kWarpLanes, neighbour ? " of the neighbour" : "",
                       own % kWarpLanes);
}

std::string blocks_text(const HazardReport& report) {
    if (!report.blocks.empty()) return counted(std::int64_t(report.blocks.size()), "block");
    return fmt::format("block ({}, {})", report.block.x, report.block.y);
}

std::string interval_text(const HazardReport& report, int interval) {
    if (!report.blocks.empty()) return "in the whole grid";
    const KernelOrder& order = report.order;
    const bool loop = order.rounds > 1;
    std::string begin, end;
    int passed = 0;
    const auto pass = [&](int line, int round, bool in_loop) {
        const OrderedLine& what = line_of(report, line);
        const int number = barrier_number(order, line);
        if (what.kind != Kind::barrier || what.waits == Waits::warp || what.waits == Waits::counted ||
            report.is_left_out(number))
            return;
        std::string name = barrier_name(order, number);
        if (in_loop && loop) name += fmt::format(" of round {}", round + 1);
        if (passed == interval && end.empty()) end = name;
        if (++passed == interval) begin = name;
    };
    for (int line = 0; line < order.loop_begin; ++line) pass(line, 0, false);
    for (int round = 0; round < std::min(order.rounds, rounds_that_show_all(order) + 1); ++round)
        for (int line = order.loop_begin; line < order.loop_end; ++line) pass(line, round, true);
    for (int line = order.loop_end; line < order.count; ++line) pass(line, 0, false);
    if (begin.empty() && end.empty()) return "in the whole kernel";
    if (begin.empty()) return fmt::format("before {}", end);
    if (end.empty()) return fmt::format("after {}", begin);
    return fmt::format("between {} and {}", begin, end);
}

bool is_fence(const KernelOrder& order, int number) {
    for (int line = 0; line < order.count; ++line)
        if (barrier_number(order, line) == number && order.lines[line].kind == Kind::barrier)
            return order.lines[line].waits == Waits::counted;
    return false;
}

int count_fences(const KernelOrder& order) {
    int fences = 0;
    for (int i = 0; i < count_barriers(order); ++i) fences += is_fence(order, i) ? 1 : 0;
    return fences;
}

std::string barrier_name(const KernelOrder& order, int number) {
    if (is_fence(order, number)) return "fence";
    int own = 1;
    for (int i = 0; i < number; ++i) own += is_fence(order, i) ? 0 : 1;
    return fmt::format("barrier {}", own);
}

std::string missing_text(const HazardReport& report) {
    const int barriers = count_barriers(report.order);
    if (barriers_left_out(report) == barriers)
        return fmt::format("its {}{}", barriers == 1 ? "barrier" : "barriers",
                           count_fences(report.order) > 0 ? " and its fence" : "");
    for (int i = 0; i < barriers; ++i)
        if (report.is_left_out(i))
            return fmt::format("{}{}", is_fence(report.order, i) ? "the " : "",
                               barrier_name(report.order, i));
    return "a barrier";
}

std::string run_text(const HazardsView& view) {
    if (!*view.run) return {};
    const HazardRun& run = **view.run;
    const HazardReport& report = view.hazards();
    const ValueMeaning& words = values_of(*view.scenario);
    if (!report.blocks.empty())
        return fmt::format("If {} loads a sum before it is there, the sum of all is {}, not {}: {} short.",
                           lane_name(report, run.thread), format_count(run.wrong), format_count(run.right),
                           format_count(run.right - run.wrong));
    const std::string who = run.in_step ? "the lanes of a warp run in step"
                            : run.first_thread >= 0
                                ? fmt::format("{} runs ahead", lane_name(report, run.first_thread))
                                : fmt::format("warp {} runs first", run.first_warp);
    std::string result(words.result);
    if (const std::size_t star = result.find('*'); star != std::string::npos)
        result.replace(star, 1, lane_name(report, run.thread));
    std::string text =
        fmt::format("If {}, {} is {}, not {}", who, result, format_count(run.wrong), format_count(run.right));
    if (!words.is_sum) return text + ".";
    const std::int64_t off = run.wrong - run.right;
    return fmt::format("{}: {} {}.", text, format_count(off < 0 ? -off : off),
                       off < 0 ? "short" : "too much");
}

Explanation explain_hazards(const HazardsView& view) {
    const HazardReport& report = view.hazards();
    const LinePair* pair = view.main_pair();
    Explanation e;
    if (pair == nullptr) {
        e = explain_no_hazard(view);
    } else {
        const bool missing = e.wrong = barriers_left_out(report) > 0;
        const std::string what = what_may_happen(view, *pair);
        e.verdict = fmt::format(
            "{}{}{} on {} of {} words: {} ({}).",
            missing ? fmt::format("Without {}: ", missing_text(report)) : std::string(), report.at_least(),
            counted(report.total(), "hazard"), format_count(report.words_affected()),
            format_count(std::int64_t(report.words.size())), what, hazard_name(pair->kind));
        e.why =
            pair->kind == HazardKind::uninitialized
                ? "No launch clears shared memory: it holds what another block left there."
            : !report.blocks.empty() ? kOfBlocks
            : report.within_warps == report.total()
                ? "All are between lanes of one warp, which need not run in step: only __syncwarp() orders them."
                : "Between two barriers nothing orders threads, neither warps nor the lanes of a warp.";
        e.headline = fmt::format("{}{}: {}", report.at_least(), counted(report.total(), "hazard"), what);
    }
    if (pair != nullptr && !report.blocks.empty() && pair->kind == HazardKind::read_after_write)
        e.why += " The load may get what the word held before.";
    if (pair != nullptr && report.counted != HazardReport::Counted::not_at_all)
        e.why +=
            fmt::format(" Counted for blocks that add to the counter in the order of their numbers{}.",
                        report.counted == HazardReport::Counted::from_the_last ? ", from the last on" : "");
    e.why += end_text(view);
    return e;
}

}  // namespace warplens
