#include "app/boards/phases/phases_canvas.h"

#include <algorithm>
#include <cmath>

namespace warplens {
namespace {

using What = PhaseColumn::What;
constexpr float kThreadRow = 22, kTwoLineRow = 38, kBarrier = 6, kSpace = 14;
constexpr float kLeastProduct = 9;  ///< width of a product that is not written out [points]

/// Widths of the columns' contents [points].
struct Widths {
    float label, load, term, factor;  ///< factor: a product on two lines
};

/// @param brief  whether threads stand without the word "thread"
Widths measure(const Canvas& canvas, const PhasesView& view, bool brief) {
    const int last = view.product.matrix - 1;
    const std::string name = element_name("B", {last, last});
    const std::string thread = thread_name(view.product, view.product.threads() - 1);
    return {canvas.width(brief ? brief_thread_name(thread) : thread, FontRole::body) + 30,
            canvas.width(name, FontRole::body) + kSpace,
            canvas.width(term_name({{last, last}, {last, last}, {}, {}}), FontRole::body) + kSpace,
            canvas.width("· " + name, FontRole::body) + kSpace};
}

/// The width of a phase: two loads, barriers, products.
float phase_width(const PhasesView& view, const Widths& widths, float product) {
    return 2 * widths.load + 2 * kBarrier + product * float(view.product.tile) + 6;
}

struct TableLook {
    bool terms = false, two_lines = false;
    int phases = 0;  ///< side by side
};

/// The first that fits of: all phases with products written out on one or two lines, all without, some.
TableLook choose(const PhasesView& view, const Widths& widths, float room, float height) {
    const float store = widths.load;
    const auto fitting = [&](float product) {
        return std::clamp(int((room - widths.label - store) / phase_width(view, widths, product)), 0,
                          view.product.phases());
    };
    const int all = view.product.phases(), least_rows = std::min(4, view.product.threads());
    const bool high = height - 2 * kPhaseHead >= kTwoLineRow * float(least_rows);
    const int one = fitting(widths.term), two = high ? fitting(widths.factor) : 0,
              short_ones = fitting(kLeastProduct);
    if (one == all) return {true, false, one};
    if (two == all) return {true, true, two};
    if (one > 0 && short_ones < all) return {true, false, one};
    if (short_ones == all) return {false, false, all};
    if (two > 0) return {true, true, two};
    return {false, false, std::max(1, short_ones)};
}

constexpr float kGapX = kPhaseGap, kGapY = kPhaseHead + 6;  ///< between the matrices
constexpr float kFramePad = 8;                              ///< inside the frame round shared memory
constexpr float kMostMatrixCell = 132, kMostMatrixCellHeight = 90;
constexpr float kIndex = 18;  ///< room for numbers of rows and columns

float float_of(int value) { return float(value); }

float line_room(FontRole font) { return ascent(font) + descent(font); }

/// Size of a cell, so that two matrices stand side by side and one above the other.
Vec2 cell_size(int matrix, Vec2 room) {
    const float w = (room.x - kGapX) / float_of(2 * matrix), h = (room.y - kGapY) / float_of(2 * matrix);
    const float height = std::clamp(std::min(h, w), 1.0f, kMostMatrixCellHeight);
    return {std::clamp(std::min(w, 1.7f * height), 1.0f, kMostMatrixCell), height};
}

void choose_font(PhasesLayout& layout, const Canvas& canvas, const std::string& name) {
    const Vec2 cell = layout.a.cell;
    const auto fits = [&](FontRole font) {
        return canvas.width(name, font) + 8 <= cell.x && line_room(font) + 4 <= cell.y;
    };
    layout.font = fits(FontRole::title) && cell.y > 58     ? FontRole::title
                  : fits(FontRole::heading) && cell.y > 44 ? FontRole::heading
                                                           : FontRole::body;
    layout.names = fits(layout.font);
    layout.two_lines = layout.names && line_room(layout.font) + line_room(FontRole::body) + 6 <= cell.y;
    layout.numbers = canvas.width("16", FontRole::body) + 2 <= cell.x && line_room(FontRole::body) <= cell.y;
}

/// Both tiles in the corner above A, their cells no larger than the matrices'.
void place_shared(PhasesLayout& layout, int tile) {
    const Rect a = layout.a.all(), b = layout.b.all();
    const Rect corner{a.x, b.y - kPhaseHead, a.w, b.h + kPhaseHead - 4};
    const float head = 2 * kPhaseHead;  // of the frame, and of each tile
    const Vec2 cell{std::min(layout.a.cell.x, (corner.w - 3 * kFramePad) / float_of(2 * tile)),
                    std::min(layout.a.cell.y, (corner.h - head - kFramePad) / float_of(tile))};
    const float w = cell.x * float_of(tile), h = cell.y * float_of(tile);
    const float gap = std::min(40.0f, (corner.w - 2 * w) / 3);
    const float frame_w = 2 * w + 3 * gap, frame_h = h + head + kFramePad;
    layout.shared = {corner.x + (corner.w - frame_w) / 2, corner.y + (corner.h - frame_h) / 2, frame_w,
                     frame_h};
    const float y = layout.shared.y + head;
    layout.shared_a = {{layout.shared.x + gap, y}, cell, tile, tile};
    layout.shared_b = {{layout.shared.x + 2 * gap + w, y}, cell, tile, tile};
}

void place_matrices(PhasesLayout& layout, const Canvas& canvas, const PhasesView& view, Rect place) {
    const int n = view.product.matrix;
    const std::string name = element_name("A", {n - 1, n - 1});  // the widest
    // Numbers of rows and columns stand where names do not fit.
    for (const float index : {0.0f, kIndex}) {
        const Vec2 room{place.w - index, place.h - kPhaseHead - index};
        const Vec2 cell = cell_size(n, room);
        const float w = 2 * cell.x * float_of(n) + kGapX, left = place.x + index + (room.x - w) / 2;
        const float top = place.y + kPhaseHead + index;
        const float right = left + cell.x * float_of(n) + kGapX, low = top + cell.y * float_of(n) + kGapY;
        layout.b = {{right, top}, cell, n, n};
        layout.a = {{left, low}, cell, n, n};
        layout.c = {{right, low}, cell, n, n};
        layout.indices = index > 0 && cell.x >= 13 && cell.y >= line_room(FontRole::body) + 0.2f;
        choose_font(layout, canvas, name);
        if (layout.names) break;
    }
    place_shared(layout, view.product.tile);
}

PhasesTable lay_out_phases_table(const Canvas& canvas, const PhasesView& view, Rect place) {
    const TileProduct& product = view.product;
    PhasesTable table;
    Widths widths = measure(canvas, view, false);
    TableLook choice = choose(view, widths, place.w, place.h);
    if (!choice.terms) {  // rather a shorter name than columns of nothing
        const Widths narrow = measure(canvas, view, true);
        const TableLook other = choose(view, narrow, place.w, place.h);
        table.brief_names = other.terms;
        if (other.terms) widths = narrow, choice = other;
    }
    table.terms = choice.terms;
    table.two_lines = choice.two_lines;
    table.label_w = widths.label;
    table.head_h = 2 * kPhaseHead;
    table.row_h = choice.two_lines ? kTwoLineRow : kThreadRow;
    const auto fit = int((place.h - table.head_h) / table.row_h);
    table.rows = std::min(product.threads(), fit);
    // There is no table if there is no room for two rows or for their contents.
    const float least = widths.label + phase_width(view, widths, kLeastProduct) + widths.load;
    if (table.rows < std::min(2, product.threads()) || place.w < least) return {};
    table.first_thread = std::min(view.thread / table.rows * table.rows, product.threads() - table.rows);

    // Phases are shown in pages, so that the columns do not move while a page plays.
    const int first = view.moment.step.phase / choice.phases * choice.phases;
    const int shown = std::min(choice.phases, product.phases() - first);
    const float product_least = choice.two_lines ? widths.factor : choice.terms ? widths.term : kLeastProduct;
    const float used =
        widths.label + widths.load + float(choice.phases) * phase_width(view, widths, product_least);
    const float more = std::max(0.0f, place.w - used) / float(choice.phases * product.tile);
    const float product_w = product_least + std::min(more, choice.terms ? 30.0f : 40.0f);
    float x = place.x + widths.label;
    const auto add = [&](What what, PhaseStep step, float w) {
        table.columns.push_back({what, step, x, w});
        x += w;
    };
    for (int phase = first; phase < first + shown; ++phase) {
        add(What::load_a, {PhaseAct::load, phase, 0}, widths.load);
        add(What::load_b, {PhaseAct::load, phase, 0}, widths.load);
        add(What::barrier, {PhaseAct::wait_loaded, phase, 0}, kBarrier);
        for (int k = 0; k < product.tile; ++k) add(What::multiply, {PhaseAct::multiply, phase, k}, product_w);
        add(What::barrier, {PhaseAct::wait_used, phase, 0}, kBarrier);
        x += 6;
    }
    if (first + shown == product.phases())
        add(What::store, {PhaseAct::store, product.phases() - 1, 0}, widths.load);
    const float h = table.head_h + table.row_h * float(table.rows);
    const float w = x - place.x;
    table.rect = {place.x, place.y, w, h};
    return table;
}

/// How much of what a person wants to read can be read.
float score(const PhasesLayout& layout, const PhasesView& view) {
    const PhasesTable& table = layout.table;
    const float cells = (layout.two_lines ? 3.0f
                         : layout.names   ? 2.0f
                         : layout.numbers ? 1.0f
                                          : 0.0f) +
                        2.0f * std::min(1.0f, layout.a.cell.y / 20);
    if (table.rect.w <= 0) return cells;
    const auto phases =
        float(std::ranges::count(table.columns, PhaseColumn::What::load_a, &PhaseColumn::what));
    const float seen =
        phases / float_of(view.product.phases()) + float_of(table.rows) / float_of(view.product.threads());
    return cells + 0.5f + (table.terms ? 1.0f : 0.0f) + 0.6f * seen;
}

/// Places where matrices and table could stand.
struct Split {
    Rect matrices, table;
};

std::vector<Split> possible_splits(const PhasesView& view, Rect place) {
    constexpr float kBetween = 16;
    std::vector<Split> splits{{place, {}}};
    for (const float share : {0.3f, 0.36f, 0.42f, 0.48f, 0.55f}) {
        const float w = place.w * share - kBetween;
        splits.push_back({{place.x, place.y, place.w - w - kBetween, place.h},
                          {place.x + place.w - w, place.y, w, place.h}});
    }
    const float threads = float_of(view.product.threads());
    for (const float wanted : {kThreadRow * threads, kTwoLineRow * threads, 4 * kThreadRow, 8 * kThreadRow}) {
        const float h = std::min(wanted + 2 * kPhaseHead + 2, place.h * 0.45f);
        splits.push_back(
            {{place.x, place.y, place.w, place.h - h - 10}, {place.x, place.y + place.h - h, place.w, h}});
    }
    return splits;
}

}  // namespace

PhasesLayout lay_out_phases(const Canvas& canvas, const PhasesView& view, Rect place) {
    constexpr float kSum = 24, kLeastMatrices = 150;
    float sum_y = 0;
    if (place.h > kLeastMatrices + kSum) {
        place.h -= kSum;
        sum_y = place.y + place.h + kSum / 2;
    }
    PhasesLayout best;
    float most = -1;
    for (const Split& split : possible_splits(view, place)) {
        const bool alone = split.table.w <= 0;
        if (!alone && std::min(split.matrices.w, split.matrices.h) < kLeastMatrices) continue;
        PhasesLayout layout;
        place_matrices(layout, canvas, view, split.matrices);
        if (!alone) layout.table = lay_out_phases_table(canvas, view, split.table);
        // Among layouts that read equally well the one with the larger cells is best.
        const float worth = score(layout, view) + 0.004f * std::sqrt(layout.a.cell.x * layout.a.cell.y);
        if (worth <= most) continue;
        most = worth;
        best = layout;
    }
    best.sum_y = sum_y;
    return best;
}

std::string_view brief_thread_name(std::string_view name) { return name.substr(name.find('(')); }

std::string term_name(const PhaseTouch& touch) {
    return element_name("A", touch.a) + "·" + element_name("B", touch.b);
}

}  // namespace warplens
