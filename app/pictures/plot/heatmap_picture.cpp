#include "app/pictures/plot/heatmap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warplens {
namespace {

constexpr float kBar = 14;       // width of the colour bar
constexpr float kTickLine = 16;  // least height of a row that has a name

struct Plan {
    Rect cells;  ///< all of them
    Rect bar;
    float column = 0, row = 0;  ///< size of a cell
};

struct HeatmapCanvas {
    Canvas& canvas;
    const Heatmap& map;
    HeatScale scale;
    Plan plan;
    int columns() const { return int(map.x.size()); }
    int rows() const { return int(map.y.size()); }
    Rect cell(int column, int row) const {  // the smallest y stands at the bottom, as in any plot
        return {plan.cells.x + plan.column * float(column), plan.cells.y + plan.row * float(rows() - 1 - row),
                plan.column, plan.row};
    }
    const HeatmapCell& at(int column, int row) const {
        return map.cells[static_cast<std::size_t>(row) * map.x.size() + static_cast<std::size_t>(column)];
    }
};

std::string title_of(const Heatmap& map) {
    if (map.x_knob == nullptr || map.y_knob == nullptr) return "Two parameters";
    return fmt::format("{} against {} and {}", speed_words(map.speed_unit).title,
                       lower_first(map.x_knob->label), lower_first(map.y_knob->label));
}

/// The meaning of the colours and their origin.
std::string legend_text(const Heatmap& map) {
    const std::size_t measured = map.measured_cells();
    const std::string count = fmt::format("{} of {} cells", measured, map.cells.size());
    if (map.show == HeatmapShow::model) {
        const std::string model =
            fmt::format("{} model (approximate)", provenance_mark(Provenance::approximate));
        return map.no_measurement.empty() ? model : model + "   ·   " + map.no_measurement;
    }
    if (measured == 0) return map.no_measurement.empty() ? "nothing measured yet" : map.no_measurement;
    const std::string on = map.measured_on.text();
    if (map.show == HeatmapShow::measured) return fmt::format("{}, median, {}", on, count);
    return fmt::format("{} / {} model; 1: as predicted, {}", on, provenance_mark(Provenance::approximate),
                       count);
}

std::vector<std::string> caption_of(const Heatmap& map) {
    std::vector<std::string> clauses{map.gpu.empty() ? "" : fmt::format("Model of {}", map.gpu), map.caption};
    std::erase(clauses, std::string());
    return clauses;
}

/// A number in a cell has three digits that count, and no gap.
std::string cell_text(double value, bool ratio) {
    if (ratio) return fmt::format("{:.2f}", value);
    if (value >= 9999.5) return fmt::format("{:.{}f}k", value * 1e-3, value < 99'950 ? 1 : 0);
    return fmt::format("{:.{}f}", value, value < 9.95 ? 1 : 0);
}

std::string setting_name(const Heatmap& map, std::size_t index) {
    const std::size_t column = index % map.x.size(), row = index / map.x.size();
    return fmt::format("{} = {}, {} = {}", lower_first(map.x_knob->label),
                       setting_text(*map.x_knob, map.x[column]), lower_first(map.y_knob->label),
                       setting_text(*map.y_knob, map.y[row]));
}

std::string tooltip_of(const Heatmap& map, std::size_t index) {
    const HeatmapCell& cell = map.cells[index];
    const std::string_view unit = speed_words(map.speed_unit).unit;
    std::string text = setting_name(map, index);
    if (!cell.refused.empty()) text += "\n" + cell.refused;
    if (!cell.known) return text + "\n… not computed yet";
    if (cell.model.value > 0) {
        text += fmt::format("\n○ predicted {} {}, approximate", value_text(cell.model.value, map.speed_unit),
                            unit);
        if (cell.model.limiter != Limiter::none)
            text += fmt::format("\n   {} {}", map.speed_unit == SpeedUnit::cycles ? "mostly" : "limited by",
                                limiter_words(cell.model));
    }
    if (!cell.measured) return text;
    const MeasuredPoint& point = *cell.measured;
    text += fmt::format("\n{} {} {} {}, quartiles {} to {}", provenance_mark(map.measured_on.kind),
                        provenance_name(map.measured_on.kind), value_text(point.value, map.speed_unit), unit,
                        value_text(point.lower, map.speed_unit), value_text(point.upper, map.speed_unit));
    if (cell.model.value > 0)
        text += fmt::format("\n   {} / predicted {:.2f}", provenance_name(map.measured_on.kind),
                            point.value / cell.model.value);
    return text;
}

/// All numbers fit into their cells, or none is written.
bool numbers_fit(const HeatmapCanvas& d) {
    if (d.plan.row < ascent(FontRole::body) + descent(FontRole::body)) return false;
    return std::ranges::all_of(d.map.cells, [&](const HeatmapCell& cell) {
        const auto value = shown_value(d.map, cell);
        return !value ||
               d.canvas.width(cell_text(*value, d.scale.ratio), FontRole::body) + 4 <= d.plan.column;
    });
}

/// Without colours the two sides of a difference are told apart by a pattern.
bool below_is_hatched(const HeatmapCanvas& d) {
    return d.scale.ratio && d.canvas.theme.name == ThemeName::print;
}

void draw_cells(const HeatmapCanvas& d) {
    const Theme& theme = d.canvas.theme;
    const bool numbers = numbers_fit(d);
    const float gap = std::min(d.plan.column, d.plan.row) >= 8 ? 0.5f : 0;
    for (int row = 0; row < d.rows(); ++row) {
        for (int column = 0; column < d.columns(); ++column) {
            const Rect rect = inset(d.cell(column, row), gap);
            const HeatmapCell& cell = d.at(column, row);
            const auto value = shown_value(d.map, cell);
            const auto index = row * d.columns() + column;
            Box box{.rect = rect, .fill = value ? d.scale.color(theme, *value) : theme.cell_empty};
            if (!cell.refused.empty())
                box.hatch = theme.hatch;
            else if (value && *value < 1 && below_is_hatched(d))
                box.hatch = with_alpha(text_on(box.fill), 0.5f);
            d.canvas.box(box);
            if (numbers && value && cell.refused.empty())
                d.canvas.label_inside(rect, cell_text(*value, d.scale.ratio), FontRole::body,
                                      text_on(d.scale.color(theme, *value)));
            d.canvas.hit({.rect = d.cell(column, row),
                          .tooltip = tooltip_of(d.map, static_cast<std::size_t>(index)),
                          .item = index});
        }
    }
}

/// Every so many settings, so that names do not touch; of a row of numbers the round ones.
std::vector<int> named_settings(const Knob& knob, const std::vector<double>& values, const auto& fits) {
    for (int step = 1; step <= 1 << 20; step *= 2) {
        std::vector<int> named;
        for (int i = 0; i < int(values.size()); ++i) {
            const auto value = std::llround(values[i]);
            const bool round = knob.kind == KnobKind::slider ? value % step == 0 : i % step == 0;
            if (round) named.push_back(i);
        }
        bool all = true;
        for (std::size_t i = 1; i < named.size(); ++i) all = all && fits(named[i - 1], named[i]);
        if (all) return named;
    }
    return {};
}

/// The places of the names of all columns if none is left out.
std::vector<NameSpot> spots_of_columns(const Canvas& canvas, const Heatmap& map, const Plan& plan) {
    std::vector<NameSpot> spots;
    for (std::size_t i = 0; i < map.x.size(); ++i) {
        const float width = canvas.width(setting_text(*map.x_knob, map.x[i]), FontRole::body);
        const float x = plan.cells.x + plan.column * (float(i) + 0.5f);
        spots.push_back(
            {std::clamp(x, width / 2, std::max(width / 2, canvas.style.size.x - width / 2 - 1)), width});
    }
    return spots;
}

/// All names of a choice, on so many lines.
bool draw_all_columns_names(const HeatmapCanvas& d, int lines) {
    const std::vector<NameSpot> spots = spots_of_columns(d.canvas, d.map, d.plan);
    const std::vector<int> line_of = lines_of_names(spots, lines);
    if (line_of.size() != spots.size()) return false;
    const float bottom = d.plan.cells.y + d.plan.cells.h;
    for (std::size_t i = 0; i < spots.size(); ++i) {
        const float x = d.cell(int(i), 0).x + d.plan.column / 2, down = kNameLine * float(line_of[i]);
        d.canvas.line({x, bottom}, {x, bottom + 4}, d.canvas.theme.outline, 1);
        d.canvas.label({spots[i].centre, bottom + 7 + down + ascent(FontRole::body)},
                       setting_text(*d.map.x_knob, d.map.x[i]), FontRole::body, d.canvas.theme.text_weak,
                       Anchor::middle);
    }
    return true;
}

void draw_columns_names(const HeatmapCanvas& d, int lines) {
    if (lines > 1 && draw_all_columns_names(d, lines)) return;
    Canvas& canvas = d.canvas;
    const auto text = [&](int i) { return setting_text(*d.map.x_knob, d.map.x[i]); };
    const std::vector<NameSpot> spots = spots_of_columns(canvas, d.map, d.plan);
    const auto fits = [&](int a, int b) {
        return spots[b].centre - spots[a].centre >= (spots[a].width + spots[b].width) / 2 + 8;
    };
    const float bottom = d.plan.cells.y + d.plan.cells.h;
    for (const int i : named_settings(*d.map.x_knob, d.map.x, fits)) {
        const float x = d.cell(i, 0).x + d.plan.column / 2;
        canvas.line({x, bottom}, {x, bottom + 4}, canvas.theme.outline, 1);
        canvas.label({spots[i].centre, bottom + 7 + ascent(FontRole::body)}, text(i), FontRole::body,
                     canvas.theme.text_weak, Anchor::middle);
    }
}

void draw_row_names(const HeatmapCanvas& d) {
    const auto fits = [&](int a, int b) { return float(b - a) * d.plan.row >= kTickLine; };
    for (const int i : named_settings(*d.map.y_knob, d.map.y, fits)) {
        const float y = d.cell(0, i).y + d.plan.row / 2;
        d.canvas.label_middle({d.plan.cells.x - 8, y}, setting_text(*d.map.y_knob, d.map.y[i]),
                              FontRole::body, d.canvas.theme.text_weak, Anchor::end);
    }
}

/// The outline of the present setting; between settings that have cells, marks at the axes alone.
void draw_here(const HeatmapCanvas& d) {
    Canvas& canvas = d.canvas;
    const auto find = [](const std::vector<double>& values, double here) {
        return int(std::ranges::find(values, here) - values.begin());
    };
    const int column = find(d.map.x, d.map.here_x), row = find(d.map.y, d.map.here_y);
    if (column < d.columns() && row < d.rows()) {
        const Rect cell = inset(d.cell(column, row), 1);
        canvas.frame(cell, canvas.theme.panel, 4, 1);
        canvas.frame(cell, canvas.theme.text, 2, 1);
        return;
    }
    const PlotArea along_x{.rect = d.plan.cells, .x_even = true, .x_stops = d.map.x};
    const float x = along_x.x_of(d.map.here_x);
    const PlotArea along_y{.rect = {0, 0, d.plan.cells.h, 1}, .x_even = true, .x_stops = d.map.y};
    const float y = d.plan.cells.y + d.plan.cells.h - along_y.x_of(d.map.here_y);
    const float bottom = d.plan.cells.y + d.plan.cells.h;
    canvas.line({x, bottom - 6}, {x, bottom + 5}, canvas.theme.text, 2.5f);
    canvas.line({d.plan.cells.x - 5, y}, {d.plan.cells.x + 6, y}, canvas.theme.text, 2.5f);
}

void draw_bar(const HeatmapCanvas& d) {
    Canvas& canvas = d.canvas;
    const Rect& bar = d.plan.bar;
    constexpr int kSlices = 48;
    const float slice = bar.h / kSlices;
    for (int i = 0; i < kSlices; ++i) {
        const float t = (float(i) + 0.5f) / kSlices;
        const float y = bar.y + bar.h - slice * float(i + 1);
        canvas.fill({bar.x, y, bar.w, std::min(slice + 0.5f, bar.y + bar.h - y)},
                    d.scale.color_at(canvas.theme, t));
    }
    if (below_is_hatched(d)) {
        canvas.box({.rect = {bar.x, bar.y + bar.h / 2, bar.w, bar.h / 2},
                    .hatch = with_alpha(text_on(d.scale.color_at(canvas.theme, 0.5f)), 0.5f)});
    }
    for (const Tick& tick : d.scale.ticks(bar.h)) {
        const float y = bar.y + bar.h * (1 - d.scale.position(tick.value));
        canvas.line({bar.x + bar.w, y}, {bar.x + bar.w + 3, y}, canvas.theme.outline, 1);
        const float middle = std::clamp(y, bar.y, bar.y + bar.h);
        canvas.label_middle({bar.x + bar.w + 6, middle}, tick.text, FontRole::body, canvas.theme.text_weak);
    }
}

/// The line right above the cells: name of the rows to the left, unit of the colours to the right.
void draw_above(Canvas& canvas, const Heatmap& map, float baseline) {
    const std::string unit =
        map.show == HeatmapShow::difference ? "ratio" : std::string(speed_words(map.speed_unit).unit);
    const float wide = canvas.width(unit, FontRole::body), right = canvas.style.size.x - canvas.margin();
    canvas.label({right, baseline}, unit, FontRole::body, canvas.theme.text, Anchor::end);
    const float room = right - wide - 16 - canvas.margin();
    canvas.label_elided({canvas.margin(), baseline}, axis_name(*map.y_knob), FontRole::body,
                        canvas.theme.text, room);
}

Plan plan_cells(const Canvas& canvas, const Heatmap& map, const HeatScale& scale, float top, float bottom) {
    float left = 0, right = 0;
    for (const double y : map.y)
        left = std::max(left, canvas.width(setting_text(*map.y_knob, y), FontRole::body));
    for (const Tick& tick : scale.ticks(bottom - top))
        right = std::max(right, canvas.width(tick.text, FontRole::body));
    Plan plan;
    const float begin = canvas.margin() + left + 8;
    const float end = canvas.style.size.x - canvas.margin() - right - 6;
    plan.bar = {end - kBar, top, kBar, bottom - top};
    plan.cells = {begin, top, std::max(10.0f, plan.bar.x - 14 - begin), bottom - top};
    plan.column = plan.cells.w / float(map.x.size());
    plan.row = plan.cells.h / float(map.y.size());
    return plan;
}

/// Over how many lines the names of a choice's columns are spread so that all are there, if some height is
/// left for the cells; else one.
int lines_of_columns(const Canvas& canvas, const Heatmap& map, const HeatScale& scale, float top, float end) {
    constexpr int kMostNameLines = 4;
    constexpr float kLeastCells = 44, kTicks = 28;
    if (map.x_knob->kind != KnobKind::choice) return 1;
    const Plan plan = plan_cells(canvas, map, scale, top, end);
    for (int lines = 1; lines <= kMostNameLines; ++lines) {
        if (end - top - kTicks - kNameLine * float(lines - 1) < kLeastCells) break;
        if (lines_of_names(spots_of_columns(canvas, map, plan), lines).size() == map.x.size()) return lines;
    }
    return 1;
}

}  // namespace

std::size_t Heatmap::measured_cells() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(cells, [](const HeatmapCell& cell) { return cell.measured.has_value(); }));
}

