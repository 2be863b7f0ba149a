#include "app/pictures/kit/canvas.h"
#include "app/pictures/kit/fit_text.h"
#include "app/pictures/kit/motion.h"
#include "app/pictures/plot/bandwidth.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warplens {
namespace {

constexpr float kMarkPoints = 4.5f;
constexpr float kModelSample = 28;

const MeasuredPoint* point_at(const MeasuredSeries& series, double x) {
    const auto found = std::find_if(series.points.begin(), series.points.end(),
                                    [x](const MeasuredPoint& point) { return point.x == x; });
    return found == series.points.end() ? nullptr : &*found;
}

/// @param note        beside the names
/// @param name_width  names are shortened to it.
/// @param statistics  whether points are said to be medians and quartiles. Captions of figures say so, too.
Legend make_legend(const Canvas& canvas, const Curve& curve, const PlotNote& note, float name_width,
                   bool statistics = true) {
    const Style& style = canvas.style;
    const auto name = [&](const std::string& text) { return canvas.elide(text, FontRole::body, name_width); };
    Legend legend;
    const bool counted = curve.speed_unit == SpeedUnit::sectors;
    const std::string model = counted ? "counted" : "model";
    legend.add(name(style.compact ? model : model + " (approximate)"), kModelSample,
               [color = canvas.theme.series[kSeriesModel], bars = has_bars(curve)](Canvas& on, Rect s) {
                   if (bars) return on.box(model_bar(on.theme, s));
                   const Vec2 middle{s.x + s.w / 2, s.y + s.h / 2};
                   on.line({s.x, middle.y}, {s.x + s.w, middle.y}, color, 2, Dash::dashed);
                   on.mark(middle, MarkShape::circle, kMarkPoints, on.theme.panel);
                   on.mark(middle, MarkShape::ring, 4, color);
               });
    const bool alone = curve.series.size() == 1;
    for (const MeasuredSeries& series : curve.series) {
        const std::string kind(provenance_name(series.kind));
        const std::string label = series.label.empty() || (alone && style.compact) ? kind : series.label;
        // "NVIDIA H200, recorded 2026-11-22 to 2026-11-24: median and quartiles" loses the end of it first.
        std::vector<std::string> names{label};
        if (alone && !style.compact && statistics)
            names.insert(names.begin(), label + ": median and quartiles");
        if (label != kind && series.kind == Provenance::recorded && !series.gpu.empty())
            names.insert(names.end(), {fmt::format("{}, {}", series.gpu, kind), series.gpu});
        const SeriesLook look = series_look(canvas.theme, series.look);
        legend.add_mark(name(fit_text(canvas, names, FontRole::body, name_width)), look.shape, kMarkPoints,
                        look.color);
    }
    if (curve.series.empty() && !curve.no_measurement.empty() && !style.compact)
        legend.add_mark(name(curve.no_measurement), MarkShape::diamond, kMarkPoints, canvas.theme.outline);
    if (note.text.empty()) return legend;
    const bool whole = canvas.width(note.whole(), FontRole::body) <= name_width;
    legend.add(name(whole ? note.whole() : note.text));
    return legend;
}

constexpr float kFromLine = 6, kBetweenNames = 8;

bool collide(const MarkName& a, const MarkName& b) {
    return a.row == b.row && a.begin < b.begin + b.width + kBetweenNames &&
           b.begin < a.begin + a.width + kBetweenNames;
}

}  // namespace

bool has_bars(const Curve& curve) { return curve.knob->kind == KnobKind::choice && !curve.log_axes; }

float bar_width(const Curve& curve, const PlotArea& plot) {
    return std::min(72.0f, 0.6f * plot.rect.w / float(curve.x.size()));
}

Box model_bar(const Theme& theme, Rect rect) {
    const Color color = theme.series[kSeriesModel];
    return {.rect = rect, .fill = with_alpha(color, 0.35f), .stroke = color, .stroke_width = 1.5f};
}

void draw_whisker(Canvas& canvas, float x, float low, float high, Color color) {
    if (low - high <= 1) return;
    canvas.fill({x - 0.75f, high, 1.5f, low - high}, color);
    canvas.fill({x - 3.5f, high - 0.75f, 7, 1.5f}, color);
    canvas.fill({x - 3.5f, low - 0.75f, 7, 1.5f}, color);
}

void draw_series(Canvas& canvas, const Curve& curve, const PlotArea& plot) {
    for (auto series = curve.series.rbegin(); series != curve.series.rend(); ++series) {
        const auto [color, shape] = series_look(canvas.theme, series->look);
        const float spacing = plot.rect.w / float(std::max<std::size_t>(1, series->points.size()));
        const float radius = std::clamp(spacing * 0.35f, 2.5f, kMarkPoints);
        for (const MeasuredPoint& point : series->points) {
            if (!is_shown(plot, point.x)) continue;
            const float x = plot.x_of(point.x);
            draw_whisker(canvas, x, plot.y_of(point.lower), plot.y_of(point.upper), color);
            canvas.mark({x, plot.y_of(point.value)}, shape, radius, color);
        }
    }
}

