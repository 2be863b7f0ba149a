#include "app/pictures/plot/bandwidth.h"

#include "app/pictures/kit/motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warplens {
namespace {

/// What the values are about, beside the title.
std::string_view subtitle_of(SpeedUnit speed_unit, bool compact) {
    if (speed_unit == SpeedUnit::cycles)
        return compact ? "less is better" : "of one request, each waiting for the one before; less is better";
    if (speed_unit == SpeedUnit::gflop_per_s)
        return compact ? "" : "floating-point operations of the whole grid";
    return compact ? "useful" : "useful bytes of the whole grid";
}

struct Extremes {
    double largest = 0, smallest = 0, peak = 0;  ///< smallest: of those above zero; 0 when there is none

    /// Whether the peak would leave so little of the axis to the values that they look alike.
    bool peak_is_far(bool logarithmic) const {
        return largest > 0 && peak > (logarithmic ? 10 : 2) * largest;
    }
    double top(bool logarithmic) const {
        return peak_is_far(logarithmic) ? largest : std::max(largest, peak);
    }
};

Extremes find_extremes(const Curve& curve) {
    Extremes e;
    const auto see = [&e](double value) {
        e.largest = std::max(e.largest, value);
        if (value > 0 && (e.smallest == 0 || value < e.smallest)) e.smallest = value;
    };
    for (const Prediction& b : curve.model) {
        see(b.value);
        e.peak = std::max(e.peak, b.peak);
    }
    for (const MeasuredSeries& series : curve.series) {
        for (const MeasuredPoint& p : series.points) see(p.lower), see(p.upper), see(p.value);
    }
    if (!curve.other) return e;
    for (const Prediction& a : curve.other->model) see(a.value);
    return e;
}

/// Axes: x over the settings, y from zero with room for the peak's name above its line, or above all values
/// if the peak is far from them.
PlotArea plan_axes(const Curve& curve, Rect rect, const Extremes& extremes, const TextMeasure& measure) {
    PlotArea plot;
    plot.rect = rect;
    plot.x_key = std::string(curve.knob->key);
    plot.x_stops = curve.x;
    plot.x_even = curve.knob->kind != KnobKind::slider;
    plot.x_min = curve.x.front();
    plot.x_max = curve.x.back();
    if (curve.log_axes && !plot.x_even) {
        const auto positive = std::find_if(curve.x.begin(), curve.x.end(), [](double x) { return x > 0; });
        plot.x_log = positive != curve.x.end() && *positive < curve.x.back();
        if (plot.x_log) plot.x_min = *positive;
    }
    constexpr double kPeakName = 22;
    plot.y_log = curve.log_axes && extremes.smallest > 0;
    const double top = extremes.top(plot.y_log);
    int rows = 0;
    for (const MarkName& name : place_mark_names(curve, plot, measure)) rows = std::max(rows, name.row + 1);
    const double names = static_cast<double>(kMarkNameRow) * rows;
    const double free =
        std::clamp((kPeakName + names) / std::max(1.0, static_cast<double>(rect.h)), 0.04, 0.5);
    if (plot.y_log) {
        const double least = std::min(extremes.smallest, top / 10);
        plot.y_min = std::pow(10.0, std::floor(std::log10(least) + 1e-9));
        plot.y_max = plot.y_min * std::pow(top / plot.y_min, 1 / (1 - free));
    } else {
        plot.y_max = top > 0 ? top / (1 - free) : 1;
    }
    return plot;
}

struct PlotCanvas {
    Canvas& canvas;
    const Curve& curve;
    const PlotArea& plot;
    Extremes extremes;
    std::string_view unit() const { return speed_words(curve.speed_unit).unit; }
    std::string value(double at) const { return value_text(at, curve.speed_unit); }
    bool shown(double x) const { return is_shown(plot, x); }
    bool peak_is_far() const { return extremes.peak_is_far(plot.y_log); }
    float bottom() const { return plot.rect.y + plot.rect.h; }
    float right() const { return plot.rect.x + plot.rect.w; }
    std::string gpu_here(double x) const {
        return fmt::format("{} {}", lower_first(curve.knob->label), setting_text(*curve.knob, x));
    }
};

void draw_grid(const PlotCanvas& d, std::vector<Tick> y_ticks) {
    const double peak = d.extremes.peak;
    if (peak > 0 && peak >= d.extremes.largest)  // no number above the peak: nothing can be there
        std::erase_if(y_ticks, [&](const Tick& tick) { return tick.value > peak; });
    draw_y_ticks(d.canvas, d.plot, y_ticks);
    d.canvas.label({d.plot.rect.x - 8, d.plot.rect.y - 10}, std::string(d.unit()), FontRole::body,
                   d.canvas.theme.text, Anchor::end);
    draw_x_ticks(d.canvas, d.plot, setting_ticks(d.curve, d.plot, *d.canvas.style.measure));
}

void draw_peak(const PlotCanvas& d) {
    if (d.extremes.peak <= 0 || d.peak_is_far()) return;
    const Rect& r = d.plot.rect;
    const float y = d.plot.y_of(d.extremes.peak);
    d.canvas.line({r.x, y}, {d.right(), y}, d.canvas.theme.text_weak, 1.5f, Dash::dotted);
}

/// After the setting's mark, on a plate of its own, so that no line runs through it.
void label_peak(const PlotCanvas& d) {
    if (d.extremes.peak <= 0) return;
    Canvas& canvas = d.canvas;
    const std::string number = fmt::format("peak {} {}", d.value(d.extremes.peak), d.unit());
    const std::string& source = d.curve.peak_source;
    std::string text = source.starts_with("peak") ? source : source.empty() ? number : number + ", " + source;
    if (d.peak_is_far()) text += ", beyond this axis";
    const float room = d.plot.rect.w - 8;
    if (canvas.width(text, FontRole::body) > room) text = canvas.elide(number, FontRole::body, room);
    const float wide = canvas.width(text, FontRole::body),
                baseline = d.plot.y_of(d.extremes.top(d.plot.y_log)) - 6;
    if (text.empty()) return;
    canvas.fill(
        {d.right() - wide - 6, baseline - ascent(FontRole::body), wide + 6, font_points(FontRole::body)},
        canvas.theme.panel);
    canvas.label({d.right() - 2, baseline}, std::move(text), FontRole::body, canvas.theme.text_weak,
                 Anchor::end);
}

/// Lines at places that mean something.
void draw_marks(const PlotCanvas& d) {
    for (const CurveMark& mark : d.curve.marks) {
        const float x = d.plot.x_of(mark.x);
        d.canvas.line({x, d.plot.rect.y}, {x, d.bottom()}, d.canvas.theme.outline, 1, Dash::dashed);
    }
}

/// After all lines, on plates of their own.
void label_marks(const PlotCanvas& d) {
    Canvas& canvas = d.canvas;
    const std::vector<MarkName> names = place_mark_names(d.curve, d.plot, *canvas.style.measure);
    for (std::size_t i = 0; i < names.size(); ++i) {
        const float y = d.plot.rect.y + 2 + kMarkNameRow * static_cast<float>(names[i].row);
        if (y + kMarkNameRow > d.bottom()) continue;
        canvas.fill({names[i].begin - 2, y, names[i].width + 4, kMarkNameRow}, canvas.theme.panel);
        canvas.label({names[i].begin, y + ascent(FontRole::body)}, d.curve.marks[i].label, FontRole::body,
                     canvas.theme.text_weak);
    }
}

/// Between choices there is nothing that a line could stand for.
void draw_bars(const PlotCanvas& d) {
    const float wide = bar_width(d.curve, d.plot);
    for (std::size_t i = 0; i < d.curve.x.size() && i < d.curve.model.size(); ++i) {
        if (!d.shown(d.curve.x[i])) continue;
        const float top = d.plot.y_of(d.curve.model[i].value);
        d.canvas.moving(moving_key(MovingKind::bar, static_cast<int>(i)), [&] {
            d.canvas.box(model_bar(d.canvas.theme,
                                   {d.plot.x_of(d.curve.x[i]) - wide / 2, top, wide, d.bottom() - top}));
        });
    }
}

void draw_model(const PlotCanvas& d) {
    if (has_bars(d.curve)) return draw_bars(d);
    const Color color = d.canvas.theme.series[kSeriesModel];
    Path path{{}, color, 2, Dash::dashed};
    path.points.reserve(d.curve.x.size());
    for (std::size_t i = 0; i < d.curve.x.size() && i < d.curve.model.size(); ++i) {
        if (!d.shown(d.curve.x[i])) continue;
        path.points.push_back({d.plot.x_of(d.curve.x[i]), d.plot.y_of(d.curve.model[i].value)});
    }
    if (path.points.empty()) return;
    const float spacing = d.plot.rect.w / static_cast<float>(path.points.size());
    const std::vector<Vec2> points = path.points;
    d.canvas.moving(moving_key(MovingKind::curve, 0), [&] {
        if (points.size() > 1) d.canvas.add(std::move(path));
        if (spacing < 22) return;
        for (const Vec2 point : points) {
            d.canvas.mark(point, MarkShape::circle, 4.5f, d.canvas.theme.panel);
            d.canvas.mark(point, MarkShape::ring, 4, color);
        }
    });
}

void draw_here(const PlotCanvas& d) {
    if (d.curve.other) return draw_both_settings(d.canvas, d.curve, d.plot);
    if (!d.shown(d.curve.here)) return;
    Canvas& canvas = d.canvas;
    const float x = d.plot.x_of(d.curve.here);
    const std::string text = d.gpu_here(d.curve.here);
    const float wide = canvas.width(text, FontRole::strong) + 16;
    const float least = d.plot.rect.x - 4,
                most = std::max(least, canvas.style.size.x - canvas.margin() - wide);
    const Rect flag{std::clamp(x - wide / 2, least, most), d.plot.rect.y - 22, wide, 20};
    canvas.moving(moving_key(MovingKind::mark, 0), [&] {
        canvas.line({x, d.plot.rect.y - 4}, {x, d.bottom()}, canvas.theme.text, 1.5f);
        canvas.fill(flag, canvas.theme.text, 10);
        canvas.label_inside(flag, text, FontRole::strong, canvas.theme.panel);
    });
}

std::string point_tooltip(const PlotCanvas& d, std::size_t i) {
    const double x = d.curve.x[i];
    std::string text = d.gpu_here(x);
    if (i < d.curve.model.size()) {
        const Prediction& model = d.curve.model[i];
        const bool waits = d.curve.speed_unit == SpeedUnit::cycles;
        text += fmt::format("\n○ predicted {} {}, approximate", d.value(model.value), d.unit());
        if (!model.limiter.empty())
            text += fmt::format("\n   {} {}", waits ? "mostly" : "limited by", model.limiter);
        if (model.fits_l2) text += "\n   the footprint fits the L2: this is the cache, not DRAM";
    }
    return text + series_tooltip(d.curve, i);
}

/// One strip of the plot for every setting, halfway to its neighbours.
void add_hits(const PlotCanvas& d) {
    float left = d.plot.rect.x;
    for (std::size_t i = 0; i < d.curve.x.size(); ++i) {
        if (!d.shown(d.curve.x[i])) continue;
        const bool last = i + 1 == d.curve.x.size();
        const float right =
            last ? d.right() : (d.plot.x_of(d.curve.x[i]) + d.plot.x_of(d.curve.x[i + 1])) / 2;
        d.canvas.hit({left, d.plot.rect.y, right - left, d.plot.rect.h}, -1, point_tooltip(d, i));
        left = right;
    }
}

std::string caption_of(const Curve& curve) {
    std::string text = curve.gpu.empty() ? std::string() : fmt::format("Model of {}", curve.gpu);
    const std::string dotted =
        !has_other_way(curve)
            ? ""
            : fmt::format("dotted: {}", curve.other->gpu == curve.gpu ? "A" : "A, " + curve.other->gpu);
    for (const std::string& part : {dotted, curve.caption, model_against_series(curve)}) {
        if (!part.empty()) text += (text.empty() ? "" : "; ") + part;
    }
    return text;
}

Picture draw_nothing(Canvas& canvas) {
    const float y = canvas.draw_title();
    canvas.label_elided({canvas.margin(), y + ascent(FontRole::body)},
                        "Nothing to plot: this scenario has no setting for the axis.", FontRole::body,
                        canvas.theme.text_weak, canvas.inner_width());
    return canvas.take();
}

// Heights of the plot itself that the lines below it must leave over: without the axis's name a person is
// lost sooner than without the caption.
constexpr float kLeastWithName = 60, kLeastWithCaption = 130;

}  // namespace

