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

using What = PhaseColumn::What;

/// By PhaseColumn::What.
constexpr const char* kCode[] = {"As[ty][tx] = A[row][phase * tile + tx]",
                                 "Bs[ty][tx] = B[phase * tile + ty][col]", "__syncthreads()",
                                 "sum += As[ty][k] * Bs[k][tx]", "C[row][col] = sum"};

/// Says what a thread does in a column, for its tooltip.
std::string sentence_of(const PhasesCanvas& d, const PhaseColumn& column, int thread) {
    const std::string who = thread_name(d.product(), thread);
    if (column.what == What::barrier) return who + " waits for all threads of the block";
    if (column.what == What::store)
        return fmt::format("{} stores {}", who, element_name("C", d.product().result(thread)));
    const PhaseTouch touch = phase_touch(d.product(), column.step, thread);
    const bool a = column.what == What::load_a;
    if (a || column.what == What::load_b)
        return fmt::format("{} brings {} to {}", who, element_name(a ? "A" : "B", a ? touch.a : touch.b),
                           element_name(a ? "As" : "Bs", a ? touch.tile_a : touch.tile_b));
    return fmt::format("{} adds {} times {}, that is {}", who, element_name("As", touch.tile_a),
                       element_name("Bs", touch.tile_b), term_name(touch));
}

void draw_head(const PhasesCanvas& d, const PhaseColumn& column, bool now) {
    Canvas& canvas = d.canvas;
    const PhasesTable& table = d.layout.table;
    const Rect head{column.x, table.rect.y + kPhaseHead, column.w, kPhaseHead};
    const std::string text = column.what == What::load_a     ? "to As"
                             : column.what == What::load_b   ? "to Bs"
                             : column.what == What::multiply ? fmt::format("k = {}", column.step.k)
                             : column.what == What::store    ? "to C"
                                                             : "";
    const FontRole font = now ? FontRole::strong : FontRole::body;
    const Color ink = now ? canvas.theme.highlight : canvas.theme.text_weak;
    if (canvas.label_inside(head, text, font, ink) || column.what != What::multiply) return;
    constexpr float kLeastForAll = 16;  // in narrower columns their numbers would run together
    if (!now && column.w < kLeastForAll) return;
    canvas.label_middle({head.x + head.w / 2, head.y + head.h / 2}, std::to_string(column.step.k), font, ink,
                        Anchor::middle);
}

void draw_cell(const PhasesCanvas& d, const PhaseColumn& column, int thread, Rect cell, int state) {
    Canvas& canvas = d.canvas;
    const Theme& theme = canvas.theme;
    const Color own = d.color(thread);
    const Color fill = state == 0 ? own : state < 0 ? mix(theme.panel, theme.text, 0.14f) : theme.panel;
    const Rect box = inset(cell, 1);
    canvas.box({.rect = box, .fill = fill, .stroke = theme.grid, .rounding = 2});
    const Color ink = state == 0 ? text_on(own) : state < 0 ? theme.text : theme.text_weak;
    if (column.what == What::store) {
        canvas.label_inside(box, element_name("C", d.product().result(thread)), FontRole::body, ink);
        return;
    }
    const PhaseTouch touch = phase_touch(d.product(), column.step, thread);
    const std::string a = element_name("A", touch.a), b = element_name("B", touch.b);
    if (column.what == What::load_a) canvas.label_inside(box, a, FontRole::body, ink);
    if (column.what == What::load_b) canvas.label_inside(box, b, FontRole::body, ink);
    if (column.what != What::multiply || !d.layout.table.terms) return;
    if (!d.layout.table.two_lines) {
        canvas.label_inside(box, term_name(touch), FontRole::body, ink);
        return;
    }
    canvas.label_inside({box.x, box.y, box.w, box.h / 2}, a, FontRole::body, ink);
    canvas.label_inside({box.x, box.y + box.h / 2, box.w, box.h / 2}, "· " + b, FontRole::body, ink);
}

void draw_column(const PhasesCanvas& d, const PhaseColumn& column) {
    Canvas& canvas = d.canvas;
    const PhasesTable& table = d.layout.table;
    const int number = step_number(d.product(), column.step);
    const int state = number < d.view.step ? -1 : number == d.view.step ? 0 : 1;  // past, now, to come
    draw_head(d, column, state == 0);
    const float body_y = table.rect.y + table.head_h;
    if (column.what == What::barrier) {
        const Color color = state == 0  ? canvas.theme.highlight
                            : state < 0 ? canvas.theme.outline
                                        : canvas.theme.grid;
        const float w = state == 0 ? 5.0f : 2.0f, middle = column.x + column.w / 2;
        canvas.fill({middle - w / 2, body_y, w, table.row_h * float(table.rows)}, color, 1);
    }
    const std::string click = "\nclick: show this step";
    const std::string link = phases_link(fmt::format("phases.step={}", number));
    for (int i = 0; i < table.rows; ++i) {
        const int thread = table.first_thread + i;
        const Rect cell{column.x, table.row(i).y, column.w, table.row_h};
        if (column.what != What::barrier) draw_cell(d, column, thread, cell, state);
        canvas.hit(
            {.rect = cell, .lane = thread, .tooltip = sentence_of(d, column, thread) + click, .link = link});
    }
    canvas.hit({.rect = {column.x, table.rect.y + kPhaseHead, column.w, kPhaseHead},
                .tooltip = kCode[int(column.what)] + click,
                .link = link});
}

