#include "app/pictures/access/grid_map_picture.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

constexpr float kFlag = 5;  ///< [points]
constexpr float kHighestCell = 18, kStrip = 14, kLegendLine = 18;

std::string from_to(std::int64_t least, std::int64_t most) {
    return least == most ? format_count(least)
                         : fmt::format("{} to {}", format_count(least), format_count(most));
}

std::string warps_text(std::int64_t warps) { return counted(warps, "warp"); }

/// "28 to 32 sectors a request, ideal 4".
std::string cost_of_requests(const GridMap& map, const RequestSums& sums, bool mean) {
    if (map.unit.empty()) return "no memory is accessed";
    if (sums.requests == 0) return "no lane is active";
    const bool one = sums.most == 1 && sums.least == 1 && map.unit.ends_with('s');
    std::string text =
        fmt::format("{} {} {}", from_to(sums.least, sums.most),
                    std::string_view(map.unit).substr(0, map.unit.size() - (one ? 1 : 0)), map.per);
    if (mean && sums.least != sums.most)
        text += fmt::format(", {:.4g} on average;", double(sums.cost) / double(sums.requests));
    else
        text += ',';
    if (sums.most_ideal == 0) return text + " none without spills";
    return text + " ideal " + from_to(sums.least_ideal, sums.most_ideal);
}

std::string blocks_text(const GridMap& map, const GridCell& cell) {
    const Extent last{cell.first.x + cell.blocks.x - 1, cell.first.y + cell.blocks.y - 1};
    const bool one = cell.blocks.x == 1 && cell.blocks.y == 1;
    if (map.grid.y == 1)
        return one ? fmt::format("block {}", format_count(last.x))
                   : fmt::format("blocks {}", from_to(cell.first.x, last.x));
    return one ? fmt::format("block ({}, {})", last.x, last.y)
               : fmt::format("blocks ({}, {}) to ({}, {})", cell.first.x, cell.first.y, last.x, last.y);
}

double mean_excess(const RequestSums& sums) {
    return sums.requests == 0 ? 0 : double(sums.excess()) / double(sums.requests);
}

struct MapCanvas {
    Canvas& canvas;
    const GridMap& map;
    bool strip = false;      ///< all of it is one strip
    Rect place = {};         ///< of all cells
    double most_excess = 0;  ///< of the cells' means
    double most_cost = 0;    ///< of the cells' costs for each warp

    double cost(const GridCell& cell) const { return double(cell.sums.cost) / double(map.warps(cell)); }
    Rect cell(int index) const {
        const float wide = place.w / float(map.columns), high = place.h / float(map.rows);
        return {place.x + wide * float(index % map.columns), place.y + high * float(index / map.columns),
                wide, high};
    }
    Color color(const GridCell& one) const {
        const Theme& theme = canvas.theme;
        if (canvas.style.counts_hidden) return theme.cell_empty;
        // A strip has nothing beside it, so its colour says how many times the ideal it takes.
        const double most = strip ? double(one.sums.ideal) / double(one.sums.requests) : most_excess;
        const double excess = mean_excess(one.sums);
        const double part = most > 0 ? std::min(1.0, excess / most) : excess > 0 ? 1.0 : 0.0;
        const Color full = ramp_color(wavefront_ramp(theme), float(part));
        const double share = strip ? 0.3 : most_cost > 0 ? cost(one) / most_cost : 1;
        return mix(theme.panel, full, 0.25f + 0.75f * float(share));
    }
    std::string tooltip(const GridCell& one) const {
        const bool counts = !canvas.style.counts_hidden;
        std::string text = describe_cell(map, one, counts);
        if (map.can_picture)
            text +=
                counts && one.sums.requests > 0 ? "\nA click pictures the worst." : "\nA click pictures it.";
        if (!map.source.empty()) text += fmt::format("\n{} {}", provenance_mark(map.kind), map.source);
        return text;
    }
};

void draw_map_cells(const MapCanvas& d) {
    // Small cells overlap a little, so that no seams are seen between them.
    const float gap = d.cell(0).w >= 5 && d.cell(0).h >= 5 ? 1.0f : -0.3f;
    for (int i = 0; i < int(d.map.cells.size()); ++i) {
        const GridCell& one = d.map.cells[i];
        const Rect rect = d.cell(i);
        Box box{.rect = {rect.x, rect.y, rect.w - gap, rect.h - gap}, .plain = true};
        if (one.sums.requests > 0 || d.canvas.style.counts_hidden)
            box.fill = d.color(one);
        else
            box.stroke = mix(d.canvas.theme.panel, d.canvas.theme.outline, 0.45f);
        d.canvas.box(box);
        d.canvas.hit({.rect = rect, .tooltip = d.tooltip(one), .item = i});
    }
}

/// All warps are alike: one strip, and under the mouse the cells of its first row.
void draw_strip(const MapCanvas& d) {
    d.canvas.box({.rect = d.place, .fill = d.color(d.map.cells.front()), .rounding = 3, .plain = true});
    for (int i = 0; i < d.map.columns; ++i) {
        const Rect rect = d.cell(i);
        d.canvas.hit({.rect = {rect.x, d.place.y, rect.w, d.place.h},
                      .tooltip = d.tooltip(d.map.cells[i]),
                      .item = i});
    }
}

