#include "app/boards/phases/phases_picture.h"

#include "app/boards/phases/phases_canvas.h"
#include "app/pictures/access/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace warplens {
namespace {

std::string term_of(const PhasesCanvas& d, int k) {
    const int tile = d.product().tile;
    return term_name(phase_touch(d.product(), {PhaseAct::multiply, k / tile, k % tile}, d.thread));
}

/// "A·B + A·B + … + A·B": the first and the last terms, as many as fit.
std::string sum_text(const PhasesCanvas& d, float room) {
    const int terms = d.view.moment.terms;
    const auto text = [&](int from_start, int from_end) {
        std::string all;
        for (int k = 0; k < terms; ++k) {
            if (k == from_start && from_start + from_end < terms) all += all.empty() ? "…" : " + …";
            if (k < from_start || k >= terms - from_end) all += (all.empty() ? "" : " + ") + term_of(d, k);
        }
        return all;
    };
    for (int shown = terms; shown > 0; --shown) {
        std::string all = shown == 1 ? text(0, 1) : text(shown - 1, 1);
        if (d.canvas.width(all, FontRole::body) <= room) return all;
    }
    return d.canvas.elide(terms == 0 ? "0" : text(1, 0), FontRole::body, room);
}

/// The sentences of the step, in the room that the longest ones of all steps take: while steps go by, the
/// picture stands still.
struct StepSentences {
    Sentences sentences;
    float height = 0;
};

StepSentences fit_step(const PhasesView& view, const Style& style, float width, float room) {
    const auto fit = [&](int step) {
        return fit_sentences(explain_phases(view_phases(view.product, step, view.thread)), style, width,
                             room);
    };
    StepSentences fitted{fit(view.step)};
    for (const int step : {0, view.step, phase_steps(view.product) - 1})
        fitted.height = std::max(fitted.height, fit(step).height());
    return fitted;
}

/// The sum of the highlighted thread, term by term.
void draw_phase_sum(const PhasesCanvas& d, float x, float width) {
    if (d.layout.sum_y == 0) return;
    Canvas& canvas = d.canvas;
    const float baseline = middle_baseline(d.layout.sum_y, FontRole::body);
    const Color own = d.color(d.thread);
    canvas.box({.rect = {x, d.layout.sum_y - 6, 12, 12},
                .fill = own,
                .stroke = distinct_from(own, canvas.theme.panel, 3),
                .rounding = 2});
    const std::string who = fmt::format("{}: {} = ", thread_name(d.product(), d.thread),
                                        element_name("C", d.product().result(d.thread)));
    const std::string count =
        fmt::format("{} of {}", d.view.moment.terms, counted(d.product().matrix, "term"));
    const float name_w = canvas.width(who, FontRole::strong), count_w = canvas.width(count, FontRole::body);
    canvas.label_elided({x + 18, baseline}, who, FontRole::strong, canvas.theme.text, width - 18);
    const float room = width - 18 - name_w - count_w - 16;
    if (room < 40) return;
    canvas.label({x + 18 + name_w, baseline}, sum_text(d, room), FontRole::body, canvas.theme.text);
    canvas.label({x + width, baseline}, count, FontRole::body, canvas.theme.text_weak, Anchor::end);
    canvas.hit({x, d.layout.sum_y - 10, width, 20}, d.thread,
               "What this thread has added up so far, in a register of its own.");
}

}  // namespace

PhasesView view_phases(const TileProduct& product, int step, int thread) {
    assert(thread >= 0 && thread < product.threads());
    return {product, step, thread, phase_moment(product, step)};
}

Color thread_color(const Theme& theme, int thread, int threads) {
    if (threads <= 1) return lane_color(theme, 16);
    return lane_color(theme, static_cast<int>(std::lround(31.0f * static_cast<float>(thread) /
                                                          static_cast<float>(threads - 1))));
}

std::string element_name(std::string_view matrix, multiply::Cell cell) {
    return fmt::format("{}[{},{}]", matrix, cell.row, cell.column);
}

std::string thread_name(const TileProduct& product, int thread) {
    const multiply::Cell place = product.place(thread);
    return fmt::format("thread ({}, {})", place.column, place.row);
}

std::string block_name(int row, int column) { return fmt::format("block ({}, {})", column, row); }

std::string step_name(const PhaseStep& step) {
    const int phase = step.phase + 1;
    switch (step.act) {
        case PhaseAct::load:
            return fmt::format("phase {}, threads load", phase);
        case PhaseAct::wait_loaded:
            return fmt::format("phase {}, barrier: tiles loaded", phase);
        case PhaseAct::multiply:
            return fmt::format("phase {}, multiply k = {}", phase, step.k);
        case PhaseAct::wait_used:
            return fmt::format("phase {}, barrier: tiles used", phase);
        case PhaseAct::store:
            return "threads store their sums";
    }
    return {};
}

std::string phases_link(std::string_view settings) { return fmt::format("?board=phases&{}", settings); }

Picture draw_phases(const PhasesView& view, const Style& style) {
    const TileProduct& product = view.product;
    Canvas canvas(
        style, "Tile phases",
        fmt::format("C = A x B, {0} x {0} in tiles of {1} x {1}, {2}, step {3} of {4}", product.matrix,
                    product.tile, block_name(product.block_row, product.block_column), view.step + 1,
                    phase_steps(product)));
    const float top = canvas.draw_title() + (style.embedded ? 0.0f : 4.0f);
    const float edge = style.embedded ? 2.0f : 12.0f, x = canvas.margin();
    const float width = style.size.x - 2 * x;
    constexpr float kLeastPicture = 230;
    const StepSentences words = fit_step(view, style, width, style.size.y - edge - top - kLeastPicture);
    const float bottom = style.size.y - edge - words.height;
    const Rect place{x, top, width, bottom - top - 6};
    if (place.w < 120 || place.h < 100) return canvas.take();
    const PhasesLayout layout = lay_out_phases(canvas, view, place);
    const bool hovered = style.hovered_lane >= 0 && style.hovered_lane < product.threads();
    const PhasesCanvas drawing{canvas, view, layout, hovered ? style.hovered_lane : view.thread};
    draw_phase_matrices(drawing);
    draw_phase_table(drawing);
    draw_phase_wires(drawing);
    draw_phase_sum(drawing, x, width);
    draw_sentences(canvas, words.sentences, x, bottom);
    return canvas.take();
}

}  // namespace warplens
