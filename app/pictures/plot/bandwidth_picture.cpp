#include "app/pictures/plot/bandwidth.h"

#include "app/pictures/kit/motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warplens {
namespace {

/// The subject of the values, beside the title.
std::string_view subtitle_of(SpeedUnit speed_unit, bool compact) {
    if (speed_unit == SpeedUnit::cycles)
        return compact ? "less is better" : "of one request, each waiting for the one before; less is better";
    if (speed_unit == SpeedUnit::sectors)
        return compact ? "less is better" : "that a warp fetches, on average; less is better";
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

/// The names above the data: in the row over the plot the present setting and the peak's name, and within
/// the plot rows of names of marks.
struct NamesAbove {
    std::vector<SettingFlag> flags;
    std::vector<MarkName> marks;
    int mark_rows = 0;  ///< of the names that have room
    std::string peak;   ///< Empty if it has no room.
    Vec2 peak_baseline;

    /// From the top of the plot to the highest value [points].
    float height() const { return kMarkNameRow * float(mark_rows) + kHalfMark; }

private:
    static constexpr float kHalfMark = 6;
};

/// The axis over the settings.
PlotArea plan_x(const Curve& curve) {
    PlotArea plot;
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
    return plot;
}

/// From zero to the peak, or to the highest of all values if the peak is far from them.
void plan_y(PlotArea& plot, const Curve& curve, const Extremes& extremes, float above) {
    plot.y_log = curve.log_axes && extremes.smallest > 0;
    const double top = extremes.top(plot.y_log);
    const double free = std::clamp(double(above / std::max(1.0f, plot.rect.h)), 0.0, 0.5);
    if (plot.y_log) {
        const double least = std::min(extremes.smallest, top / 10);
        plot.y_min = std::pow(10.0, std::floor(std::log10(least) + 1e-9));
        plot.y_max = plot.y_min * std::pow(top / plot.y_min, 1 / (1 - free));
    } else {
        plot.y_max = top > 0 ? top / (1 - free) : 1;
    }
}

/// Names for the peak, the longest first.
std::vector<std::string> peak_texts(const Curve& curve, const Extremes& extremes) {
    const bool far = extremes.peak_is_far(curve.log_axes && extremes.smallest > 0);
    const std::string number = fmt::format("peak {} {}", value_text(extremes.peak, curve.speed_unit),
                                           speed_words(curve.speed_unit).unit);
    const std::string whole = curve.peak_source.empty() ? number : number + ", " + curve.peak_source;
    const std::string beyond = far ? ", beyond this axis" : "";
    return {whole + beyond, number + beyond, number};
}

/// The peak's name goes beside the flags: at the right end, else at the left one.
void place_peak(NamesAbove& names, const Canvas& canvas, const Curve& curve, const PlotArea& plot,
                const Extremes& extremes) {
    constexpr float kFromFlag = 8;
    if (extremes.peak <= 0) return;
    TakenPlaces taken;
    for (const SettingFlag& flag : names.flags)
        taken.take({flag.rect.x - kFromFlag, flag.rect.y, flag.rect.w + 2 * kFromFlag, flag.rect.h});
    for (std::string& text : peak_texts(curve, extremes)) {
        const float wide = canvas.width(text, FontRole::body), room = plot.rect.w - 4;
        for (const float x : {plot.rect.x + plot.rect.w - 2 - wide, plot.rect.x + 2}) {
            if (wide > room || !taken.is_free({x, plot.rect.y - 22, wide, 20})) continue;
            names.peak = std::move(text);
            names.peak_baseline = {x, middle_baseline(plot.rect.y - 12, FontRole::body)};
            return;
        }
    }
}

/// @param plot  with its final rectangle and its x axis
NamesAbove place_names(const Canvas& canvas, const Curve& curve, const PlotArea& plot,
                       const Extremes& extremes) {
    constexpr float kLeastData = 36;  // height that the names of marks must leave over
    NamesAbove names{.flags = place_flags(canvas, curve, plot),
                     .marks = place_mark_names(curve, plot, *canvas.style.measure)};
    for (const MarkName& name : names.marks) names.mark_rows = std::max(names.mark_rows, name.row + 1);
    const int fit = int((plot.rect.h - kLeastData) / kMarkNameRow);
    names.mark_rows = std::clamp(fit, 0, names.mark_rows);
    place_peak(names, canvas, curve, plot, extremes);
    return names;
}

bool is_flat(const Curve& curve, const Extremes& extremes) {
    return !curve.other && curve.model.size() > 1 && are_alike(extremes.smallest, extremes.largest);
}

PlotNote words_on_flat(const Curve& curve) {
    return every_setting("the same for ", *curve.knob, curve.model.front().limiter);
}

/// The note beside the legend. Bars leave no place for it in the plot.
PlotNote note_of(const Curve& curve, const Extremes& extremes) {
    if (!curve.note.text.empty()) return curve.note;
    return has_bars(curve) && is_flat(curve, extremes) ? words_on_flat(curve) : PlotNote{};
}

struct PlotCanvas {
    Canvas& canvas;
    const Curve& curve;
    const PlotArea& plot;
    Extremes extremes;
    const NamesAbove& names;
    std::string_view unit() const { return speed_words(curve.speed_unit).unit; }
    std::string value(double at) const { return value_text(at, curve.speed_unit); }
    bool shown(double x) const { return is_shown(plot, x); }
    bool peak_is_far() const { return extremes.peak_is_far(plot.y_log); }
    float bottom() const { return plot.rect.y + plot.rect.h; }
    float right() const { return plot.rect.x + plot.rect.w; }
};

void draw_grid(const PlotCanvas& d, std::vector<Tick> y_ticks, int lines) {
    const double peak = d.extremes.peak;
    if (peak > 0 && peak >= d.extremes.largest)  // no number above the peak: nothing can be there
        std::erase_if(y_ticks, [&](const Tick& tick) { return tick.value > peak; });
    draw_y_ticks(d.canvas, d.plot, y_ticks);
    d.canvas.label({d.plot.rect.x - 8, d.plot.rect.y - 10}, std::string(d.unit()), FontRole::body,
                   d.canvas.theme.text, Anchor::end);
    std::vector<Tick> x_ticks;
    if (lines > 1) x_ticks = choice_ticks(d.canvas, d.curve, d.plot, lines);
    if (x_ticks.empty()) x_ticks = setting_ticks(d.curve, d.plot, *d.canvas.style.measure);
    draw_x_ticks(d.canvas, d.plot, x_ticks);
}

void draw_peak(const PlotCanvas& d) {
    if (d.extremes.peak <= 0 || d.peak_is_far()) return;
    const Rect& r = d.plot.rect;
    const float y = d.plot.y_of(d.extremes.peak);
    d.canvas.line({r.x, y}, {d.right(), y}, d.canvas.theme.text_weak, 1.5f, Dash::dotted);
}

/// Lines at places that mean something.
void draw_marks(const PlotCanvas& d) {
    for (const CurveMark& mark : d.curve.marks) {
        const float x = d.plot.x_of(mark.x);
        d.canvas.line({x, d.plot.rect.y}, {x, d.bottom()}, d.canvas.theme.outline, 1, Dash::dashed);
    }
}

/// After all lines, those of marks on plates of their own.
void label_names(const PlotCanvas& d) {
    Canvas& canvas = d.canvas;
    canvas.label(d.names.peak_baseline, d.names.peak, FontRole::body, canvas.theme.text_weak);
    for (std::size_t i = 0; i < d.names.marks.size(); ++i) {
        const MarkName& name = d.names.marks[i];
        if (name.row >= d.names.mark_rows) continue;
        const float y = d.plot.rect.y + 2 + kMarkNameRow * float(name.row);
        canvas.fill({name.begin - 2, y, name.width + 4, kMarkNameRow}, canvas.theme.panel);
        canvas.label({name.begin, y + ascent(FontRole::body)}, d.curve.marks[i].label, FontRole::body,
                     canvas.theme.text_weak);
    }
}

/// Between choices there is nothing that a line could stand for.
void draw_bars(const PlotCanvas& d) {
    const float wide = bar_width(d.curve, d.plot);
    for (std::size_t i = 0; i < d.curve.x.size() && i < d.curve.model.size(); ++i) {
        if (!d.shown(d.curve.x[i]) || d.curve.model[i].value <= 0) continue;  // a gap: it cannot run
        const float top = d.plot.y_of(d.curve.model[i].value);
        d.canvas.moving(moving_key(MovingKind::bar, int(i)), [&] {
            d.canvas.box(model_bar(d.canvas.theme,
                                   {d.plot.x_of(d.curve.x[i]) - wide / 2, top, wide, d.bottom() - top}));
        });
    }
}

void draw_model(const PlotCanvas& d) {
    if (has_bars(d.curve)) return draw_bars(d);
    const Color color = d.canvas.theme.series[kSeriesModel];
    std::vector<Path> parts(1,
                            Path{{}, color, 2, Dash::dashed});  // with gaps between them where it cannot run
    std::vector<Vec2> points;
    for (std::size_t i = 0; i < d.curve.x.size() && i < d.curve.model.size(); ++i) {
        if (!d.shown(d.curve.x[i])) continue;
        if (d.curve.model[i].value <= 0) {
            if (!parts.back().points.empty()) parts.push_back({{}, color, 2, Dash::dashed});
            continue;
        }
        points.push_back({d.plot.x_of(d.curve.x[i]), d.plot.y_of(d.curve.model[i].value)});
        parts.back().points.push_back(points.back());
    }
    if (points.empty()) return;
    const float spacing = d.plot.rect.w / float(points.size());
    d.canvas.moving(moving_key(MovingKind::curve, 0), [&] {
        for (Path& part : parts)
            if (part.points.size() > 1) d.canvas.add(std::move(part));
        if (spacing < 22) return;
        for (const Vec2 point : points) {
            d.canvas.mark(point, MarkShape::circle, 4.5f, d.canvas.theme.panel);
            d.canvas.mark(point, MarkShape::ring, 4, color);
        }
    });
}

/// Under a flat line the reason of it, beside the mark of the present setting; and why there is no line.
void say_why_flat(const PlotCanvas& d) {
    const bool none = d.extremes.largest <= 0;
    if (!none && (!is_flat(d.curve, d.extremes) || has_bars(d.curve))) return;
    const float line = none ? d.plot.rect.y : d.plot.y_of(d.extremes.smallest), room = d.bottom() - line;
    float from = d.plot.rect.x, to = d.right();
    if (d.shown(d.curve.here)) {
        const float here = d.plot.x_of(d.curve.here);
        (here - from > to - here ? to : from) = here;
    }
    const std::vector<std::string> lines =
        wrap(none ? "Nothing is predicted: this GPU cannot run any of these, or too little is known of it."
                  : words_on_flat(d.curve).whole(),
             FontRole::body, to - from - 16, *d.canvas.style.measure);
    const float high = line_height(FontRole::body), all = high * float(lines.size());
    if (room < all + 8) return;
    float y = line + (room - all) / 2;
    for (const std::string& text : lines) {
        const float width = d.canvas.width(text, FontRole::body) + 8, middle = (from + to) / 2;
        d.canvas.fill({middle - width / 2, y, width, high}, d.canvas.theme.panel);
        d.canvas.label_middle({middle, y + high / 2}, text, FontRole::body, d.canvas.theme.text_weak,
                              Anchor::middle);
        y += high;
    }
}

std::string point_tooltip(const PlotCanvas& d, std::size_t i) {
    const double x = d.curve.x[i];
    std::string text = setting_name(d.curve, x);
    if (i < d.curve.model.size()) {
        const Prediction& model = d.curve.model[i];
        const bool waits = d.curve.speed_unit == SpeedUnit::cycles;
        if (model.value <= 0)
            text += "\nnot predicted: this GPU cannot run it, or too little is known of it";
        else
            text += fmt::format("\n○ {} {} {}, approximate",
                                d.curve.speed_unit == SpeedUnit::sectors ? "counted" : "predicted",
                                d.value(model.value), d.unit());
        if (model.limiter != Limiter::none)
            text += fmt::format("\n   {} {}", waits ? "mostly" : "limited by", limiter_words(model));
        if (model.fits_l2) text += "\n   the footprint fits in the L2: this is the cache, not DRAM";
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

std::vector<std::string> caption_of(const Curve& curve) {
    const std::string model = curve.gpu.empty() ? std::string() : fmt::format("Model of {}", curve.gpu);
    const std::string dotted =
        !has_other_way(curve)
            ? ""
            : fmt::format("dotted: {}", curve.other->gpu == curve.gpu ? "A" : "A, " + curve.other->gpu);
    std::vector<std::string> clauses{model, dotted, curve.caption, model_against_series(curve)};
    std::erase(clauses, std::string());
    return clauses;
}

Picture draw_nothing(Canvas& canvas) {
    const float y = canvas.draw_title();
    canvas.label_elided({canvas.margin(), y + ascent(FontRole::body)},
                        "Nothing to plot: there is no parameter for the axis.", FontRole::body,
                        canvas.theme.text_weak, canvas.inner_width());
    return canvas.take();
}

// Height of the plot that its axis's name and the caption leave over [points]. In a panel the height is
// needed more than the caption, whose settings the panels say.
constexpr float kLeastWithName = 60, kLeastWithCaption = 130, kLeastWithCaptionInPanel = 190;
// In a panel, whose head names the axis, below several lines of choices.
constexpr float kLeastWithNameBelowChoices = 160;

}  // namespace

Picture draw_bandwidth(const Curve& curve, const Style& style) {
    std::string title(speed_words(curve.speed_unit).title);
    if (curve.knob != nullptr) title += " against " + lower_first(curve.knob->label);
    std::string subtitle(subtitle_of(curve.speed_unit, style.compact));
    constexpr float kBetween = 12, kEdges = 32;
    if (style.measure->width(title, FontRole::heading) + kBetween +
            style.measure->width(subtitle, FontRole::body) >
        style.size.x - kEdges)
        subtitle.clear();
    Canvas canvas(style, std::move(title), std::move(subtitle));
    if (curve.knob == nullptr || curve.x.empty()) return draw_nothing(canvas);
    canvas.picture.shapes.reserve(6 * curve.x.size() + 64);
    const float width = canvas.inner_width();
    const Extremes extremes = find_extremes(curve);
    const float top =
        draw_plot_legend(canvas, curve, note_of(curve, extremes), canvas.draw_title(), width) + 28;
    PlotArea plot = plan_x(curve);
    const int lines = lines_of_choices(canvas, curve, plot, style.size.y - top);
    const float bottom = std::max(
        top + 20,
        draw_below_plot(canvas,
                        {axis_name(*curve.knob), caption_of(curve),
                         top + (style.embedded && lines > 1 ? kLeastWithNameBelowChoices : kLeastWithName),
                         top + (style.embedded ? kLeastWithCaptionInPanel : kLeastWithCaption), lines}));

    plot.rect = {canvas.margin(), top, width, bottom - top};
    NamesAbove names;
    std::vector<Tick> y_ticks;
    // The numbers beside the plot make it narrower, and a narrower plot may have more rows of names.
    for (int round = 0; round < 2; ++round) {
        names = place_names(canvas, curve, plot, extremes);
        plan_y(plot, curve, extremes, names.height());
        y_ticks = plot.y_log
                      ? log_ticks(plot.y_min, plot.y_max, bottom - top, 20)
                      : linear_ticks(plot.y_max, bottom - top, std::clamp((bottom - top) / 7, 17.0f, 80.0f));
        plot.rect.x = left_of_ticks(canvas, y_ticks, speed_words(curve.speed_unit).unit);
        plot.rect.w = std::max(10.0f, style.size.x - canvas.margin() - 6 - plot.rect.x);
    }
    names = place_names(canvas, curve, plot, extremes);
    const PlotCanvas drawing{canvas, curve, plot, extremes, names};
    draw_grid(drawing, y_ticks, lines);
    draw_peak(drawing);
    draw_marks(drawing);
    draw_flags(canvas, plot, names.flags);
    label_names(drawing);
    draw_other_model(canvas, curve, plot);
    draw_model(drawing);
    draw_series(canvas, curve, plot);
    say_why_flat(drawing);
    add_hits(drawing);
    canvas.picture.plot = plot;
    return canvas.take();
}

Picture draw_plot_strip(const Curve& curve, const Style& style) {
    constexpr float kAbove = 8, kTicks = 20, kBeside = 16, kLeastStep = 10;
    Canvas canvas(style, {}, {});
    if (curve.knob == nullptr || curve.x.empty()) return draw_nothing(canvas);
    const Extremes extremes = find_extremes(curve);
    PlotArea plot = plan_x(curve);
    plot.rect = {kBeside, kAbove, std::max(10.0f, style.size.x - 2 * kBeside),
                 std::max(10.0f, style.size.y - kAbove - kTicks)};
    plan_y(plot, curve, extremes, 0);
    // Its two ends are enough to say how much is much.
    std::vector<Tick> y_ticks = plot.y_log ? log_ticks(plot.y_min, plot.y_max, plot.rect.h, kLeastStep)
                                           : linear_ticks(plot.y_max, plot.rect.h, kLeastStep);
    if (y_ticks.size() > 2) y_ticks.erase(y_ticks.begin() + 1, y_ticks.end() - 1);
    plot.rect.x = left_of_ticks(canvas, y_ticks);
    plot.rect.w = std::max(10.0f, style.size.x - kBeside - plot.rect.x);
    const NamesAbove names;
    const PlotCanvas drawing{canvas, curve, plot, extremes, names};
    canvas.line({plot.rect.x, drawing.bottom()}, {drawing.right(), drawing.bottom()}, canvas.theme.outline);
    draw_y_ticks(canvas, plot, y_ticks);
    draw_x_ticks(canvas, plot, setting_ticks(curve, plot, *style.measure));
    if (drawing.shown(curve.here)) {
        const float x = plot.x_of(curve.here);
        canvas.line({x, kAbove - 4}, {x, drawing.bottom()}, canvas.theme.text, 2);
    }
    draw_other_model(canvas, curve, plot);
    draw_model(drawing);
    draw_series(canvas, curve, plot);
    add_hits(drawing);
    canvas.picture.plot = plot;
    return canvas.take();
}

}  // namespace warplens