/// Round the cell with the pictured warp; the strip has a mark across at its column.
void draw_pictured(const MapCanvas& d, std::int64_t pictured) {
    const int index = d.map.cell_of(pictured);
    if (index < 0) return;
    Rect cell = d.cell(index);
    if (d.strip) cell = {cell.x + cell.w / 2 - 2.5f, d.place.y - 1, 5, d.place.h + 2};
    const Rect around = inset(cell, cell.w < 8 ? -1.5f : 0.5f);
    d.canvas.frame(around, d.canvas.theme.panel, 3.5f, 1);
    d.canvas.frame(around, d.canvas.theme.text, 1.6f, 1);
}

/// A small flag that stands on the cell with the worst request.
void draw_flag(const MapCanvas& d) {
    if (d.map.worst < 0 || d.strip || d.canvas.style.counts_hidden) return;
    const Rect cell = d.cell(d.map.worst);
    const Vec2 foot{cell.x + cell.w / 2, cell.y};
    // Other cells may be as bad, and as orange.
    d.canvas.mark({foot.x, foot.y - kFlag}, MarkShape::triangle_down, kFlag, d.canvas.theme.text);
}

void draw_legend(const MapCanvas& d, float y) {
    constexpr float kWide = 40, kHigh = 8;
    constexpr int kSteps = 20;
    Canvas& canvas = d.canvas;
    float x = d.place.x;
    for (int i = 0; i < kSteps; ++i)
        canvas.box({.rect = {x + kWide * float(i) / kSteps, y + 4, kWide / kSteps, kHigh},
                    .fill = ramp_color(wavefront_ramp(canvas.theme), (float(i) + 0.5f) / kSteps),
                    .plain = true});
    x += kWide + 6;
    const auto paler = [&](const GridCell& cell) { return d.cost(cell) < d.most_cost * 0.98; };
    const float room = d.place.x + d.place.w - x;
    std::string text = fmt::format("0 to {:.3g} beyond ideal", d.most_excess);
    const std::string more = text + "; pale: less work";
    if (std::ranges::any_of(d.map.cells, paler) && canvas.width(more, FontRole::body) <= room) text = more;
    canvas.label_elided({x, y + ascent(FontRole::body)}, text, FontRole::body, canvas.theme.text_weak, room);
}

/// The sentence, or as much of it as has room, on as many lines as are given. @return  y below it
float draw_map_sentence(Canvas& canvas, const GridMap& map, float y, std::size_t most_lines) {
    const std::string mark = std::string(provenance_mark(map.kind)) + ' ';
    std::vector<std::string> texts{warps_text(map.warps())};
    if (!canvas.style.counts_hidden) {
        const RequestSums all = map.sums();
        texts = {mark + grid_map_sentence(map), mark + cost_of_requests(map, all, false)};
        if (all.requests > 0) {
            const std::string cost = from_to(all.least, all.most),
                              ideal = ", ideal " + from_to(all.least_ideal, all.most_ideal);
            texts.push_back(mark + cost + ' ' + map.unit + ideal);
            texts.push_back(mark + cost + ideal);
        }
    }
    std::vector<std::string> lines;
    for (const std::string& text : texts) {
        lines = canvas.wrap(text, FontRole::body, canvas.inner_width());
        if (lines.size() <= most_lines) break;
    }
    if (lines.size() > most_lines) lines = {canvas.elide(texts.back(), FontRole::body, canvas.inner_width())};
    for (const std::string& line : lines) {
        canvas.label({canvas.margin(), y + ascent(FontRole::body)}, line, FontRole::body, canvas.theme.text);
        y += line_height(FontRole::body);
    }
    return y;
}

}  // namespace

std::string grid_map_sentence(const GridMap& map) {
    return fmt::format("{}{}: {}", warps_text(map.warps()), map.alike && map.warps() > 1 ? ", all alike" : "",
                       cost_of_requests(map, map.sums(), false));
}

std::string describe_cell(const GridMap& map, const GridCell& cell, bool counts) {
    std::string text = blocks_text(map, cell);
    if (cell.warps == map.warps_per_block)
        text += ", " + warps_text(map.warps(cell));
    else
        text += fmt::format(", warp{} {}{}", cell.warps == 1 ? "" : "s",
                            from_to(cell.first_warp, cell.first_warp + cell.warps - 1),
                            cell.blocks.x * cell.blocks.y == 1 ? "" : " of each");
    if (map.repeats > 1) text += fmt::format(" in {} images", map.repeats);
    return counts ? text + '\n' + cost_of_requests(map, cell.sums, true) : text;
}

Picture draw_grid_map(const GridMap& map, std::int64_t pictured, const Style& style) {
    Canvas canvas(style, "The grid", "");
    MapCanvas d{canvas, map, map.alike && !style.counts_hidden};
    for (const GridCell& cell : map.cells) {
        d.most_excess = std::max(d.most_excess, mean_excess(cell.sums));
        d.most_cost = std::max(d.most_cost, d.cost(cell));
    }
    const bool legend = style.size.y >= 96 && !d.strip && !style.counts_hidden && d.most_excess > 0;
    float top = canvas.draw_title();
    top = draw_map_sentence(canvas, map, top, style.size.y < 76 ? 1 : 2) + 3;
    const float bottom = style.size.y - canvas.margin() - (legend ? kLegendLine : 0);
    if (!d.strip) top += 2 * kFlag;
    const float room = std::max(4.0f, bottom - top);
    d.place = {canvas.margin(), top, canvas.inner_width(),
               std::min(room, d.strip ? kStrip : kHighestCell * float(map.rows))};
    if (d.strip)
        draw_strip(d);
    else
        draw_map_cells(d);
    draw_pictured(d, pictured);
    draw_flag(d);
    if (legend) draw_legend(d, d.place.y + d.place.h + 3);
    return canvas.take();
}

}  // namespace warplens
