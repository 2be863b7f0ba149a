#include "app/boards/timeline/timeline_picture.h"

#include "app/pictures/kit/axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warplens {
namespace {

constexpr int kTimelineLegendRows = 2;
constexpr float kMostTimelineRow = 280;  // [points]

struct TimelineCanvas {
    Canvas& canvas;
    const TimelineView& view;
    PlotArea plot = {};
    float row_h = 0;

    const Theme& theme() const { return canvas.theme; }
    Color fetching() const { return theme().series[kSeriesMeasured]; }
    Color ready() const { return mix(theme().panel, fetching(), 0.35f); }
    Color using_it() const { return theme().good; }
    Color waiting() const { return theme().bad; }
    Color issuing() const { return theme().series[6]; }
    Color testing() const { return theme().text_weak; }
    /// Testing is hatched: without colours it would be as grey as what is used.
    Box look(Color color) const {
        if (color != testing()) return {.fill = color, .rounding = 2};
        return {.fill = theme().panel, .stroke = color, .stroke_width = 1, .rounding = 2, .hatch = color};
    }
    int rows() const { return view.run->stages + 1; }
    float row_y(int row) const { return plot.rect.y + float(row) * row_h; }

    /// A span of time in a row, as far as it is inside the picture; empty if it is not.
    Rect span(int row, long long from, long long to) const {
        const Rect& r = plot.rect;
        const double begin = double(view.begin()), end = begin + double(TimelineView::kShown);
        const double left = std::clamp(double(from), begin, end), right = std::clamp(double(to), begin, end);
        const float x = r.x + r.w * float((left - begin) / (end - begin));
        const float w = r.w * float((right - left) / (end - begin));
        return {x, row_y(row) + row_h * 0.14f, w, row_h * 0.72f};
    }
};

void draw_span(TimelineCanvas& d, int row, long long from, long long to, Color color, const std::string& text,
               const std::string& what) {
    const Rect rect = d.span(row, from, to);
    if (rect.w <= 0.5f) return;
    Box look = d.look(color);
    look.rect = rect;
    d.canvas.box(look);
    if (!text.empty()) d.canvas.label_inside(rect, text, FontRole::body, text_on(color), 3);
    d.canvas.hit(rect, -1,
                 fmt::format("{}\ncycles {} to {}: {}", what, format_count(from), format_count(to),
                             format_count(to - from)));
}

void draw_tile(TimelineCanvas& d, int t) {
    const TileTimes& tile = d.view.run->tiles[t];
    const int stages = d.view.run->stages, stage = t % stages;
    const std::string name = std::to_string(t);
    const long long arrived = std::min(tile.arrived, tile.used);  // a watching warp may see it later
    draw_span(d, stage, tile.fetched, arrived, d.fetching(), name, fmt::format("tiles {}: fetched", t));
    draw_span(d, stage, arrived, tile.used, d.ready(), "",
              fmt::format("tiles {}: in shared memory, not used yet", t));
    draw_span(d, stage, tile.used, tile.done, d.using_it(), name, fmt::format("tiles {}: used", t));
    draw_span(d, stages, tile.awaited, tile.awaited + waited(tile), d.waiting(), "",
              fmt::format("waiting for tiles {}", t));
    draw_span(d, stages, tile.awaited + waited(tile), tile.used, d.testing(), "",
              fmt::format("testing the barrier of tiles {}", t));
    draw_span(d, stages, tile.used, tile.done, d.using_it(), name, fmt::format("multiplying tiles {}", t));
    const auto next = static_cast<std::size_t>(t) + 1;
    if (next < d.view.run->tiles.size())
        draw_span(d, stages, tile.done, d.view.run->tiles[next].awaited, d.issuing(), "",
                  fmt::format("issuing the copies of tiles {}", t + stages));
}

std::vector<Tick> cycle_ticks(const TimelineCanvas& d) {
    const double begin = double(d.view.begin());
    double step = 1000;
    while (d.plot.rect.w * step / double(TimelineView::kShown) < 56 && step < 4000) step *= 2;
    std::vector<Tick> ticks;
    for (double at = std::ceil(begin / step) * step; at <= begin + double(TimelineView::kShown); at += step)
        ticks.push_back({at, format_count(static_cast<std::int64_t>(at))});
    return ticks;
}

void draw_rows(TimelineCanvas& d) {
    Canvas& canvas = d.canvas;
    for (int row = 0; row < d.rows(); ++row) {
        const bool warps = row + 1 == d.rows();
        const Rect band{d.plot.rect.x, d.row_y(row), d.plot.rect.w, d.row_h};
        if (row % 2 == 0) canvas.fill(band, with_alpha(canvas.theme.grid, 0.35f));
        canvas.label_middle({d.plot.rect.x - 8, band.y + band.h / 2},
                            warps ? std::string("warps") : fmt::format("stage {}", row), FontRole::body,
                            canvas.theme.text, Anchor::end);
    }
    const float y = d.row_y(d.rows() - 1);
    canvas.line({d.plot.rect.x, y}, {d.plot.rect.x + d.plot.rect.w, y}, canvas.theme.outline, 1);
}

Legend legend_of(const TimelineCanvas& d) {
    Legend legend;
    legend.add_box("fetched", {.fill = d.fetching(), .rounding = 2});
    legend.add_box("ready", {.fill = d.ready(), .rounding = 2});
    legend.add_box("used", {.fill = d.using_it(), .rounding = 2});
    legend.add_box("waited for", {.fill = d.waiting(), .rounding = 2});
    legend.add_box("copies issued", {.fill = d.issuing(), .rounding = 2});
    legend.add_box("barrier tested", d.look(d.testing()));
    return legend;
}

}  // namespace

