#include "app/base/recent.h"
#include "app/boards/hazards/hazards_picture.h"
#include "app/boards/hazards/knobs.h"
#include "app/boards/list.h"
#include "app/boards/occupancy/occupancy_picture.h"
#include "app/model/device/occupancy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <tuple>
#include <utility>

namespace warplens {
namespace {

/// Picture, numbers and words of a setting all ask for this.
struct Found {
    HazardReport report;
    std::optional<HazardReport> unordered;  ///< see HazardsView
    std::optional<HazardRun> run;
    std::optional<HazardReport>
        other;  ///< in global memory, or in shared memory if the first is there: where blocks meet as well
};

Found compute(const Scenario& scenario, const Params& params, LeftOut left_out) {
    const LaunchShape shape = scenario.launch(params);
    const Extent block = place_of_warp(shape, params.warp).block;
    Found found{.report = scenario.typed != nullptr ? scenario.typed->first_hazards(params, block)
                                                    : report_hazards(scenario, params, block, left_out)};
    const LeftOut all = left_out_by(kNoBarrier, count_barriers(found.report.order));
    if (scenario.typed == nullptr && left_out != all && found.report.total() == 0)
        found.unordered = report_hazards(scenario, params, found.report.block, all);
    if (scenario.typed != nullptr)
        found.other = scenario.typed->grid_hazards(params);
    else if (found.report.order.of_grid && found.report.blocks.empty())
        found.other = report_grid_hazards(scenario, params, left_out);
    if (found.other && (found.report.total() == 0 || scenario.typed == nullptr) &&
        (found.other->total() > found.report.total() || found.report.words.empty() ||
         found.other->in_order)) {
        std::swap(found.report, *found.other);
        found.unordered.reset();
    }
    found.run = find_wrong_run(scenario, params, found.report);
    return found;
}

std::shared_ptr<const Found> find(const Subject& setting) {
    // More than a scenario has presets; up to 2 MB each.
    static Recent<std::tuple<const Scenario*, Params, LeftOut>, Found> recent(16);
    const LeftOut left_out = left_out_by(setting.boards[kHazardsBarriers],
                                         count_barriers(setting.scenario->kernel->order(setting.params)));
    return recent.get(std::forward_as_tuple(setting.scenario, setting.params, left_out),
                      [&] { return compute(*setting.scenario, setting.params, left_out); });
}

GridEnd end_of(const BoardInput& input) {
    GridEnd end;
    if (!values_of(*input.state.scenario).of_block()) return end;
    const LaunchShape shape = input.state.scenario->launch(input.state.params);
    end.resident = resident_blocks(input.state, input.devices);
    if (const auto between = input.state.scenario->facts->sharing.between_blocks; between != nullptr)
        end.between = between(input.state.params);
    if (!end.between.empty()) {
        end.launches = {shape.grid.x};
        const State& now = input.state;
        bool adds = false;  // each block, to one word
        for (int k = 0; k < now.scenario->instruction_count(now.params); ++k)
            adds = adds || now.scenario->instruction(now.params, k).op == Op::reduction;
        if (!adds) end.launches.push_back(1);
        return end;
    }
    for (std::int64_t sums = std::int64_t{shape.grid.x} * shape.block.x; sums > 1;) {
        sums = (sums + shape.block.x - 1) / shape.block.x;
        end.launches.push_back(sums);
    }
    return end;
}

/// The hazards of a setting, kept together with the view of them.
struct OnBoard {
    std::shared_ptr<const Found> found;
    HazardsView view;
    explicit OnBoard(const BoardInput& input) : found(find(input.state)) {
        view = {&found->report,
                &found->run,
                input.state.scenario,
                &input.state.params,
                end_of(input),
                input.device().name,
                found->unordered ? &*found->unordered : nullptr};
    }
    OnBoard(const OnBoard&) = delete;
    OnBoard& operator=(const OnBoard&) = delete;
};

Quantity count_row(std::string name, std::int64_t count, std::string source, Better better = Better::less) {
    return {std::move(name),   format_count(count), Provenance::exact,
            std::move(source), double(count),       better};
}

constexpr std::string_view kKindSources[] = {
    "A load may come before the store that it should come after, and get what was there before.",
    "A store may come before the load that it should come after; the load gets the new value.",
    "Two stores to the same bytes: which value stays is not defined.",
    "A load of shared memory that no thread has stored before: it gets what another block left there."};

/// One row for each name: an instruction may stand in several lines, as before a loop and in it. The pair
/// with most hazards comes first, and is the example.
void add_pairs(std::vector<Quantity>& rows, const HazardsView& view) {
    for (const LinePair& pair : view.hazards().pairs) {
        const std::string first = line_name(view, pair.first_line);
        const std::string name = pair.kind == HazardKind::uninitialized
                                     ? fmt::format("{}: {}", hazard_name(pair.kind), first)
                                     : fmt::format("{}: {} → {}", hazard_name(pair.kind), first,
                                                   line_name(view, pair.second_line));
        if (const auto row = std::ranges::find(rows, name, &Quantity::name); row != rows.end()) {
            *row = count_row(name, std::llround(row->amount.value_or(0)) + pair.hazards,
                             fmt::format("{}\n{} more stand between other lines of the same instructions.",
                                         row->source, format_count(pair.hazards)));
            continue;
        }
        rows.push_back(count_row(
            name, pair.hazards,
            fmt::format("First in the program: {}\nThen: {}\n{} of them within a warp, on {} of memory\nFor "
                        "example {} and {}, {}.",
                        line_code(view, pair.first_line), line_code(view, pair.second_line),
                        format_count(pair.within_warps), counted(pair.words, "word"),
                        lane_name(view.hazards(), pair.example.first_thread),
                        lane_name(view.hazards(), pair.example.second_thread),
                        interval_text(view.hazards(), pair.example.interval))));
    }
}

void add_run(std::vector<Quantity>& rows, const HazardsView& view) {
    if (!*view.run) return;
    const HazardRun& run = **view.run;
    rows.push_back({"wrong result", format_count(run.wrong), Provenance::exact,
                    fmt::format("{}\nA run that the barriers allow; {}. Shared memory holds zeros at first.",
                                run_text(view), values_of(*view.scenario).input),
                    double(run.wrong)});
    rows.push_back({"right result", format_count(run.right), Provenance::exact,
                    "With all barriers, whoever runs first.", double(run.right)});
    rows.push_back({"wrong results", fmt::format("{} of {}", run.wrong_results, run.results),
                    Provenance::exact, "In that run, of the results of the threads of one warp.",
                    double(run.wrong_results), Better::less});
}

void add_end(std::vector<Quantity>& rows, const HazardsView& view) {
    const GridEnd& end = view.end;
    if (end.launches.empty()) return;
    if (end.between.empty())
        rows.push_back({"launches", format_count(std::int64_t(end.launches.size())), Provenance::exact,
                        "Until one sum is left: each launch adds up what the blocks of the one before left.",
                        double(end.launches.size())});
    if (end.resident > 0)
        rows.push_back(
            {"blocks at once",
             fmt::format("{} of {}", format_count(std::min(end.resident, end.launches.front())),
                         format_count(end.launches.front())),
             Provenance::exact,
             fmt::format("{} can hold {} blocks of this kernel at once (occupancy times SMs). The others "
                         "begin when one of these ends: if those waited for them, nothing would ever end.",
                         view.gpu, format_count(end.resident)),
             double(std::min(end.resident, end.launches.front()))});
}

std::vector<Quantity> hazards_numbers(const BoardInput& input) {
    const OnBoard board(input);
    const HazardReport& report = board.view.hazards();
    const int barriers = count_barriers(report.order);
    if (is_order_unknown(board.view))
        return {{"barriers", "not known", Provenance::exact,
                 "The scenario does not say in which order the lines of its kernel access shared memory."}};
    int left = 0, fences_left = 0;
    for (int i = 0; i < barriers; ++i) {
        if (!report.is_left_out(i)) continue;
        (is_fence(report.order, i) ? fences_left : left) += 1;
    }
    const int fences = count_fences(report.order), waits = barriers - fences;
    std::vector<Quantity> rows;
    if (waits > 0 || report.blocks.empty())
        rows.push_back({"barriers", fmt::format("{} of {}", waits - left, waits), Provenance::exact,
                        "Lines of the kernel at which threads wait for one another, that stand and that "
                        "the kernel has.",
                        double(waits - left)});
    if (fences > 0)
        rows.push_back(
            {"fences", fmt::format("{} of {}", fences - fences_left, fences), Provenance::exact,
             "A fence stops nobody: who sees what the thread stores after it sees what it stored before.",
             double(fences - fences_left)});
    rows.push_back(
        count_row("hazards", report.total(),
                  "Two threads, a word, two lines of code, and nothing that makes one of the threads wait "
                  "for the other. Counted once, however often the lines are executed."));
    const std::size_t first = rows.size() - 1;
    for (int kind = 0; kind < kHazardKinds; ++kind)
        rows.push_back(count_row(std::string(hazard_name(static_cast<HazardKind>(kind))), report.counts[kind],
                                 std::string(kKindSources[kind])));
    rows.push_back({"words affected",
                    fmt::format("{} of {}", format_count(report.words_affected()),
                                format_count(std::int64_t(report.words.size()))),
                    Provenance::exact, "Words of 4 bytes with a hazard, of those that the threads share.",
                    double(report.words_affected()), Better::less});
    rows.push_back(count_row("pairs of threads", report.thread_pairs, "Pairs with at least one hazard."));
    rows.push_back(
        count_row("within a warp", report.within_warps,
                  "Hazards between two lanes of one warp. Lanes need not run in step from compute capability "
                  "7.0 on: only __syncwarp() orders them."));
    for (std::size_t i = first; i < rows.size(); ++i)
        rows[i].text = fmt::format("{}{}", report.at_least(), rows[i].text);
    if (const auto& other = board.found->other)
        rows.push_back(count_row(
            other->space == Space::global ? "in global memory" : "in shared memory", other->total(),
            other->space == Space::global ? "Hazards there, between threads of the same or of other blocks."
                                          : "Hazards there, between threads of one block."));
    add_pairs(rows, board.view);
    add_run(rows, board.view);
    add_end(rows, board.view);
    return rows;
}

std::vector<std::string> hazards_caption(const BoardInput& input) {
    const OnBoard board(input);
    const HazardReport& report = board.view.hazards();
    std::vector<std::string> caption;
    const std::string settings = describe_settings(*input.state.scenario, input.state.params);
    if (!settings.empty()) caption.push_back(settings);
    if (!report.blocks.empty())
        caption.push_back(fmt::format("compared: {} of the grid", blocks_text(report)));
    else if (report.order.count > 0)
        caption.push_back(fmt::format("block ({}, {})", report.block.x, report.block.y));
    caption.push_back(fmt::format("{} exact: by the order of the kernel's lines and barriers, on every GPU",
                                  provenance_mark(Provenance::exact)));
    if (*board.view.run)
        caption.push_back(fmt::format("the run: {}", values_of(*input.state.scenario).input));
    return caption;
}

}  // namespace

constinit const Board kHazardsBoard{
    {.key = "hazards",
     .label = "Hazards",
     .tooltip = "Leave a barrier out and see which threads race for which word, and what may come out of it.",
     .knobs = kHazardsKnobs,
     .lesson = "board-hazards",
     .about_scenario = true,
     .timed = false,
     .least_height = 284},
    [](const BoardInput& input, const Style& style) { return draw_hazards(OnBoard(input).view, style); },
    hazards_numbers,
    [](const BoardInput& input) { return explain_hazards(OnBoard(input).view); },
    hazards_caption,
    [](const BoardInput& input) -> std::optional<BoardExample> {
        if (!OnBoard(input).view.hazards().words.empty()) return std::nullopt;
        return BoardExample{"Show a kernel that needs barriers",
                            "matrix-multiply?variant=tiled&board=hazards"};
    }};

}  // namespace warplens
