#include "app/boards/flight/flight_picture.h"

#include "app/pictures/kit/axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warplens {
namespace {

constexpr std::string_view kAxis = "bytes in flight on an SM";

/// Powers of 4 bytes, as many as have room.
std::vector<Tick> byte_ticks(const PlotArea& plot) {
    const double decades = std::log2(plot.x_max / plot.x_min);
    const float of_double = plot.rect.w / float(decades);
    const int step = of_double * 2 >= 62 ? 2 : of_double * 4 >= 62 ? 4 : 6;
    std::vector<Tick> ticks;
    for (double value = 64; value <= plot.x_max; value *= std::exp2(step))
        if (value >= plot.x_min) ticks.push_back({value, format_size(value)});
    return ticks;
}

PlotArea plan_plot(const FlightView& view) {
    PlotArea plot;
    plot.x_log = plot.y_log = true;
    plot.x_min = std::min(view.flight.now, view.flight.needed / 64) / 1.6;
    plot.x_max = std::max(view.flight.now, view.flight.needed * 4) * 1.6;
    plot.y_max = view.flight.gb_per_s * 2;
    const double least = view.flight.gb_per_s * plot.x_min / view.flight.needed;
    plot.y_min =
        std::max(std::min(least, view.gb_per_s > 0 ? view.gb_per_s / 1.5 : least), plot.y_max * 1e-5);
    return plot;
}

struct FlightCanvas {
    Canvas& canvas;
    const FlightView& view;
    PlotArea plot = {};
    TakenPlaces taken = {};

