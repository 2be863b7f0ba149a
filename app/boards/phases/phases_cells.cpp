#include "app/boards/phases/phases_canvas.h"
#include "app/pictures/access/explain.h"
#include "app/pictures/kit/fit_text.h"
#include "app/pictures/kit/motion.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

using multiply::Cell;

/// One of the two factors, so that both are drawn by the same code.
struct Factor {
    std::string_view name, tile_name;
    const CellGrid &grid, &shared;
    const std::vector<int>&loads, &uses, &held;
    Cell PhaseTouch::*element;
    Cell PhaseTouch::*place;
    int first_row, first_column;  ///< of the present phase's tile
    bool is_a;
};

Factor factor_of(const PhasesCanvas& d, bool a) {
    const TileProduct& p = d.product();
    const PhaseMoment& m = d.view.moment;
    const int along = m.step.phase * p.tile;
    return {.name = a ? "A" : "B",
            .tile_name = a ? "As" : "Bs",
            .grid = a ? d.layout.a : d.layout.b,
            .shared = a ? d.layout.shared_a : d.layout.shared_b,
            .loads = a ? m.a_loads : m.b_loads,
            .uses = a ? m.a_uses : m.b_uses,
            .held = a ? m.shared_a : m.shared_b,
            .element = a ? &PhaseTouch::a : &PhaseTouch::b,
            .place = a ? &PhaseTouch::tile_a : &PhaseTouch::tile_b,
            .first_row = a ? p.block_row * p.tile : along,
            .first_column = a ? along : p.block_column * p.tile,
            .is_a = a};
}

bool in_tile(const PhasesCanvas& d, const Factor& f, Cell cell) {
    const int tile = d.product().tile;
    return cell.row >= f.first_row && cell.row < f.first_row + tile && cell.column >= f.first_column &&
           cell.column < f.first_column + tile;
}

/// In the row of A's tiles, or the column of B's, that the block reads.
bool in_band(const PhasesCanvas& d, const Factor& f, Cell cell) {
    const int along = f.is_a ? cell.row - f.first_row : cell.column - f.first_column;
    return along >= 0 && along < d.product().tile;
}

/// Read by some thread in this step: of a tile, the column or row that belongs to k.
bool is_read(const PhasesCanvas& d, const Factor& f, Cell place) {
    return !d.multiplies() || (f.is_a ? place.column : place.row) == d.step().k;
}

/// The thread that brings an element of the present tile.
int loader(const PhasesCanvas& d, const Factor& f, Cell place) {
    const PhaseStep load{PhaseAct::load, d.step().phase, 0};
    for (int thread = 0; thread < d.product().threads(); ++thread) {
        const Cell at = phase_touch(d.product(), load, thread).*f.place;
        if (at.row == place.row && at.column == place.column) return thread;
    }
    return 0;
}

/// The rectangle of an element; small ones have no frame.
void draw_box(const PhasesCanvas& d, Rect rect, Color fill, Color stroke) {
    const bool small = std::min(rect.w, rect.h) < 14;
    Box box{.rect = inset(rect, small ? 0.5f : 0.75f), .fill = fill, .rounding = small ? 1.0f : 2.0f};
    if (!small || fill == d.canvas.theme.panel) box.stroke = stroke;
    d.canvas.box(box);
}

void draw_texts(const PhasesCanvas& d, Rect cell, const std::string& name, const std::string& below,
                Color ink, Color weak_ink) {
    const PhasesLayout& layout = d.layout;
    if (layout.two_lines) {
        const auto height = [](FontRole font) { return ascent(font) + descent(font) + 1; };
        const float first = height(layout.font), second = height(FontRole::body);
        const float top = cell.y + (cell.h - first - second) / 2;
        const bool two = !below.empty();
        d.canvas.label_inside({cell.x, two ? top : cell.y, cell.w, two ? first : cell.h}, name, layout.font,
                              ink);
        d.canvas.label_inside({cell.x, top + first, cell.w, second}, below, FontRole::body, weak_ink);
    } else if (!below.empty() && layout.numbers && !layout.names) {
        d.canvas.label_inside(cell, below, FontRole::body, ink);
    } else if (layout.names) {
        d.canvas.label_inside(cell, name, layout.font, ink);
    }
}

