#include "app/boards/ladder/rungs.h"
#include "app/boards/roofline/roofline_picture.h"
#include "app/pictures/kit/axes.h"
#include "app/pictures/kit/canvas.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

/// A column of numbers right of the bars.
struct RungColumn {
    std::string_view head, unit, meaning;
    std::string (*text)(const RungFacts&, const RungsView&);
    int rank;  ///< the lower, the longer it stays when room runs out
    float width = 0;
};

std::string positive_digits(double value) { return value > 0 ? few_digits(value) : std::string(); }

constexpr RungColumn kRungColumns[] = {
    {"TFLOP/s", "", "Floating-point operations a second; a multiply-add counts as two.",
     [](const RungFacts& r, const RungsView&) { return positive_digits(r.best() / 1000); }, 0},
    {"cuBLAS", "", "Share of the speed of NVIDIA's library, recorded on the same GPU.",
     [](const RungFacts& r, const RungsView& view) { return share_text(r.best(), view.library); }, 1},
    {"peak", "", "Share of the peak: SMs x lanes x 2 x clock.",
     [](const RungFacts& r, const RungsView& view) { return share_text(r.best(), view.peak); }, 2},
    {"shared", "B/FMA", "Bytes that lanes move to and from shared memory, for each multiply-add.",
     [](const RungFacts& r, const RungsView&) { return positive_digits(r.shared_bytes); }, 4},
    {"wavefronts", "per FMA",
     "Wavefronts of shared memory for each warp-wide multiply-add: an SM has one a clock, and four multiply-adds.",
     [](const RungFacts& r, const RungsView&) { return positive_digits(r.wavefronts); }, 5},
    {"global", "B/FMA", "Bytes that lanes load from and store to global memory, for each multiply-add.",
     [](const RungFacts& r, const RungsView&) { return positive_digits(r.global_bytes); }, 6},
    {"registers", "", "Of a thread, as the compiler reported them for compute capability 9.0.",
     [](const RungFacts& r, const RungsView&) { return r.registers > 0 ? std::to_string(r.registers) : "?"; },
     7},
    {"warps", "", "Resident on an SM at the same time.",
     [](const RungFacts& r, const RungsView&) { return r.warps > 0 ? std::to_string(r.warps) : "?"; }, 8},
    {"limited by", "", "What the model says takes longest.",
     [](const RungFacts& r, const RungsView&) { return std::string(limiter_name(r.prediction.limiter)); }, 3},
};

struct RungsCanvas {
    Canvas& canvas;
    const RungsView& view;
    std::vector<RungColumn> columns;
    float names = 0;         ///< width of the first column
    Rect bars;               ///< below the head, down to the last row
    float row = 0;           ///< height of a row
    bool two_lines = false;  ///< whether the change stands below the name

    const Theme& theme() const { return canvas.theme; }
    float x_of(double gflop_per_s) const {
        return bars.x + bars.w * float(std::clamp(gflop_per_s / view.peak, 0.0, 1.0));
    }
    float y_of(std::size_t i) const { return bars.y + row * float(i); }
};

constexpr float kColumnGap = 14, kHeadHeight = 40, kLeastBars = 120, kMostRungRow = 72;

float width_of(const Canvas& canvas, const RungsView& view, const RungColumn& column) {
    float width =
        std::max(canvas.width(column.head, FontRole::body), canvas.width(column.unit, FontRole::body));
    for (const RungFacts& rung : view.rungs)
        width = std::max(width, canvas.width(column.text(rung, view), FontRole::body));
    return width + kColumnGap;
}

/// As many columns as leave the bars some room; those that say least go first. A column of nothing goes, too.
std::vector<RungColumn> choose_columns(const Canvas& canvas, const RungsView& view, float room) {
    std::vector<RungColumn> all;
    for (RungColumn column : kRungColumns) {
        const bool says = std::ranges::any_of(view.rungs, [&](const RungFacts& rung) {
            const std::string text = column.text(rung, view);
            return !text.empty() && text != "?";
        });
        column.width = width_of(canvas, view, column);
        if (says) all.push_back(column);
    }
    const auto total = [&] {
        float width = 0;
        for (const RungColumn& column : all) width += column.width;
        return width;
    };
    while (all.size() > 1 && total() > room) all.erase(std::ranges::max_element(all, {}, &RungColumn::rank));
    return all;
}

std::string tooltip_of(const RungFacts& rung, const RungsView& view) {
    std::string text = fmt::format("{}: {}\n", rung.rung->name, rung.rung->change);
    const auto speed = [&](Provenance kind, double value) {
        const std::string_view word = kind == Provenance::approximate ? "predicted" : provenance_name(kind);
        text += fmt::format("{} {} {}", provenance_mark(kind), word, flop_text(value));
        if (view.library) text += fmt::format(", {} of cuBLAS", share_text(value, view.library));
        text += fmt::format(", {} of the peak\n", share_text(value, view.peak));
    };
    if (rung.measured) speed(Provenance::measured, *rung.measured);
    if (rung.recorded) speed(Provenance::recorded, *rung.recorded);
    speed(Provenance::approximate, rung.prediction.value);
    text += fmt::format(
        "○ limited by {}\n● for each multiply-add: {} bytes of shared memory, {} of global memory; "
        "{} wavefronts for a warp's",
        limiter_name(rung.prediction.limiter), few_digits(rung.shared_bytes), few_digits(rung.global_bytes),
        few_digits(rung.wavefronts));
    if (rung.registers > 0)
        text += fmt::format("\n▲ {} registers a thread: {} warps on an SM", rung.registers, rung.warps);
    return text + "\nclick: set this kernel";
}