    /// The bandwidth that Little's law allows with so many bytes on their way.
    double roof(double bytes) const {
        return view.flight.gb_per_s * std::min(1.0, bytes / view.flight.needed);
    }
    Vec2 at(double bytes, double gb_per_s) const {
        return {plot.x_of(bytes), plot.y_of(std::clamp(gb_per_s, plot.y_min, plot.y_max))};
    }
};

constexpr float kGaugeBar = 22, kGauge = 22 + kGaugeBar + 10;  // heights of the bar, with words and gap

/// @return  y below it
float draw_gauge(FlightCanvas& d, float y) {
    Canvas& canvas = d.canvas;
    const InFlight& flight = d.view.flight;
    const float x = canvas.margin(), w = canvas.inner_width(), h = kGaugeBar;
    const double share = flight.now / flight.needed;
    const Rect whole{x, y + 22, w, h};
    canvas.label_elided(
        {x, y + ascent(FontRole::body) + 2},
        fmt::format("in flight {} of {} needed, {}", bytes_beside(flight.now, flight.needed),
                    bytes_beside(flight.needed, flight.now), format_percent(std::round(100 * share), 100)),
        FontRole::strong, canvas.theme.text, w);
    canvas.fill(whole, canvas.theme.cell_empty, 3);
    const Color color =
        d.view.tone == Tone::plain ? canvas.theme.accent : color_of(canvas.theme, d.view.tone);
    canvas.fill({x, whole.y, w * float(std::min(1.0, share)), h}, color, 3);
    canvas.frame(whole, canvas.theme.outline, 1, 3);
    canvas.hit(whole, -1,
               fmt::format("{}{}\nneeded: {:.1f} bytes per cycle and SM × {:.0f} cycles = {}",
                           d.view.made_of.empty() ? "on average, from the speed" : d.view.made_of,
                           d.view.made_of.empty() ? "" : " = " + format_bytes(flight.now),
                           flight.needed / flight.latency_cycles, flight.latency_cycles,
                           format_bytes(flight.needed)));
    return y + kGauge;
}

void draw_axes(FlightCanvas& d) {
    Canvas& canvas = d.canvas;
    const Rect& r = d.plot.rect;
    draw_y_ticks(canvas, d.plot, log_ticks(d.plot.y_min, d.plot.y_max, r.h, 22));
    draw_x_ticks(canvas, d.plot, byte_ticks(d.plot));
    canvas.label({r.x - 8, r.y - 9}, "GB/s", FontRole::body, canvas.theme.text, Anchor::end);
    canvas.label_elided({r.x + r.w / 2, r.y + r.h + 24 + ascent(FontRole::body)}, kAxis, FontRole::body,
                        canvas.theme.text, r.w, Anchor::middle);
}

/// Up the slope, then level.
void draw_law(FlightCanvas& d) {
    Path path{{}, d.canvas.theme.text, 2.5f, Dash::solid};
    for (const double bytes : {d.plot.x_min, d.view.flight.needed, d.plot.x_max})
        if (d.roof(bytes) >= d.plot.y_min) path.points.push_back(d.at(bytes, d.roof(bytes)));
    d.canvas.add(std::move(path));
    const Vec2 knee = d.at(d.view.flight.needed, d.view.flight.gb_per_s);
    d.canvas.line(knee, {knee.x, d.plot.rect.y + d.plot.rect.h}, d.canvas.theme.text_weak, 1, Dash::dashed);
    d.canvas.hit(
        {knee.x - 8, knee.y - 8, 16, 16}, -1,
        fmt::format("From here on {} is saturated: {} GB/s, {} on their way to each SM", d.view.memory(),
                    format_count(std::llround(d.view.flight.gb_per_s)), format_bytes(d.view.flight.needed)));
}

/// Beside a point, where it is free and inside the plot.
void name_at(FlightCanvas& d, Vec2 at, const std::string& text, FontRole font, Color color) {
    const Rect& r = d.plot.rect;
    const float w = d.canvas.width(text, font) + 6, h = 18;
    for (const Vec2 corner :
         {Vec2{at.x + 10, at.y + 6}, Vec2{at.x + 10, at.y - h / 2}, Vec2{at.x - w - 10, at.y - h / 2},
          Vec2{at.x - w - 10, at.y - h - 8}, Vec2{at.x - w / 2, at.y + 26}, Vec2{at.x + 10, at.y + 26},
          Vec2{at.x - w / 2, at.y - h - 26}}) {
        const Rect place{corner.x, corner.y, w, h};
        const bool inside =
            place.x > r.x + 2 && place.x + w < r.x + r.w - 2 && place.y > r.y && place.y + h < r.y + r.h - 2;
        if (!inside || !d.taken.is_free(place)) continue;
        d.taken.take(place);
        d.canvas.fill(place, with_alpha(d.canvas.theme.panel, 0.92f), 3);
        d.canvas.label_middle({place.x + 3, place.y + h / 2}, text, font, color);
        return;
    }
}

void draw_points(FlightCanvas& d) {
    const Theme& theme = d.canvas.theme;
    const auto mark = [&](Vec2 at, MarkShape shape, Color color, std::string tooltip) {
        d.canvas.mark(at, shape, 7, color);
        d.taken.take({at.x - 8, at.y - 8, 16, 16});
        d.canvas.hit({at.x - 9, at.y - 9, 18, 18}, -1, std::move(tooltip));
    };
    const double now = d.view.flight.now;
    const Vec2 predicted = d.at(now, d.view.gb_per_s);
    if (d.view.gb_per_s > 0)
        mark(predicted, MarkShape::ring, theme.series[kSeriesModel],
             fmt::format("○ predicted {} GB/s, approximate", format_count(std::llround(d.view.gb_per_s))));
    if (d.view.seen && d.view.seen->amount) {
        const Quantity& seen = *d.view.seen;
        const bool recorded = seen.provenance == Provenance::recorded;
        mark(
            d.at(now, *seen.amount), recorded ? MarkShape::triangle : MarkShape::diamond,
            theme.series[kSeriesMeasured],
            fmt::format("{} {} {}\n{}", provenance_mark(seen.provenance), seen.name, seen.text, seen.source));
    }
    const Vec2 knee = d.at(d.view.flight.needed, d.view.flight.gb_per_s);
    name_at(d, predicted, fmt::format("{} GB/s", format_count(std::llround(d.view.gb_per_s))),
            FontRole::strong, theme.text);
    name_at(d, {knee.x, (knee.y + d.plot.rect.y + d.plot.rect.h) / 2}, "needed", FontRole::body,
            theme.text_weak);
    name_at(d, {d.plot.rect.x + d.plot.rect.w - 14, knee.y - 14},
            fmt::format("{} {} GB/s", d.view.memory(), format_count(std::llround(d.view.flight.gb_per_s))),
            FontRole::body, theme.text);
}

void draw_legend(FlightCanvas& d, float y) {
    const Theme& theme = d.canvas.theme;
    Legend legend;
    legend.add_line("Little's law", theme.text, 2.5f, Dash::solid, 24);
    legend.add_mark("predicted", MarkShape::ring, 5, theme.series[kSeriesModel]);
    if (d.view.seen) {
        const bool recorded = d.view.seen->provenance == Provenance::recorded;
        legend.add_mark(d.view.seen->name, recorded ? MarkShape::triangle : MarkShape::diamond, 5,
                        theme.series[kSeriesMeasured]);
    }
    legend.draw(d.canvas, d.canvas.margin(), y, d.canvas.inner_width(), 1);
}

constexpr float kTimelineRow = 16, kTimelineAround = 54;  // least height of a row; the axis below

/// The timeline has the lower half, or all where there is no room for the plot as well.
/// @param plot  what the plot needs
float height_of_sm(const FlightView& view, float room, float plot) {
    if (view.sm.empty()) return 0;
    const float least = kTimelineRow * float(view.sm.front().stages + int(view.sm.size())) + kTimelineAround;
    return room < least ? 0 : room < least + plot + Legend::kRowHeight ? room : std::max(least, room / 2);
}

void draw_sm_below(Canvas& canvas, const FlightView& view, Rect room) {
    TimelineView timeline = view.timeline;
    timeline.run = view.sm.data();
    const float legend = height_of_timeline_legend(canvas, room.w);
    if (height_of_sm(view, room.h - legend, 0) > 0) {
        draw_timeline_legend(canvas, room.x, room.y, room.w);
        room = {room.x, room.y + legend, room.w, room.h - legend};
    }
    draw_sm(canvas, timeline, room);
}

}  // namespace

