#include "app/boards/list.h"
#include "app/boards/phases/knobs.h"
#include "app/boards/phases/phases_picture.h"
#include "app/pictures/access/explain.h"

#include <fmt/format.h>

#include <cmath>

namespace warplens {
namespace {

PhasesView phases_view(const BoardInput& input) {
    const BoardValues& values = input.state.boards;
    return view_phases(phases_product(values), values[kPhasesStep], values[kPhasesThread]);
}

/// Multiplications and additions per second, if global memory served every load at its full rate [10^9/s].
double limit_by_loads(const TileProduct& product, const DeviceFacts& device) {
    const PhaseCounts counts = grid_counts(product);
    constexpr double kOperations = 2, kBytes = 4;  // of a multiply-add; of a float
    return device.peak_gb_per_s * kOperations * double(counts.multiply_adds) /
           (kBytes * double(counts.global_loads));
}

std::string rate_text(double gflop_per_s) {
    return gflop_per_s < 100 ? fmt::format("{:.1f} GFLOP/s", gflop_per_s)
                             : fmt::format("{} GFLOP/s", format_count(std::llround(gflop_per_s)));
}

Quantity count_so_far(std::string_view name, std::int64_t value, std::string_view tooltip) {
    return {std::string(name), format_count(value), Provenance::exact, std::string(tooltip), double(value)};
}

void add_block_rows(std::vector<Quantity>& rows, const PhasesView& view) {
    const PhaseMoment& now = view.moment;
    rows.push_back({"phase", fmt::format("{} of {}", now.step.phase + 1, view.product.phases()),
                    Provenance::exact,
                    "In each phase the block fetches one tile of A and one of B, and uses them up.",
                    now.step.phase + 1.0});
    rows.push_back({"step", fmt::format("{} of {}", view.step + 1, phase_steps(view.product)),
                    Provenance::exact, step_name(now.step), view.step + 1.0});
    rows.push_back({"terms of each sum", fmt::format("{} of {}", now.terms, view.product.matrix),
                    Provenance::exact, "An element of C is the sum of so many products.", double(now.terms)});
    rows.push_back(
        count_so_far("global loads so far", now.counts.global_loads,
                     "Elements of A and B that this block's threads have read from global memory."));
    // Of equal progress: what the tiles that were loaded so far serve, also if not all of it is done yet.
    const std::int64_t served =
        std::int64_t{view.product.threads()} * view.product.tile * (now.step.phase + 1);
    rows.push_back(
        count_so_far("the same without tiles", 2 * served,
                     "The multiplications that the tiles loaded so far serve, without tiles: both factors "
                     "of each come from global memory."));
    rows.push_back(count_so_far("shared reads so far", now.counts.shared_loads,
                                "Elements that this block's threads have read from shared memory."));
}

void add_grid_rows(std::vector<Quantity>& rows, const BoardInput& input, const TileProduct& product) {
    const PhaseCounts grid = grid_counts(product);
    rows.push_back(
        {"loads per element", fmt::format("{}, untiled {}", product.phases(), product.matrix),
         Provenance::exact,
         "How often the whole grid loads each element of A and B: matrix / tile with tiles, matrix "
         "without.",
         product.phases(), Better::less});
    rows.push_back(
        {"loads of the grid",
         fmt::format("{} of {}", format_count(grid.global_loads), format_count(grid.untiled_loads())),
         Provenance::exact, "All blocks together: with tiles, of those that it takes without.",
         double(grid.global_loads), Better::less});
    rows.push_back({"traffic cut", fmt::format("{} times", product.tile), Provenance::exact,
                    "Global loads without tiles, divided by those with tiles: the tile's width.",
                    product.tile, Better::more});
    const DeviceFacts& device = input.device();
    if (device.peak_gb_per_s <= 0) return;
    rows.push_back({.name = "limit by loads",
                    .text = rate_text(limit_by_loads(product, device)),
                    .provenance = Provenance::approximate,
                    .source = fmt::format(
                        "If every load of 4 bytes came from DRAM at its datasheet rate, {:.1f} GB/s on {}: "
                        "rate / 4 bytes x {} operations for each load. Caches make it better. Without tiles "
                        "it would be {}. After Kirk and Hwu, draft of chapter 4.",
                        device.peak_gb_per_s, device.name, product.tile,
                        rate_text(limit_by_loads({.matrix = product.matrix, .tile = 1}, device))),
                    .amount = limit_by_loads(product, device),
                    .better = Better::more,
                    .unit = "GFLOP/s"});
}

std::vector<std::string> phases_caption(const BoardInput& input) {
    const PhasesView view = phases_view(input);
    const TileProduct& product = view.product;
    return {
        fmt::format("{0} x {0} matrices in tiles of {1} x {1}: {2} blocks of {3}", product.matrix,
                    product.tile, product.phases() * product.phases(), counted(product.threads(), "thread")),
        fmt::format("{}, step {} of {}: {}", block_name(product.block_row, product.block_column),
                    view.step + 1, phase_steps(product), step_name(view.moment.step)),
        fmt::format("{} counts of accesses by single threads, which hold on every GPU: who loads what is as "
                    "in scenario matrix-multiply, variant tiled",
                    provenance_name(Provenance::exact))};
}

std::vector<Quantity> phases_numbers(const BoardInput& input) {
    std::vector<Quantity> rows;
    const PhasesView view = phases_view(input);
    add_block_rows(rows, view);
    add_grid_rows(rows, input, view.product);
    return rows;
}

std::string phase_of(const PhasesView& view) {
    return fmt::format("Phase {} of {}", view.moment.step.phase + 1, view.product.phases());
}

/// At the start of a sentence.
std::string thread_of(const PhasesView& view) {
    std::string name = thread_name(view.product, view.thread);
    name.front() = 'T';
    return name;
}

Explanation explain_load(const PhasesView& view) {
    const TileProduct& p = view.product;
    const PhaseTouch touch = phase_touch(p, view.moment.step, view.thread);
    return {.verdict = fmt::format(
                "{}: each thread brings one element of A and one of B into shared memory, {} in all.",
                phase_of(view), counted(2 * p.threads(), "load")),
            .why = fmt::format("{} brings {} to {} and {} to {}. From there each element will be used {}.",
                               thread_of(view), element_name("A", touch.a), element_name("As", touch.tile_a),
                               element_name("B", touch.b), element_name("Bs", touch.tile_b),
                               counted(p.tile, "time"))};
}

Explanation explain_wait(const PhasesView& view) {
    const TileProduct& p = view.product;
    const bool last = view.moment.step.phase + 1 == p.phases();
    Explanation e;
    if (view.moment.step.act == PhaseAct::wait_loaded) {
        e.verdict = fmt::format("{}: all threads wait until both tiles are complete.", phase_of(view));
        e.why = p.threads() == 1
                    ? std::string("A block of one thread has nobody to wait for; the code is the same.")
                    : fmt::format(
                          "Of the {} elements that a thread will read it has brought 2 itself, the others "
                          "come from other threads: without __syncthreads() it could read too early.",
                          2 * p.tile);
        return e;
    }
    e.verdict = fmt::format("{}: all threads wait until nobody needs these tiles any more.", phase_of(view));
    e.why = last ? "After the last phase nothing overwrites the tiles; the loop waits all the same."
                 : "The next phase puts other elements into the same shared memory: a thread that is ahead "
                   "must not overwrite what another one still reads.";
    return e;
}

Explanation explain_multiply(const PhasesView& view) {
    const TileProduct& p = view.product;
    const PhaseStep& step = view.moment.step;
    const PhaseTouch touch = phase_touch(p, step, view.thread);
    Explanation e;
    e.verdict = fmt::format("{}, k = {}: {} elements in shared memory serve {} reads.", phase_of(view),
                            step.k, 2 * p.tile, 2 * p.threads());
    e.why = fmt::format(
        "{}: sum += {} · {}, that is {} · {}. Its row of As is read by {} of the block, and so "
        "is its column of Bs; {} of its {} are added.",
        thread_of(view), element_name("As", touch.tile_a), element_name("Bs", touch.tile_b),
        element_name("A", touch.a), element_name("B", touch.b), counted(p.tile, "thread"), view.moment.terms,
        counted(p.matrix, "product"));
    return e;
}

Explanation explain_store(const PhasesView& view) {
    const TileProduct& p = view.product;
    const PhaseCounts& counts = view.moment.counts;
    return {
        .verdict =
            p.tile == 1
                ? fmt::format("Done, with {} from global memory: tiles of 1 x 1 save nothing.",
                              counted(counts.global_loads, "load"))
                : fmt::format(
                      "Done, with {0} from global memory instead of {1}: tiles of {2} x {2} cut the traffic {2} times.",
                      counted(counts.global_loads, "load"), format_count(counts.untiled_loads()), p.tile),
        .why =
            fmt::format("Each element that the block needs was loaded once and used {}. In the whole grid it "
                        "is loaded {}, once for each block in its row or column of blocks, instead of {}.",
                        counted(p.tile, "time"), counted(p.phases(), "time"), p.matrix)};
}

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
    phases_numbers,
    [](const BoardInput& input) { return explain_phases(phases_view(input)); },
    phases_caption};

Explanation explain_phases(const PhasesView& view) {
    const PhaseAct act = view.moment.step.act;
    Explanation e = act == PhaseAct::load       ? explain_load(view)
                    : act == PhaseAct::multiply ? explain_multiply(view)
                    : act == PhaseAct::store    ? explain_store(view)
                                                : explain_wait(view);
    e.good = view.product.tile > 1;
    return e;
}

}  // namespace warplens
