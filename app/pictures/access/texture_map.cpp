#include "app/pictures/access/texture_canvas.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace warplens {
namespace {

/// "fetched by lanes 0 to 3 and 8 to 11", as the groups that want it.
std::string groups_text(std::uint32_t lanes) {
    int groups = 0;
    for (int group = 0; group < kQuads; ++group) groups += (lanes >> group * kQuadLanes & 0xfu) != 0;
    return groups == 1 ? std::string("fetched once")
                       : fmt::format("fetched {} times, for {} groups", groups, groups);
}

/// Its first texel.
std::string name_of(const FetchedSector& sector) {
    return fmt::format("{}, {}", sector.x * kSectorTexelsX, sector.y * kSectorTexelsY);
}

/// The fetched sectors along one direction, and those between them unless they are too many.
SectorAxis axis_of(std::vector<int> fetched, int texels, int ring, bool whole) {
    constexpr int kBridged = 3;
    std::sort(fetched.begin(), fetched.end());
    fetched.erase(std::unique(fetched.begin(), fetched.end()), fetched.end());
    SectorAxis axis{.texels = texels};
    if (fetched.empty()) return axis;
    const bool near_together = whole && fetched.back() - fetched.front() < 20;
    for (int k = ring; k > 0; --k) axis.sectors.push_back(fetched.front() - k);
    for (const int sector : fetched) {
        const int next = axis.sectors.empty() ? sector : axis.sectors.back() + 1;
        if (near_together || sector - next <= kBridged) {
            for (int between = next; between < sector; ++between) axis.sectors.push_back(between);
        }
        axis.sectors.push_back(sector);
    }
    for (int k = 1; k <= ring; ++k) axis.sectors.push_back(fetched.back() + k);
    return axis;
}

/// The start of a sector of an axis that lies inside the texture. -1 if there is none.
int first_inside(const SectorAxis& axis) {
    for (std::size_t i = 0; i < axis.sectors.size(); ++i) {
        if (axis.sectors[i] >= 0) return int(i);
    }
    return -1;
}

int past_inside(const SectorAxis& axis, int size) {
    int past = 0;
    for (std::size_t i = 0; i < axis.sectors.size(); ++i) {
        if (axis.sectors[i] < size) past = int(i) + 1;
    }
    return past;
}

const FetchedSector* find_sector(const TexturePlan& plan, int x, int y) {
    for (const FetchedSector& sector : plan.sectors) {
        if (sector.x == x && sector.y == y) return &sector;
    }
    return nullptr;
}

/// Draws a fetched sector with hatch lines, and over them the texels of some lanes.
void draw_fetched_sector(const TextureCanvas& d, const FetchedSector& sector, Rect place,
                         std::uint32_t of_lanes, bool numbers) {
    Canvas& canvas = d.canvas;
    const Vec2 texel{place.w / kSectorTexelsX, place.h / kSectorTexelsY};
    int used = 0;
    for (const std::uint32_t lanes : sector.lanes) used += (lanes & of_lanes) != 0;
    Box box{.rect = inset(place, 0.5f),
            .fill = canvas.theme.panel,
            .stroke = canvas.theme.outline,
            .rounding = std::min(3.0f, texel.y * 0.2f)};
    if (used < kSectorTexelsX * kSectorTexelsY)
        box.hatch = with_alpha(canvas.theme.hatch, d.hovered() >= 0 ? 0.3f : 0.75f);
    canvas.box(box);
    const int x = sector.x * kSectorTexelsX, y = sector.y * kSectorTexelsY;
    canvas.hit(place, -1,
               fmt::format("sector: texels x {} to {}, y {} to {}{}", x, x + kSectorTexelsX - 1, y,
                           y + kSectorTexelsY - 1,
                           canvas.count_text(fmt::format("\n{}\n{} of 8 texels used",
                                                         groups_text(sector.all_lanes & of_lanes), used))));
    for (int i = 0; i < kSectorTexelsX * kSectorTexelsY; ++i) {
        const std::uint32_t lanes = sector.lanes[i] & of_lanes;
        if (lanes == 0) continue;
        const Rect cell{place.x + texel.x * float(i % kSectorTexelsX),
                        place.y + texel.y * float(i / kSectorTexelsX), texel.x, texel.y};
        draw_lane_cell(d, inset(cell, std::min(1.0f, texel.y * 0.08f)), lanes, d.color_of(lanes), numbers);
        if (of_lanes != kAllLanes && d.hovered() >= 0 && !d.dimmed(lanes)) canvas.highlight(cell, 2);
        canvas.hit(cell, std::popcount(lanes) == 1 ? std::countr_zero(lanes) : -1,
                   fmt::format("{}\ntexel ({}, {})", name_lanes(lanes), x + i % kSectorTexelsX,
                               y + i / kSectorTexelsX));
    }
}

void draw_ground(const TextureCanvas& d, const TexelMap& map) {
    Canvas& canvas = d.canvas;
    const int across = d.plan.width / kSectorTexelsX, down = d.plan.height / kSectorTexelsY;
    for (std::size_t r = 0; r < map.rows.sectors.size(); ++r) {
        for (std::size_t c = 0; c < map.columns.sectors.size(); ++c) {
            const int sx = map.columns.sectors[c], sy = map.rows.sectors[r];
            const Rect place = map.sector(c, r);
            if (sx < 0 || sy < 0 || sx >= across || sy >= down) {
                canvas.fill(place, canvas.theme.page);
                canvas.hit(place, -1, "outside the texture");
                continue;
            }
            if (const FetchedSector* sector = find_sector(d.plan, sx, sy)) {
                draw_fetched_sector(d, *sector, place, kAllLanes, false);
                continue;
            }
            canvas.frame(inset(place, 0.5f), mix(canvas.theme.panel, canvas.theme.outline, 0.4f), 1,
                         std::min(3.0f, map.texel() * 0.2f));
            canvas.hit(place, -1,
                       fmt::format("texels x {} to {}, y {} to {}\nnot fetched", sx * kSectorTexelsX,
                                   (sx + 1) * kSectorTexelsX - 1, sy * kSectorTexelsY,
                                   (sy + 1) * kSectorTexelsY - 1));
        }
    }
}

/// The edges of the texture, as far as the map shows them.
void draw_edges(const TextureCanvas& d, const TexelMap& map) {
    const int across = d.plan.width / kSectorTexelsX, down = d.plan.height / kSectorTexelsY;
    const int left = first_inside(map.columns), top = first_inside(map.rows);
    const int right = past_inside(map.columns, across), bottom = past_inside(map.rows, down);
    if (left < 0 || top < 0) return;
    const auto at_x = [&](int i) { return map.x + map.columns.start(static_cast<std::size_t>(i)); };
    const auto at_y = [&](int i) { return map.y + map.rows.start(static_cast<std::size_t>(i)); };
    const float x0 = at_x(left), x1 = at_x(right), y0 = at_y(top), y1 = at_y(bottom);
    const Color color = d.canvas.theme.text;
    Canvas& canvas = d.canvas;
    if (map.columns.sectors[left] == 0) canvas.line({x0, y0}, {x0, y1}, color, 2);
    if (map.rows.sectors[top] == 0) canvas.line({x0, y0}, {x1, y0}, color, 2);
    if (map.columns.sectors[right - 1] == across - 1) canvas.line({x1, y0}, {x1, y1}, color, 2);
    if (map.rows.sectors[bottom - 1] == down - 1) canvas.line({x0, y1}, {x1, y1}, color, 2);
}

/// The walk passes a texel in its middle, or in a corner where lane numbers stand in the middle.
Vec2 walk_point(const TextureCanvas& d, const TexelMap& map, int lane, bool numbers) {
    const Rect cell = map.cell(d.plan.texel[lane]);
    const float at = numbers ? 0.89f : 0.5f;
    return {cell.x + at * cell.w, cell.y + at * cell.h};
}

/// From lane to lane: solid inside a group of four, which begins with a dot; dotted to the next group.
void draw_walk(const TextureCanvas& d, const TexelMap& map, bool numbers) {
    Canvas& canvas = d.canvas;
    const Theme& theme = canvas.theme;
    const auto color_of = [&](int lane) {
        return numbers ? theme.text : distinct_from(lane_color(theme, lane), theme.panel, 4.5);
    };
    const float alpha = d.hovered() >= 0 ? 0.35f : 1.0f;
    int last = -1;
    for (std::uint32_t rest = d.plan.inside; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const Vec2 to = walk_point(d, map, lane, numbers);
        const bool begins = last < 0 || last / kQuadLanes != lane / kQuadLanes;
        if (last >= 0) {
            const Vec2 from = walk_point(d, map, last, numbers);
            if (numbers && !begins) canvas.line(from, to, with_alpha(theme.panel, alpha), 3.0f);
            canvas.line(from, to, with_alpha(color_of(last), begins ? 0.7f * alpha : alpha),
                        begins ? 1.1f : 1.4f, begins ? Dash::dotted : Dash::solid);
        }
        if (begins && numbers) {
            canvas.mark(to, MarkShape::circle, 3.0f, with_alpha(theme.panel, alpha));
            canvas.mark(to, MarkShape::circle, 2.0f, with_alpha(color_of(lane), alpha));
        }
        last = lane;
    }
}

/// Over the walk, which may cross texels: on plates of the texels' colours.
void draw_numbers(const TextureCanvas& d, const TexelMap& map) {
    for (const FetchedSector& sector : d.plan.sectors) {
        for (const std::uint32_t lanes : sector.lanes) {
            if (std::popcount(lanes) != 1) continue;
            const int lane = std::countr_zero(lanes);
            const bool dim = d.dimmed(lanes);
            const Color fill = d.faded(lane_color(d.canvas.theme, lane), dim);
            const Rect cell = map.cell(d.plan.texel[lane]);
            const float w = std::min(cell.w - 4, d.canvas.width(std::to_string(lane), FontRole::body) + 2);
            const float h = std::min(cell.h - 4, ascent(FontRole::body) + 1);
            d.canvas.fill({cell.x + (cell.w - w) / 2, cell.y + (cell.h - h) / 2, w, h}, fill);
            d.canvas.lane_number(cell, lane, d.ink(fill, dim));
        }
    }
}

/// The first texel of each sector, beside the part of the map that lies inside the texture.
void draw_coordinates(const TextureCanvas& d, const TexelMap& map) {
    Canvas& canvas = d.canvas;
    const Color weak = canvas.theme.text_weak;
    const int left = first_inside(map.columns), top = first_inside(map.rows);
    if (left < 0 || top < 0) return;
    const float above = map.y + map.rows.start(static_cast<std::size_t>(top)) - 5,
                beside = map.x + map.columns.start(static_cast<std::size_t>(left)) - 8;
    float end = -1e9f;
    for (std::size_t c = left; c < map.columns.sectors.size(); ++c) {
        const int x = map.columns.sectors[c] * kSectorTexelsX;
        const std::string text = end < 0 ? fmt::format("x {}", x) : std::to_string(x);
        const float at = map.x + map.columns.start(c), wide = canvas.width(text, FontRole::body);
        if (x >= d.plan.width || at < end + 8 || at + wide > canvas.style.size.x) continue;
        canvas.label({at, above}, text, FontRole::body, weak);
        end = at + wide;
    }
    float last = -1e9f;
    for (std::size_t r = top; r < map.rows.sectors.size(); ++r) {
        const int y = map.rows.sectors[r] * kSectorTexelsY;
        const float middle = map.y + map.rows.start(r) + map.texel() / 2;
        if (y >= d.plan.height || middle < last + 17) continue;
        canvas.label_middle({beside, middle}, fmt::format("y {}", y), FontRole::body, weak, Anchor::end);
        last = middle;
    }
}

}  // namespace

