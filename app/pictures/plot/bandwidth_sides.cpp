#include "app/pictures/plot/bandwidth.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

struct Flag {
    double value = 0;  ///< of the knob
    char side = 'B';
    std::string text = {};
    Rect rect = {};
};

void draw_flag(Canvas& canvas, const PlotArea& plot, const Flag& flag) {
    const Theme& theme = canvas.theme;
    const Color color = side_color(theme, flag.side);
    const float x = plot.x_of(flag.value);
    canvas.line({x, plot.rect.y - 4}, {x, plot.rect.y + plot.rect.h}, color, 1.5f,
                flag.side == 'A' ? Dash::dashed : Dash::solid);
    canvas.fill(flag.rect, color, 10);
    canvas.label_inside(flag.rect, flag.text, FontRole::strong, text_on(color));
}

constexpr float kFromLine = 6, kBetweenNames = 8;

bool collide(const MarkName& a, const MarkName& b) {
    return a.row == b.row && a.begin < b.begin + b.width + kBetweenNames &&
           b.begin < a.begin + a.width + kBetweenNames;
}

}  // namespace

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
    for (std::size_t i = 0; i < a.x.size() && i < a.model.size(); ++i) {
        if (!is_shown(plot, a.x[i]) || a.x[i] > plot.x_max) continue;
        path.points.push_back({plot.x_of(a.x[i]), plot.y_of(a.model[i].value)});
    }
    if (path.points.size() > 1) canvas.add(std::move(path));
}

void draw_both_settings(Canvas& canvas, const Curve& curve, const PlotArea& plot) {
    Flag a{curve.other->here, 'A'}, b{curve.here, 'B'};
    constexpr float kHeight = 20, kGap = 4;
    const float least = plot.rect.x - 4, most = canvas.style.size.x - canvas.margin();
    for (Flag* flag : {&a, &b}) {
        flag->text = fmt::format("{}  {}", flag->side, setting_text(*curve.knob, flag->value));
        const float wide = canvas.width(flag->text, FontRole::strong) + 16;
        flag->rect = {plot.x_of(flag->value) - wide / 2, plot.rect.y - 22, wide, kHeight};
        flag->rect.x = std::clamp(flag->rect.x, least, std::max(least, most - wide));
    }
    Flag& left = a.value <= b.value ? a : b;
    Flag& right = a.value <= b.value ? b : a;
    if (left.rect.x + left.rect.w + kGap > right.rect.x) {
        const float both = left.rect.w + kGap + right.rect.w;
        const float middle = (plot.x_of(left.value) + plot.x_of(right.value)) / 2;
        left.rect.x = std::clamp(middle - both / 2, least, std::max(least, most - both));
        right.rect.x = left.rect.x + left.rect.w + kGap;
    }
    if (is_shown(plot, a.value)) draw_flag(canvas, plot, a);
    if (is_shown(plot, b.value)) draw_flag(canvas, plot, b);
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
                if (free && (inside || row > static_cast<int>(names.size()))) return name;
            }
        }
    };
    for (const CurveMark& mark : curve.marks)
        names.push_back(place(plot.x_of(mark.x), measure.width(mark.label, FontRole::body)));
    return names;
}

std::vector<Tick> setting_ticks(const Curve& curve, const PlotArea& plot, const TextMeasure& measure) {
    const auto at = [&](double value) { return plot.x_of(value); };
    for (int step = 1; step <= 4096; step *= 2) {
        std::vector<Tick> ticks;
        for (std::size_t i = 0; i < curve.x.size(); ++i) {
            const double value = curve.x[i];
            const auto whole = static_cast<long>(std::lround(value));
            const bool power_of_two = whole > 0 && (whole & (whole - 1)) == 0;
            const bool wanted = plot.x_even  ? i % static_cast<std::size_t>(step) == 0
                                : plot.x_log ? power_of_two && value >= plot.x_min
                                             : whole % step == 0;
            if (wanted) ticks.push_back({value, setting_text(*curve.knob, value)});
        }
        bool fits = true;
        for (std::size_t i = 1; i < ticks.size(); ++i) {
            const float need = (measure.width(ticks[i - 1].text, FontRole::body) +
                                measure.width(ticks[i].text, FontRole::body)) /
                                   2 +
                               8;
            fits = fits && at(ticks[i].value) - at(ticks[i - 1].value) >= need;
        }
        if (fits || plot.x_log) return ticks;
    }
    return {};
}

}  // namespace warplens
