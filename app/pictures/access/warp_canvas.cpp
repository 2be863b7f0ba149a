#include "app/pictures/access/warp_canvas.h"

#include "app/pictures/access/explain.h"
#include "app/pictures/kit/fit_text.h"
#include "app/pictures/kit/shape_geometry.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {

std::string name_lanes(std::uint32_t lanes) {
    const int count = std::popcount(lanes), first = std::countr_zero(lanes),
              last = 31 - std::countl_zero(lanes);
    if (count == 0) return "no lane";
    if (count == 1) return fmt::format("lane {}", first);
    if (last - first + 1 == count) return fmt::format("lanes {} to {}", first, last);
    std::string text = "lanes ";
    int named = 0;
    for (std::uint32_t rest = lanes; rest != 0 && named < 3; rest &= rest - 1, ++named) {
        text += fmt::format("{}{}", named == 0 ? "" : ", ", std::countr_zero(rest));
    }
    return count <= 3 ? text : text + fmt::format(" … {} ({} of them)", last, count);
}

void draw_double_outline(Canvas& canvas, Rect cell, Color fill, float rounding) {
    const Color ink = text_on(fill);
    const float width = cell.w >= 20 && cell.h >= 12 ? 1.5f : 1.0f;
    canvas.frame(inset(cell, width / 2), canvas.theme.text, width, rounding);
    canvas.frame(inset(cell, 2.5f * width), ink, width, rounding * 0.6f);
}

bool draw_shared_cell(Canvas& canvas, Rect cell, int lanes, Color fill, Color ink, float rounding) {
    const std::string texts[] = {fmt::format("{} lanes", lanes), fmt::format("×{}", lanes)};
    const float thick = canvas.style.silent ? 1.6f : 1.0f;  // projector mode draws thicker lines
    const float width = cell.w >= 20 && cell.h >= 12 ? 1.5f : 1.0f;
    const auto fits = [&](std::string_view text, FontRole font, float margin) {
        return canvas.width(text, font) <= cell.w - 2 * margin &&
               0.8f * font_points(font) <= cell.h - 2 * margin && cell.h >= ascent(font) + descent(font);
    };
    const auto put = [&](const std::string& text, FontRole font) {
        canvas.label({cell.x + cell.w / 2, middle_baseline(cell.y + cell.h / 2, font)}, text, font, ink,
                     Anchor::middle);
        return true;
    };
    for (const FontRole font : {FontRole::body, canvas.small()})
        for (const std::string& text : texts)
            if (fits(text, font, (2.5f + 0.5f * thick) * width + 1.2f)) {
                draw_double_outline(canvas, cell, fill, rounding);
                return put(text, font);
            }
    for (const FontRole font : {FontRole::body, canvas.small()})
        if (fits(texts[1], font, 0.5f + 0.5f * thick)) {
            canvas.frame(inset(cell, 0.5f), canvas.theme.text, 1, rounding);
            return put(texts[1], font);
        }
    if (fits(texts[1], canvas.small(), 0.2f)) return put(texts[1], FontRole::cell);
    draw_double_outline(canvas, cell, fill, rounding);
    return false;
}

bool holds_lanes(const Canvas& canvas, Rect cell, int lanes) {
    constexpr float kOutlines = 9;
    return canvas.width(fmt::format("{} lanes", lanes), FontRole::body) <= cell.w - kOutlines;
}

Color wire_color(const Theme& theme, Color own) {
    // On black a mixed colour loses more of its contrast than on a lighter panel.
    return distinct_from(own, theme.panel, theme.name == ThemeName::high_contrast ? 6 : 2.6);
}

Color WarpCanvas::color_of(std::uint32_t lanes) const {
    return std::popcount(lanes) == 1 ? lane_color(canvas.theme, std::countr_zero(lanes))
                                     : mix(canvas.theme.panel, canvas.theme.text, 0.3f);
}

Color WarpCanvas::draw_cell(Rect cell, Color own, bool dim, float rounding) const {
    const Color fill = faded(own, dim);
    canvas.box({.rect = cell,
                .fill = fill,
                .stroke = faded(distinct_from(fill, canvas.theme.panel, 3), dim),
                .rounding = rounding,
                .plain = true});
    return fill;
}

