#include "app/pictures/plot/fit_plot.h"

#include "app/pictures/kit/axes.h"
#include "app/pictures/kit/canvas.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warplens {
namespace {

constexpr double kWidestRequest = 32;  // without points: every lane in the same bank

/// As everywhere: a diamond is measured here, a triangle was recorded.
MarkShape mark_of(const FitPlot& fit) {
    return fit.measured_on.kind == Provenance::recorded ? MarkShape::triangle : MarkShape::diamond;
}

struct FitCanvas {
    Canvas& canvas;
    const FitPlot& fit;
    const PlotArea& plot;
    Vec2 at(double wavefronts, double cycles) const { return {plot.x_of(wavefronts), plot.y_of(cycles)}; }
};

/// A line through the plot, cut off where it leaves it.
void draw_line(const FitCanvas& d, const LineFit& line, Color color, float width, Dash dash) {
    double from = d.plot.x_min, to = d.plot.x_max;
    if (line.slope != 0) {
        const double low = (d.plot.y_min - line.intercept) / line.slope,
                     high = (d.plot.y_max - line.intercept) / line.slope;
        from = std::max(from, std::min(low, high));
        to = std::min(to, std::max(low, high));
    }
    if (from < to) d.canvas.line(d.at(from, line.at(from)), d.at(to, line.at(to)), color, width, dash);
}

void draw_axes(const FitCanvas& d, const std::vector<Tick>& y_ticks) {
    Canvas& canvas = d.canvas;
    const Theme& theme = canvas.theme;
    const Rect& r = d.plot.rect;
    const float bottom = r.y + r.h;
    for (const Tick& tick : y_ticks) {
        const float y = d.plot.y_of(tick.value);
        canvas.line({r.x, y}, {r.x + r.w, y}, tick.value == 0 ? theme.outline : theme.grid, 1);
        canvas.label({r.x - 8, middle_baseline(y, FontRole::body)}, tick.text, FontRole::body,
                     theme.text_weak, Anchor::end);
    }
    for (const Tick& tick : linear_ticks(d.plot.x_max, r.w, 44)) {
        const float x = d.plot.x_of(tick.value), half = canvas.width(tick.text, FontRole::body) / 2;
        canvas.line({x, bottom}, {x, bottom + 4}, theme.outline, 1);
        const float least = r.x - 6 + half;  // further left stands the y axis's zero
        const float centre = std::clamp(x, least, std::max(least, canvas.style.size.x - half - 2));
        canvas.label({centre, bottom + 7 + ascent(FontRole::body)}, tick.text, FontRole::body,
                     theme.text_weak, Anchor::middle);
    }
}

std::string tooltip_of(const FitPlot::Point& point, Provenance kind) {
    return fmt::format(
        "{}\n● predicted {:.4g} wavefronts per request\n{} {} {:.2f} cycles per request, quartiles {:.2f} to {:.2f}",
        point.setting.empty() ? "all parameters at their defaults" : point.setting, point.wavefronts,
        provenance_mark(kind), provenance_name(kind), point.cycles, point.lower, point.upper);
}

void draw_points(const FitCanvas& d) {
    const Color color = d.canvas.theme.series[kSeriesMeasured];
    for (std::size_t i = 0; i < d.fit.points.size(); ++i) {
        const FitPlot::Point& point = d.fit.points[i];
        const Vec2 at = d.at(point.wavefronts, point.cycles);
        const float low = d.plot.y_of(point.lower), high = d.plot.y_of(point.upper);
        if (low - high > 1) {
            d.canvas.fill({at.x - 0.75f, high, 1.5f, low - high}, color);
            d.canvas.fill({at.x - 3.5f, high - 0.75f, 7, 1.5f}, color);
            d.canvas.fill({at.x - 3.5f, low - 0.75f, 7, 1.5f}, color);
        }
        d.canvas.picture.shapes.emplace_back(Mark{at, mark_of(d.fit), 4.5f, color});
        d.canvas.picture.hits.push_back({.rect = {at.x - 7, at.y - 7, 14, 14},
                                         .tooltip = tooltip_of(point, d.fit.measured_on.kind),
                                         .item = static_cast<int>(i)});
    }
    for (const FitPlot::Point& point : d.fit.points) {  // above all others, and found by the mouse first
        if (!point.here) continue;
        d.canvas.picture.shapes.emplace_back(
            Mark{d.at(point.wavefronts, point.cycles), MarkShape::ring, 8, d.canvas.theme.text});
    }
}

/// The line's figures, in the corner where no point can lie: above y = x.
void draw_figures(const FitCanvas& d) {
    if (!d.fit.fit) return;
    const LineFit& fit = *d.fit.fit;
    const std::string lines[] = {line_text(fit),
                                 fmt::format("R² {:.4f}, {} points", fit.r_squared, fit.points)};
    const Rect& r = d.plot.rect;
    float wide = 0;
    for (const std::string& line : lines) wide = std::max(wide, d.canvas.width(line, FontRole::strong));
    const float step = line_height(FontRole::strong);
    if (wide + 20 > r.w || 2 * step + 8 > r.h) return;
    const Rect plate{r.x + 8, r.y + 4, wide + 12, 2 * step + 4};
    d.canvas.fill(plate, with_alpha(d.canvas.theme.panel, 0.9f), 3);
    float y = plate.y + 2 + ascent(FontRole::strong);
    for (const std::string& line : lines) {
        d.canvas.label({plate.x + 6, y}, line, FontRole::strong, d.canvas.theme.text);
        y += step;
    }
}

/// Without points: why, in the middle of the plot, under the ideal line.
void draw_reason(const FitCanvas& d) {
    if (!d.fit.points.empty() || d.fit.no_measurement.empty()) return;
    const Rect& r = d.plot.rect;
    const float step = line_height(FontRole::body), room = r.w * 0.5f - 12;
    const auto lines = wrap(d.fit.no_measurement, FontRole::body, room, *d.canvas.style.measure);
    if (step * static_cast<float>(lines.size()) > r.h * 0.5f - 6) return;
    float y = r.y + r.h - 8 - step * static_cast<float>(lines.size()) + ascent(FontRole::body);
    for (const std::string& line : lines) {
        const float wide = d.canvas.width(line, FontRole::body);
        d.canvas.fill({r.x + r.w - 10 - wide, y - ascent(FontRole::body), wide + 8, step},
                      d.canvas.theme.panel);
        d.canvas.label({r.x + r.w - 6, y}, line, FontRole::body, d.canvas.theme.text_weak, Anchor::end);
        y += step;
    }
}

float draw_legend(Canvas& canvas, const FitPlot& fit, float top, float width) {
    const Theme& theme = canvas.theme;
    Legend legend;
    legend.add("ideal: one wavefront a cycle", 28);
    if (!fit.points.empty()) {
        legend.add(fmt::format("{}{}, median and quartiles",
                               fit.measured_on.kind == Provenance::recorded ? "" : "measured on ",
                               fit.measured_on.gpu),
                   12);
    }
    if (fit.fit) legend.add("least squares", 28);
    const int rows = canvas.style.size.y < 180 ? 0 : canvas.style.size.y < 260 ? 1 : 2;
    const auto places = legend.arrange(canvas, canvas.margin(), top, width, rows);
    for (std::size_t i = 0; i < places.size(); ++i) {
        const Rect& s = places[i].sample;
        const Vec2 middle{s.x + s.w / 2, s.y + s.h / 2};
        if (s.w < 20) {
            canvas.picture.shapes.emplace_back(
                Mark{middle, mark_of(fit), 4.5f, theme.series[kSeriesMeasured]});
        } else {
            canvas.line({s.x, middle.y}, {s.x + s.w, middle.y},
                        i == 0 ? theme.series[kSeriesModel] : theme.series[kSeriesMeasured], 2,
                        i == 0 ? Dash::dashed : Dash::solid);
        }
        canvas.label(places[i].baseline, legend.items()[i].text, FontRole::body, theme.text_weak);
    }
    return places.empty() ? top : places.back().sample.y + 6 + Legend::kRowHeight / 2;
}

/// x-axis name, and whose rules predict. @return  the bottom of the plot
float draw_below(Canvas& canvas, const FitPlot& fit, float least_bottom) {
    const float step = line_height(FontRole::body), ticks = 24;
    const float width = canvas.style.size.x - 2 * canvas.margin();
    float bottom = canvas.style.size.y - 8;
    const std::string caption = fit.gpu.empty() ? "" : fmt::format("Wavefronts by the rules of {}", fit.gpu);
    if (!caption.empty() && !canvas.style.compact && bottom - 2 * step - ticks >= least_bottom) {
        canvas.label({canvas.margin(), bottom - descent(FontRole::body) - 1},
                     elide(caption, FontRole::body, width, *canvas.style.measure), FontRole::body,
                     canvas.theme.text_weak);
        bottom -= step;
    }
    if (bottom - step - ticks < least_bottom) return bottom - ticks;
    canvas.label({canvas.style.size.x / 2, bottom - descent(FontRole::body) - 3},
                 elide("predicted wavefronts per request", FontRole::body, width, *canvas.style.measure),
                 FontRole::body, canvas.theme.text, Anchor::middle);
    return bottom - step - ticks;
}

PlotArea plan_axes(const FitPlot& fit, Rect rect) {
    double x = 0, y = 0;
    for (const FitPlot::Point& point : fit.points) {
        x = std::max(x, point.wavefronts);
        y = std::max({y, point.cycles, point.upper});
    }
    if (fit.points.empty()) x = y = kWidestRequest;
    // Both axes from zero and about as long, so that the ideal line is seen as such.
    x = std::max(x * 1.04, 1.5);
    return {.rect = rect, .x_max = x, .y_max = std::max(y * 1.08, x)};
}

}  // namespace