int SectorAxis::gaps_before(std::size_t index) const {
    int gaps = 0;
    for (std::size_t i = 1; i <= index && i < sectors.size(); ++i) gaps += sectors[i] != sectors[i - 1] + 1;
    return gaps;
}

float SectorAxis::start(std::size_t index) const {
    return float(index) * float(texels) * texel + kGap * float(gaps_before(index));
}

float SectorAxis::position(int texel_index) const {
    const auto found = std::lower_bound(sectors.begin(), sectors.end(), texel_index / texels);
    return start(static_cast<std::size_t>(found - sectors.begin())) + float(texel_index % texels) * texel;
}

TexelMap lay_out_map(const TexturePlan& plan, Vec2 room, float most_texel, const MapExtent& extent) {
    std::vector<int> columns, rows;
    for (const FetchedSector& sector : plan.sectors) {
        columns.push_back(sector.x);
        rows.push_back(sector.y);
    }
    TexelMap map{.columns = axis_of(std::move(columns), kSectorTexelsX, extent.ring_x, extent.whole),
                 .rows = axis_of(std::move(rows), kSectorTexelsY, extent.ring_y, extent.whole)};
    const float gaps_x = map.columns.length(), gaps_y = map.rows.length();  // texels have no size yet
    const auto across = float(map.columns.sectors.size() * kSectorTexelsX),
               down = float(map.rows.sectors.size() * kSectorTexelsY);
    if (across > 0)
        map.columns.texel =
            std::max(0.0f, std::min({(room.x - gaps_x) / across, (room.y - gaps_y) / down, most_texel}));
    map.rows.texel = map.columns.texel;
    return map;
}