std::string element_tooltip(const PhasesCanvas& d, const Factor& f, Cell cell) {
    const TileProduct& p = d.product();
    const std::size_t index = cell.row * p.matrix + cell.column;
    std::string text = fmt::format("{}, in global memory\n", element_name(f.name, cell));
    if (!in_band(d, f, cell)) {
        text += fmt::format("{} does not need it\n", block_name(p.block_row, p.block_column));
    } else if (f.loads[index] == 0) {
        text += "not loaded yet\n";
    } else {
        text += fmt::format("loaded once by this block, used {} of {} from shared memory so far\n",
                            f.uses[index], counted(p.tile, "time"));
    }
    return text + fmt::format("the whole grid loads it {}; without tiles {}", counted(p.phases(), "time"),
                              counted(p.matrix, "time"));
}

/// One element, wherever it is. @param index  in its matrix
std::uint32_t element_key(const Factor& f, int index) {
    constexpr int kMostElements = 1 << 20;
    return moving_key(MovingKind::cell, f.is_a ? index : kMostElements + index);
}

/// "1×": how often an element of the block's tiles was used so far.
std::string uses_text(int uses) { return fmt::format("{}×", uses); }

void draw_element(const PhasesCanvas& d, const Factor& f, Cell cell) {
    const Theme& theme = d.canvas.theme;
    const Rect rect = f.grid.at(cell);
    const std::size_t index = cell.row * d.product().matrix + cell.column;
    const bool band = in_band(d, f, cell), stored = d.view.moment.stored;
    const bool tile = !stored && in_tile(d, f, cell);
    const Cell place{cell.row - f.first_row, cell.column - f.first_column};
    Color fill = band ? theme.cell_empty : theme.panel, ink = band ? theme.text : theme.text_weak;
    if (tile) {
        const Color own = d.color(loader(d, f, place));
        fill = is_read(d, f, place) ? own : d.weak(own);
        ink = text_on(fill);
    }
    const auto draw = [&] {
        draw_box(d, rect, fill, theme.grid);
        draw_texts(d, rect, element_name(f.name, cell),
                   f.loads[index] > 0 ? uses_text(f.uses[index]) : std::string(), ink, ink);
    };
    const bool held = std::ranges::find(f.held, int(index)) != f.held.end();
    // From here its copy sets out when it is loaded.
    if (held)
        draw();
    else
        d.canvas.moving(element_key(f, int(index)), draw);
    d.canvas.hit(rect, -1, element_tooltip(d, f, cell));
}

/// Draws a place of shared memory with the element that it holds.
void draw_place(const PhasesCanvas& d, const Factor& f, Cell place) {
    const Rect rect = f.shared.at(place);
    const std::string where = element_name(f.tile_name, place);
    const int held = f.held[place.row * d.product().tile + place.column];
    if (held < 0) {
        draw_box(d, rect, d.canvas.theme.panel, d.canvas.theme.outline);
        d.canvas.hit(rect, -1, where + ": nothing yet");
        return;
    }
    const Cell element{held / d.product().matrix, held % d.product().matrix};
    const int thread = loader(d, f, place), uses = f.uses[held];
    const Color fill =
        is_read(d, f, place) && !d.view.moment.stored ? d.color(thread) : d.weak(d.color(thread));
    d.canvas.moving(element_key(f, held), [&] {
        draw_box(d, rect, fill, d.canvas.theme.outline);
        draw_texts(d, rect, element_name(f.name, element), uses_text(uses), text_on(fill), text_on(fill));
    });
    d.canvas.hit(
        rect, thread,
        fmt::format("{} holds {}, brought by {}\nused {} of {} so far", where, element_name(f.name, element),
                    thread_name(d.product(), thread), uses, counted(d.product().tile, "time")));
}