long long TimelineView::begin() const {
    if (first == 0 || run == nullptr) return 0;
    return run->tiles[std::min(static_cast<std::size_t>(first), run->tiles.size() - 1)].awaited;
}

Picture draw_timeline(const TimelineView& view, const Style& style) {
    Canvas canvas(style, view.run == nullptr ? std::string("Timeline") : counted(view.run->stages, "stage"),
                  "one block of a matrix product, by the clock of its SM");
    float top = canvas.draw_title();
    const float width = canvas.inner_width();
    const Explanation explanation = explain_timeline(view);
    if (view.run == nullptr) {
        draw_sentences(canvas, fit_sentences(explanation, style, width, style.size.y - top), canvas.margin(),
                       top);
        return canvas.take();
    }
    const bool roomy = style.size.y - top > 300;
    const Sentences sentences = fit_sentences(explanation, style, width, roomy ? 88.0f : 44.0f);
    const float words = style.size.y - top > 260 ? sentences.height() : 0;
    TimelineCanvas d{canvas, view};
    if (roomy) {
        const Legend legend = legend_of(d);
        legend.draw(canvas, canvas.margin(), top, width, kTimelineLegendRows);
        top += legend.height(canvas, width, kTimelineLegendRows) + 4;
    }
    const float left = canvas.width("stage 0", FontRole::body) + 12;
    const float room = style.size.y - top - words - 54;
    d.row_h = std::clamp(room / float(d.rows()), 8.0f, kMostTimelineRow);
    d.plot.rect = {canvas.margin() + left, top, width - left - 6, d.row_h * float(d.rows())};
    d.plot.x_min = double(view.begin());
    d.plot.x_max = d.plot.x_min + double(TimelineView::kShown);
    draw_rows(d);
    for (int t = 0; t < int(view.run->tiles.size()); ++t) draw_tile(d, t);
    draw_x_ticks(canvas, d.plot, cycle_ticks(d));
    canvas.label_elided(
        {d.plot.rect.x + d.plot.rect.w / 2, d.plot.rect.y + d.plot.rect.h + 24 + ascent(FontRole::body)},
        "cycles since the block began", FontRole::body, canvas.theme.text, d.plot.rect.w, Anchor::middle);
    if (words > 0) draw_sentences(canvas, sentences, canvas.margin(), style.size.y - words - 4);
    return canvas.take();
}

Explanation explain_timeline(const TimelineView& view) {
    if (view.run == nullptr) return {.verdict = "No timeline was recorded with so many stages."};
    const TimelineMeans means = means_of(*view.run);
    const auto whole = [](double cycles) { return format_count(std::llround(cycles)); };
    constexpr double kHidden = 0.02;  // of the time
    const bool hidden = means.wait <= kHidden * means.period;
    Explanation e{.good = hidden};
    e.verdict =
        hidden ? fmt::format(
                     "Fetching is hidden: after the first, a pair of tiles takes {} cycles, and nobody waits "
                     "for it.",
                     whole(means.period))
               : fmt::format("A pair of tiles takes {} cycles, and for {} of them the warps wait.",
                             whole(means.period), whole(means.wait));
    if (view.run->stages == 1)
        e.why = fmt::format(
            "Its place is free only when the pair before was used, so the {} cycles until it has "
            "come pass with nothing to do.",
            whole(means.latency));
    else
        e.why = fmt::format("While one pair is used, {} on the way, which takes {} cycles.",
                            view.run->stages == 2 ? std::string("the next one is")
                                                  : fmt::format("the next {} are", view.run->stages - 1),
                            whole(means.latency));
    e.why += fmt::format(
        " Of a pair's cycles, rounded, {} multiply, {} issue the copies of a later pair, and {} test the barrier. "
        "All are means without the first and the last eighth of the pairs, which are not typical.",
        whole(means.multiply), whole(means.issue), whole(means.test));
    return e;
}

}  // namespace warplens