std::string line_text(const LineFit& fit) {
    return fmt::format("cycles = {:.3f} × wavefronts {} {:.2f}", fit.slope, fit.intercept < 0 ? "−" : "+",
                       std::abs(fit.intercept));
}

Picture draw_fit(const FitPlot& fit, const Style& style) {
    Canvas canvas(style, "Cycles against wavefronts", style.compact ? "" : "of one request to shared memory");
    const float width = style.size.x - 2 * canvas.margin();
    float top = draw_legend(canvas, fit, canvas.draw_title(), width);
    canvas.label({canvas.margin(), top + ascent(FontRole::body) + 2},
                 elide("cycles per request", FontRole::body, width, *style.measure), FontRole::body,
                 canvas.theme.text);
    top += line_height(FontRole::body) + 8;
    const float bottom = std::max(top + 20, draw_below(canvas, fit, top + 60));
    PlotArea plot = plan_axes(fit, {0, top, width, bottom - top});
    const std::vector<Tick> y_ticks =
        linear_ticks(plot.y_max, bottom - top, std::clamp((bottom - top) / 7, 24.0f, 80.0f));
    float left = 0;
    for (const Tick& tick : y_ticks) left = std::max(left, canvas.width(tick.text, FontRole::body));
    plot.rect.x = canvas.margin() + left + 8;
    plot.rect.w = std::max(10.0f, style.size.x - canvas.margin() - 6 - plot.rect.x);
    const FitCanvas drawing{canvas, fit, plot};
    draw_axes(drawing, y_ticks);
    draw_line(drawing, {.slope = 1, .intercept = 0}, canvas.theme.series[kSeriesModel], 2, Dash::dashed);
    if (fit.fit) draw_line(drawing, *fit.fit, canvas.theme.series[kSeriesMeasured], 1.5f, Dash::solid);
    draw_points(drawing);
    draw_figures(drawing);
    draw_reason(drawing);
    canvas.picture.plot = plot;
    return canvas.take();
}

}  // namespace warplens