void draw_head(RungsCanvas& d) {
    Canvas& canvas = d.canvas;
    const float line = line_height(FontRole::body);
    float x = d.bars.x + d.bars.w;
    for (const RungColumn& column : d.columns) {
        const bool words = column.head == "limited by";
        const float at = words ? x + kColumnGap : x + column.width;
        const Anchor anchor = words ? Anchor::start : Anchor::end;
        canvas.label({at, d.bars.y - 6 - (column.unit.empty() ? 0 : line)}, std::string(column.head),
                     FontRole::body, d.theme().text_weak, anchor);
        if (!column.unit.empty())
            canvas.label({at, d.bars.y - 6}, std::string(column.unit), FontRole::body, d.theme().text_weak,
                         anchor);
        canvas.hit({x, d.bars.y - kHeadHeight, column.width, kHeadHeight}, -1, std::string(column.meaning));
        x += column.width;
    }
}

/// Numbers below the bars.
void draw_scale(RungsCanvas& d) {
    constexpr double kTera = 1000;
    const float bottom = d.bars.y + d.bars.h;
    d.canvas.line({d.bars.x, bottom}, {d.bars.x + d.bars.w, bottom}, d.theme().outline, 1);
    for (const Tick& tick : linear_ticks(d.view.peak / kTera, d.bars.w, 40)) {
        const float x = d.x_of(tick.value * kTera);
        d.canvas.line({x, bottom}, {x, bottom + 4}, d.theme().outline, 1);
        d.canvas.label({x, bottom + 5 + ascent(FontRole::body)}, tick.text, FontRole::body,
                       d.theme().text_weak, Anchor::middle);
    }
}

/// A line through all rows, named in the head.
void draw_goal(RungsCanvas& d, double speed, const std::string& name, bool above, Color color, Dash dash) {
    const float x = d.x_of(speed), line = line_height(FontRole::body);
    d.canvas.line({x, d.bars.y - 4}, {x, d.bars.y + d.bars.h}, color, 1.5f, dash);
    const float half = d.canvas.width(name, FontRole::body) / 2;
    const float at = std::max(d.bars.x + half, std::min(x, d.bars.x + d.bars.w - half));
    d.canvas.label({at, d.bars.y - 8 - (above ? line : 0)}, name, FontRole::body, color, Anchor::middle);
}

void draw_bar(RungsCanvas& d, const RungFacts& rung, float y) {
    Canvas& canvas = d.canvas;
    const float h = std::min(d.row - 6, std::max(20.0f, 0.5f * d.row)), top = y + (d.row - h) / 2;
    const bool seen = rung.measured || rung.recorded;
    const Color model = d.theme().series[kSeriesModel];
    const float predicted = d.x_of(rung.prediction.value);
    if (seen)
        canvas.fill({d.bars.x, top, std::max(1.0f, d.x_of(rung.best()) - d.bars.x), h},
                    d.theme().series[kSeriesMeasured], 2);
    else
        canvas.box({.rect = {d.bars.x, top, std::max(1.0f, predicted - d.bars.x), h},
                    .fill = with_alpha(model, 0.25f),
                    .stroke = model,
                    .stroke_width = 1,
                    .rounding = 2});
    if (!seen || rung.prediction.value <= 0) return;
    // It stands out above and below, and its edge is only inside the bar, so that the bar's end stays
    // visible.
    const float end = d.x_of(rung.best());
    if (predicted < end - 3) canvas.line({predicted, top}, {predicted, top + h}, d.theme().panel, 4);
    canvas.line({predicted, top - 3}, {predicted, top + h + 3}, model, 2);
}

void draw_rung(RungsCanvas& d, std::size_t i) {
    Canvas& canvas = d.canvas;
    const RungFacts& rung = d.view.rungs[i];
    const float y = d.y_of(i), middle = y + d.row / 2, left = canvas.margin();
    const bool present = int(i) == d.view.present;
    const Rect all{left, y, canvas.inner_width(), d.row};
    if (present) canvas.fill(inset(all, 1), with_alpha(d.theme().accent, 0.16f), 3);
    const float line = line_height(FontRole::body);
    const float room = d.names - 10;
    const Vec2 name{left + 6, d.two_lines ? middle - line / 2 : middle};
    canvas.label_middle(name, canvas.elide(rung.rung->name, FontRole::strong, room), FontRole::strong,
                        d.theme().text);
    if (d.two_lines)
        canvas.label_middle({left + 6, middle + line / 2},
                            canvas.elide(rung.rung->change, FontRole::body, room), FontRole::body,
                            d.theme().text_weak);
    draw_bar(d, rung, y);
    float x = d.bars.x + d.bars.w;
    for (const RungColumn& column : d.columns) {
        const bool words = column.head == "limited by";
        canvas.label_middle({words ? x + kColumnGap : x + column.width, middle}, column.text(rung, d.view),
                            column.rank == 0 ? FontRole::strong : FontRole::body,
                            column.rank == 0 ? d.theme().text : d.theme().text_weak,
                            words ? Anchor::start : Anchor::end);
        x += column.width;
    }
    canvas.hit({.rect = all, .tooltip = tooltip_of(rung, d.view), .link = rung.link()});
}

