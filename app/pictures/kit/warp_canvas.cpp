#include "app/pictures/kit/warp_canvas.h"

#include "app/pictures/access/explain.h"
#include "app/pictures/kit/cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace warplens {

Color WarpCanvas::color_of(std::uint32_t lanes) const {
    return std::popcount(lanes) == 1 ? lane_color(canvas.theme, std::countr_zero(lanes))
                                     : mix(canvas.theme.panel, canvas.theme.text, 0.3f);
}

LaneRow lay_out_lanes(const Canvas& canvas, float x, float width, float top, float room, int group,
                      float gap) {
    LaneRow row{.x = x, .group = group, .gap = gap};
    const float gaps = gap * static_cast<float>((kWarpLanes - 1) / group);
    row.pitch = std::min(40.0f, (width - gaps) / kWarpLanes);
    row.numbers = row.pitch >= canvas.lane_number_cell();
    row.ticks = !row.numbers && !canvas.style.compact && room > 170;
    row.y = top + (row.ticks ? 16.0f : 0.0f);
    row.h = std::clamp(room * 0.08f, 8.0f, canvas.style.compact ? 12.0f : 26.0f);
    if (row.numbers) row.h = std::max(row.h, 20.0f);
    return row;
}

void draw_lane_cell(const WarpCanvas& d, Rect whole, std::uint32_t lanes, Color own, bool numbers) {
    Canvas& canvas = d.canvas;
    const float space = whole.w < 8 ? 0.3f : 0.75f, rounding = whole.w < 8 ? 1.0f : 2.0f;
    const Rect cell = inset(whole, space);
    const bool dim = d.dimmed(lanes);
    const Color fill = d.faded(own, dim);
    canvas.box({.rect = cell,
                .fill = fill,
                .stroke = d.faded(distinct_from(fill, canvas.theme.panel, 3), dim),
                .rounding = rounding});
    const int count = std::popcount(lanes);
    if (count == 1) {
        if (numbers)
            canvas.label_inside(whole, std::to_string(std::countr_zero(lanes)), FontRole::body,
                                d.ink(fill, dim));
        return;
    }
    if (cell.w < 44) {
        canvas.frame(inset(cell, 0.5f), canvas.theme.text, 1, rounding);
        canvas.frame(inset(cell, 2.5f), text_on(fill), 1, rounding * 0.6f);
    } else {
        draw_double_outline(canvas, cell, fill, rounding);
    }
    const Rect inner{cell.x + 4, cell.y, std::max(0.0f, cell.w - 8), cell.h};
    if (!canvas.label_inside(inner, fmt::format("{} lanes", count), FontRole::body, d.ink(fill, dim)))
        canvas.label_inside(inner, fmt::format("×{}", count), FontRole::body, d.ink(fill, dim));
}

void draw_lanes(const WarpCanvas& d, const LaneRow& row, std::string_view name,
                const std::function<std::string(int)>& describe) {
    Canvas& canvas = d.canvas;
    const Theme& theme = canvas.theme;
    if (!name.empty()) {
        canvas.label({canvas.margin(), middle_baseline(row.y + row.h / 2, FontRole::body)}, std::string(name),
                     FontRole::body, theme.text_weak);
    }
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        const Rect cell = inset(row.cell(lane), std::min(0.75f, row.pitch * 0.06f));
        const bool dim = d.dimmed(1u << lane);
        const Color fill = d.faded(lane_color(d.canvas.theme, lane), dim);
        if (d.active(lane)) {
            canvas.box({.rect = cell,
                        .fill = fill,
                        .stroke = d.faded(distinct_from(fill, theme.panel, 3), dim),
                        .rounding = 2});
        } else {
            canvas.frame(inset(cell, 0.5f), theme.outline, 1, 2);
        }
        if (row.numbers) {
            canvas.label_inside(cell, std::to_string(lane), FontRole::body,
                                d.active(lane) ? d.ink(fill, dim) : theme.text_weak);
        }
        if (row.ticks && lane % 4 == 0) {
            canvas.label({cell.x + cell.w / 2, row.y - 4}, std::to_string(lane), FontRole::body,
                         theme.text_weak, Anchor::middle);
        }
        canvas.hit(row.cell(lane), lane,
                   fmt::format("lane {}\n{}", lane, d.active(lane) ? describe(lane) : "not active"));
    }
    if (d.hovered() >= 0) draw_highlight(canvas, row.cell(d.hovered()), 2);
}

