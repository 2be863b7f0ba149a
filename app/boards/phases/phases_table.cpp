#include "app/boards/phases/phases_canvas.h"

#include <fmt/format.h>

namespace warplens {
namespace {

using What = PhaseColumn::What;

/// By PhaseColumn::What.
constexpr const char* kCode[] = {"As[ty][tx] = A[row][phase * tile + tx]",
                                 "Bs[ty][tx] = B[phase * tile + ty][col]", "__syncthreads()",
                                 "sum += As[ty][k] * Bs[k][tx]", "C[row][col] = sum"};

/// What a thread does in a column, for its tooltip.
std::string sentence_of(const PhasesCanvas& d, const PhaseColumn& column, int thread) {
    const std::string who = thread_name(d.product(), thread);
    if (column.what == What::barrier) return who + " waits for all threads of the block";
    if (column.what == What::store)
        return fmt::format("{} stores {}", who, element_name("C", d.product().result(thread)));
    const PhaseTouch touch = phase_touch(d.product(), column.step, thread);
    if (column.what == What::load_a)
        return fmt::format("{} brings {} to {}", who, element_name("A", touch.a),
                           element_name("As", touch.tile_a));
    if (column.what == What::load_b)
        return fmt::format("{} brings {} to {}", who, element_name("B", touch.b),
                           element_name("Bs", touch.tile_b));
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
        canvas.fill({middle - w / 2, body_y, w, table.row_h * static_cast<float>(table.rows)}, color, 1);
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
                .tooltip = kCode[static_cast<int>(column.what)] + click,
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
        canvas.label_middle({row.x + 20, middle}, thread_name(d.product(), thread), FontRole::body,
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

void draw_phase_table(const PhasesCanvas& d) {
    if (d.layout.table.rect.w <= 0) return;
    for (const PhaseColumn& column : d.layout.table.columns) draw_column(d, column);
    draw_phase_names(d);
    draw_thread_names(d);
}

}  // namespace warplens