void draw_map(const TextureCanvas& d, const TexelMap& map, bool numbers) {
    draw_ground(d, map);
    draw_edges(d, map);
    draw_walk(d, map, numbers);
    if (numbers) draw_numbers(d, map);
    if (map.coordinates) draw_coordinates(d, map);
    const int lane = d.hovered();
    if (lane >= 0 && (d.plan.inside >> lane & 1u) != 0) d.canvas.highlight(map.cell(d.plan.texel[lane]), 2);
}

void draw_sheet(const TextureCanvas& d, float top, float bottom) {
    Canvas& canvas = d.canvas;
    constexpr float kName = 19, kBetween = 5;
    const int rows = *std::max_element(d.report.quad_sectors.begin(), d.report.quad_sectors.end());
    if (rows == 0) return;
    const float each = (bottom - top) / float(rows);
    float widest = 0;
    for (const FetchedSector& sector : d.plan.sectors)
        widest = std::max(widest, canvas.width(name_of(sector), FontRole::body));
    const bool names =
        !is_tiny(canvas.style) && each >= 2 * 14 + kName + kBetween && kQuadLanes * d.lanes.pitch > widest;
    const float texel_h =
        std::min({1.5f * d.lanes.pitch, 36.0f, (each - kBetween - (names ? kName : 0)) / kSectorTexelsY});
    if (texel_h < 2) return;
    const float step = kSectorTexelsY * texel_h + kBetween + (names ? kName : 0);
    const bool numbers = d.lanes.pitch - 2 >= canvas.lane_number_cell() - canvas.lane_margin();
    if (names)
        canvas.label({canvas.margin(), top + ascent(FontRole::body) + 3}, "x, y", FontRole::body,
                     canvas.theme.text_weak);
    for (int group = 0; group < kQuads; ++group) {
        const std::uint32_t lanes = 0xfu << group * kQuadLanes;
        const float x = d.lanes.cell(group * kQuadLanes).x, w = kQuadLanes * d.lanes.pitch;
        float y = top;
        for (const FetchedSector& sector : d.plan.sectors) {
            if ((sector.all_lanes & lanes) == 0) continue;
            if (names)
                canvas.label({x + w / 2, y + ascent(FontRole::body) + 3}, name_of(sector), FontRole::body,
                             canvas.theme.text_weak, Anchor::middle);
            const float tile_y = y + (names ? kName : 0);
            draw_fetched_sector(d, sector, {x, tile_y, w, kSectorTexelsY * texel_h}, lanes, numbers);
            y += step;
        }
    }
}

}  // namespace warplens
