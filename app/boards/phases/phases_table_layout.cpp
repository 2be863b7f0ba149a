#include "app/boards/phases/phases_canvas.h"

#include <algorithm>

namespace warplens {
namespace {

using What = PhaseColumn::What;
constexpr float kRow = 22, kTwoLineRow = 38, kBarrier = 6, kSpace = 6;
constexpr float kLeastProduct = 9;  ///< width of a product that is not written out [points]

/// Widths of the columns' contents [points].
struct Widths {
    float label, load, term, factor;  ///< factor: a product on two lines
};

Widths measure(const Canvas& canvas, const PhasesView& view) {
    const int last = view.product.matrix - 1;
    const std::string name = element_name("B", {last, last});
    return {canvas.width(thread_name(view.product, view.product.threads() - 1), FontRole::body) + 26,
            canvas.width(name, FontRole::body) + kSpace,
            canvas.width(term_name({{last, last}, {last, last}, {}, {}}), FontRole::body) + kSpace,
            canvas.width("· " + name, FontRole::body) + kSpace};
}

/// What a phase takes: two loads, barriers, products.
float phase_width(const PhasesView& view, const Widths& widths, float product) {
    return 2 * widths.load + 2 * kBarrier + product * static_cast<float>(view.product.tile) + 6;
}

/// How a table could look.
struct TableLook {
    bool terms = false, two_lines = false;
    int phases = 0;  ///< side by side
};

/// The first that fits of: all phases with products written out on one or two lines, all without, some.
TableLook choose(const PhasesView& view, const Widths& widths, float room, float height) {
    const float store = widths.load;
    const auto fitting = [&](float product) {
        return std::clamp(
            static_cast<int>((room - widths.label - store) / phase_width(view, widths, product)), 0,
            view.product.phases());
    };
    const int all = view.product.phases(), least_rows = std::min(4, view.product.threads());
    const bool high = height - 2 * kPhaseHead >= kTwoLineRow * static_cast<float>(least_rows);
    const int one = fitting(widths.term), two = high ? fitting(widths.factor) : 0,
              short_ones = fitting(kLeastProduct);
    if (one == all) return {true, false, one};
    if (two == all) return {true, true, two};
    if (one > 0 && short_ones < all) return {true, false, one};
    if (short_ones == all) return {false, false, all};
    if (two > 0) return {true, true, two};
    return {false, false, std::max(1, short_ones)};
}

}  // namespace

std::string term_name(const PhaseTouch& touch) {
    return element_name("A", touch.a) + "·" + element_name("B", touch.b);
}

PhasesTable lay_out_phases_table(const Canvas& canvas, const PhasesView& view, Rect place) {
    const TileProduct& product = view.product;
    const Widths widths = measure(canvas, view);
    const TableLook choice = choose(view, widths, place.w, place.h);
    PhasesTable table;
    table.terms = choice.terms;
    table.two_lines = choice.two_lines;
    table.label_w = widths.label;
    table.head_h = 2 * kPhaseHead;
    table.row_h = choice.two_lines ? kTwoLineRow : kRow;
    const auto fit = static_cast<int>((place.h - table.head_h) / table.row_h);
    table.rows = std::min(product.threads(), fit);
    // There is no table if there is no room for two rows or for their contents.
    const float least = widths.label + phase_width(view, widths, kLeastProduct) + widths.load;
    if (table.rows < std::min(2, product.threads()) || place.w < least) return {};
    table.first_thread = std::min(view.thread / table.rows * table.rows, product.threads() - table.rows);

    // Phases are shown in pages, so that the columns do not move while a page plays.
    const int first = view.moment.step.phase / choice.phases * choice.phases;
    const int shown = std::min(choice.phases, product.phases() - first);
    const float product_least = choice.two_lines ? widths.factor : choice.terms ? widths.term : kLeastProduct;
    const float used = widths.label + widths.load +
                       static_cast<float>(choice.phases) * phase_width(view, widths, product_least);
    const float more = std::max(0.0f, place.w - used) / static_cast<float>(choice.phases * product.tile);
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
    const float h = table.head_h + table.row_h * static_cast<float>(table.rows);
    const float w = x - place.x;
    table.rect = {place.x, place.y, w, h};
    return table;
}

}  // namespace warplens
