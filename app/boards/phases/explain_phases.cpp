#include "app/boards/phases/phases_picture.h"
#include "app/pictures/access/explain.h"

#include <fmt/format.h>

namespace warplens {
namespace {

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
    Explanation e;
    e.verdict =
        fmt::format("{}: each thread brings one element of A and one of B into shared memory, {} in all.",
                    phase_of(view), counted(2 * p.threads(), "load"));
    e.why =
        fmt::format("{} brings {} to {} and {} to {}. From there each element will be used {}.",
                    thread_of(view), element_name("A", touch.a), element_name("As", touch.tile_a),
                    element_name("B", touch.b), element_name("Bs", touch.tile_b), counted(p.tile, "time"));
    return e;
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
    Explanation e;
    e.verdict =
        p.tile == 1
            ? fmt::format("Done, with {} from global memory: tiles of 1 x 1 save nothing.",
                          counted(counts.global_loads, "load"))
            : fmt::format(
                  "Done, with {0} from global memory instead of {1}: tiles of {2} x {2} cut the traffic {2} times.",
                  counted(counts.global_loads, "load"), format_count(counts.untiled_loads()), p.tile);
    e.why = fmt::format(
        "Each element that the block needs was loaded once and used {}. In the whole grid it "
        "is loaded {}, once for each block in its row or column of blocks, instead of {}.",
        counted(p.tile, "time"), counted(p.phases(), "time"), p.matrix);
    return e;
}

}  // namespace

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