void draw_factor(const PhasesCanvas& d, const Factor& f) {
    Canvas& canvas = d.canvas;
    const TileProduct& p = d.product();
    for (int row = 0; row < p.matrix; ++row) {
        for (int column = 0; column < p.matrix; ++column) draw_element(d, f, {row, column});
    }
    for (int phase = 0; phase < p.phases(); ++phase) {
        const int along = phase * p.tile;
        const Rect tile = f.is_a ? f.grid.part(f.first_row, along, p.tile, p.tile)
                                 : f.grid.part(along, f.first_column, p.tile, p.tile);
        canvas.frame(tile, canvas.theme.outline, 2, 3);
    }
    if (!d.view.moment.stored)
        canvas.frame(f.grid.part(f.first_row, f.first_column, p.tile, p.tile), canvas.theme.highlight, 3, 3);
    for (int row = 0; row < p.tile; ++row) {
        for (int column = 0; column < p.tile; ++column) draw_place(d, f, {row, column});
    }
    if (!d.loads() && !d.multiplies()) return;
    const PhaseTouch touch = d.touch();
    canvas.highlight(inset(f.grid.at(touch.*f.element), 1), 2);
    canvas.highlight(inset(f.shared.at(touch.*f.place), 1), 2);
}

void draw_result(const PhasesCanvas& d, Cell cell, int thread) {
    Canvas& canvas = d.canvas;
    const Theme& theme = canvas.theme;
    const TileProduct& p = d.product();
    const Rect rect = d.layout.c.at(cell);
    const std::string name = element_name("C", cell);
    if (thread < 0) {
        const int row = cell.row / p.tile, column = cell.column / p.tile;
        draw_box(d, rect, theme.panel, theme.grid);
        draw_texts(d, rect, name, "", theme.text_weak, theme.text_weak);
        canvas.hit({.rect = rect,
                    .tooltip = fmt::format("{}: computed by {}\nclick: follow that block", name,
                                           block_name(row, column)),
                    .link = phases_link(fmt::format("phases.row={}&phases.column={}", row, column))});
        return;
    }
    const bool stored = d.view.moment.stored;
    const Color own = d.color(thread);
    draw_box(d, rect, own, distinct_from(own, theme.panel, 3));
    const int terms = d.view.moment.terms;
    const std::string wide = stored ? "stored" : fmt::format("{} of {}", terms, p.matrix);
    const std::string state = fit_text(
        canvas,
        {wide, stored ? std::string("✓") : fmt::format("{}/{}", terms, p.matrix), std::to_string(terms)},
        FontRole::body, rect.w - 8);
    draw_texts(d, rect, name, state, text_on(own), text_on(own));
    canvas.hit({.rect = rect,
                .lane = thread,
                .tooltip = fmt::format("{}: {}\n{} of {} terms added{}\nclick: highlight this thread", name,
                                       thread_name(p, thread), terms, p.matrix, stored ? ", and stored" : ""),
                .link = phases_link(fmt::format("phases.thread={}", thread))});
}

void draw_results(const PhasesCanvas& d) {
    const TileProduct& p = d.product();
    for (int row = 0; row < p.matrix; ++row) {
        for (int column = 0; column < p.matrix; ++column) {
            const bool inside = row / p.tile == p.block_row && column / p.tile == p.block_column;
            if (!inside) draw_result(d, {row, column}, -1);
        }
    }
    for (int thread = 0; thread < p.threads(); ++thread) draw_result(d, p.result(thread), thread);
    const Rect block = d.layout.c.part(p.block_row * p.tile, p.block_column * p.tile, p.tile, p.tile);
    d.canvas.frame(block, d.canvas.theme.highlight, 3, 3);
    d.canvas.highlight(inset(d.layout.c.at(p.result(d.thread)), 1), 2);
}

/// The name of a matrix above it, and numbers of rows and columns where cells hold no names.
constexpr float kNameGap = 8;  // between a matrix's name and where it lies [points]

void draw_names(const PhasesCanvas& d, const CellGrid& grid, std::string_view name, std::string_view role,
                bool rows, bool columns) {
    Canvas& canvas = d.canvas;
    const Rect all = grid.all();
    const float shift = columns && d.layout.indices ? 16.0f : 0.0f;
    const float baseline = all.y - 6 - shift;
    canvas.label({all.x, baseline}, std::string(name), FontRole::strong, canvas.theme.text);
    const float after = canvas.width(name, FontRole::strong) + kNameGap;
    canvas.label_elided({all.x + after, baseline}, role, FontRole::body, canvas.theme.text_weak,
                        all.w - after);
    if (!d.layout.indices) return;
    for (int i = 0; i < grid.rows; ++i) {
        const Rect row = grid.at(i, 0), column = grid.at(0, i);
        if (rows)
            canvas.label_middle({all.x - 4, row.y + row.h / 2}, std::to_string(i), FontRole::body,
                                canvas.theme.text_weak, Anchor::end);
        if (columns)
            canvas.label_inside({column.x - 4, all.y - 18, column.w + 8, 16}, std::to_string(i),
                                FontRole::body, canvas.theme.text_weak);
    }
}

