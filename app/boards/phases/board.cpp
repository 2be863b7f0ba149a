#include "app/boards/list.h"
#include "app/boards/phases/knobs.h"
#include "app/boards/phases/phases_picture.h"
#include "app/boards/story/story.h"
#include "app/pictures/access/explain.h"

#include <fmt/format.h>

#include <cmath>

namespace warplens {
namespace {

PhasesView phases_view(const BoardInput& input) {
    const BoardValues& values = input.state.boards;
    return view_phases(phases_product(values), values[kPhasesStep], values[kPhasesThread]);
}

StoryValue number(std::int64_t value) { return {format_count(value), double(value)}; }

/// Multiplications and additions per second, if global memory served every load at its full rate.
StoryValue limit_by_loads(const TileProduct& product, const DeviceFacts& device) {
    const PhaseCounts counts = grid_counts(product);
    constexpr double kOperations = 2, kBytes = 4;  // of a multiply-add; of a float
    const double rate = device.peak_gb_per_s * kOperations * double(counts.multiply_adds) /
                        (kBytes * double(counts.global_loads));
    return {rate < 100 ? fmt::format("{:.1f} GFLOP/s", rate)
                       : fmt::format("{} GFLOP/s", format_count(std::llround(rate))),
            rate};
}

void add_touched(StoryValues& values, const PhasesView& view) {
    const PhaseAct act = view.moment.step.act;
    const bool touches = act == PhaseAct::load || act == PhaseAct::multiply;
    const PhaseTouch touch =
        touches ? phase_touch(view.product, view.moment.step, view.thread) : PhaseTouch();
    std::string thread = thread_name(view.product, view.thread);
    thread.front() = 'T';
    values["thread"] = {std::move(thread)};
    values["a"] = {element_name("", touch.a)};
    values["b"] = {element_name("", touch.b)};
    values["tile_a"] = {element_name("", touch.tile_a)};
    values["tile_b"] = {element_name("", touch.tile_b)};
}

Story phases_story(const PhasesView& view, const DeviceFacts& device) {
    const TileProduct& p = view.product;
    const PhaseMoment& now = view.moment;
    const PhaseCounts grid = grid_counts(p);
    const int phase = now.step.phase + 1;
    // A fair comparison is with all that the tiles loaded so far serve, also if not all of it is done yet.
    const std::int64_t served = 2 * std::int64_t{p.threads()} * p.tile * phase;
    StoryValues values{
        {"matrix", number(p.matrix)},
        {"tile", number(p.tile)},
        {"blocks", number(p.phases() * p.phases())},
        {"block", {block_name(p.block_row, p.block_column)}},
        {"threads", {counted(p.threads(), "thread")}},
        {"readers", {counted(p.tile, "thread")}},
        {"at", {std::to_string(view.step + 1), view.step + 1}},
        {"of", {std::to_string(phase_steps(p))}},
        {"doing", {step_name(now.step)}},
        {"phase", number(phase)},
        {"phases", number(p.phases())},
        {"last", story_flag(phase == p.phases())},
        {"k", number(now.step.k)},
        {"alone", story_flag(p.threads() == 1)},
        {"untiled", story_flag(p.tile == 1)},
        {"all_loads", {counted(2 * p.threads(), "load")}},
        {"all_reads", number(2 * p.threads())},
        {"row_and_column", number(2 * p.tile)},
        {"times", {counted(p.tile, "time")}},
        {"times_of_grid", {counted(p.phases(), "time")}},
        {"terms", number(now.terms)},
        {"products", {counted(p.matrix, "product")}},
        {"loads", number(now.counts.global_loads)},
        {"loads_words", {counted(now.counts.global_loads, "load")}},
        {"loads_untiled", number(now.counts.untiled_loads())},
        {"served", number(served)},
        {"reads", number(now.counts.shared_loads)},
        {"grid_loads", number(grid.global_loads)},
        {"grid_untiled", number(grid.untiled_loads())},
        {"gpu", {device.name}},
        {"peak", {device.peak_gb_per_s > 0 ? fmt::format("{:.1f}", device.peak_gb_per_s) : ""}},
        {"limit", limit_by_loads(p, device)},
        {"limit_untiled", limit_by_loads({.matrix = p.matrix, .tile = 1}, device)}};
    add_touched(values, view);
    return {"assets/boards/phases.json", std::move(values), int(now.step.act)};
}

Story phases_story(const BoardInput& input) { return phases_story(phases_view(input), input.device()); }

}  // namespace

constinit const Board kPhasesBoard{
    {.key = "phases",
     .label = "Tile phases",
     .tooltip =
         "A small tiled matrix product, step by step: which thread loads which element, and who uses it.",
     .knobs = kPhasesKnobs,
     .lesson = "board-phases",
     .least_height = 262},
    [](const BoardInput& input, const Style& style) { return draw_phases(phases_view(input), style); },
    [](const BoardInput& input) { return phases_story(input).all().numbers("numbers"); },
    [](const BoardInput& input) { return explain_phases(phases_view(input)); },
    [](const BoardInput& input) { return phases_story(input).all().lines("caption"); }};

Explanation explain_phases(const PhasesView& view) {
    Explanation e = phases_story(view, {}).now().explanation();
    e.good = view.product.tile > 1;
    return e;
}

}  // namespace warplens