Picture draw_flight(const FlightView& view, const Style& style) {
    Canvas canvas(style, view.device->name, "bytes that an SM has on their way, and that it needs");
    float top = canvas.draw_title();
    const float width = canvas.inner_width();
    const Explanation explanation = explain_flight(view);
    if (!view.nothing.empty()) {
        const Sentences words = fit_sentences(explanation, style, width, style.size.y - top);
        draw_sentences(canvas, words, canvas.margin(), top);
        // The panel would be empty where the verdict stands below it, as for a class.
        if (style.silent && !style.counts_hidden)
            draw_sentences(canvas, {.why = canvas.wrap(explanation.why, FontRole::body, width)},
                           canvas.margin(), top);
        return canvas.take();
    }
    const bool roomy = style.size.y - top > 330;
    const Sentences sentences = fit_sentences(explanation, style, width, roomy ? 88.0f : 44.0f);
    const float words = style.size.y - top > 280 ? sentences.height() : 0;
    FlightCanvas d{canvas, view, plan_plot(view)};
    constexpr float kAround = 24 + 46 + 8, kLeastPlot = 60;  // of the plot: its title, axis and gap
    const float room = style.size.y - top - kAround - words;
    // If only one of them has room, the plot says more.
    if (room >= kGauge + kLeastPlot || room < kLeastPlot) top = draw_gauge(d, top);
    const float below = height_of_sm(view, style.size.y - top - words, kAround + kLeastPlot);
    if (below > 0) draw_sm_below(canvas, view, {canvas.margin(), style.size.y - words - below, width, below});
    const bool plots = style.size.y - top - kAround - words - below >= kLeastPlot;
    if (roomy && plots) {
        draw_legend(d, top);
        top += Legend::kRowHeight;
    }
    float left = canvas.width("GB/s", FontRole::body);
    for (const Tick& tick : log_ticks(d.plot.y_min, d.plot.y_max, style.size.y, 22))
        left = std::max(left, canvas.width(tick.text, FontRole::body));
    const float height = style.size.y - top - kAround - words - below;
    if (height >= kLeastPlot) {
        d.plot.rect = {canvas.margin() + left + 10, top + 24, width - left - 16, height};
        draw_axes(d);
        draw_law(d);
        draw_points(d);
    }
    if (words > 0) draw_sentences(canvas, sentences, canvas.margin(), style.size.y - words - 4);
    return canvas.take();
}

std::string bytes_beside(double bytes, double other) {
    constexpr double kKiB = 1024;
    return std::max(bytes, other) < kKiB ? format_bytes(bytes) : fmt::format("{:.1f} KiB", bytes / kKiB);
}

Explanation explain_flight(const FlightView& view) {
    if (!view.nothing.empty()) return {.verdict = view.nothing, .why = view.because, .good = view.runs};
    const InFlight& flight = view.flight;
    const bool waits = view.more != MoreWarps::not_the_limit;
    Explanation e{.good = !waits};
    e.verdict = fmt::format("{} of the {} that {} needs are on their way to each SM: more warps {}.",
                            bytes_beside(flight.now, flight.needed), bytes_beside(flight.needed, flight.now),
                            view.memory(), view.more_words);
    e.headline =
        fmt::format("{} of the bytes that {} needs are in flight",
                    format_percent(std::round(100 * flight.now / flight.needed), 100), view.memory());
    e.why = fmt::format(
        "{} could deliver {:.1f} bytes per cycle to each SM, and a {}: so many bytes must be on their "
        "way all the time (Little's law).",
        flight.from_l2 ? "The L2" : "DRAM", flight.needed / flight.latency_cycles,
        fmt::format("{} takes {:.0f} cycles", flight.own_cycles > 0 ? "tile" : "load",
                    flight.latency_cycles));
    if (!view.sm.empty())
        e.why += fmt::format(" A block has a tile every {:.0f} cycles, and {}.", view.tile.period,
                             view.tile.wait > 0 ? fmt::format("waits for {:.0f} of them at {}",
                                                              view.tile.wait, view.timeline.wait)
                                                : "never waits for one: the other stages cover its way");
    if (!view.made_of.empty()) {
        e.why += fmt::format(" There are {}.", view.made_of);
        const double law = flight.gb_per_s * std::min(1.0, flight.now / flight.needed);
        if (std::llround(law) > std::llround(view.gb_per_s) && view.gb_per_s > 0)
            e.why += fmt::format(
                " By themselves they would give {} GB/s; the launch's own time and the other limits "
                "make it {}.",
                format_count(std::llround(law)), format_count(std::llround(view.gb_per_s)));
    }
    e.why += view.room;
    if (waits)
        e.why += view.stages > 0
                     ? (view.by_rounds
                            ? " More stages would not: the threads of a block use one tile after the other."
                            : " More stages or larger tiles would do as well.")
                     : " More loads at once or wider ones would do as well.";
    return e;
}

}  // namespace warplens