Legend legend_of(const RungsCanvas& d) {
    Legend legend;
    const bool measured = d.view.present >= 0 && d.view.rungs[d.view.present].measured;
    const bool recorded =
        std::ranges::any_of(d.view.rungs, [](const RungFacts& r) { return r.recorded.has_value(); });
    const Color model = d.theme().series[kSeriesModel];
    if (recorded || measured)
        legend.add_box(measured && !recorded ? "measured"
                       : measured            ? "recorded or measured"
                                             : "recorded",
                       {.rect = {}, .fill = d.theme().series[kSeriesMeasured]});
    if (recorded || measured)
        legend.add("predicted", 8, [model](Canvas& canvas, Rect r) {
            canvas.line({r.x + r.w / 2, r.y}, {r.x + r.w / 2, r.y + r.h}, model, 2);
        });
    const bool bare =
        std::ranges::any_of(d.view.rungs, [](const RungFacts& r) { return !r.recorded && !r.measured; });
    if (bare)
        legend.add_box(recorded ? "predicted alone" : "predicted",
                       {.rect = {}, .fill = with_alpha(model, 0.25f), .stroke = model});
    return legend;
}

}  // namespace

Picture draw_rungs(const RungsView& view, const Style& style) {
    Canvas canvas(style, fmt::format("From naive to cuBLAS: {0} × {0}", view.matrix), view.device->name);
    const Explanation explanation = explain_rungs(view);
    if (view.rungs.empty() || view.peak <= 0) {
        const float top = canvas.draw_title();
        draw_sentences(canvas, fit_sentences(explanation, style, canvas.inner_width(), style.size.y - top),
                       canvas.margin(), top);
        return canvas.take();
    }
    const PictureFrame frame = open_frame(canvas, explanation, 14 * 20 + kHeadHeight, 4, 8);
    RungsCanvas d{canvas, view, {}, 0, {}, 0, false};
    const Legend legend = legend_of(d);
    const float legend_height = Legend::kRowHeight + 2;
    const auto rows = float(view.rungs.size());
    const auto row_beside = [&](float scale) {
        return std::min(kMostRungRow,
                        (frame.bottom - frame.top - kHeadHeight - legend_height - scale) / rows);
    };
    // Numbers below the bars have to leave the rows their height.
    constexpr float kLeastRow = 20;
    const float numbers = line_height(FontRole::body) + 4;
    const float scale = row_beside(numbers) >= kLeastRow ? numbers : 0;
    d.row = row_beside(scale);
    d.two_lines = d.row >= 2 * line_height(FontRole::body) - 4;
    float changes = 0;
    for (const RungFacts& rung : view.rungs) {
        d.names = std::max(d.names, canvas.width(rung.rung->name, FontRole::strong) + 16);
        changes = std::max(changes, canvas.width(rung.rung->change, FontRole::body) + 16);
    }
    // Columns go before words do. Where a change has no room it stands in the tooltip alone, never cut.
    const float room = canvas.inner_width() - kLeastBars - width_of(canvas, view, kRungColumns[0]);
    d.two_lines = d.two_lines && changes <= room;
    d.names = std::min(d.two_lines ? std::max(d.names, changes) : d.names, room);
    d.columns = choose_columns(canvas, view, canvas.inner_width() - d.names - kLeastBars);
    float taken = d.names;
    for (const RungColumn& column : d.columns) taken += column.width;
    d.bars = {canvas.margin() + d.names, frame.top + kHeadHeight, canvas.inner_width() - taken - 6,
              d.row * rows};
    draw_head(d);
    for (std::size_t i = 0; i < view.rungs.size(); ++i) draw_rung(d, i);
    draw_goal(d, view.peak, fmt::format("peak {}", flop_text(view.peak)), true, d.theme().text_weak,
              Dash::solid);
    if (view.library)
        draw_goal(d, *view.library, fmt::format("cuBLAS {}", few_digits(*view.library / 1000)), false,
                  d.theme().text, Dash::dashed);
    if (scale > 0) draw_scale(d);
    legend.draw(canvas, canvas.margin() + 6, d.bars.y + d.bars.h + 4 + scale, canvas.inner_width(), 1);
    close_frame(canvas, frame, explanation.good, explanation.verdict, "");
    return canvas.take();
}

}  // namespace warplens