Picture draw_bandwidth(const Curve& curve, const Style& style) {
    std::string title(speed_words(curve.speed_unit).title);
    if (curve.knob != nullptr) title += " against " + lower_first(curve.knob->label);
    Canvas canvas(style, std::move(title), std::string(subtitle_of(curve.speed_unit, style.compact)));
    if (curve.knob == nullptr || curve.x.empty()) return draw_nothing(canvas);
    canvas.picture.shapes.reserve(6 * curve.x.size() + 64);
    const float width = canvas.inner_width();
    const float top = draw_plot_legend(canvas, curve, canvas.draw_title(), width) + 28;
    const float bottom =
        std::max(top + 20, draw_below_plot(canvas, {axis_name(*curve.knob), caption_of(curve),
                                                    top + kLeastWithName, top + kLeastWithCaption}));

    const Extremes extremes = find_extremes(curve);
    PlotArea plot = plan_axes(curve, {0, top, width, bottom - top}, extremes, *style.measure);
    const std::vector<Tick> y_ticks =
        plot.y_log ? log_ticks(plot.y_min, plot.y_max, bottom - top, 20)
                   : linear_ticks(plot.y_max, bottom - top, std::clamp((bottom - top) / 7, 17.0f, 80.0f));
    plot.rect.x = left_of_ticks(canvas, y_ticks, speed_words(curve.speed_unit).unit);
    plot.rect.w = std::max(10.0f, style.size.x - canvas.margin() - 6 - plot.rect.x);
    const PlotCanvas drawing{canvas, curve, plot, extremes};
    draw_grid(drawing, y_ticks);
    draw_peak(drawing);
    draw_marks(drawing);
    draw_here(drawing);
    label_peak(drawing);
    label_marks(drawing);
    draw_other_model(canvas, curve, plot);
    draw_model(drawing);
    draw_series(canvas, curve, plot);
    add_hits(drawing);
    canvas.picture.plot = plot;
    return canvas.take();
}

}  // namespace warplens
