
#include "app/pictures/kit/canvas.h"
#include "app/pictures/plot/bandwidth.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

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
        draw_whisker(d.canvas, at.x, low, high, color);
        d.canvas.mark(at, mark_of(d.fit), 4.5f, color);
        d.canvas.hit({.rect = {at.x - 7, at.y - 7, 14, 14},
                      .tooltip = tooltip_of(point, d.fit.measured_on.kind),
                      .item = int(i)});
    }
    for (const FitPlot::Point& point : d.fit.points) {  // above all others, and found by the mouse first
        if (!point.here) continue;
        d.canvas.mark(d.at(point.wavefronts, point.cycles), MarkShape::ring, 8, d.canvas.theme.text);
    }
}

/// Above the plot stand the name of the upright axis, and at the right the line's figures, where they
/// cover no point and no line.
void draw_above(Canvas& canvas, const FitPlot& fit, float top) {
    constexpr float kBetween = 16;
    const float width = canvas.inner_width(), baseline = top + ascent(FontRole::body) + 2;
    const std::string axis = "cycles per request";
    float room = width;
    if (fit.fit) {
        float right = canvas.margin() + width, left = width - canvas.width(axis, FontRole::body) - kBetween;
        // From the right: how good it is, then the line, which stays where only one has room.
        std::vector<std::string> figures{
            fmt::format("R² {:.4f}, {} points", fit.fit->r_squared, fit.fit->points), line_text(*fit.fit)};
        const auto wide = [&](const std::string& text) {
            return canvas.width(text, FontRole::strong) + kBetween;
        };
        if (wide(figures[0]) + wide(figures[1]) > left) figures.erase(figures.begin());
        for (const std::string& text : figures) {
            if (wide(text) > left) break;
            canvas.label({right, baseline}, text, FontRole::strong, canvas.theme.text, Anchor::end);
            right -= wide(text);
            left -= wide(text);
            room -= wide(text);
        }
    }
    canvas.label_elided({canvas.margin(), baseline}, axis, FontRole::body, canvas.theme.text, room);
}

/// Without points: why, in the middle of the plot, under the ideal line.
void draw_reason(const FitCanvas& d) {
    if (!d.fit.points.empty() || d.fit.no_measurement.empty()) return;
    const Rect& r = d.plot.rect;
    const float step = line_height(FontRole::body), room = r.w * 0.5f - 12;
    const auto lines = d.canvas.wrap(d.fit.no_measurement, FontRole::body, room);
    if (step * float(lines.size()) > r.h * 0.5f - 6) return;
    float y = r.y + r.h - 8 - step * float(lines.size()) + ascent(FontRole::body);
    for (const std::string& line : lines) {
        const float wide = d.canvas.width(line, FontRole::body);
        d.canvas.fill({r.x + r.w - 10 - wide, y - ascent(FontRole::body), wide + 8, step},
                      d.canvas.theme.panel);
        d.canvas.label({r.x + r.w - 6, y}, line, FontRole::body, d.canvas.theme.text_weak, Anchor::end);
        y += step;
    }
}

float draw_legend(Canvas& canvas, const FitPlot& fit, float top, float width) {
    Legend legend;
    legend.add_line("ideal: one wavefront a cycle", canvas.theme.series[kSeriesModel], 2, Dash::dashed, 28);
    if (!fit.points.empty()) {
        const std::string where = fit.measured_on.kind == Provenance::recorded ? "" : "measured on ";
        legend.add_mark(fmt::format("{}{}, median and quartiles", where, fit.measured_on.gpu), mark_of(fit),
                        4.5f, canvas.theme.series[kSeriesMeasured]);
    }
    if (fit.fit) legend.add_line("least squares", canvas.theme.series[kSeriesMeasured], 2, Dash::solid, 28);
    const int rows = canvas.style.size.y < 180 ? 0 : canvas.style.size.y < 260 ? 1 : 2;
    return legend.draw(canvas, canvas.margin(), top, width, rows);
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
    const float width = canvas.inner_width();
    float top = draw_legend(canvas, fit, canvas.draw_title(), width);
    draw_above(canvas, fit, top);
    top += line_height(FontRole::body) + 8;
    const float bottom = std::max(
        top + 20,
        draw_below_plot(canvas,
                        {"predicted wavefronts per request",
                         fit.gpu.empty() ? std::vector<std::string>()
                                         : std::vector{fmt::format("Wavefronts by the rules of {}", fit.gpu)},
                         top + 60, top + (style.embedded ? 190.0f : 60.0f)}));
    PlotArea plot = plan_axes(fit, {0, top, width, bottom - top});
    const std::vector<Tick> y_ticks =
        linear_ticks(plot.y_max, bottom - top, std::clamp((bottom - top) / 7, 24.0f, 80.0f));
    plot.rect.x = left_of_ticks(canvas, y_ticks);
    plot.rect.w = std::max(10.0f, style.size.x - canvas.margin() - 6 - plot.rect.x);
    const FitCanvas drawing{canvas, fit, plot};
    draw_y_ticks(canvas, plot, y_ticks);
    draw_x_ticks(canvas, plot, linear_ticks(plot.x_max, plot.rect.w, 44));
    draw_line(drawing, {.slope = 1, .intercept = 0}, canvas.theme.series[kSeriesModel], 2, Dash::dashed);
    if (fit.fit) draw_line(drawing, *fit.fit, canvas.theme.series[kSeriesMeasured], 1.5f, Dash::solid);
    draw_points(drawing);
    draw_reason(drawing);
    canvas.picture.plot = plot;
    return canvas.take();
}

}  // namespace warplens