void draw_shared_frame(const PhasesCanvas& d) {
    Canvas& canvas = d.canvas;
    const Rect frame = d.layout.shared;
    const bool waits = d.step().act == PhaseAct::wait_loaded || d.step().act == PhaseAct::wait_used;
    canvas.box({.rect = frame,
                .fill = mix(canvas.theme.panel, canvas.theme.accent, 0.07f),
                .stroke = waits ? canvas.theme.highlight : canvas.theme.outline,
                .stroke_width = waits ? 3.0f : 1.0f,
                .rounding = 6});
    canvas.hit(frame, -1,
               waits ? "The barrier __syncthreads(): every thread of the block waits here for all others."
                     : "Shared memory: on the SM, seen by the threads of one block.");
    const std::string text = waits ? "shared memory: all threads wait" : "shared memory of the block";
    for (const std::string& line :
         {text, std::string(waits ? "barrier" : "shared memory"), std::string("shared")}) {
        if (canvas.label_inside({frame.x + 4, frame.y + 2, frame.w - 8, kPhaseHead}, line, FontRole::body,
                                waits ? canvas.theme.highlight : canvas.theme.text_weak))
            break;
    }
}

}  // namespace

void draw_phase_matrices(const PhasesCanvas& d) {
    draw_shared_frame(d);
    for (const bool a : {true, false}) draw_factor(d, factor_of(d, a));
    draw_results(d);
    draw_names(
        d, d.layout.a, "A",
        fit_text(d.canvas, {"global memory; n×: used n times so far", "n×: used n times so far", "n×: uses"},
                 FontRole::body, d.layout.a.all().w - d.canvas.width("A", FontRole::strong) - kNameGap),
        true, false);
    draw_names(d, d.layout.b, "B", "global memory", false, true);
    draw_names(
        d, d.layout.c, "C",
        fit_text(d.canvas, {"in registers until it is stored", "in registers, then stored", "in registers"},
                 FontRole::body, d.layout.c.all().w - d.canvas.width("C", FontRole::strong) - kNameGap),
        false, false);
    draw_names(d, d.layout.shared_a, "As", "", false, false);
    draw_names(d, d.layout.shared_b, "Bs", "", false, false);
}

void draw_phase_wires(const PhasesCanvas& d) {
    if (!d.loads() && !d.multiplies()) return;
    const PhaseTouch touch = d.touch();
    const PhasesLayout& layout = d.layout;
    const Rect a = layout.a.at(touch.a), b = layout.b.at(touch.b), as = layout.shared_a.at(touch.tile_a),
               bs = layout.shared_b.at(touch.tile_b), c = layout.c.at(d.product().result(d.thread));
    const Color color = d.canvas.theme.highlight;
    // From corner to corner and between the cells, where no text stands.
    const auto connect = [&](Vec2 from, float aisle, Vec2 to) {
        d.canvas.add(Path{{from, {aisle, from.y}, {aisle, to.y}, to}, color, 2});
        d.canvas.mark(to, MarkShape::circle, layout.names ? 3.0f : 2.0f, color);
    };
    const float between = layout.b.origin.x - kPhaseGap / 2;  // A and shared memory, and B and C
    if (d.multiplies()) {
        connect({as.x + as.w, as.y + as.h}, between, {c.x, c.y});
        connect({bs.x + bs.w, bs.y + bs.h}, between, {c.x, c.y});
        return;
    }
    const float numbers = layout.indices ? d.canvas.width("00", FontRole::body) + 4 : 0.0f;
    const float left = std::max(2.0f, std::min(layout.a.origin.x - numbers, layout.shared.x) - 7);
    connect({a.x, a.y}, left, {as.x, as.y + as.h});
    connect({b.x, b.y + b.h}, between, {bs.x + bs.w, bs.y + bs.h});
}

}  // namespace warplens
