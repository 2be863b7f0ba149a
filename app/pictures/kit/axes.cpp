#include "app/pictures/kit/axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace warplens {
namespace {

/// Numbers small enough to need decimals get as many as the step has.
std::string tick_text(double value, double step) {
    if (step >= 1) return format_count(std::llround(value));
    return fmt::format("{:.{}f}", value, int(std::ceil(-std::log10(step) - 1e-9)));
}

std::string superscript(int number) {
    constexpr const char* kDigits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string text;
    for (const char digit : std::to_string(number)) text += kDigits[digit - '0'];
    return text;
}

/// As many of the clauses as fit: half a sentence would mislead.
std::vector<std::string> wrap_clauses(const Canvas& canvas, std::vector<std::string> clauses, float width,
                                      int most_lines) {
    for (; !clauses.empty(); clauses.pop_back()) {
        std::vector<std::string> lines =
            canvas.wrap(fmt::to_string(fmt::join(clauses, "; ")), FontRole::body, width);
        if (int(lines.size()) <= most_lines) return lines;
    }
    return {};
}

}  // namespace

std::vector<Tick> linear_ticks(double max, float points, float least_points) {
    if (max <= 0) return {{0, "0"}};
    const double least = max * double(least_points / std::max(points, 1.0f));
    const auto step_at = [](int k) {
        constexpr double kLeads[] = {1, 2, 5};
        const int power = int(std::floor(k / 3.0));
        return kLeads[k - 3 * power] * std::pow(10.0, power);
    };
    int k = 3 * int(std::floor(std::log10(least)));
    while (step_at(k) < least) ++k;
    // Two numbers do not show whether an axis is linear.
    constexpr double kLine = 17;
    while (2 * step_at(k) > max && step_at(k - 1) / max * double(points) >= kLine) --k;
    const double step = step_at(k);
    std::vector<Tick> ticks;
    for (int i = 0; i * step <= max * (1 + 1e-9); ++i) ticks.push_back({i * step, tick_text(i * step, step)});
    return ticks;
}

std::vector<Tick> log_ticks(double min, double max, float points, float least_points) {
    const double decade_points = double(points) / std::max(1e-9, std::log10(max / min));
    // The narrowest step of 1, 2, 5 is the factor 2.
    const bool between = decade_points * std::log10(2.0) >= double(least_points);
    const auto every = int(std::max(1.0, std::ceil(double(least_points) / decade_points)));
    std::vector<Tick> ticks;
    const auto first = int(std::floor(std::log10(min) + 1e-9));
    for (int power = first; std::pow(10.0, power) <= max; power += every) {
        for (const double lead : {1.0, 2.0, 5.0}) {
            const double decade = std::pow(10.0, power), value = decade * lead;
            if ((lead > 1 && !between) || value < min * (1 - 1e-9) || value > max * (1 + 1e-9)) continue;
            ticks.push_back({value, tick_text(value, std::min(decade, 1.0))});
        }
    }
    return ticks;
}

std::string value_text(double value, SpeedUnit speed_unit) {
    const double whole_from = speed_unit == SpeedUnit::cycles ? 100 : 10;
    return value < whole_from ? fmt::format("{:.1f}", value) : format_count(std::llround(value));
}

std::string lower_first(std::string_view text) {
    std::string lower(text);
    const auto is_upper = [&](std::size_t at) {
        return lower.size() > at && lower[at] >= 'A' && lower[at] <= 'Z';
    };
    if (is_upper(0) && !is_upper(1))  // "PAD" stays as it is
        lower[0] = static_cast<char>(lower[0] - 'A' + 'a');
    return lower;
}

std::string axis_name(const Knob& knob) {
    const std::string name = lower_first(knob.label);
    const bool said = name.size() >= knob.unit.size() && name.ends_with(knob.unit);
    return said ? name : fmt::format("{}, {}", name, knob.unit);
}

std::string setting_text(const Knob& knob, double value) {
    if (knob.kind == KnobKind::power && knob.unit == "bytes") return format_size(value);
    if (knob.kind == KnobKind::power) return "2" + superscript(int(std::lround(std::log2(value))));
    const auto whole = int(std::lround(value));
    const std::string_view name = choice_name(knob.choices, whole);
    return name.empty() ? format_count(whole) : std::string(name);
}