LaneRow lay_out_lanes(const Canvas& canvas, float x, float width, float top, float room, int group,
                      float gap) {
    LaneRow row{.x = x, .group = group, .gap = gap};
    const float gaps = gap * float((kWarpLanes - 1) / group);
    row.pitch = std::min(40.0f, (width - gaps) / kWarpLanes);
    row.numbers = row.pitch >= canvas.lane_number_cell();
    row.ticks = !row.numbers && !canvas.style.compact && room > 170;
    row.y = top + (row.ticks ? kLaneTicks : 0.0f);
    row.h = std::clamp(room * 0.08f, 8.0f, canvas.style.compact ? 12.0f : 26.0f);
    if (row.numbers) row.h = std::max(row.h, 20.0f);
    return row;
}

void draw_lane_cell(const WarpCanvas& d, Rect whole, std::uint32_t lanes, Color own, bool numbers) {
    Canvas& canvas = d.canvas;
    const float space = whole.w < 8 ? 0.3f : 0.75f, rounding = whole.w < 8 ? 1.0f : 2.0f;
    const Rect cell = inset(whole, space);
    const bool dim = d.dimmed(lanes);
    const Color fill = d.draw_cell(cell, own, dim, rounding);
    const int count = std::popcount(lanes);
    if (count == 1) {
        if (numbers) canvas.lane_number(whole, std::countr_zero(lanes), d.ink(fill, dim));
        return;
    }
    constexpr float kLarge = 30;  // beside the walk over texels, which has no numbers [points]
    if (numbers || cell.w >= kLarge)
        draw_shared_cell(canvas, cell, count, fill, d.ink(fill, dim), rounding);
    else
        draw_double_outline(canvas, cell, fill, rounding);
}

void draw_lanes(const WarpCanvas& d, const LaneRow& row, std::string_view name,
                const std::function<std::string(int)>& describe, std::uint32_t waiting) {
    Canvas& canvas = d.canvas;
    const Theme& theme = canvas.theme;
    if (!name.empty()) {
        canvas.label_middle({canvas.margin(), row.y + row.h / 2}, std::string(name), FontRole::body,
                            theme.text_weak);
    }
    const bool narrow = 4 * row.pitch < canvas.width("28 ", FontRole::body);
    const int every = narrow ? 8 : 4;
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        const Rect cell = inset(row.cell(lane), std::min(0.75f, row.pitch * 0.06f));
        const bool dim = d.dimmed(1u << lane) || (waiting >> lane & 1u) != 0;
        const Color own = lane_color(theme, lane), fill = d.faded(own, dim);
        if (d.active(lane) && row.pitch < 7) {
            canvas.fill(thin_cell(row.cell(lane)), fill);
        } else if (d.active(lane)) {
            d.draw_cell(cell, own, dim, 2);
        } else {
            canvas.frame(inset(cell, 0.5f), theme.outline, 1, 2);
        }
        if (row.numbers) {
            canvas.lane_number(cell, lane, d.active(lane) ? d.ink(fill, dim) : theme.text_weak);
        }
        if (row.ticks && lane % every == 0) {
            canvas.label({cell.x + cell.w / 2, row.y - 4}, std::to_string(lane), FontRole::body,
                         theme.text_weak, Anchor::middle);
        }
        canvas.hit(row.cell(lane), lane,
                   fmt::format("lane {}\n{}", lane, d.active(lane) ? describe(lane) : "not active"));
    }
    if (d.hovered() >= 0) canvas.highlight(row.cell(d.hovered()), 2);
}

void draw_lane_wire(const WarpCanvas& d, int lane, Color own, Vec2 from, Vec2 to) {
    const int active = std::popcount(d.access.active);
    const bool hovered = lane == d.hovered();
    const float alpha = d.hovered() >= 0 ? 0.12f : active > 16 ? 0.62f : active > 8 ? 0.75f : 0.9f;
    const Color color =
        hovered ? d.canvas.theme.highlight : with_alpha(wire_color(d.canvas.theme, own), alpha);
    const float width = hovered ? 2.2f : d.canvas.style.compact ? 0.9f : active > 16 ? 1.2f : 1.5f;
    d.canvas.wire(from, to, color, width);
}