void draw_phase_names(const PhasesCanvas& d) {
    Canvas& canvas = d.canvas;
    const PhasesTable& table = d.layout.table;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const PhaseColumn& first = table.columns[i];
        if (first.what != What::load_a) continue;
        const PhaseColumn& last = table.columns[i + static_cast<std::size_t>(d.product().tile) + 3];
        const Rect head{first.x, table.rect.y, last.x + last.w - first.x, kPhaseHead};
        const bool now = first.step.phase == d.step().phase && d.step().act != PhaseAct::store;
        const FontRole font = now ? FontRole::strong : FontRole::body;
        const Color ink = now ? canvas.theme.highlight : canvas.theme.text_weak;
        const std::string longer = fmt::format("phase {} of {}", first.step.phase + 1, d.product().phases());
        if (!canvas.label_inside(head, longer, font, ink))
            canvas.label_inside(head, std::to_string(first.step.phase + 1), font, ink);
        canvas.line({head.x, head.y + head.h - 1}, {head.x + head.w, head.y + head.h - 1},
                    now ? canvas.theme.highlight : canvas.theme.grid, now ? 2.0f : 1.0f);
    }
}

void draw_thread_names(const PhasesCanvas& d) {
    Canvas& canvas = d.canvas;
    const PhasesTable& table = d.layout.table;
    if (table.brief_names && table.rows == d.product().threads())
        canvas.label_middle({table.rect.x, table.rect.y + 1.5f * kPhaseHead}, "thread", FontRole::body,
                            canvas.theme.text_weak);
    if (table.rows < d.product().threads()) {
        const std::string which = fmt::format("{} to {} of {}", table.first_thread + 1,
                                              table.first_thread + table.rows, d.product().threads());
        canvas.label_middle({table.rect.x, table.rect.y + 1.5f * kPhaseHead},
                            canvas.elide(which, FontRole::body, table.label_w), FontRole::body,
                            canvas.theme.text_weak);
    }
    for (int i = 0; i < table.rows; ++i) {
        const int thread = table.first_thread + i;
        const Rect row = table.row(i);
        const float middle = row.y + row.h / 2;
        const Color own = d.color(thread);
        canvas.box({.rect = {row.x + 3, middle - 6, 12, 12},
                    .fill = own,
                    .stroke = distinct_from(own, canvas.theme.panel, 3),
                    .rounding = 2});
        const bool chosen = thread == d.thread;
        const std::string name = thread_name(d.product(), thread);
        canvas.label_middle({row.x + 20, middle},
                            table.brief_names ? std::string(brief_thread_name(name)) : name, FontRole::body,
                            chosen ? canvas.theme.text : canvas.theme.text_weak);
        if (chosen) canvas.frame(row, canvas.theme.highlight, 2, 3);
        canvas.hit({.rect = {row.x, row.y, table.label_w, row.h},
                    .lane = thread,
                    .tooltip = fmt::format("{}: threadIdx.x = {}, threadIdx.y = {}\nclick: highlight it",
                                           thread_name(d.product(), thread), d.product().place(thread).column,
                                           d.product().place(thread).row),
                    .link = phases_link(fmt::format("phases.thread={}", thread))});
    }
}

}  // namespace

PhasesView view_phases(const TileProduct& product, int step, int thread) {
    assert(thread >= 0 && thread < product.threads());
    return {product, step, thread, phase_moment(product, step)};
}

Color thread_color(const Theme& theme, int thread, int threads) {
    if (threads <= 1) return lane_color(theme, 16);
    return lane_color(theme, int(std::lround(31.0f * float(thread) / float(threads - 1))));
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
    if (step.act == PhaseAct::store) return "threads store their sums";
    if (step.act == PhaseAct::multiply) return fmt::format("phase {}, multiply k = {}", phase, step.k);
    return fmt::format("phase {}, {}", phase,
                       step.act == PhaseAct::load          ? "threads load"
                       : step.act == PhaseAct::wait_loaded ? "barrier: tiles loaded"
                                                           : "barrier: tiles used");
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

void draw_phase_table(const PhasesCanvas& d) {
    if (d.layout.table.rect.w <= 0) return;
    for (const PhaseColumn& column : d.layout.table.columns) draw_column(d, column);
    draw_phase_names(d);
    draw_thread_names(d);
}

}  // namespace warplens