std::vector<int> lines_of_names(std::span<const NameSpot> names, int most_lines) {
    constexpr float kGap = 4;
    std::vector<float> taken_to(static_cast<std::size_t>(most_lines), std::numeric_limits<float>::lowest());
    std::vector<int> lines;
    for (const NameSpot& name : names) {
        const float from = name.centre - name.width / 2 - kGap;
        const auto line = std::ranges::find_if(taken_to, [&](float to) { return to <= from; });
        if (line == taken_to.end()) return {};
        *line = name.centre + name.width / 2;
        lines.push_back(int(line - taken_to.begin()));
    }
    return lines;
}

void draw_y_ticks(Canvas& canvas, const PlotArea& plot, const std::vector<Tick>& ticks) {
    const Rect& r = plot.rect;
    for (const Tick& tick : ticks) {
        const float y = plot.y_of(tick.value);
        canvas.line({r.x, y}, {r.x + r.w, y},
                    tick.value == plot.y_min ? canvas.theme.outline : canvas.theme.grid, 1);
        canvas.label_middle({r.x - 8, y}, tick.text, FontRole::body, canvas.theme.text_weak, Anchor::end);
    }
}

void draw_x_ticks(Canvas& canvas, const PlotArea& plot, const std::vector<Tick>& ticks) {
    const float bottom = plot.rect.y + plot.rect.h;
    std::vector<float> free_until;  // by line
    for (std::size_t i = ticks.size(); i-- > 0;) {
        const Tick& tick = ticks[i];
        const float x = plot.x_of(tick.value), half = canvas.width(tick.text, FontRole::body) / 2;
        const std::size_t line = tick.line;
        const float down = kNameLine * float(tick.line);
        if (free_until.size() <= line) free_until.resize(line + 1, std::numeric_limits<float>::max());
        canvas.line({x, bottom}, {x, bottom + 4}, canvas.theme.outline, 1);
        const float least = plot.rect.x - 6 + half;  // further left stands the y axis's zero
        const float centre = std::clamp(x, least, std::max(least, canvas.style.size.x - half - 2));
        if (centre + half + 4 > free_until[line]) continue;  // a name at an edge was moved to this tick
        free_until[line] = centre - half;
        canvas.label({centre, bottom + 7 + down + ascent(FontRole::body)}, tick.text, FontRole::body,
                     canvas.theme.text_weak, Anchor::middle);
    }
}

float left_of_ticks(const Canvas& canvas, const std::vector<Tick>& ticks, std::string_view least) {
    float widest = canvas.width(least, FontRole::body);
    for (const Tick& tick : ticks) widest = std::max(widest, canvas.width(tick.text, FontRole::body));
    return canvas.margin() + widest + 8;
}

float draw_below_plot(Canvas& canvas, const BelowPlot& below) {
    const bool compact = canvas.style.compact;
    const float width = canvas.inner_width(), step = line_height(FontRole::body),
                ticks = 24 + kNameLine * float(below.tick_lines - 1);
    float bottom = canvas.style.size.y - (compact ? 4.0f : 8.0f);
    const auto room = int((bottom - ticks - below.least_with_caption) / step) - 1;  // one line is the axis's
    const std::vector<std::string> lines =
        compact ? std::vector<std::string>() : wrap_clauses(canvas, below.caption, width, std::min(room, 2));
    for (auto line = lines.rbegin(); line != lines.rend(); ++line, bottom -= step) {
        canvas.label({canvas.margin(), bottom - descent(FontRole::body) - 1}, *line, FontRole::body,
                     canvas.theme.text_weak);
    }
    if (bottom - step - ticks < below.least_with_name) return bottom - ticks;
    canvas.label_elided({canvas.style.size.x / 2, bottom - descent(FontRole::body) - 3}, below.axis,
                        FontRole::body, canvas.theme.text, width, Anchor::middle);
    return bottom - step - ticks;
}

}  // namespace warplens