std::string model_against(double model, double value, Provenance kind) {
    if (model <= 0 || value <= 0) return {};
    const double percent = std::abs(model / value - 1) * 100;
    const std::string than = fmt::format("the {} value", provenance_name(kind));
    if (percent < 1) return fmt::format("model within 1 % of {}", than);
    if (model >= 2 * value) return fmt::format("model {:.1f} times {}", model / value, than);
    const std::string off = percent < 10 ? fmt::format("{:.1f}", percent) : fmt::format("{:.0f}", percent);
    return fmt::format("model {} % {} {}", off, model > value ? "above" : "below", than);
}

std::string series_tooltip(const Curve& curve, std::size_t i) {
    std::string text;
    const std::string_view unit = speed_words(curve.speed_unit).unit;
    for (const MeasuredSeries& series : curve.series) {
        const MeasuredPoint* point = point_at(series, curve.x[i]);
        if (point == nullptr) continue;
        text += fmt::format("\n{} {} {} {}, quartiles {} to {}", provenance_mark(series.kind),
                            provenance_name(series.kind), value_text(point->value, curve.speed_unit), unit,
                            value_text(point->lower, curve.speed_unit),
                            value_text(point->upper, curve.speed_unit));
        if (!series.label.empty()) text += "\n   " + series.label;
        if (!series.of_model || i >= curve.model.size()) continue;
        const std::string off = model_against(curve.model[i].value, point->value, series.kind);
        if (!off.empty()) text += "\n   " + off;
    }
    return text;
}

std::string model_against_series(const Curve& curve) {
    const auto here = std::find(curve.x.begin(), curve.x.end(), curve.here);
    const std::size_t i = here - curve.x.begin();
    if (i >= curve.model.size()) return {};
    for (const MeasuredSeries& series : curve.series) {
        const MeasuredPoint* point = series.of_model ? point_at(series, curve.here) : nullptr;
        if (point != nullptr) return model_against(curve.model[i].value, point->value, series.kind);
    }
    return {};
}

float draw_plot_legend(Canvas& canvas, const Curve& curve, const PlotNote& note, float top, float width) {
    const float height = canvas.style.size.y;
    const float least_for_two =
        canvas.style.embedded ? 310 : 260;  // a panel is seldom higher than it must be
    const int rows = height < 180             ? 0
                     : height < least_for_two ? (note.text.empty() ? 1 : 2)
                     : height < 360           ? 2
                                              : int(height / 120);
    // In the title's row it costs the plot nothing.
    const float right = canvas.style.size.x - canvas.margin();
    const Vec2 title_end = canvas.title_end();
    for (const bool statistics : {true, false}) {
        const Legend legend = make_legend(canvas, curve, note, width, statistics);
        const float own = legend.width(canvas);
        if (title_end.x == 0 || title_end.x + 20 + own > right) continue;
        const float y = title_end.y - middle_baseline(Legend::kRowHeight / 2, FontRole::body);
        legend.draw(canvas, right - own, y, own + 1, 1);
        return top;
    }
    Legend legend = make_legend(canvas, curve, note, width);
    if (!legend.fits(canvas, width, rows)) legend = make_legend(canvas, curve, note, width, false);
    // 40 points of a name still say something.
    for (float name_width = width - kModelSample - 8;
         rows > 0 && name_width > 40 && !legend.fits(canvas, width, rows); name_width *= 0.85f)
        legend = make_legend(canvas, curve, note, name_width, false);
    return legend.draw(canvas, canvas.margin(), top, width, rows);
}

std::string MeasuredOn::text() const {
    if (kind == Provenance::recorded) return fmt::format("{} {}", provenance_mark(kind), gpu);
    return fmt::format("{} measured{}{}", provenance_mark(kind), gpu.empty() ? "" : " on ", gpu);
}

Color side_color(const Theme& theme, char side) { return side == 'A' ? theme.text_weak : theme.accent; }

void draw_side_badge(Canvas& canvas, Vec2 center, char side) {
    const Color color = side_color(canvas.theme, side);
    canvas.mark(center, MarkShape::circle, kBadge / 2, color);
    canvas.label_middle({center.x, center.y}, std::string(1, side), FontRole::strong, text_on(color),
                        Anchor::middle);
}

bool has_other_way(const Curve& curve) {
    if (!curve.other) return false;
    const Curve::Other& a = *curve.other;
    return a.x != curve.x ||
           !std::ranges::equal(a.model, curve.model, {}, &Prediction::value, &Prediction::value);
}