void draw_lane_wire(const WarpCanvas& d, int lane, Vec2 from, Vec2 to) {
    const int active = std::popcount(d.access.active);
    const bool hovered = lane == d.hovered();
    const float alpha = d.hovered() >= 0 ? 0.12f : active > 16 ? 0.62f : active > 8 ? 0.75f : 0.9f;
    const Color color =
        hovered
            ? d.canvas.theme.highlight
            : with_alpha(distinct_from(lane_color(d.canvas.theme, lane), d.canvas.theme.panel, 2.6), alpha);
    const float width = hovered ? 2.2f : d.canvas.style.compact ? 0.9f : active > 16 ? 1.2f : 1.5f;
    d.canvas.picture.shapes.emplace_back(Wire{from, to, color, width});
}

PictureFrame open_frame(Canvas& canvas, const Explanation& explanation, float least_picture) {
    const Style& style = canvas.style;
    PictureFrame frame;
    frame.top = canvas.draw_title() + (style.compact ? 0.0f : 2.0f);
    frame.edge = style.compact ? 8.0f : style.embedded ? 2.0f : 12.0f;
    frame.bottom = style.size.y - frame.edge;
    if (style.compact) {
        frame.bottom -= line_height(FontRole::strong);
    } else {
        frame.sentences = fit_sentences(explanation, style, style.size.x - 2 * canvas.margin(),
                                        frame.bottom - frame.top - least_picture);
        frame.bottom -= frame.sentences.height() + 6;
    }
    return frame;
}

void close_frame(Canvas& canvas, const PictureFrame& frame, bool good, const std::string& numbers,
                 const std::string& more) {
    if (!canvas.style.compact) {
        draw_sentences(canvas, frame.sentences, canvas.margin(),
                       canvas.style.size.y - frame.edge - frame.sentences.height());
        return;
    }
    if (canvas.style.counts_hidden) return;
    const float baseline = canvas.style.size.y - 6 - descent(FontRole::strong);
    const float room = canvas.style.size.x - 2 * canvas.margin();
    canvas.label({canvas.margin(), baseline}, elide(numbers, FontRole::strong, room, *canvas.style.measure),
                 FontRole::strong, good ? canvas.theme.good : canvas.theme.bad);
    const float after = canvas.width(numbers, FontRole::strong) + 12;
    if (after + canvas.width(more, FontRole::body) > room) return;
    canvas.label({canvas.margin() + after, baseline}, more, FontRole::body, canvas.theme.text_weak);
}

std::string title_of(const InstructionView& view, const Style& style, std::string_view title) {
    return style.compact ? fmt::format("{}  {}", view.index + 1, view.report->instruction.label)
                         : std::string(title);
}

std::string subtitle_of(const InstructionView& view, const Style& style, std::string_view space) {
    const std::string_view op = op_name(view.report->access.op);
    if (style.compact) return fmt::format("{} {}", space, op);
    const std::string_view label = view.report->instruction.label;
    return fmt::format("one warp, {}", label.empty() ? op : label);
}

void draw_usage_bar(const WarpCanvas& d, Rect bar, int bytes_used, int bytes_moved, std::string_view moved) {
    Canvas& canvas = d.canvas;
    if (canvas.style.counts_hidden) return;
    const Theme& theme = canvas.theme;
    const Box unused{
        .fill = theme.panel, .stroke = theme.outline, .rounding = 3, .hatch = with_alpha(theme.hatch, 0.75f)};
    Box whole = unused;
    whole.rect = {bar.x, bar.y, bar.w, 12};
    canvas.box(whole);
    const float used =
        bytes_moved == 0 ? 0 : bar.w * static_cast<float>(bytes_used) / static_cast<float>(bytes_moved);
    if (used > 0) canvas.fill({bar.x, bar.y, used, 12}, theme.accent, 3);
    std::vector<LegendSample> samples{
        {{.fill = theme.accent, .stroke = theme.accent, .rounding = 2},
         fmt::format("{} of {} bytes used: {} of the bytes {}", format_count(bytes_used),
                     format_count(bytes_moved), format_percent(bytes_used, bytes_moved), moved)}};
    if (bytes_used < bytes_moved) samples.push_back({unused, fmt::format("{}, not used", moved)});
    draw_legend_row(canvas, samples, bar.x, bar.y + 16, canvas.style.size.x - canvas.margin() - bar.x, 1);
}

float draw_legend_row(Canvas& canvas, const std::vector<LegendSample>& samples, float x, float y, float width,
                      int max_rows) {
    Legend legend;
    for (const LegendSample& sample : samples) legend.add(sample.text, 14);
    const auto places = legend.arrange(canvas, x, y, width, max_rows);
    for (std::size_t i = 0; i < places.size(); ++i) {
        Box look = samples[i].look;
        look.rect = places[i].sample;
        canvas.box(look);
        canvas.label(places[i].baseline, samples[i].text, FontRole::body,
                     i == 0 ? canvas.theme.text : canvas.theme.text_weak);
    }
    return places.empty() ? y : places.back().sample.y + 6 + Legend::kRowHeight / 2;
}

}  // namespace warplens