void draw_traveller(const WarpCanvas& d, Color own, Vec2 from, Vec2 to, Vec2 place, float share) {
    // A load goes there and back with a rest in between; a store only goes there.
    constexpr float kThere = 0.4f, kRest = 0.55f, kBack = 0.95f, kStored = 0.7f, kOnWire = 0.6f;
    const bool load = is_load(d.access.op);
    float way = std::min(share / (load ? kThere : kStored), 1.0f);
    if (load && share > kRest) way = std::max(0.0f, 1 - (share - kRest) / (kBack - kRest));
    Vec2 at;
    if (way < kOnWire) {
        const auto c = curve_of(from, to);
        const float t = way / kOnWire, u = 1 - t;
        const float b[] = {u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t};
        for (std::size_t i = 0; i < 4; ++i) at = {at.x + b[i] * c[i].x, at.y + b[i] * c[i].y};
    } else {
        const float t = (way - kOnWire) / (1 - kOnWire);
        at = {to.x + (place.x - to.x) * t, to.y + (place.y - to.y) * t};
    }
    // A request is a ring, and the bytes that travel are filled.
    const bool bytes = !load || share > kRest;
    const float r = 6;
    const Color edge = bytes ? d.canvas.theme.text : distinct_from(own, d.canvas.theme.panel, 3);
    const Rect plate{at.x - r, at.y - r, 2 * r, 2 * r};
    d.canvas.box({.rect = plate,
                  .fill = bytes ? own : d.canvas.theme.panel,
                  .stroke = edge,
                  .stroke_width = bytes ? 1.0f : 2.5f,
                  .rounding = bytes ? 2.5f : r});
}

std::string title_of(const InstructionView& view, const Style& style, std::string_view title) {
    if (!style.compact) return std::string(title);
    const Instruction& instruction = view.report->instruction;
    const std::string whole = fmt::format("{}  {}", view.index + 1, instruction.label);
    constexpr float kMargins = 16;
    return style.measure->width(whole, FontRole::strong) <= style.size.x - kMargins
               ? whole
               : fmt::format("{}  {}", view.index + 1, short_name(instruction));
}

std::string subtitle_of(const InstructionView& view, const Style& style, std::string_view space) {
    const std::string_view op = op_name(view.report->access.op);
    if (style.compact) return fmt::format("{} {}", space, op);
    const std::string_view label = view.report->instruction.label;
    return fmt::format("one warp, {}", label.empty() ? op : label);
}

void draw_usage_bar(const WarpCanvas& d, Rect bar, int bytes_used, int bytes_moved, std::string_view moved,
                    const std::vector<NamedBox>& more) {
    Canvas& canvas = d.canvas;
    if (canvas.style.counts_hidden) return;
    const Theme& theme = canvas.theme;
    Box unused{.rect = {bar.x, bar.y, bar.w, 12},
               .fill = theme.panel,
               .stroke = theme.outline,
               .rounding = 3,
               .hatch = with_alpha(theme.hatch, 0.75f)};
    canvas.box(unused);
    const float used = bytes_moved == 0 ? 0 : bar.w * float(bytes_used) / float(bytes_moved);
    if (used > 0) canvas.fill({bar.x, bar.y, used, 12}, theme.accent, 3);
    unused.rounding = 2;
    Legend legend;
    legend.add_box(fmt::format("{} of {} bytes used: {} of the bytes {}", format_count(bytes_used),
                               format_count(bytes_moved), format_percent(bytes_used, bytes_moved), moved),
                   {.fill = theme.accent, .stroke = theme.accent, .rounding = 2});
    if (bytes_used < bytes_moved) legend.add_box(fmt::format("{}, not used", moved), unused);
    for (const NamedBox& one : more) legend.add_box(one.name, one.look);
    legend.draw(canvas, bar.x, bar.y + 16, canvas.style.size.x - canvas.margin() - bar.x, 1, theme.text);
}

void draw_row_note(Canvas& canvas, const MemoryRow& row, const LaneRow& lanes) {
    if (row.text.empty()) return;
    const bool fold = row.kind == MemoryRow::Kind::fold;
    if (fold) ++canvas.picture.folds;
    // "… 124 words not used", or "… 124 words", or "… 124".
    const auto words = [&](int count) {
        std::size_t end = 0;
        for (int i = 0; i < count && end != std::string::npos; ++i) end = row.text.find(' ', end + 1);
        return row.text.substr(0, end);
    };
    const std::string text =
        fit_text(canvas, {row.text, words(3), words(2)}, FontRole::body, lanes.width() - 8);
    const float wide = fold ? lanes.width() : canvas.width(text, FontRole::body) + 6;
    canvas.fill({lanes.x, row.y + 1, wide, row.h - 2}, fold ? canvas.theme.cell_empty : canvas.theme.panel,
                3);
    canvas.label_middle({lanes.x + (fold ? 6.0f : 2.0f), row.y + row.h / 2}, canvas.count_text(text),
                        FontRole::body, canvas.theme.text_weak);
}

}  // namespace warplens