std::optional<double> shown_value(const Heatmap& map, const HeatmapCell& cell) {
    const double model = cell.known ? cell.model.value : 0;
    const double measured = cell.measured ? cell.measured->value : 0;
    const double value = map.show == HeatmapShow::model      ? model
                         : map.show == HeatmapShow::measured ? measured
                         : model > 0                         ? measured / model
                                                             : 0;
    return value > 0 ? std::optional(value) : std::nullopt;
}

Picture draw_heatmap(const Heatmap& map, const Style& style) {
    const std::string name(speed_words(map.speed_unit).name);
    Canvas canvas(style, title_of(map), style.compact ? "" : name);
    float top = canvas.draw_title();
    if (map.x_knob == nullptr || map.y_knob == nullptr || map.cells.empty()) {
        canvas.label_elided({canvas.margin(), top + ascent(FontRole::body)},
                            "Nothing to draw: two parameters are needed.", FontRole::body,
                            canvas.theme.text_weak, canvas.inner_width());
        return canvas.take();
    }
    canvas.picture.shapes.reserve(2 * map.cells.size() + 128);
    canvas.picture.hits.reserve(map.cells.size());
    const float step = line_height(FontRole::body), width = canvas.inner_width();
    if (style.size.y >= 220) {
        canvas.label_elided({canvas.margin(), top + ascent(FontRole::body) + 2}, legend_text(map),
                            FontRole::body, canvas.theme.text_weak, width);
        top += step;
    }
    draw_above(canvas, map, top + ascent(FontRole::body) + 2);
    top += step + 8;
    const HeatScale scale = heat_scale(map);
    const int lines = lines_of_columns(canvas, map, scale, top, style.size.y);
    const float bottom = std::max(top + 20, draw_below_plot(canvas, {axis_name(*map.x_knob), caption_of(map),
                                                                     top + 60, top + 60, lines}));
    const HeatmapCanvas drawing{canvas, map, scale, plan_cells(canvas, map, scale, top, bottom)};
    draw_cells(drawing);
    draw_columns_names(drawing, lines);
    draw_row_names(drawing);
    draw_bar(drawing);
    draw_here(drawing);
    return canvas.take();
}

}  // namespace warplens
