#include "app/boards/timeline/timeline_picture.h"

#include "app/pictures/kit/axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warplens {
namespace {

constexpr int kTimelineLegendRows = 2;
constexpr float kMostTimelineRow = 280, kTimelineAxis = 54;  // [points]

struct TimelineColors {
    const Theme& theme;

    Color fetching() const { return theme.series[kSeriesMeasured]; }
    Color ready() const { return mix(theme.panel, fetching(), 0.35f); }
    Color using_it() const { return theme.good; }
    Color waiting() const { return theme.bad; }
    Color issuing() const { return theme.series[6]; }
    Color testing() const { return theme.text_weak; }
    /// Testing is hatched: without colours it would be as grey as what is used.
    Box look(Color color) const {
        if (color != testing()) return {.fill = color, .rounding = 2};
        return {.fill = theme.panel, .stroke = color, .stroke_width = 1, .rounding = 2, .hatch = color};
    }
};

struct TimelineCanvas {
    Canvas& canvas;
    const TimelineView& view;
    TimelineColors colors{canvas.theme};
    PlotArea plot = {};
    float row_h = 0;

    int rows() const { return view.run->stages + view.blocks; }
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
    Box look = d.colors.look(color);
    look.rect = rect;
    d.canvas.box(look);
    if (!text.empty()) d.canvas.label_inside(rect, text, FontRole::body, text_on(color), 3);
    d.canvas.hit(rect, -1,
                 fmt::format("{}\ncycles {} to {}: {}", what, format_count(from), format_count(to),
                             format_count(to - from)));
}

void draw_tile(TimelineCanvas& d, int block, int t) {
    const TimelineColors& colors = d.colors;
    const Timeline& run = d.view.run[block];
    const TileTimes& tile = run.tiles[t];
    const int stages = run.stages, stage = t % stages, warps = stages + block;
    const std::string name = std::to_string(t), tiles = fmt::format("{} {}", d.view.tile, t);
    const long long arrived = std::min(tile.arrived, tile.used);  // a watching warp may see it later
    if (block == 0) {
        draw_span(d, stage, tile.fetched, arrived, colors.fetching(), name, tiles + ": fetched");
        draw_span(d, stage, arrived, tile.used, colors.ready(), "", tiles + ": there, not used yet");
        if (!d.view.in_registers)
            draw_span(d, stage, tile.used, tile.done, colors.using_it(), name, tiles + ": used");
    }
    const std::string at = d.view.wait.empty() ? std::string() : fmt::format(", at {}", d.view.wait);
    draw_span(d, warps, tile.awaited, tile.awaited + waited(tile), colors.waiting(), "",
              fmt::format("waiting for {}{}", tiles, at));
    draw_span(d, warps, tile.awaited + waited(tile), tile.used, colors.testing(), "",
              fmt::format("at the barrier of {}", tiles));
    draw_span(d, warps, tile.used, tile.done, colors.using_it(), name, fmt::format("using {}", tiles));
    const auto next = static_cast<std::size_t>(t) + 1;
    if (next < run.tiles.size())
        draw_span(d, warps, tile.done, run.tiles[next].awaited, colors.issuing(), "",
                  fmt::format("issuing the copies of {} {}", d.view.tile, t + stages));
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
        const int stages = d.view.run->stages, block = row - stages;
        const Rect band{d.plot.rect.x, d.row_y(row), d.plot.rect.w, d.row_h};
        if (row % 2 == 0) canvas.fill(band, with_alpha(canvas.theme.grid, 0.35f));
        canvas.label_middle({d.plot.rect.x - 8, band.y + band.h / 2},
                            block < 0            ? fmt::format("stage {}", row)
                            : d.view.blocks == 1 ? std::string("warps")
                                                 : fmt::format("block {}", block),
                            FontRole::body, canvas.theme.text, Anchor::end);
    }
    const float y = d.row_y(d.view.run->stages);
    canvas.line({d.plot.rect.x, y}, {d.plot.rect.x + d.plot.rect.w, y}, canvas.theme.outline, 1);
}

Legend legend_of(const TimelineColors& colors) {
    Legend legend;
    legend.add_box("fetched", {.fill = colors.fetching(), .rounding = 2});
    legend.add_box("ready", {.fill = colors.ready(), .rounding = 2});
    legend.add_box("used", {.fill = colors.using_it(), .rounding = 2});
    legend.add_box("waited for", {.fill = colors.waiting(), .rounding = 2});
    legend.add_box("copies issued", {.fill = colors.issuing(), .rounding = 2});
    legend.add_box("at a barrier", colors.look(colors.testing()));
    return legend;
}

}  // namespace

float height_of_timeline_legend(const Canvas& canvas, float width) {
    return legend_of({canvas.theme}).height(canvas, width, kTimelineLegendRows) + 4;
}

void draw_timeline_legend(Canvas& canvas, float x, float y, float width) {
    legend_of({canvas.theme}).draw(canvas, x, y, width, kTimelineLegendRows);
}

void draw_sm(Canvas& canvas, const TimelineView& view, Rect room) {
    TimelineCanvas d{canvas, view};
    const float left = canvas.width("stage 0", FontRole::body) + 12;
    d.row_h = std::clamp((room.h - kTimelineAxis) / float(d.rows()), 8.0f, kMostTimelineRow);
    d.plot.rect = {room.x + left, room.y, room.w - left - 6, d.row_h * float(d.rows())};
    d.plot.x_min = double(view.begin());
    d.plot.x_max = d.plot.x_min + double(TimelineView::kShown);
    draw_rows(d);
    for (int block = 0; block < view.blocks; ++block)
        for (int t = 0; t < int(view.run[block].tiles.size()); ++t) draw_tile(d, block, t);
    draw_x_ticks(canvas, d.plot, cycle_ticks(d));
    canvas.label_elided(
        {d.plot.rect.x + d.plot.rect.w / 2, d.plot.rect.y + d.plot.rect.h + 24 + ascent(FontRole::body)},
        "cycles since the block began", FontRole::body, canvas.theme.text, d.plot.rect.w, Anchor::middle);
}

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
    const bool roomy = style.size.y - top > (style.silent ? 180 : 300);
    const Sentences sentences = fit_sentences(explanation, style, width, roomy ? 88.0f : 44.0f);
    const float words = style.size.y - top > 260 ? sentences.height() : 0;
    if (roomy) {
        draw_timeline_legend(canvas, canvas.margin(), top, width);
        top += height_of_timeline_legend(canvas, width);
    }
    draw_sm(canvas, view, {canvas.margin(), top, width, style.size.y - top - words});
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