void draw_other_model(Canvas& canvas, const Curve& curve, const PlotArea& plot) {
    if (!has_other_way(curve)) return;
    const Curve::Other& a = *curve.other;
    Path path{{}, side_color(canvas.theme, 'A'), 2, Dash::dotted};
    const float half_bar = has_bars(curve) ? bar_width(curve, plot) / 2 : 0;
    for (std::size_t i = 0; i < a.x.size() && i < a.model.size(); ++i) {
        if (!is_shown(plot, a.x[i]) || a.x[i] > plot.x_max || a.model[i].value <= 0) continue;
        const Vec2 point{plot.x_of(a.x[i]), plot.y_of(a.model[i].value)};
        if (half_bar > 0)
            canvas.line({point.x - half_bar, point.y}, {point.x + half_bar, point.y}, path.color, path.width,
                        path.dash);
        else
            path.points.push_back(point);
    }
    if (path.points.size() > 1) canvas.add(std::move(path));
}

PlotNote every_setting(std::string before, const Knob& knob, Limiter limiter) {
    return {fmt::format("{}any {}", before, lower_first(knob.label)),
            limiter == Limiter::none ? "" : fmt::format(": limited by {}", limiter_name(limiter))};
}

std::string setting_name(const Curve& curve, double x) {
    return fmt::format("{} = {}", lower_first(curve.knob->label), setting_text(*curve.knob, x));
}

std::vector<SettingFlag> place_flags(const Canvas& canvas, const Curve& curve, const PlotArea& plot) {
    constexpr float kHeight = 20, kGap = 4;
    const float least = plot.rect.x - 4, most = canvas.style.size.x - canvas.margin();
    std::vector<SettingFlag> flags;
    const auto add = [&](double value, char side, std::string text) {
        text = canvas.elide(text, FontRole::strong, most - least - 16);
        const float wide = canvas.width(text, FontRole::strong) + 16;
        const float x = std::clamp(plot.x_of(value) - wide / 2, least, std::max(least, most - wide));
        flags.push_back({value, side, std::move(text), {x, plot.rect.y - 22, wide, kHeight}});
    };
    if (!curve.other) {
        if (is_shown(plot, curve.here)) add(curve.here, 0, setting_name(curve, curve.here));
        return flags;
    }
    for (const auto& [side, value] : {std::pair{'A', curve.other->here}, std::pair{'B', curve.here}})
        if (is_shown(plot, value))
            add(value, side, fmt::format("{}  {}", side, setting_text(*curve.knob, value)));
    if (flags.size() < 2) return flags;
    SettingFlag& left = flags[0].value <= flags[1].value ? flags[0] : flags[1];
    SettingFlag& right = flags[0].value <= flags[1].value ? flags[1] : flags[0];
    if (left.rect.x + left.rect.w + kGap > right.rect.x) {
        const float both = left.rect.w + kGap + right.rect.w;
        const float middle = (plot.x_of(left.value) + plot.x_of(right.value)) / 2;
        left.rect.x = std::clamp(middle - both / 2, least, std::max(least, most - both));
        right.rect.x = left.rect.x + left.rect.w + kGap;
    }
    return flags;
}

void draw_flags(Canvas& canvas, const PlotArea& plot, const std::vector<SettingFlag>& flags) {
    for (const SettingFlag& flag : flags) {
        const Color color = flag.side == 0 ? canvas.theme.text : side_color(canvas.theme, flag.side);
        const float x = plot.x_of(flag.value);
        canvas.moving(moving_key(MovingKind::mark, flag.side), [&] {
            canvas.line({x, plot.rect.y - 4}, {x, plot.rect.y + plot.rect.h}, color, 1.5f,
                        flag.side == 'A' ? Dash::dashed : Dash::solid);
            canvas.fill(flag.rect, color, 10);
            canvas.label_inside(flag.rect, flag.text, FontRole::strong,
                                flag.side == 0 ? canvas.theme.panel : text_on(color));
        });
    }
}

std::vector<MarkName> place_mark_names(const Curve& curve, const PlotArea& plot, const TextMeasure& measure) {
    std::vector<MarkName> names;
    const auto place = [&](float x, float width) {
        for (int row = 0;; ++row) {
            for (const float begin : {x - kFromLine - width, x + kFromLine}) {
                const MarkName name{begin, width, row};
                const bool inside = begin >= plot.rect.x && begin + width <= plot.rect.x + plot.rect.w;
                const bool free =
                    std::ranges::none_of(names, [&](const MarkName& other) { return collide(name, other); });
                // Names wider than the plot stick out, in a row of their own.
                if (free && (inside || row > int(names.size()))) return name;
            }
        }
    };
    for (const CurveMark& mark : curve.marks)
        names.push_back(place(plot.x_of(mark.x), measure.width(mark.label, FontRole::body)));
    return names;
}

}  // namespace warplens
